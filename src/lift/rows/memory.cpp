// Loads and stores. A group's shared memory, a thread's local memory and the constant banks are variables of
// the module; a global address is a number, which is what a pointer is to the interpreter.
#include "lift/rows/rows.h"

#include "ir/address_spaces.h"
#include "lift/rows/addresses.h"

#include <fmt/format.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>

namespace forewarp::lift {

using M = Modifier;

constexpr unsigned rank_bit = 24; ///< of an address of shared memory in a cluster

const Operand* address_operand(const Lifter& l) {
  for (const Operand& operand : l.at().operands)
    if (operand.kind == OperandKind::address)
      return &operand;
  return nullptr;
}

namespace {

Operand register_operand(OperandKind kind, std::uint16_t number, std::uint8_t width) {
  Operand operand;
  operand.kind = kind;
  operand.number = number;
  operand.width = width;
  return operand;
}

Value* uniform_part(Lifter& l, const sass::Address& address, bool wide) {
  const Operand part = register_operand(OperandKind::uniform, address.uniform, address.uniform_width);
  if (!wide)
    return l.u32(&part);
  return address.uniform_width == 2 ? l.u64(&part) : l.b.CreateZExt(l.u32(&part), l.b.getInt64Ty());
}

} // namespace

Value* wide_address(Lifter& l, const sass::Address& address) {
  auto& b = l.b;
  const Operand base = register_operand(OperandKind::general, address.base, address.base_width);
  Value* sum = address.base_width == 2 ? l.u64(&base)
               : address.base_unsigned ? b.CreateZExt(l.u32(&base), b.getInt64Ty())
                                       : b.CreateSExt(l.u32(&base), b.getInt64Ty());
  if (address.uniform != sass::zero_register)
    sum = b.CreateAdd(sum, uniform_part(l, address, true));
  return address.offset == 0 ? sum : b.CreateAdd(sum, b.getInt64(static_cast<std::uint64_t>(address.offset)));
}

Value* narrow_address(Lifter& l, const sass::Address& address) {
  auto& b = l.b;
  const Operand base = register_operand(OperandKind::general, address.base, 1);
  Value* sum = l.u32(&base);
  if (address.scale > 1)
    sum = b.CreateMul(sum, l.word(address.scale));
  if (address.uniform != sass::zero_register)
    sum = b.CreateAdd(sum, uniform_part(l, address, false));
  return address.offset == 0 ? sum : b.CreateAdd(sum, l.word(static_cast<std::uint32_t>(address.offset)));
}

Value* global_pointer(Lifter& l) {
  const Operand* operand = address_operand(l);
  return l.b.CreateIntToPtr(wide_address(l, operand->address), l.b.getPtrTy(ir::global_space));
}

/// Generic addresses of shared memory have this upper word: no buffer lies there.
constexpr std::uint32_t shared_window_high = 0x7F00;

Value* generic_pointer(Lifter& l) {
  auto& b = l.b;
  Value* address = wide_address(l, address_operand(l)->address);
  if (l.in_cluster)
    address = b.CreateSelect(b.CreateICmpEQ(l.high(address), shared_window(l)),
                             b.CreatePtrToInt(cluster_pointer(l, l.low(address)), b.getInt64Ty()), address);
  return b.CreateIntToPtr(address, b.getPtrTy());
}

Value* shared_window(Lifter& l) {
  return l.word(shared_window_high);
}

Value* cluster_pointer(Lifter& l, Value* address) {
  auto& b = l.b;
  Value* own = shared_pointer(l, address);
  if (!l.in_cluster)
    return own;
  Value* there = l.call("forewarp.cluster.map", b.getInt64Ty(),
                        {b.CreatePtrToInt(own, b.getInt64Ty()), b.CreateLShr(address, rank_bit)});
  return b.CreateIntToPtr(there, b.getPtrTy(ir::shared_space));
}

Value* shared_pointer(Lifter& l) {
  return shared_pointer(l, address_operand(l)->address);
}

Value* shared_pointer(Lifter& l, const sass::Address& address) {
  return shared_pointer(l, narrow_address(l, address));
}

Value* shared_pointer(Lifter& l, Value* from) {
  auto& b = l.b;
  if (l.in_cluster)
    from = b.CreateAnd(from, l.word((1U << rank_bit) - 1));
  if (l.places.shared_base != 0)
    from = b.CreateSub(from, l.word(l.places.shared_base));
  return b.CreateGEP(b.getInt8Ty(), &l.shared(), from);
}

Value* local_pointer(Lifter& l) {
  auto& b = l.b;
  return b.CreateGEP(b.getInt8Ty(), l.frame(), narrow_address(l, address_operand(l)->address));
}

namespace {

using Pointer = Value* (*)(Lifter&);

struct Width {
  unsigned bytes = 4;
  bool is_signed = false;
};

Width width_of(const Lifter& l) {
  static constexpr std::pair<M, Width> widths[] = {
      {M::u8, {1, false}},  {M::s8, {1, true}},     {M::u16, {2, false}}, {M::s16, {2, true}},
      {M::w64, {8, false}}, {M::w128, {16, false}}, {M::w8, {1, false}},  {M::w16, {2, false}}};
  for (const auto& [modifier, width] : widths)
    if (l.has(modifier))
      return width;
  return {};
}

llvm::Type* memory_type(Lifter& l, unsigned bytes) {
  auto& b = l.b;
  if (bytes < 4)
    return b.getIntNTy(8 * bytes);
  return bytes == 4 ? b.getInt32Ty()
                    : static_cast<llvm::Type*>(llvm::FixedVectorType::get(b.getInt32Ty(), bytes / 4));
}

const Operand* loaded_register(const Lifter& l) {
  for (const Operand& operand : l.at().written())
    if (operand.kind == OperandKind::general || operand.kind == OperandKind::uniform)
      return &operand;
  return nullptr;
}

/// Of the value's words, or its low bytes with the sign or without.
void set_words(Lifter& l, const Operand* to, Value* value, Width width) {
  auto& b = l.b;
  if (width.bytes < 4)
    return l.set(to,
                 width.is_signed ? b.CreateSExt(value, b.getInt32Ty()) : b.CreateZExt(value, b.getInt32Ty()));
  if (width.bytes == 4)
    return l.set(to, value);
  for (unsigned k = 0; k < width.bytes / 4; ++k)
    l.set(to, b.CreateExtractElement(value, std::uint64_t{k}), k);
}

void load_from(Lifter& l, Value* pointer) {
  const Width width = width_of(l);
  // Volatile: it is in the machine code, so no pass may join, move or drop it.
  llvm::LoadInst* load =
      l.b.CreateAlignedLoad(memory_type(l, width.bytes), pointer, llvm::Align(width.bytes), true);
  if (l.has(M::constant))
    load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(load->getContext(), {}));
  l.mark(load);
  set_words(l, loaded_register(l), load, width);
}

template <Pointer At> void load(Lifter& l) {
  load_from(l, At(l));
}

/// The value is the first source that is a register; a pair or a quadruple of them for wide stores.
template <Pointer At> void store(Lifter& l) {
  auto& b = l.b;
  const Width width = width_of(l);
  const Operand* from = l.source(0);
  Value* value = nullptr;
  if (width.bytes <= 4) {
    value = l.raw(from);
    if (width.bytes < 4)
      value = b.CreateTrunc(value, memory_type(l, width.bytes));
  } else {
    value = llvm::PoisonValue::get(memory_type(l, width.bytes));
    for (unsigned k = 0; k < width.bytes / 4; ++k)
      value = b.CreateInsertElement(value, l.raw(from, k), std::uint64_t{k});
  }
  l.mark(b.CreateAlignedStore(value, At(l), llvm::Align(width.bytes), true));
}

const Operand* constant_operand(const Lifter& l) {
  for (const Operand& operand : l.at().sources())
    if (operand.kind == OperandKind::constant)
      return &operand;
  return nullptr;
}

/// A known place is a constant or a parameter; one that a register says is loaded.
void load_constant(Lifter& l) {
  auto& b = l.b;
  const Operand* from = constant_operand(l);
  if (from == nullptr)
    return l.refuse("its operand");
  const sass::Address& address = from->address;
  const Width width = width_of(l);
  const Operand* to = loaded_register(l);
  if (address.base == sass::zero_register && address.uniform == sass::zero_register) {
    const auto offset = static_cast<std::uint32_t>(address.offset);
    if (width.bytes < 4) {
      Value* word = b.CreateLShr(l.constant(from->number, offset & ~3U), 8 * (offset & 3));
      return set_words(l, to, b.CreateTrunc(word, memory_type(l, width.bytes)), width);
    }
    for (unsigned k = 0; k < width.bytes / 4; ++k)
      l.set(to, l.constant(from->number, offset + 4 * k), k);
    return;
  }
  if (from->number == 0)
    return l.refuse("a parameter that is indexed by a register");
  // A pointer to constant memory that the launch gives: its number is the address.
  constexpr unsigned user_bank = 3;
  if (from->number == user_bank && !l.has_bank(user_bank))
    return load_from(l, b.CreateIntToPtr(b.CreateZExt(narrow_address(l, address), b.getInt64Ty()),
                                         b.getPtrTy(ir::constant_space)));
  load_from(l, l.indexed_constant(from->number, address.offset, narrow_address(l, address)));
}

constexpr OpcodeRow memory_row_list[] = {
    {Opcode::ldg, load<global_pointer>}, {Opcode::stg, store<global_pointer>},
    {Opcode::ld, load<generic_pointer>}, {Opcode::st, store<generic_pointer>},
    {Opcode::lds, load<shared_pointer>}, {Opcode::sts, store<shared_pointer>},
    {Opcode::ldl, load<local_pointer>},  {Opcode::stl, store<local_pointer>},
    {Opcode::ldc, load_constant},        {Opcode::uldc, load_constant},
    {Opcode::ldcu, load_constant},
};

} // namespace

std::span<const OpcodeRow> memory_rows() {
  return memory_row_list;
}

} // namespace forewarp::lift
