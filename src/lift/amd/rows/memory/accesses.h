// What the names of memory instructions say, old ("dwordx2", "ubyte_d16") and new ("b64", "d16_u8").
#pragma once

#include "lift/amd/lifter.h"

#include <llvm/IR/Instructions.h>

#include <optional>

namespace forewarp::lift::amd {

/// Of one lane's access.
struct Width {
  unsigned bytes = 4;
  bool is_signed = false;                         ///< narrow loads
  bool half_register = false, upper_half = false; ///< d16: the other half of the register stays
};

/// `what`: behind "global_load_", "ds_read_".
std::optional<Width> width_named(std::string_view what);

/// Into the registers of operand `n` from word `first` on; the body's lanes only.
void load_into(Lifter& l, std::size_t n, Value* pointer, const Width& width, unsigned first = 0);
void store_from(Lifter& l, std::size_t n, Value* pointer, const Width& width);

/// `how`: "add_u32", "cmpswap_x2", "fadd_f32". The value(s) are operand `value`; the result operand `result`,
/// if any. False: not known.
bool atomic(Lifter& l, std::string_view how, Value* pointer, std::size_t value,
            std::optional<std::size_t> result);

} // namespace forewarp::lift::amd
