#include "lift/rows/matrix_values.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

namespace forewarp::lift {
namespace {

constexpr unsigned lanes_of_row = 4; ///< hold a row of A, or a column of B

Value* lane_id(Lifter& l) {
  return l.call("llvm.nvvm.read.ptx.sreg.laneid", l.b.getInt32Ty(), {});
}

Value* of_lane(Lifter& l, Value* value, Value* lane) {
  constexpr std::uint64_t all = ~0U, whole_warp = 0x1f;
  return l.call("llvm.nvvm.shfl.sync.idx.i32", l.b.getInt32Ty(),
                {l.word(all), value, lane, l.word(whole_warp)});
}

/// `words[index]` where the index is a value of the lane.
Value* chosen(Lifter& l, const std::vector<Value*>& words, Value* index) {
  Value* value = words[0];
  for (unsigned w = 1; w < words.size(); ++w)
    value = l.b.CreateSelect(l.b.CreateICmpEQ(index, l.word(w)), words[w], value);
  return value;
}

/// Types of factors in a word.
struct Element {
  unsigned bits = 16;
  bool is_float = true, is_signed = true;
  enum class Kind { f16, bf16, tf32, integer } kind = Kind::f16;
  unsigned in_word() const { return 32 / bits; }
};

Element element_of(const std::string& type) {
  if (type == "bf16")
    return {16, true, true, Element::Kind::bf16};
  if (type == "tf32")
    return {32, true, true, Element::Kind::tf32};
  if (type == "s8" || type == "u8")
    return {8, false, type == "s8", Element::Kind::integer};
  return {};
}

/// One element of a word as a float, or as a 32-bit integer.
Value* unpacked(Lifter& l, Value* word, unsigned index, const Element& element) {
  auto& b = l.b;
  switch (element.kind) {
  case Element::Kind::f16: {
    Value* half = b.CreateTrunc(b.CreateLShr(word, 16 * index), b.getInt16Ty());
    return b.CreateFPExt(b.CreateBitCast(half, b.getHalfTy()), b.getFloatTy());
  }
  case Element::Kind::bf16:
    return b.CreateBitCast(index == 0 ? b.CreateShl(word, 16) : b.CreateAnd(word, l.word(0xffff0000U)),
                           b.getFloatTy());
  case Element::Kind::tf32: // 10 bits of mantissa: the others are not read
    return b.CreateBitCast(b.CreateAnd(word, l.word(0xffffe000U)), b.getFloatTy());
  case Element::Kind::integer:
    break;
  }
  Value* byte = b.CreateTrunc(b.CreateLShr(word, 8 * index), b.getInt8Ty());
  return element.is_signed ? b.CreateSExt(byte, b.getInt32Ty()) : b.CreateZExt(byte, b.getInt32Ty());
}

/// A product of matrices of 16 by k and k by 8: lane 4 g + q holds of A, word w, the elements from k = q p
/// (+ 4 p for every second pair of words) on of row g (w even) or g + 8 (w odd); of B, word w, those from q p
/// + 4 p w on of column g; of the sums columns 2 q and 2 q + 1 of rows g and g + 8; p elements lie in a word.
class Product {
public:
  Product(Lifter& l, Element a, Element b) : l_(l), of_a_(a), of_b_(b) {
    Value* lane = lane_id(l);
    group_ = l.b.CreateLShr(lane, 2);
    within_ = l.b.CreateAnd(lane, l.word(lanes_of_row - 1));
    words_of_b_ = l.source(1)->width;
    for (unsigned column = 0; column < 2; ++column)
      columns_.push_back(elements(*l.source(1), of_b_, column_lane(column), 0, 1));
    for (unsigned half = 0; half < 2; ++half)
      rows_.push_back(elements(*l.source(0), of_a_, l.b.CreateMul(group_, l.word(lanes_of_row)), half, 2));
  }

  Value* sum(unsigned row, unsigned column, Value* from) {
    auto& b = l_.b;
    for (std::size_t k = 0; k < rows_[row].size(); ++k) {
      Value *x = rows_[row][k], *y = columns_[column][k];
      from = of_a_.is_float ? b.CreateIntrinsic(b.getFloatTy(), llvm::Intrinsic::fma, {x, y, from})
                            : b.CreateAdd(b.CreateMul(x, y), from);
    }
    return from;
  }

private:
  /// First of the lanes that hold the column.
  Value* column_lane(unsigned column) {
    auto& b = l_.b;
    return b.CreateMul(b.CreateAdd(b.CreateMul(within_, l_.word(2)), l_.word(column)), l_.word(lanes_of_row));
  }

