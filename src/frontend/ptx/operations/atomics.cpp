// atom and red. Orders and scopes cost nothing.
#include "frontend/lowering/cuda_atomics.h"
#include "frontend/ptx/operations/memory.h"
#include "frontend/ptx/operations/operations.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Instructions.h>

#include <optional>

namespace forewarp::frontend::ptx {
namespace {

using AtomicOperation = llvm::AtomicRMWInst::BinOp;
constexpr auto relaxed = llvm::AtomicOrdering::Monotonic;

std::optional<AtomicOperation> operation_of(const Statement& s) {
  using I = llvm::AtomicRMWInst;
  const bool is_signed = s.kind() == 's', is_float = s.type().is_float();
  for (const std::string& modifier : s.modifiers) {
    const int found = llvm::StringSwitch<int>(modifier)
                          .Case("add", is_float ? I::FAdd : I::Add)
                          .Case("min", is_float    ? I::FMin
                                       : is_signed ? I::Min
                                                   : I::UMin)
                          .Case("max", is_float    ? I::FMax
                                       : is_signed ? I::Max
                                                   : I::UMax)
                          .Case("and", I::And)
                          .Case("or", I::Or)
                          .Case("xor", I::Xor)
                          .Case("exch", I::Xchg)
                          .Case("inc", I::UIncWrap)
                          .Case("dec", I::UDecWrap)
                          .Default(-1);
    if (found >= 0)
      return static_cast<AtomicOperation>(found);
  }
  return std::nullopt;
}

/// The operands behind the result: address, value, for cas a second value; a cache policy last.
struct Operands {
  llvm::Value *address = nullptr, *value = nullptr, *second = nullptr;
};

std::optional<Operands> operands_of(Expansion& e, const Statement& s, llvm::Type* type,
                                    bool exchange_if_equal) {
  const std::size_t first = s.operation == "red" ? 0 : 1, wanted = first + (exchange_if_equal ? 3 : 2);
  const auto space = space_of(s);
  if (!space) {
    e.refuse("shared memory of other groups is not modelled");
    return std::nullopt;
  }
  if (s.operands.size() != wanted && !(s.has("L2::cache_hint") && s.operands.size() == wanted + 1))
    return std::nullopt;
  Operands made{e.registers.address(s.operands[first], *space), e.registers.read(s.operands[first + 1], type),
                exchange_if_equal ? e.registers.read(s.operands[first + 2], type) : nullptr};
  if (!made.address || !made.value || (exchange_if_equal && !made.second))
    return std::nullopt;
  return made;
}

bool atomic(Expansion& e, const Statement& s) {
  if (s.has_any({"async", "v2", "v4", "v8"}) || s.type().lanes > 1)
    return e.refuse("atomics of several values are not modelled");
  llvm::Type* type = value_type(e.context(), s.type());
  const bool compares = s.has("cas");
  const auto operation = operation_of(s);
  if (!type || (!operation && !compares))
    return false;
  const auto operands = operands_of(e, s, type, compares);
  if (!operands)
    return false;
  llvm::Value* old = nullptr;
  if (compares) {
    llvm::Value* pair = e.b.CreateAtomicCmpXchg(operands->address, operands->value, operands->second,
                                                llvm::MaybeAlign(), relaxed, relaxed);
    old = e.b.CreateExtractValue(pair, 0);
  } else if (operation == AtomicOperation::UIncWrap || operation == AtomicOperation::UDecWrap) {
    old = lowering::wrapping_atomic(e.b, *operation, operands->address, operands->value);
  } else {
    old = e.b.CreateAtomicRMW(*operation, operands->address, operands->value, llvm::MaybeAlign(), relaxed);
  }
  return s.operation == "red" || e.registers.write(s.operands[0], old);
}

constexpr Operation atomic_row_list[] = {
    {"atom", atomic,
     ".add, .min, .max, .and, .or, .xor, .exch, .inc, .dec, .cas of one value; generic, .global, .shared"},
    {"red", atomic, "as atom"},
};

} // namespace

std::span<const Operation> atomic_rows() {
  return atomic_row_list;
}

} // namespace forewarp::frontend::ptx
