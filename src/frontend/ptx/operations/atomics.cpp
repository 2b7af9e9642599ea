// atom and red. Orders and scopes cost nothing.
#include "frontend/lowering/builtin_call.h"
#include "frontend/lowering/cuda_atomics.h"
#include "frontend/ptx/operations/memory.h"
#include "frontend/ptx/operations/operations.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
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
  const unsigned space = space_of(s);
  if (s.operands.size() != wanted && !(s.has("L2::cache_hint") && s.operands.size() == wanted + 1))
    return std::nullopt;
  Operands made{e.registers.address(s.operands[first], space), e.registers.read(s.operands[first + 1], type),
                exchange_if_equal ? e.registers.read(s.operands[first + 2], type) : nullptr};
  if (!made.address || !made.value || (exchange_if_equal && !made.second))
    return std::nullopt;
  return made;
}

/// Of f16, bf16, f16x2, bf16x2: a marker, since atomicrmw has no packed halves on all targets.
bool short_atomic(Expansion& e, const Statement& s) {
  const auto word = std::find_if(s.modifiers.begin(), s.modifiers.end(), [](const std::string& modifier) {
    return modifier == "add" || modifier == "min" || modifier == "max";
  });
  llvm::Type* type = e.b.getIntNTy(s.type().size());
  if (word == s.modifiers.end())
    return e.refuse("this atomic of halves is not modelled");
  const auto operands = operands_of(e, s, type, false);
  if (!operands)
    return false;
  const unsigned space = operands->address->getType()->getPointerAddressSpace();
  const std::string name = "atomic." + *word + (s.kind() == 'h' ? ".bf16." : ".f16.") + "i" +
                           std::to_string(s.type().size()) + (space == 0 ? "" : "p" + std::to_string(space));
  llvm::Value* old = lowering::call_marker(e.b, name, type, {operands->address, operands->value},
                                           lowering::MarkerEffect::memory_write);
  return s.operation == "red" || e.registers.write(s.operands[0], old);
}

bool atomic(Expansion& e, const Statement& s) {
  if (s.has_any({"async", "v2", "v4", "v8"}))
    return e.refuse("atomics of several values are not modelled");
  if (s.type().is_float() && s.type().bits == 16)
    return short_atomic(e, s);
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
     ".add, .min, .max, .and, .or, .xor, .exch, .inc, .dec, .cas of one value; .add, .min, .max of f16, "
     "bf16, f16x2, "
     "bf16x2; generic, .global, .shared"},
    {"red", atomic, "as atom"},
};

} // namespace

std::span<const Operation> atomic_rows() {
  return atomic_row_list;
}

} // namespace forewarp::frontend::ptx
