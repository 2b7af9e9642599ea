// Operations on words that scalar and vector instructions share.
#pragma once

#include "lift/amd/lifter.h"

namespace forewarp::lift::amd {

inline Value* conjunction(Lifter& l, Value* a, Value* c) {
  return l.b.CreateAnd(a, c);
}
inline Value* disjunction(Lifter& l, Value* a, Value* c) {
  return l.b.CreateOr(a, c);
}
inline Value* difference(Lifter& l, Value* a, Value* c) {
  return l.b.CreateXor(a, c);
}
inline Value* equal_bits(Lifter& l, Value* a, Value* c) {
  return l.b.CreateNot(l.b.CreateXor(a, c));
}
/// The upper word of the product.
template <bool is_signed> Value* high_product(Lifter& l, Value* a, Value* c) {
  llvm::Type* wide = l.b.getInt64Ty();
  return l.high(l.b.CreateMul(l.b.CreateIntCast(a, wide, is_signed), l.b.CreateIntCast(c, wide, is_signed)));
}

} // namespace forewarp::lift::amd
