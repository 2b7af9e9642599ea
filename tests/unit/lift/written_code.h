// Machine code that a test writes down as its bits.
#pragma once

#include "sass/program.h"

#include <array>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace forewarp::lift {

using Bits = std::array<std::uint64_t, 2>;

inline sass::Instruction decoded(const Bits& bits, unsigned sm, std::uint32_t offset = 0) {
  auto instruction = sass::decode(bits, offset, sm);
  if (!instruction)
    throw std::runtime_error(to_string(instruction.error()));
  return *std::move(instruction);
}

/// A module of one kernel with this code; parameters from `parameter_base` on, one behind the other.
inline sass::Module written_module(const std::vector<Bits>& code, unsigned sm, std::string name,
                                   std::uint16_t parameter_base,
                                   const std::vector<std::uint16_t>& parameter_bytes) {
  sass::Module module;
  module.sm = sm;
  sass::Kernel& kernel = module.kernels.emplace_back();
  kernel.name = std::move(name);
  kernel.registers = 16;
  kernel.parameter_base = parameter_base;
  std::uint16_t offset = 0;
  for (const std::uint16_t bytes : parameter_bytes) {
    kernel.parameters.push_back({static_cast<std::uint16_t>(kernel.parameters.size()), offset, bytes});
    offset = static_cast<std::uint16_t>(offset + bytes);
  }
  kernel.parameter_bytes = offset;
  for (const Bits& bits : code)
    kernel.instructions.push_back(
        decoded(bits, sm, static_cast<std::uint32_t>(kernel.instructions.size() * sass::instruction_bytes)));
  return module;
}

} // namespace forewarp::lift
