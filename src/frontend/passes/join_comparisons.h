// What LLVM's last passes make twice and the assembler keeps in one register or predicate.
#pragma once

#include <llvm/IR/Function.h>

namespace forewarp::frontend {

/// A comparison that one before it makes already goes; the opposite one, too, where branches and selects
/// alone ask for it: they take the predicate's complement for nothing. (nvdisasm 13 of what ptxas 13.0 makes
/// of reduction, scan, lud_diagonal and spmv_csr_vector: one comparison each.)
void join_comparisons(llvm::Function& function);

/// The lower part of an extended number is the number, which has its register.
void take_extensions_back(llvm::Function& function);

} // namespace forewarp::frontend
