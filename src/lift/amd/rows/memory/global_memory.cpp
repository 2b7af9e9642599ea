// Accesses to global memory and scratch, by what the name says: "global_load_dwordx2", "buffer_store_b32".
#include "ir/address_spaces.h"
#include "lift/amd/rows/memory/accesses.h"
#include "lift/amd/rows/rows.h"

#include <llvm/IR/Constants.h>

#include <algorithm>

namespace forewarp::lift::amd {
namespace {

std::uint64_t offset_of(const Lifter& l) {
  return static_cast<std::uint64_t>(l.at().modifier("offset", 0));
}

/// Behind "global_load_" and its like.
std::string_view behind(std::string_view name, unsigned words) {
  for (; words > 0; --words) {
    const std::size_t at = name.find('_');
    name = at == std::string_view::npos ? std::string_view() : name.substr(at + 1);
  }
  return name;
}

/// A pair of vector registers, or a scalar pair and an offset of 32 bits.
Value* global_pointer(Lifter& l, std::size_t address, std::size_t base) {
  auto& b = l.b;
  Value* sum = nullptr;
  if (base >= l.count() || l.operand(base).kind == OperandKind::off)
    sum = l.u64(address);
  else
    sum = b.CreateAdd(l.u64(base), b.CreateZExt(l.u32(address), b.getInt64Ty()));
  sum = b.CreateAdd(sum, b.getInt64(offset_of(l)));
  return b.CreateIntToPtr(sum, b.getPtrTy(ir::global_space));
}

/// The value (stores) or the result (loads) stands between or before.
void global_access(Lifter& l) {
  if (l.at().has("lds"))
    return l.refuse("a load into LDS");
  const std::string_view name = l.at().mnemonic;
  const auto width = width_named(behind(name, 2));
  if (l.contains("_atomic_")) {
    const bool returns = l.count() > 0 && (l.at().has("glc") || l.at().has("sc0"));
    const std::size_t address = returns ? 1 : 0;
    Value* pointer = global_pointer(l, address, address + 2);
    const auto result = returns ? std::optional<std::size_t>(0) : std::nullopt;
    if (!atomic(l, behind(name, 2), pointer, address + 1, result))
      l.refuse("this atomic operation");
    return;
  }
  if (!width)
    return l.refuse("this access");
  if (l.contains("_load_"))
    load_into(l, 0, global_pointer(l, 1, 2), *width);
  else
    store_from(l, 1, global_pointer(l, 0, 2), *width);
}

/// A register with an offset in the frame, none, or a scalar register: "scratch_load_dword v0, off, s0".
Value* scratch_pointer(Lifter& l, std::size_t address, std::size_t base) {
  auto& b = l.b;
  Value* sum = l.word(offset_of(l));
  if (l.operand(address).kind != OperandKind::off)
    sum = b.CreateAdd(sum, l.u32(address));
  if (base < l.count() && l.operand(base).kind != OperandKind::off)
    sum = b.CreateAdd(sum, l.u32(base));
  return b.CreateGEP(b.getInt8Ty(), l.frame(), sum);
}
void scratch_access(Lifter& l) {
  const auto width = width_named(behind(l.at().mnemonic, 2));
  if (!width)
    return l.refuse("this access");
  if (l.contains("_load_"))
    load_into(l, 0, scratch_pointer(l, 1, 2), *width);
  else
    store_from(l, 1, scratch_pointer(l, 0, 2), *width);
}

/// The frame's descriptor lies in the first four scalar registers (or where the prologue puts it: then its
/// base is what no buffer's is).
bool is_frame(const Lifter& l, const Operand& descriptor) {
  return l.kernel.resources.scratch_bytes > 0 && l.kernel.setup.private_buffer && descriptor.number == 0;
}

/// Value, offset register or none, descriptor, scalar offset: "v1, v0, s[8:11], 0 offen offset:16".
void buffer_access(Lifter& l) {
  auto& b = l.b;
  if (l.at().has("lds") || l.at().has("idxen") || l.count() < 4)
    return l.refuse("this form of a buffer access");
  const auto width = width_named(behind(l.at().mnemonic, 2));
  const Operand& descriptor = l.operand(2);
  Value* inside = l.word(offset_of(l));
  if (l.at().has("offen"))
    inside = b.CreateAdd(inside, l.u32(1));
  const bool loads = l.contains("_load_"), exchanges = l.contains("_atomic_");
  if (!width && !exchanges)
    return l.refuse("this access");
  if (is_frame(l, descriptor)) {
    Value* pointer = b.CreateGEP(b.getInt8Ty(), l.frame(), b.CreateAdd(inside, l.u32(3)));
    if (exchanges)
      return l.refuse("an atomic operation on scratch");
    return loads ? load_into(l, 0, pointer, *width) : store_from(l, 0, pointer, *width);
  }
  Value* base = b.CreateAnd(l.pair(l.u32(2), l.u32(2, 1)), b.getInt64(0xFFFFFFFFFFFF));
  Value* sum = b.CreateAdd(base, b.CreateZExt(inside, b.getInt64Ty()));
  sum = b.CreateAdd(sum, b.CreateZExt(l.u32(3), b.getInt64Ty()));
  Value* pointer = b.CreateIntToPtr(sum, b.getPtrTy(ir::global_space));
  if (exchanges) {
    const auto result = l.at().has("glc") || l.at().has("sc0") ? std::optional<std::size_t>(0) : std::nullopt;
    if (!atomic(l, behind(l.at().mnemonic, 2), pointer, 0, result))
      l.refuse("this atomic operation");
    return;
  }
  loads ? load_into(l, 0, pointer, *width) : store_from(l, 0, pointer, *width);
}

} // namespace

/// Lanes past a buffer's end read zero and store nothing.
Value* buffer_bounds(Lifter& l) {
  auto& b = l.b;
  Value* inside = l.word(offset_of(l));
  if (l.at().has("offen"))
    inside = b.CreateAdd(inside, l.u32(1));
  return b.CreateICmpULT(inside, l.u32(2, 2));
}

bool is_bounded_buffer(const Lifter& l, const Instruction& instruction) {
  return instruction.mnemonic.starts_with("buffer_") && instruction.operands.size() == 4 &&
         instruction.operands[2].kind == OperandKind::scalar && !is_frame(l, instruction.operands[2]);
}

Row access_row(std::string_view mnemonic) {
  if (mnemonic.starts_with("global_") || mnemonic.starts_with("flat_"))
    return global_access;
  if (mnemonic.starts_with("scratch_"))
    return scratch_access;
  return mnemonic.starts_with("buffer_load_") || mnemonic.starts_with("buffer_store_") ||
                 mnemonic.starts_with("buffer_atomic_")
             ? buffer_access
             : nullptr;
}

namespace {

unsigned words_of(std::string_view name) {
  static constexpr std::pair<std::string_view, unsigned> endings[] = {
      {"dwordx16", 16}, {"dwordx8", 8}, {"dwordx4", 4}, {"dwordx3", 3}, {"dwordx2", 2}, {"dword", 1},
      {"b512", 16},     {"b256", 8},    {"b128", 4},    {"b96", 3},     {"b64", 2},     {"b32", 1}};
  for (const auto& [ending, words] : endings)
    if (name.ends_with(ending))
      return words;
  return 0;
}

void load_words(Lifter& l, Value* address) {
  auto& b = l.b;
  const unsigned words = words_of(l.at().mnemonic);
  llvm::Type* type = words == 1 ? b.getInt32Ty()
                                : static_cast<llvm::Type*>(llvm::FixedVectorType::get(b.getInt32Ty(), words));
  auto* loaded = b.CreateAlignedLoad(type, b.CreateIntToPtr(address, b.getPtrTy(ir::constant_space)),
                                     llvm::Align(4), true);
  l.mark_access(loaded);
  for (unsigned k = 0; k < words; ++k)
    l.set(0, words == 1 ? static_cast<Value*>(loaded) : b.CreateExtractElement(loaded, std::uint64_t{k}), k);
}

/// Base pair, offset: a number, a register, or both ("s4 offset:0x10").
Value* scalar_offset(Lifter& l) {
  auto& b = l.b;
  Value* sum = b.CreateZExt(l.u32(2), b.getInt64Ty());
  if (const Operand& offset = l.operand(2); offset.kind == OperandKind::number)
    sum = b.getInt64(static_cast<std::uint64_t>(offset.value));
  return b.CreateAdd(sum, b.getInt64(offset_of(l)));
}
void load(Lifter& l) {
  load_words(l, l.b.CreateAdd(l.u64(1), scalar_offset(l)));
}
void load_from_buffer(Lifter& l) {
  auto& b = l.b;
  Value* base = b.CreateAnd(l.pair(l.u32(1), l.u32(1, 1)), b.getInt64(0xFFFFFFFFFFFF));
  load_words(l, b.CreateAdd(base, scalar_offset(l)));
}

constexpr MnemonicRow rows[] = {
    {"s_load_dword", load},
    {"s_load_dwordx2", load},
    {"s_load_dwordx3", load},
    {"s_load_dwordx4", load},
    {"s_load_dwordx8", load},
    {"s_load_dwordx16", load},
    {"s_load_b32", load},
    {"s_load_b64", load},
    {"s_load_b96", load},
    {"s_load_b128", load},
    {"s_load_b256", load},
    {"s_load_b512", load},
    {"s_buffer_load_dword", load_from_buffer},
    {"s_buffer_load_dwordx2", load_from_buffer},
    {"s_buffer_load_dwordx4", load_from_buffer},
    {"s_buffer_load_dwordx8", load_from_buffer},
    {"s_buffer_load_b32", load_from_buffer},
    {"s_buffer_load_b64", load_from_buffer},
    {"s_buffer_load_b128", load_from_buffer},
    {"s_buffer_load_b256", load_from_buffer},
};

} // namespace

std::span<const MnemonicRow> scalar_memory_rows() {
  return rows;
}

} // namespace forewarp::lift::amd
