// Inline PTX as IR: statements of the plain instructions that sources write by hand (byte permutation, funnel
// shifts, three-input logic, bit fields, carries, packed moves, loads and stores, asynchronous copies, matrix
// products of a warp or a group of them, ...), under predicates too.
//
// Not modelled: labels and branches, calls, bulk copies (TMA), rounding modifiers
// other than the default's effect on values.
#pragma once

#include <llvm/IR/Instructions.h>

#include <optional>
#include <string>

namespace forewarp::frontend::lowering {

/// Puts the statements' IR before `call`, a call of inline assembly, and replaces its result. Empty: done;
/// else the statement that is not known, as written ("" where the constraints are not), and nothing is
/// changed that matters: the call is still there.
std::optional<std::string> expand_inline_ptx(llvm::CallInst& call);

} // namespace forewarp::frontend::lowering
