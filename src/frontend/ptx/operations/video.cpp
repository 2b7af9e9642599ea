// Video instructions: a value of 34 bits from parts of two words, saturated, combined with a third source.
// Generations from Maxwell on have few of them; the assembler makes the rest of plain integer operations, and
// so does this (listings of ptxas 13: one PRMT a part, then the operation).
#include "frontend/ptx/operations/operations.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

#include <optional>

namespace forewarp::frontend::ptx {
namespace {

namespace intrinsics = llvm::Intrinsic;

/// "%r1.b2" -> "%r1", bits 16 on, 8 of them.
struct Part {
  std::string name;
  unsigned first = 0, bits = 32;
};

Part part_of(const std::string& operand) {
  const std::size_t dot = operand.rfind('.');
  if (dot == std::string::npos || dot + 3 != operand.size() ||
      (operand[dot + 1] != 'b' && operand[dot + 1] != 'h'))
    return {operand};
  const unsigned bits = operand[dot + 1] == 'b' ? 8 : 16;
  return {operand.substr(0, dot), static_cast<unsigned>(operand[dot + 2] - '0') * bits, bits};
}

class Video {
public:
  Video(Expansion& e, const Statement& s) : e_(e), b_(e.b), s_(s), types_(s.types()) {}

  /// vadd.dtype.atype.btype{.sat}{.op2} d, a{.sel}, b{.sel} {, c}
  bool scalar() {
    const bool compares = s_.operation == "vset", multiplies = s_.operation == "vmad";
    if (types_.size() < (compares ? 2U : 3U) || s_.operands.size() < 3)
      return false;
    const TypeWord of_result = compares ? TypeWord{'u', 32, 1} : types_[0], of_a = types_[compares ? 0 : 1],
                   of_b = types_[compares ? 1 : 2];
    llvm::Value *x = source(s_.operands[1], of_a.kind == 's'), *y = source(s_.operands[2], of_b.kind == 's');
    llvm::Value* third =
        s_.operands.size() > 3 ? e_.registers.read(s_.operands[3], b_.getInt32Ty()) : b_.getInt32(0);
    if (!x || !y || !third || (multiplies && s_.operands.size() != 4))
      return false;
    llvm::Value* made =
        multiplies ? product(x, y, third, of_a, of_b) : operation(s_.operation.substr(1), x, y, of_a);
    if (!made)
      return false;
    const bool is_signed = of_result.kind == 's';
    if (s_.has("sat"))
      made = within(made, is_signed, 32);
    return write(b_.CreateTrunc(made, b_.getInt32Ty()), third, is_signed, multiplies);
  }

  /// vadd2, vadd4, ...: each half or byte by itself; ".add": their sum and the third source. Only all of them
  /// in their own order; a selection of them in the result by its mask.
  bool parts() {
    const std::string verb = s_.operation.substr(1, s_.operation.size() - 2);
    const bool compares = verb == "set";
    if (types_.size() < (compares ? 2U : 3U) || s_.operands.size() != 4)
      return false;
    const unsigned count = s_.operation.back() == '4' ? 4 : 2, bits = 32 / count;
    const TypeWord of_a = types_[compares ? 0 : 1], of_b = types_[compares ? 1 : 2];
    const bool is_signed = !compares && types_[0].kind == 's', sums = s_.has("add");
    const auto [target, mask] = masked(s_.operands[0], count);
    std::string order_a, order_b;
    llvm::Value *x = ordered(s_.operands[1], order_a), *y = ordered(s_.operands[2], order_b);
    llvm::Value* third = e_.registers.read(s_.operands[3], b_.getInt32Ty());
    if (!x || !y || !third)
      return false;
    llvm::Value* made = sums ? third : b_.getInt32(0);
    for (unsigned i = 0; i < count; ++i) {
      llvm::Value *left = element(x, y, order_a, i, 0, count, of_a.kind == 's'),
                  *right = element(x, y, order_b, i, count, count, of_b.kind == 's');
      llvm::Value* one = operation(verb, left, right, of_a);
      if (!one)
        return false;
      if (s_.has("sat"))
        one = within(one, is_signed, bits);
      one = b_.CreateTrunc(one, b_.getInt32Ty());
      if (sums) {
        made = (mask >> i & 1) != 0 ? b_.CreateAdd(made, one) : made;
        continue;
      }
      llvm::Value* field = (mask >> i & 1) != 0
                               ? b_.CreateAnd(one, b_.getInt32((1U << bits) - 1))
                               : b_.CreateAnd(b_.CreateLShr(third, bits * i), b_.getInt32((1U << bits) - 1));
      made = b_.CreateOr(made, b_.CreateShl(field, bits * i));
    }
    return e_.registers.write(target, made);
  }

private:
  /// Extended to 64 bits.
  llvm::Value* source(const std::string& operand, bool is_signed) {
    const bool negated = operand.starts_with('-');
    const Part part = part_of(negated ? operand.substr(1) : operand);
    llvm::Value* word = e_.registers.read(part.name, b_.getInt32Ty());
    if (!word)
      return nullptr;
    llvm::Value* cut = b_.CreateTrunc(b_.CreateLShr(word, part.first), b_.getIntNTy(part.bits));
    llvm::Value* wide = b_.CreateIntCast(cut, b_.getInt64Ty(), is_signed);
    return negated ? b_.CreateNeg(wide) : wide;
  }

