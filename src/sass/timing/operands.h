// When and through which ports an instruction reads its registers.
#pragma once

#include "sass/program.h"

#include <array>

namespace forewarp::sass {

/// Cycles from issue until the sources of an instruction of variable latency were read (Huerta et al., MICRO
/// 2025, table 2: Ampere, addresses in registers).
unsigned source_read_cycles(const Instruction& instruction);

/// Registers that an instruction of the lanes' own pipes reads of each of the two banks (number modulo 2;
/// Huerta 5.3, Jia et al. 1804.06826). What the register cache holds costs no read: a source that an earlier
/// instruction of the same straight code kept there at the same position, until another register of that
/// bank is read at that position. Memory instructions read beside the ports of the pipes: none.
std::array<std::uint8_t, 2> bank_reads(const Kernel& kernel, std::size_t index);

} // namespace forewarp::sass
