// Machine operations written in one line.
#pragma once

#include "facts/machine_program.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>

namespace forewarp::codegen::testing {

inline facts::MachineOp operation(facts::OpClass op, std::initializer_list<std::uint32_t> sources,
                                  std::uint32_t destination) {
  facts::MachineOp made{
      .op = op, .source_count = static_cast<std::uint8_t>(sources.size()), .destination = destination};
  std::copy(sources.begin(), sources.end(), made.sources.begin());
  return made;
}

} // namespace forewarp::codegen::testing
