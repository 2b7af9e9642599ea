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

/// Of f16, bf16, f16x2, bf16x2: a marker, since atomicrmw has no packed halves on all targets. Null: refused.
llvm::Value* short_atomic(Expansion& e, const Statement& s, llvm::Value* address, llvm::Value* value) {
  const auto word = std::find_if(s.modifiers.begin(), s.modifiers.end(), [](const std::string& modifier) {
    return modifier == "add" || modifier == "min" || modifier == "max";
  });
  if (word == s.modifiers.end()) {
    e.refuse("this atomic of halves is not modelled");
    return nullptr;
  }
  const unsigned space = address->getType()->getPointerAddressSpace();
  const std::string name = "atomic." + *word + (s.kind() == 'h' ? ".bf16." : ".f16.") + "i" +
                           std::to_string(s.type().size()) + (space == 0 ? "" : "p" + std::to_string(space));
  return lowering::call_marker(e.b, name, value->getType(), {address, value},
                               lowering::MarkerEffect::memory_write);
}

bool is_short(const Statement& s) {
  return s.type().is_float() && s.type().bits == 16;
}

llvm::Type* type_of_atomic(Expansion& e, const Statement& s) {
  return is_short(s) ? e.b.getIntNTy(s.type().size()) : value_type(e.context(), s.type());
}

/// The value before. Null: refused, or no such operation.
llvm::Value* changed(Expansion& e, const Statement& s, llvm::Value* address, llvm::Value* value) {
  if (is_short(s))
    return short_atomic(e, s, address, value);
  const auto operation = operation_of(s);
  if (!operation)
    return nullptr;
  if (operation == AtomicOperation::UIncWrap || operation == AtomicOperation::UDecWrap)
    return lowering::wrapping_atomic(e.b, *operation, address, value);
  return e.b.CreateAtomicRMW(*operation, address, value, llvm::MaybeAlign(), relaxed);
}

/// Values side by side: each by itself, as the hardware's own order among them is not told.
bool vector_atomic(Expansion& e, const Statement& s) {
  const bool returns = s.operation != "red";
  const std::size_t first = returns ? 1 : 0;
  llvm::Type* type = type_of_atomic(e, s);
  if (!type || s.operands.size() < first + 2)
    return false;
  const std::vector<std::string> values = pieces_of(s.operands[first + 1]);
  const std::vector<std::string> results = returns ? pieces_of(s.operands[0]) : values;
  const std::size_t count = s.has("v2") ? 2 : s.has("v4") ? 4 : 8;
  if (values.size() != count || results.size() != count)
    return e.refuse("the number of registers is not that of the modifier");
  llvm::Value* address = e.registers.address(s.operands[first], space_of(s));
  for (std::size_t i = 0; address && i < count; ++i) {
    llvm::Value* value = e.registers.read(values[i], type);
    llvm::Value* place =
        i == 0 ? address : e.b.CreateConstGEP1_64(e.b.getInt8Ty(), address, i * s.type().size() / 8);
    llvm::Value* old = value ? changed(e, s, place, value) : nullptr;
    if (!old || (returns && !e.registers.write(results[i], old)))
      return false;
  }
  return address != nullptr;
}

bool atomic(Expansion& e, const Statement& s) {
  if (s.has("async"))
    return s.operation == "red" && expand_with_bytes(e, s, atomic);
  if (s.has_any({"v2", "v4", "v8"}))
    return vector_atomic(e, s);
  llvm::Type* type = type_of_atomic(e, s);
  const bool compares = s.has("cas") && !is_short(s);
  const auto operands = type ? operands_of(e, s, type, compares) : std::nullopt;
  if (!operands)
    return false;
  llvm::Value* old = nullptr;
  if (compares) {
    llvm::Value* pair = e.b.CreateAtomicCmpXchg(operands->address, operands->value, operands->second,
                                                llvm::MaybeAlign(), relaxed, relaxed);
    old = e.b.CreateExtractValue(pair, 0);
  } else {
    old = changed(e, s, operands->address, operands->value);
  }
  return old && (s.operation == "red" || e.registers.write(s.operands[0], old));
}

constexpr Operation atomic_row_list[] = {
    {"atom", atomic,
     ".add, .min, .max, .and, .or, .xor, .exch, .inc, .dec, .cas of one value; .add, .min, .max of f16, "
     "bf16, f16x2, "
     "bf16x2; .v2, .v4 and .v8 as so many; generic, .global, .shared"},
    {"red", atomic, "as atom; .async to .shared::cluster"},
};

} // namespace

std::span<const Operation> atomic_rows() {
  return atomic_row_list;
}

} // namespace forewarp::frontend::ptx