  /// In the order of k: words first, first + step, ...; of each the four lanes' from `lane` on.
  std::vector<Value*> elements(const Operand& operand, const Element& element, Value* lane, unsigned first,
                               unsigned step) {
    std::vector<Value*> all;
    for (unsigned word = first; word < operand.width; word += step)
      for (unsigned q = 0; q < lanes_of_row; ++q) {
        Value* got = of_lane(l_, l_.raw(&operand, word), l_.b.CreateAdd(lane, l_.word(q)));
        for (unsigned e = 0; e < element.in_word(); ++e)
          all.push_back(unpacked(l_, got, e, element));
      }
    return all;
  }

  Lifter& l_;
  Element of_a_, of_b_;
  Value *group_ = nullptr, *within_ = nullptr;
  unsigned words_of_b_ = 1;
  std::vector<std::vector<Value*>> rows_, columns_;
};

Value* half_bits(Lifter& l, Value* value) {
  auto& b = l.b;
  return b.CreateZExt(b.CreateBitCast(b.CreateFPTrunc(value, b.getHalfTy()), b.getInt16Ty()), b.getInt32Ty());
}

} // namespace

Value* matrix_word(Lifter& l, const std::vector<Value*>& row, unsigned matrix, bool transposed) {
  auto& b = l.b;
  Value* lane = lane_id(l);
  Value *group = b.CreateLShr(lane, 2), *within = b.CreateAnd(lane, l.word(lanes_of_row - 1));
  const auto row_of = [&](Value* from) { return b.CreateAdd(from, l.word(8 * matrix)); };
  std::vector<Value*> words;
  if (!transposed) {
    for (Value* word : row)
      words.push_back(of_lane(l, word, row_of(group)));
    return chosen(l, words, within);
  }
  // Halves 2 q and 2 q + 1 of column g: of two rows the same half.
  Value* halves[2] = {};
  for (unsigned k = 0; k < 2; ++k) {
    words.clear();
    Value* from = row_of(b.CreateAdd(b.CreateMul(within, l.word(2)), l.word(k)));
    for (Value* word : row)
      words.push_back(of_lane(l, word, from));
    Value* shift = b.CreateMul(b.CreateAnd(group, l.word(1)), l.word(16));
    halves[k] = b.CreateAnd(b.CreateLShr(chosen(l, words, b.CreateLShr(group, 1)), shift), l.word(0xffff));
  }
  return b.CreateOr(halves[0], b.CreateShl(halves[1], 16));
}

void put_product(Lifter& l, const std::string& shape, const std::string& types, bool saturates) {
  auto& b = l.b;
  const bool known = types == "f32.f32" || types == "f16.f16" || types == "bf16" || types == "tf32" ||
                     types.find('8') != std::string::npos;
  if (!shape.starts_with("m16n8") || !known || saturates)
    return l.refuse("the values of a matrix product of this shape and type");
  const std::size_t dot = types.find('.');
  const bool integers = types[0] == 's' || types[0] == 'u';
  const Element a = element_of(types.substr(0, dot));
  const Element second = integers && dot != std::string::npos ? element_of(types.substr(dot + 1)) : a;
  const bool halves = types == "f16.f16";
  Product product(l, a, second);
  std::vector<Value*> sums;
  for (unsigned k = 0; k < 4; ++k) {
    Value* from = halves     ? unpacked(l, l.raw(l.source(2), k / 2), k % 2, {})
                  : integers ? l.raw(l.source(2), k)
                             : b.CreateBitCast(l.raw(l.source(2), k), b.getFloatTy());
    sums.push_back(product.sum(k / 2, k % 2, from));
  }
  for (unsigned k = 0; k < 4 && !halves; ++k)
    l.set(l.result(0), b.CreateBitCast(sums[k], b.getInt32Ty()), k);
  for (unsigned k = 0; k < 2 && halves; ++k)
    l.set(l.result(0), b.CreateOr(half_bits(l, sums[2 * k]), b.CreateShl(half_bits(l, sums[2 * k + 1]), 16)),
          k);
}

} // namespace forewarp::lift
