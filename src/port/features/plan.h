// What the recording side of a features run must know of a region beside RegionPlan; no compiler in it.
#pragma once

#include "facts/region_trace.h"
#include "port/features/mix.h"

#include <array>
#include <cstdint>
#include <vector>

namespace forewarp::port {

/// How much of the run is looked at instruction by instruction, for parallelism and reuse. All else is
/// counted in full.
enum class FeatureDetail : std::uint8_t {
  sampled, ///< the first four windows of 65,536 instructions, and one of 24 later ones
  full,    ///< all
};

struct FeatureInstruction {
  std::uint8_t weight =
      1; ///< instructions that a processor runs: 0, 1, 2 (a multiplication, then an addition)
  bool load = false, store = false;
  std::array<std::uint32_t, 4> operands = {facts::no_region_index, facts::no_region_index,
                                           facts::no_region_index, facts::no_region_index}; ///< value ids
  std::uint32_t value = facts::no_region_index; ///< none for stores and branches
};

struct FeatureBlock {
  std::uint32_t first_instruction = 0, instruction_count = 0;
  std::uint32_t weight = 0; ///< instructions of one run
  std::uint32_t function = 0;
  std::uint32_t branch = facts::no_region_index; ///< index of the branch that ends it; none: goes one way
  std::vector<std::uint32_t> successors;         ///< blocks; no_region_index: outside
  std::vector<facts::RegionPhi> phis;            ///< of FeatureInstruction's value ids
};

/// What section 4.2 of the text's features needs of one block, whoever tells how often it runs.
struct StaticBlock {
  InstructionMix mix;
  double coalesced = 0, coalesced_as_published = 0; ///< memory operations
  double branches = 0, diverging = 0;               ///< conditional ones
};

struct FeaturePlan {
  FeatureDetail detail = FeatureDetail::sampled;
  std::vector<FeatureBlock> blocks; ///< index = RegionBlock
  std::vector<FeatureInstruction> instructions;
  std::vector<InstructionMix> mixes; ///< by block
  std::vector<StaticBlock> text;     ///< by block
  std::uint32_t thread_block = 0;    ///< runs once for each thread of that band: header of its innermost loop
  std::uint32_t carried = 0;         ///< values that the outermost loop hands from iteration to iteration
  std::uint32_t value_count = 0, function_count = 1, branch_count = 0;
};

} // namespace forewarp::port
