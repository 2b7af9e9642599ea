// Memory instructions of inline PTX: ld, ldu, st, atom, red, cvta.to.shared, cp.async with its waits, and the
// rows that ldmatrix reads. Cache modifiers are not modelled.
#pragma once

#include "frontend/lowering/ptx/ptx_statement.h"

#include <optional>

namespace forewarp::frontend::lowering {

/// Whether `expand_ptx_memory` is the one to ask.
bool is_ptx_memory(const PtxStatement& statement);

/// Puts the statement's IR at the builder's place. False: not of a form that is modelled.
bool expand_ptx_memory(llvm::IRBuilder<>& builder, PtxRegisters& registers, const PtxStatement& statement);

/// 4, 8 or 16: what a cp.async copies. 0: not known, or no such copy.
unsigned ptx_copied_bytes(llvm::IRBuilder<>& builder, PtxRegisters& registers, const PtxStatement& copy);
/// cp.async has an operand for the bytes to read; what is beyond them becomes zeros.
bool has_source_bytes(const PtxStatement& statement);
/// The store of zeros that such a copy is where it reads nothing. Nothing: the size is not known.
std::optional<PtxStatement> ptx_zero_fill(llvm::IRBuilder<>& builder, PtxRegisters& registers,
                                          const PtxStatement& copy);

/// ldmatrix of 1, 2 or 4 matrices as the load of a row by each of the first lanes. Nothing: another form.
std::optional<PtxStatement> ptx_row_load(const PtxStatement& statement, unsigned matrices);

} // namespace forewarp::frontend::lowering
