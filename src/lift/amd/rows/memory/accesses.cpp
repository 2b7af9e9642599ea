#include "lift/amd/rows/memory/accesses.h"

#include <llvm/IR/Constants.h>

#include <algorithm>
#include <utility>

namespace forewarp::lift::amd {
namespace {

using A = llvm::AtomicRMWInst;

llvm::Type* type_of(Lifter& l, unsigned bytes) {
  if (bytes <= 4)
    return l.b.getIntNTy(8 * bytes);
  return llvm::FixedVectorType::get(l.b.getInt32Ty(), bytes / 4);
}

/// Wider accesses need not be aligned to more than a word.
llvm::Align alignment(unsigned bytes) {
  return llvm::Align(std::min(bytes, 4U));
}

struct Atomic {
  std::string_view name;
  A::BinOp how;
  bool is_float = false;
};
constexpr Atomic atomics[] = {
    {"add", A::Add},
    {"sub", A::Sub},
    {"smin", A::Min},
    {"umin", A::UMin},
    {"smax", A::Max},
    {"umax", A::UMax},
    {"and", A::And},
    {"or", A::Or},
    {"xor", A::Xor},
    {"inc", A::UIncWrap},
    {"dec", A::UDecWrap},
    {"swap", A::Xchg},
    {"wrxchg", A::Xchg},
    {"add_u32", A::Add},
    {"sub_u32", A::Sub},
    {"min_i32", A::Min},
    {"min_u32", A::UMin},
    {"max_i32", A::Max},
    {"max_u32", A::UMax},
    {"and_b32", A::And},
    {"or_b32", A::Or},
    {"xor_b32", A::Xor},
    {"inc_u32", A::UIncWrap},
    {"dec_u32", A::UDecWrap},
    {"swap_b32", A::Xchg},
    {"wrxchg_rtn_b32", A::Xchg},
    {"storexchg_rtn_b32", A::Xchg},
    {"add_u64", A::Add},
    {"sub_u64", A::Sub},
    {"min_i64", A::Min},
    {"min_u64", A::UMin},
    {"max_i64", A::Max},
    {"max_u64", A::UMax},
    {"and_b64", A::And},
    {"or_b64", A::Or},
    {"xor_b64", A::Xor},
    {"swap_b64", A::Xchg},
    {"wrxchg_rtn_b64", A::Xchg},
    {"add_f32", A::FAdd, true},
    {"fadd", A::FAdd, true},
    {"add_f64", A::FAdd, true},
    {"min_f32", A::FMin, true},
    {"max_f32", A::FMax, true},
    {"min_f64", A::FMin, true},
    {"max_f64", A::FMax, true},
    {"fmin", A::FMin, true},
    {"fmax", A::FMax, true},
};

bool is_wide(std::string_view how) {
  return how.ends_with("64") || how.ends_with("_x2");
}

void give(Lifter& l, std::optional<std::size_t> result, Value* old, bool wide) {
  if (!result)
    return;
  if (wide)
    l.set64(*result, l.b.CreateBitCast(old, l.b.getInt64Ty()));
  else
    l.set(*result, l.b.CreateBitCast(old, l.b.getInt32Ty()));
}

} // namespace

std::optional<Width> width_named(std::string_view what) {
  static constexpr std::pair<std::string_view, Width> names[] = {
      {"dword", {4}},
      {"dwordx2", {8}},
      {"dwordx3", {12}},
      {"dwordx4", {16}},
      {"ubyte", {1}},
      {"sbyte", {1, true}},
      {"byte", {1}},
      {"ushort", {2}},
      {"sshort", {2, true}},
      {"short", {2}},
      {"short_d16", {2, false, true}},
      {"short_d16_hi", {2, false, true, true}},
      {"ubyte_d16", {1, false, true}},
      {"ubyte_d16_hi", {1, false, true, true}},
      {"sbyte_d16", {1, true, true}},
      {"sbyte_d16_hi", {1, true, true, true}},
      {"byte_d16_hi", {1, false, true, true}},
      {"b8", {1}},
      {"b16", {2}},
      {"b32", {4}},
      {"b64", {8}},
      {"b96", {12}},
      {"b128", {16}},
      {"u8", {1}},
      {"i8", {1, true}},
      {"u16", {2}},
      {"i16", {2, true}},
      {"u8_d16", {1, false, true}},
      {"u8_d16_hi", {1, false, true, true}},
      {"i8_d16", {1, true, true}},
      {"i8_d16_hi", {1, true, true, true}},
      {"u16_d16", {2, false, true}},
      {"u16_d16_hi", {2, false, true, true}},
      {"d16_u8", {1, false, true}},
      {"d16_i8", {1, true, true}},
      {"d16_b16", {2, false, true}},
      {"d16_hi_u8", {1, false, true, true}},
      {"d16_hi_i8", {1, true, true, true}},
      {"d16_hi_b16", {2, false, true, true}},
      {"d16_hi_b8", {1, false, true, true}},
      {"b8_d16_hi", {1, false, true, true}},
      {"b16_d16_hi", {2, false, true, true}},
  };
  const auto* found = std::ranges::find(names, what, [](const auto& each) { return each.first; });
  if (found == std::end(names))
    return std::nullopt;
  return found->second;
}

void load_into(Lifter& l, std::size_t n, Value* pointer, const Width& width, unsigned first) {
  auto& b = l.b;
  auto* loaded = b.CreateAlignedLoad(type_of(l, width.bytes), pointer, alignment(width.bytes), true);
  l.mark_access(loaded);
  if (width.bytes > 4) {
    for (unsigned k = 0; k < width.bytes / 4; ++k)
      l.set(n, b.CreateExtractElement(loaded, std::uint64_t{k}), first + k);
    return;
  }
  if (!width.half_register)
    return l.set(n, b.CreateIntCast(loaded, b.getInt32Ty(), width.is_signed), first);
  Value* half = b.CreateZExt(b.CreateIntCast(loaded, b.getInt16Ty(), width.is_signed), b.getInt32Ty());
  const Operand& to = l.operand(n);
  Value* old = l.vector(to.kind, to.number);
  l.set(n, width.upper_half ? b.CreateOr(b.CreateAnd(old, l.word(0xFFFF)), b.CreateShl(half, 16))
                            : b.CreateOr(b.CreateAnd(old, l.word(0xFFFF0000)), half));
}

void store_from(Lifter& l, std::size_t n, Value* pointer, const Width& width) {
  auto& b = l.b;
  Value* value = nullptr;
  if (width.bytes <= 4) {
    value = l.u32(n);
    if (width.upper_half)
      value = b.CreateLShr(value, 16);
    value = b.CreateTrunc(value, type_of(l, width.bytes));
  } else {
    value = llvm::PoisonValue::get(type_of(l, width.bytes));
    for (unsigned k = 0; k < width.bytes / 4; ++k)
      value = b.CreateInsertElement(value, l.u32(n, k), std::uint64_t{k});
  }
  l.mark_access(b.CreateAlignedStore(value, pointer, alignment(width.bytes), true));
}

bool atomic(Lifter& l, std::string_view how, Value* pointer, std::size_t value,
            std::optional<std::size_t> result) {
  auto& b = l.b;
  const bool wide = is_wide(how);
  if (how.starts_with("cmpswap")) { // the new value, then the expected one
    const auto word_of = [&](unsigned k) -> Value* {
      return wide ? l.pair(l.u32(value, 2 * k), l.u32(value, 2 * k + 1)) : l.u32(value, k);
    };
    auto* made = b.CreateAtomicCmpXchg(pointer, word_of(1), word_of(0), llvm::MaybeAlign(),
                                       llvm::AtomicOrdering::Monotonic, llvm::AtomicOrdering::Monotonic);
    made->setVolatile(true);
    l.mark_access(made);
    give(l, result, b.CreateExtractValue(made, 0), wide);
    return true;
  }
  std::string_view name = how;
  if (name.ends_with("_x2"))
    name.remove_suffix(3);
  const auto* found = std::ranges::find(atomics, name, &Atomic::name);
  if (found == std::end(atomics))
    return false;
  Value* bits = wide ? l.u64(value) : l.u32(value);
  if (found->is_float)
    bits = b.CreateBitCast(bits, wide ? b.getDoubleTy() : b.getFloatTy());
  auto* made =
      b.CreateAtomicRMW(found->how, pointer, bits, llvm::MaybeAlign(), llvm::AtomicOrdering::Monotonic);
  made->setVolatile(true);
  l.mark_access(made);
  give(l, result, made, wide);
  return true;
}

} // namespace forewarp::lift::amd
