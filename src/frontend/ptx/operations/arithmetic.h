// The arithmetic of PTX: one value from the values of the sources.
#pragma once

#include "frontend/ptx/statement.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/IRBuilder.h>

namespace forewarp::frontend::ptx {

using Sources = llvm::ArrayRef<llvm::Value*>;
using Emitter = llvm::Value* (*)(llvm::IRBuilder<>&, const Statement&, Sources);

/// The value, marked as part of the instruction whose operation another value of it is (ir/part_mark.h).
llvm::Value* part(llvm::Value* value);

/// An emitter by name and type.
struct Arithmetic {
  const char* name;
  unsigned sources;
  bool (*applies)(const Statement&); ///< to the statement's type and modifiers
  Emitter emit;                      ///< null: the operands are not of a form that is modelled
  unsigned last_words =
      0; ///< so many of the last sources are 32 bits wide whatever the type: amounts of shifts
};

/// The first row of that name that applies; null: not known.
const Arithmetic* find_arithmetic(const Statement& statement);

// arithmetic_bits.cpp
llvm::Value* shift(llvm::IRBuilder<>& b, const Statement& s, Sources v);
llvm::Value* funnel_shift(llvm::IRBuilder<>& b, const Statement& s, Sources v);
llvm::Value* permuted_bytes(llvm::IRBuilder<>& b, const Statement& s, Sources v);
llvm::Value* logic_of_three(llvm::IRBuilder<>& b, const Statement& s, Sources v);
llvm::Value* field(llvm::IRBuilder<>& b, const Statement& s, Sources v);
llvm::Value* inserted_field(llvm::IRBuilder<>& b, const Statement& s, Sources v);
llvm::Value* mask_of_bits(llvm::IRBuilder<>& b, const Statement& s, Sources v);
llvm::Value* counted(llvm::IRBuilder<>& b, const Statement& s, Sources v);
llvm::Value* extended_field(llvm::IRBuilder<>& b, const Statement& s, Sources v);
llvm::Value* dot_of_bytes(llvm::IRBuilder<>& b, const Statement& s, Sources v);
llvm::Value* highest_bit(llvm::IRBuilder<>& b, const Statement& s, Sources v);

// arithmetic_floats.cpp
llvm::Value* float_sum(llvm::IRBuilder<>& b, const Statement& s, Sources v);
llvm::Value* float_product(llvm::IRBuilder<>& b, const Statement& s, Sources v);
llvm::Value* fused(llvm::IRBuilder<>& b, const Statement& s, Sources v);
llvm::Value* float_extreme(llvm::IRBuilder<>& b, const Statement& s, Sources v);
llvm::Value* float_quotient(llvm::IRBuilder<>& b, const Statement& s, Sources v);
llvm::Value* reciprocal(llvm::IRBuilder<>& b, const Statement& s, Sources v);
llvm::Value* root(llvm::IRBuilder<>& b, const Statement& s, Sources v);
llvm::Value* reciprocal_root(llvm::IRBuilder<>& b, const Statement& s, Sources v);
/// ex2, lg2, sin, cos, tanh: of the special-function unit.
llvm::Value* fast_function(llvm::IRBuilder<>& b, const Statement& s, Sources v);
llvm::Value* sign_copied(llvm::IRBuilder<>& b, const Statement& s, Sources v);
llvm::Value* class_tested(llvm::IRBuilder<>& b, const Statement& s, Sources v);

} // namespace forewarp::frontend::ptx