  llvm::Value* operation(const std::string& verb, llvm::Value* x, llvm::Value* y, TypeWord of_a) {
    if (verb == "add")
      return b_.CreateAdd(x, y);
    if (verb == "sub")
      return b_.CreateSub(x, y);
    if (verb == "absdiff")
      return b_.CreateBinaryIntrinsic(intrinsics::abs, b_.CreateSub(x, y), b_.getFalse());
    if (verb == "min" || verb == "max")
      return b_.CreateBinaryIntrinsic(verb == "min" ? intrinsics::smin : intrinsics::smax, x, y);
    if (verb == "avrg") { // away from zero at the half
      llvm::Value* sum = b_.CreateAdd(x, y);
      llvm::Value* up = b_.CreateZExt(b_.CreateICmpSGE(sum, b_.getInt64(0)), b_.getInt64Ty());
      return b_.CreateAShr(b_.CreateAdd(sum, up), 1);
    }
    if (verb == "shl" || verb == "shr") {
      llvm::Value* amount = s_.has("wrap") ? b_.CreateAnd(y, b_.getInt64(31))
                                           : b_.CreateBinaryIntrinsic(intrinsics::umin, y, b_.getInt64(32));
      return verb == "shl"      ? b_.CreateShl(x, amount)
             : of_a.kind == 's' ? b_.CreateAShr(x, amount)
                                : b_.CreateLShr(x, amount);
    }
    if (verb == "set")
      return compared(x, y);
    return nullptr;
  }

  llvm::Value* compared(llvm::Value* x, llvm::Value* y) {
    using P = llvm::CmpInst::Predicate;
    const auto how = s_.has("eq")   ? P::ICMP_EQ
                     : s_.has("ne") ? P::ICMP_NE
                     : s_.has("lt") ? P::ICMP_SLT
                     : s_.has("le") ? P::ICMP_SLE
                     : s_.has("gt") ? P::ICMP_SGT
                     : s_.has("ge") ? P::ICMP_SGE
                                    : P::BAD_ICMP_PREDICATE;
    return how == P::BAD_ICMP_PREDICATE ? nullptr : b_.CreateZExt(b_.CreateICmp(how, x, y), b_.getInt64Ty());
  }

  /// a times b, plus c (or one: .po), then shifted to the right.
  llvm::Value* product(llvm::Value* x, llvm::Value* y, llvm::Value* third, TypeWord of_a, TypeWord of_b) {
    const bool negated = s_.operands[3].starts_with('-');
    const bool is_signed = of_a.kind == 's' || of_b.kind == 's' || negated;
    llvm::Value* made = b_.CreateAdd(b_.CreateMul(x, y), b_.CreateIntCast(third, b_.getInt64Ty(), is_signed));
    if (s_.has("po"))
      made = b_.CreateAdd(made, b_.getInt64(1));
    const unsigned shift = s_.has("shr7") ? 7 : s_.has("shr15") ? 15 : 0;
    return is_signed ? b_.CreateAShr(made, shift) : b_.CreateLShr(made, shift);
  }

  llvm::Value* within(llvm::Value* value, bool is_signed, unsigned bits) {
    const std::int64_t most = is_signed ? (std::int64_t{1} << (bits - 1)) - 1 : (std::int64_t{1} << bits) - 1;
    const std::int64_t least = is_signed ? -most - 1 : 0;
    llvm::Value* below =
        b_.CreateBinaryIntrinsic(intrinsics::smin, value, b_.getInt64(static_cast<std::uint64_t>(most)));
    return b_.CreateBinaryIntrinsic(intrinsics::smax, below, b_.getInt64(static_cast<std::uint64_t>(least)));
  }

