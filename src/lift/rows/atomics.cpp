// Atomics on global and shared memory.
#include "lift/rows/rows.h"

#include "lift/rows/addresses.h"

#include <llvm/IR/Constants.h>

namespace forewarp::lift {
namespace {

using M = Modifier;
using A = llvm::AtomicRMWInst;

struct AtomicType {
  unsigned bits = 32;
  bool is_float = false, is_signed = false;
};

AtomicType type_of(const Lifter& l) {
  if (l.has(M::f64))
    return {64, true};
  if (l.has(M::f32))
    return {32, true};
  return {l.has(M::w64) || l.has(M::u64) || l.has(M::s64) ? 64U : 32U, false, l.has(M::s32) || l.has(M::s64)};
}

std::optional<A::BinOp> operation(const Lifter& l, AtomicType type) {
  if (l.has(M::add))
    return type.is_float ? A::FAdd : A::Add;
  if (l.has(M::min))
    return type.is_float ? A::FMin : type.is_signed ? A::Min : A::UMin;
  if (l.has(M::max))
    return type.is_float ? A::FMax : type.is_signed ? A::Max : A::UMax;
  if (l.has(M::inc))
    return A::UIncWrap;
  if (l.has(M::dec))
    return A::UDecWrap;
  if (l.has(M::and_))
    return A::And;
  if (l.has(M::or_))
    return A::Or;
  if (l.has(M::xor_))
    return A::Xor;
  if (l.has(M::exch))
    return A::Xchg;
  return std::nullopt;
}

Value* operand_of(Lifter& l, const Operand* operand, AtomicType type) {
  auto& b = l.b;
  Value* bits = type.bits == 64 ? l.u64(operand) : l.raw(operand);
  if (!type.is_float)
    return bits;
  return b.CreateBitCast(bits, type.bits == 64 ? b.getDoubleTy() : b.getFloatTy());
}

void set_old(Lifter& l, Value* old, AtomicType type) {
  auto& b = l.b;
  if (type.is_float)
    old = b.CreateBitCast(old, b.getIntNTy(type.bits));
  if (l.result(0) == nullptr)
    return;
  if (type.bits == 64)
    l.set64(l.result(0), old);
  else
    l.set(l.result(0), old);
}

void exchange_if_equal(Lifter& l, Value* pointer) {
  auto& b = l.b;
  const AtomicType type{l.has(M::w64) || l.has(M::u64) ? 64U : 32U};
  Value *expected = nullptr, *wanted = nullptr;
  if (l.source_count() > 1) {
    expected = operand_of(l, l.source(0), type);
    wanted = operand_of(l, l.source(1), type);
  } else {
    return l.refuse("an exchange with both values in one operand");
  }
  auto* made = b.CreateAtomicCmpXchg(pointer, expected, wanted, llvm::MaybeAlign(),
                                     llvm::AtomicOrdering::Monotonic, llvm::AtomicOrdering::Monotonic);
  made->setVolatile(true);
  l.mark(made);
  Value* succeeded = b.CreateExtractValue(made, 1);
  l.set_predicate(l.result_predicate(0), succeeded);
  // CAST.SPIN says whether it succeeded, not what was there.
  set_old(l, l.has(M::cast) ? b.CreateZExt(succeeded, b.getIntNTy(type.bits)) : b.CreateExtractValue(made, 0),
          type);
}

template <Value* (*At)(Lifter&)> void atomic(Lifter& l) {
  auto& b = l.b;
  if (l.has(M::f16x2) || l.has(M::f16) || l.has(M::bf16))
    return l.refuse("pairs of halves");
  if (l.has(M::cas) || l.has(M::cast))
    return exchange_if_equal(l, At(l));
  AtomicType type = type_of(l);
  Value* value = nullptr;
  std::optional<A::BinOp> how = operation(l, type);
  if (l.has(M::popc)) { // adds the number of lanes that have this address: one for each
    how = A::Add;
    value = l.word(1);
  } else {
    value = operand_of(l, l.source(0), type);
  }
  if (!how)
    return l.refuse("this operation");
  auto* made = b.CreateAtomicRMW(*how, At(l), value, llvm::MaybeAlign(), llvm::AtomicOrdering::Monotonic);
  made->setVolatile(true);
  l.mark(made);
  set_old(l, made, type);
}

constexpr OpcodeRow atomic_row_list[] = {
    {Opcode::atomg, atomic<global_pointer>}, {Opcode::atom, atomic<generic_pointer>},
    {Opcode::red, atomic<global_pointer>},   {Opcode::redg, atomic<global_pointer>},
    {Opcode::atoms, atomic<shared_pointer>},
};

} // namespace

std::span<const OpcodeRow> atomic_rows() {
  return atomic_row_list;
}

} // namespace forewarp::lift
