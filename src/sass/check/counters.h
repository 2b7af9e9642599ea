// Are the counters of the control words enough? A register that a variable-latency instruction still has to
// write or read must not be used before a wait covers it. Compiled code has no violation: one that is found
// is a wrong width, operand or edge of ours.
#pragma once

#include "sass/program.h"

namespace forewarp::sass {

struct CounterViolation {
  std::uint32_t instruction = 0; ///< index of the use
  std::uint32_t producer = 0;    ///< index of the instruction that is still under way
  OperandKind file = OperandKind::general;
  std::uint16_t number = 0; ///< of the register
};

struct CounterCheck {
  std::uint64_t uses = 0; ///< registers read or written
  std::vector<CounterViolation> violations;
};

/// Data flow over the kernel's branches. Rules beside the wait masks (docs/models/machine_code/sass.md):
/// results of a queue arrive in order; instructions of a pipe read their sources in order; a wait for a
/// result also means that the sources were read; instructions under complementary guards do not meet. A call
/// is taken to leave nothing under way.
CounterCheck check_counters(const Kernel& kernel);

} // namespace forewarp::sass
