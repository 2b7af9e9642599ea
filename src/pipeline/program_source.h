// Groups whose warps run stored instruction lists: the Pipeline model's input, synthetic kernels and tests.
#pragma once

#include "pipeline/simulator.h"

namespace forewarp::pipeline {

/// Straight-line code of one warp.
struct Program {
  std::vector<Instruction> instructions;
  std::uint32_t register_count = 0;
};

/// `groups` groups of the same warps; warp i of a group runs `warps[i]`.
class ProgramSource final : public GroupSource {
public:
  ProgramSource(std::vector<std::shared_ptr<const Program>> warps, std::uint64_t groups)
      : warps_(std::move(warps)), left_(groups) {}
  /// Groups of `warps_per_group` equal warps.
  ProgramSource(const std::shared_ptr<const Program>& program, unsigned warps_per_group, std::uint64_t groups)
      : warps_(warps_per_group, program), left_(groups) {}
  std::unique_ptr<GroupStreams> next() override;

private:
  std::vector<std::shared_ptr<const Program>> warps_;
  std::uint64_t left_;
};

} // namespace forewarp::pipeline
