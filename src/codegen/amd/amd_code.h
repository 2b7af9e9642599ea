// What LLVM's AMDGPU back end makes of a kernel: machine instructions by IR block, and resources.
#pragma once

#include "amdgcn/classify.h"
#include "facts/machine_program.h"
#include "gpu/policies.h"
#include "ir/kernel_module.h"
#include "support/result.h"

#include <llvm/ADT/SmallVector.h>

#include <string>
#include <vector>

namespace forewarp::codegen {

/// One machine instruction after register allocation.
struct AmdInstruction {
  facts::OpClass op = facts::OpClass::nop;
  std::uint32_t ordinal =
      facts::no_value;           ///< of the IR instruction (position in the function) it was made from
  std::uint16_t width_bytes = 0; ///< memory: bytes a lane
  bool two_addresses = false;    ///< LDS read2 / write2
  bool in_a_row = false;         ///< read2 of words side by side: one of 8 bytes, but for its alignment
  bool wide_integer = false;     ///< vector ALU: shift or comparison of 64 bits
  bool slow_double = false;      ///< reciprocal or root of doubles
  bool spill = false;            ///< to or from the stack frame, not asked for by the IR
  bool opaque = false;           ///< stands for a function that the back end cannot make (see amd_markers.h)
  amdgcn::MatrixProduct product; ///< of class tensor_mma
  std::int32_t slot_bytes = 0;   ///< spills: offset in the frame
  llvm::SmallVector<std::uint32_t, 6> reads, writes; ///< register units
};

/// The class, and what the name in LLVM's tables says beside it: width, product, kind of operation.
void describe(llvm::StringRef name, facts::OpClass op, AmdInstruction& out);

struct AmdCode {
  facts::ResourceUse resources;
  std::vector<std::vector<AmdInstruction>> blocks; ///< by IR block, in layout order
  unsigned opaque_calls = 0;                       ///< functions left to the table of math operations
};

/// Runs the back end on a copy of the module. Resources are its kernel-resource-usage remarks: VGPRs (with
/// AGPRs), SGPRs, scratch bytes, LDS bytes. A machine block belongs to the IR block that it was made from; a
/// block that the back end put in (structured control flow) to its nearest dominator of the same loop.
/// Of the compiler's rules: hoists_reciprocals (amd_divisions.h) and closed: independent loads stay together
/// where LLVM would wait for one before the next so as to fit ten waves.
/// Errors (unsupported): a call that the back end cannot lower, by name.
Result<AmdCode> amd_code(const ir::KernelModule& module, const ir::KernelSignature& kernel,
                         const std::string& target, const gpu::CompilerRules& compiler);

} // namespace forewarp::codegen
