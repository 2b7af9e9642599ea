// Loads and stores. Cache modifiers, eviction priorities and memory orders are not modelled; ordered accesses
// are volatile.
#include "frontend/ptx/operations/memory.h"

#include "frontend/ptx/operations/asynchronous/meetings.h"
#include "frontend/ptx/operations/operations.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Metadata.h>

#include <algorithm>
#include <optional>

namespace forewarp::frontend::ptx {

unsigned space_of(const Statement& s) {
  for (const std::string& modifier : s.modifiers) {
    if (modifier == "global")
      return spaces::global;
    if (modifier == "shared" || modifier == "shared::cta" || modifier == "shared::cluster")
      return spaces::shared; // addresses say of which group
    if (modifier == "const")
      return spaces::constant;
    if (modifier == "local")
      return spaces::local;
    if (modifier.starts_with("param"))
      return spaces::parameter;
  }
  return spaces::generic;
}

namespace {

bool is_ordered(const Statement& s) {
  return s.has_any({"volatile", "relaxed", "acquire", "release", "mmio"});
}

/// The words of the values that a load or store moves: each in a register of its own.
struct Access {
  std::vector<std::string> pieces;
  TypeWord type;
  llvm::Type *one = nullptr, *whole = nullptr;
  unsigned bytes = 0;
};

std::optional<Access> access_of(Expansion& e, const Statement& s, const std::string& values) {
  Access access;
  access.pieces = pieces_of(values);
  access.type = s.type();
  access.one = register_type(e.context(), access.type);
  const std::size_t count = access.pieces.size();
  const bool lanes_agree = s.has("v2")   ? count == 2
                           : s.has("v4") ? count == 4
                           : s.has("v8") ? count == 8
                                         : true;
  if (!access.one || count == 0 || count > 8 || !lanes_agree) {
    e.refuse(access.one ? "the number of registers is not that of the modifier" : "");
    return std::nullopt;
  }
  access.whole =
      count == 1 ? access.one : llvm::FixedVectorType::get(access.one, static_cast<unsigned>(count));
  access.bytes = static_cast<unsigned>(count) * std::max(8U, access.type.size()) / 8;
  return access;
}

/// Parameters are aligned as they are declared, all else to the whole access.
llvm::Align alignment(const Access& access, unsigned space) {
  return llvm::Align(space == spaces::parameter ? std::max(1U, access.type.size() / 8) : access.bytes);
}

/// Variables of functions that are called are no parameters of a kernel: they lie where they are placed.
llvm::Value* address_of(Expansion& e, const std::string& operand, unsigned space) {
  if (space == spaces::parameter) {
    const std::string_view inner = trimmed(std::string_view(operand).substr(1, operand.size() - 2));
    const std::size_t sign = inner.find_first_of("+-", 1);
    if (const llvm::Value* place = e.registers.find_place(trimmed(inner.substr(0, sign))))
      space = place->getType()->getPointerAddressSpace();
  }
  return e.registers.address(operand, space);
}

bool load(Expansion& e, const Statement& s) {
  const unsigned space = space_of(s);
  if (s.operands.size() != 2 && !(s.operands.size() == 3 && s.has("L2::cache_hint")))
    return false;
  const auto access = access_of(e, s, s.operands[0]);
  llvm::Value* address = access ? address_of(e, s.operands[1], space) : nullptr;
  if (!address)
    return false;
  llvm::LoadInst* made =
      e.b.CreateAlignedLoad(access->whole, address, alignment(*access, space), is_ordered(s));
  if (s.has("nc"))
    made->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(e.context(), {}));
  for (std::size_t i = 0; i < access->pieces.size(); ++i) {
    llvm::Value* piece = access->pieces.size() == 1 ? made : e.b.CreateExtractElement(made, i);
    if (!e.registers.write(access->pieces[i], piece, s.kind() == 's'))
      return false;
  }
  return true;
}

/// st.bulk [address], size, 0: shared memory, also by a generic address.
bool fill(Expansion& e, const Statement& s) {
  if (s.operands.size() != 3 || integer_of(s.operands[2]) != 0)
    return false;
  llvm::Value* address = barrier_address(e, s, s.operands[0]);
  const Register* held = e.registers.find_register(s.operands[1]);
  llvm::Type* type = held && held->type->isIntegerTy(32) ? e.b.getInt32Ty() : e.b.getInt64Ty();
  llvm::Value* size = e.registers.read(s.operands[1], type);
  if (!address || !size)
    return false;
  e.b.CreateMemSet(address, e.b.getInt8(0), e.b.CreateZExt(size, e.b.getInt64Ty()), llvm::Align(8));
  return true;
}

bool store(Expansion& e, const Statement& s) {
  const unsigned space = space_of(s);
  if (s.has("bulk"))
    return fill(e, s);
  if (s.has("async"))
    return expand_with_bytes(e, s, store);
  if (s.operands.size() != 2 && !(s.operands.size() == 3 && s.has("L2::cache_hint")))
    return false;
  const auto access = access_of(e, s, s.operands[1]);
  llvm::Value* address = access ? address_of(e, s.operands[0], space) : nullptr;
  if (!address)
    return false;
  llvm::Value* value = llvm::PoisonValue::get(access->whole);
  for (std::size_t i = 0; i < access->pieces.size(); ++i) {
    llvm::Value* piece = e.registers.read_wide(access->pieces[i], access->one);
    if (!piece)
      return false;
    value = access->pieces.size() == 1 ? piece : e.b.CreateInsertElement(value, piece, i);
  }
  e.b.CreateAlignedStore(value, address, alignment(*access, space), is_ordered(s));
  return true;
}

constexpr Operation memory_row_list[] = {
    {"ld", load,
     "generic, .global, .shared, .const, .local and .param; one, .v2, .v4 or .v8 values; .nc, .volatile; "
     "orders, cache and eviction modifiers are read and cost nothing"},
    {"ldu", load, "as ld"},
    {"st", store, "as ld; .async to .shared::cluster and .global; .bulk"},
};

} // namespace

std::span<const Operation> memory_rows() {
  return memory_row_list;
}

} // namespace forewarp::frontend::ptx
