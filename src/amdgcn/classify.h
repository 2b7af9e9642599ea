// Names of AMD machine instructions -> classes of operations.
#pragma once

#include "facts/op_class.h"

#include <llvm/ADT/StringRef.h>

#include <cstdint>
#include <optional>

namespace forewarp::amdgcn {

/// A matrix product of a wave.
struct MatrixProduct {
  enum class Factor : std::uint8_t { half, bf16, bits_8, xf32, f32, f64 } factor = Factor::half;
  std::uint32_t multiply_adds = 0; ///< 0: none
};

/// Of an instruction of class tensor_mma; the name as below.
MatrixProduct matrix_product(llvm::StringRef name);

/// `name` as LLVM's tables have it ("V_FMAC_F32_e32", "GLOBAL_LOAD_DWORDX4_SADDR", "S_LOAD_DWORD_IMM").
/// Empty: costs no issue slot of a unit (waits, hints, labels; the wait itself follows from the registers).
/// `in_scratch`: a buffer or flat access whose memory is the stack frame.
std::optional<facts::OpClass> classify_amd(llvm::StringRef name, bool in_scratch);

/// A shift or comparison of 64-bit integers by the vector ALU ("V_LSHLREV_B64_e64").
bool is_wide_integer(llvm::StringRef name);

/// Bytes a lane of a memory instruction's name ("..._DWORDX4": 16, "..._B64": 8, "..._UBYTE": 1).
unsigned width_of_amd(llvm::StringRef name);

} // namespace forewarp::amdgcn