  /// With the third source: added, the smaller or larger, or around the part of the result.
  bool write(llvm::Value* made, llvm::Value* third, bool is_signed, bool is_product) {
    const Part to = part_of(s_.operands[0]);
    if (to.bits < 32) {
      const std::uint32_t mask = ((1U << to.bits) - 1) << to.first;
      made = b_.CreateOr(b_.CreateAnd(third, b_.getInt32(~mask)),
                         b_.CreateAnd(b_.CreateShl(made, to.first), b_.getInt32(mask)));
    } else if (s_.operands.size() > 3 && !is_product) {
      made = s_.has("add") ? b_.CreateAdd(made, third)
             : s_.has("min")
                 ? b_.CreateBinaryIntrinsic(is_signed ? intrinsics::smin : intrinsics::umin, made, third)
             : s_.has("max")
                 ? b_.CreateBinaryIntrinsic(is_signed ? intrinsics::smax : intrinsics::umax, made, third)
                 : made;
    }
    return e_.registers.write(to.name, made);
  }

  /// "%r1.b20" -> "%r1", bits 0 and 2; without letters all.
  std::pair<std::string, unsigned> masked(const std::string& operand, unsigned count) {
    const std::size_t dot = operand.rfind('.');
    if (dot == std::string::npos)
      return {operand, (1U << count) - 1};
    unsigned mask = 0;
    for (const char digit : operand.substr(dot + 2))
      mask |= 1U << (digit - '0');
    return {operand.substr(0, dot), mask};
  }

  /// "%r2.b7012": the word, and its order, digits from the uppermost.
  llvm::Value* ordered(const std::string& operand, std::string& order) {
    const std::size_t dot = operand.rfind('.');
    order = dot == std::string::npos ? "" : operand.substr(dot + 2);
    return e_.registers.read(operand.substr(0, dot), b_.getInt32Ty());
  }

  /// Element `i` of a source; orders count through both words, the second's own one begins at `own`.
  llvm::Value* element(llvm::Value* x, llvm::Value* y, const std::string& order, unsigned i, unsigned own,
                       unsigned count, bool is_signed) {
    const unsigned bits = 32 / count;
    const unsigned place =
        order.size() == count ? static_cast<unsigned>(order[count - 1 - i] - '0') : own + i;
    llvm::Value* word = place < count ? x : y;
    llvm::Value* cut = b_.CreateTrunc(b_.CreateLShr(word, bits * (place % count)), b_.getIntNTy(bits));
    return b_.CreateIntCast(cut, b_.getInt64Ty(), is_signed);
  }

  Expansion& e_;
  llvm::IRBuilder<>& b_;
  const Statement& s_;
  std::vector<TypeWord> types_;
};

bool scalar(Expansion& e, const Statement& s) {
  return Video(e, s).scalar();
}
bool parts(Expansion& e, const Statement& s) {
  return Video(e, s).parts();
}

constexpr const char* of_words = "of u32 and s32, their bytes and halves; .sat, .add, .min, .max";
constexpr const char* of_parts = "of u32 and s32; .sat, .add, masks and orders";

constexpr Operation video_row_list[] = {
    {"vabsdiff", scalar, of_words},
    {"vabsdiff2", parts, of_parts},
    {"vadd", scalar, of_words},
    {"vadd2", parts, of_parts},
    {"vadd4", parts, of_parts},
    {"vavrg2", parts, of_parts},
    {"vavrg4", parts, of_parts},
    {"vmad", scalar, "of u32 and s32, their bytes and halves; .po, .sat, .shr7, .shr15"},
    {"vmax", scalar, of_words},
    {"vmax2", parts, of_parts},
    {"vmax4", parts, of_parts},
    {"vmin", scalar, of_words},
    {"vmin2", parts, of_parts},
    {"vmin4", parts, of_parts},
    {"vset", scalar, of_words},
    {"vset2", parts, of_parts},
    {"vset4", parts, of_parts},
    {"vshl", scalar, of_words},
    {"vshr", scalar, of_words},
    {"vsub", scalar, of_words},
    {"vsub2", parts, of_parts},
    {"vsub4", parts, of_parts},
};

} // namespace

std::span<const Operation> video_rows() {
  return video_row_list;
}

} // namespace forewarp::frontend::ptx
