// Comparisons, by what the name says: "v_cmp_lt_f32", "v_cmpx_ne_u64", "s_cmp_lg_u32", "s_cmpk_eq_i32".
#include "lift/amd/rows/rows.h"

#include <llvm/IR/Constants.h>

#include <optional>
#include <utility>

namespace forewarp::lift::amd {
namespace {

using P = llvm::CmpInst;

struct Compared {
  std::string_view how, type; ///< "lt", "f32"
};

/// Behind the prefix: "lt_f32".
Compared compared(std::string_view rest) {
  const std::size_t at = rest.find('_');
  return at == std::string_view::npos ? Compared{rest, {}}
                                      : Compared{rest.substr(0, at), rest.substr(at + 1)};
}

std::optional<P::Predicate> of_floats(std::string_view how) {
  static constexpr std::pair<std::string_view, P::Predicate> names[] = {
      {"lt", P::FCMP_OLT},  {"eq", P::FCMP_OEQ},  {"le", P::FCMP_OLE},   {"gt", P::FCMP_OGT},
      {"lg", P::FCMP_ONE},  {"ge", P::FCMP_OGE},  {"o", P::FCMP_ORD},    {"u", P::FCMP_UNO},
      {"nge", P::FCMP_ULT}, {"nlg", P::FCMP_UEQ}, {"ngt", P::FCMP_ULE},  {"nle", P::FCMP_UGT},
      {"neq", P::FCMP_UNE}, {"nlt", P::FCMP_UGE}, {"tru", P::FCMP_TRUE}, {"f", P::FCMP_FALSE}};
  for (const auto& [name, predicate] : names)
    if (how == name)
      return predicate;
  return std::nullopt;
}

std::optional<P::Predicate> of_integers(std::string_view how, bool is_signed) {
  if (how == "eq")
    return P::ICMP_EQ;
  if (how == "ne" || how == "lg")
    return P::ICMP_NE;
  if (how == "lt")
    return is_signed ? P::ICMP_SLT : P::ICMP_ULT;
  if (how == "le")
    return is_signed ? P::ICMP_SLE : P::ICMP_ULE;
  if (how == "gt")
    return is_signed ? P::ICMP_SGT : P::ICMP_UGT;
  if (how == "ge")
    return is_signed ? P::ICMP_SGE : P::ICMP_UGE;
  return std::nullopt;
}

Value* integer_operand(Lifter& l, std::size_t n, std::string_view type) {
  return type.ends_with("64") ? l.u64(n) : type.ends_with("16") ? l.u16(n) : l.u32(n);
}
Value* float_operand(Lifter& l, std::size_t n, std::string_view type) {
  return type == "f64" ? l.f64(n) : type == "f16" ? l.f16(n) : l.f32(n);
}

Value* compare(Lifter& l, const Compared& what, std::size_t first) {
  if (what.type.starts_with('f')) {
    const auto predicate = of_floats(what.how);
    if (predicate)
      return l.b.CreateFCmp(*predicate, float_operand(l, first, what.type),
                            float_operand(l, first + 1, what.type));
  } else if (what.how == "t" || what.how == "f") {
    return l.b.getInt1(what.how == "t");
  } else if (const auto predicate = of_integers(what.how, what.type.starts_with('i'))) {
    return l.b.CreateICmp(*predicate, integer_operand(l, first, what.type),
                          integer_operand(l, first + 1, what.type));
  }
  l.refuse("this comparison");
  return l.b.getFalse();
}

/// Bit by bit: signalling and quiet NaN, -infinity, -normal, -subnormal, -0, +0, +subnormal, +normal,
/// +infinity.
Value* in_class(Lifter& l, std::size_t first, bool wide) {
  auto& b = l.b;
  Value* bits = b.CreateBitCast(wide ? l.f64(first) : l.f32(first), wide ? b.getInt64Ty() : b.getInt32Ty());
  llvm::Type* type = bits->getType();
  const auto number = [&](std::uint64_t value) { return llvm::ConstantInt::get(type, value); };
  const std::uint64_t infinity = wide ? 0x7FF0000000000000 : 0x7F800000,
                      quiet = wide ? 0x8000000000000 : 0x400000,
                      least_normal = wide ? 0x10000000000000 : 0x800000, sign = wide ? 1ULL << 63 : 1U << 31;
  Value* size = b.CreateAnd(bits, number(sign - 1));
  Value* negative = b.CreateICmpNE(b.CreateAnd(bits, number(sign)), number(0));
  Value* nan = b.CreateICmpUGT(size, number(infinity));
  Value* is_quiet = b.CreateICmpNE(b.CreateAnd(bits, number(quiet)), number(0));
  Value* is_infinite = b.CreateICmpEQ(size, number(infinity));
  Value* zero = b.CreateICmpEQ(size, number(0));
  Value* subnormal = b.CreateICmpULT(size, number(least_normal));
  const auto choose = [&](Value* condition, unsigned yes, Value* no) {
    return b.CreateSelect(condition, l.word(yes), no);
  };
  Value* plus = choose(is_infinite, 9, choose(zero, 6, choose(subnormal, 7, l.word(8))));
  Value* minus = choose(is_infinite, 2, choose(zero, 5, choose(subnormal, 4, l.word(3))));
  Value* kind = b.CreateSelect(nan, b.CreateSelect(is_quiet, l.word(1), l.word(0)),
                               b.CreateSelect(negative, minus, plus));
  return b.CreateTrunc(b.CreateLShr(l.u32(first + 1), kind), b.getInt1Ty());
}

void vector_comparison(Lifter& l) {
  std::string_view name = l.at().mnemonic;
  const bool changes_exec = name.starts_with("v_cmpx_");
  const Compared what = compared(name.substr(changes_exec ? 7 : 6));
  // From gfx10 on v_cmpx names no result.
  const std::size_t first = l.count() > 2 ? 1 : 0;
  Value* bit = what.how == "class" && what.type != "f16" ? in_class(l, first, what.type == "f64")
                                                         : compare(l, what, first);
  if (changes_exec)
    l.set_exec(l.b.CreateAnd(bit, l.exec()));
  if (first == 1)
    l.set_mask(0, bit);
}

void scalar_comparison(Lifter& l) {
  l.set_scc(compare(l, compared(std::string_view(l.at().mnemonic).substr(6)), 0));
}

void short_comparison(Lifter& l) {
  const Compared what = compared(std::string_view(l.at().mnemonic).substr(7));
  const auto predicate = of_integers(what.how, what.type.starts_with('i'));
  if (!predicate)
    return l.refuse("this comparison");
  const std::int64_t value = l.operand(1).value;
  l.set_scc(l.b.CreateICmp(*predicate, l.u32(0),
                           l.word(what.type.starts_with('i') ? static_cast<std::uint64_t>(std::int64_t{
                                                                   static_cast<std::int16_t>(value)})
                                                             : static_cast<std::uint64_t>(value & 0xFFFF))));
}

} // namespace

Row comparison_row(std::string_view mnemonic) {
  if (mnemonic.starts_with("v_cmp_") || mnemonic.starts_with("v_cmpx_"))
    return vector_comparison;
  if (mnemonic.starts_with("s_cmpk_"))
    return short_comparison;
  return mnemonic.starts_with("s_cmp_") ? scalar_comparison : nullptr;
}

} // namespace forewarp::lift::amd
