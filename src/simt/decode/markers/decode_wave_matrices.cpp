// Matrix products of AMD's waves: llvm.amdgcn.{mfma,wmma}.*
#include "simt/decode/decoder.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Constants.h>

#include <algorithm>
#include <optional>

namespace forewarp::simt {
namespace {

using Element = MatrixOp::Element;
using Layout = MatrixOp::Layout;

/// Operands of a call: where A, B and the sums stand.
struct Operands {
  unsigned a = 0, b = 1, sums = 2;
};

/// "32x32x8f16" -> the shape, and "f16" is left.
bool read_shape(llvm::StringRef& word, MatrixOp& op) {
  return !word.consumeInteger(10, op.m) && word.consume_front("x") && !word.consumeInteger(10, op.n) &&
         word.consume_front("x") && !word.consumeInteger(10, op.k);
}

/// `has_negative_zero`: of 8-bit floats.
std::optional<Element> element_of(llvm::StringRef word, bool has_negative_zero) {
  return llvm::StringSwitch<std::optional<Element>>(word)
      .Case("f16", Element::f16)
      .Case("bf16", Element::bf16)
      .Case("xf32", Element::tf32) // the same ten bits of mantissa
      .Case("f32", Element::f32)
      .Case("f64", Element::f64)
      .Case("fp8", has_negative_zero ? Element::e4m3 : Element::e4m3_nz)
      .Case("bf8", has_negative_zero ? Element::e5m2 : Element::e5m2_nz)
      .Cases("i8", "iu8", Element::s8)
      .Case("iu4", Element::s4)
      .Default(std::nullopt);
}

bool is_set(const llvm::CallBase& call, unsigned argument) {
  const auto* value = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(argument));
  return value != nullptr && !value->isZero();
}

/// The broadcasts and permutations of factors (cbsz, abid, blgp; of doubles a negation) are not modelled.
bool is_plain_mfma(const llvm::CallBase& call) {
  return call.arg_size() == 6 && !is_set(call, 3) && !is_set(call, 4) && !is_set(call, 5);
}

/// Components of a vector, or one.
unsigned count_of(const llvm::Type* type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector != nullptr ? vector->getNumElements() : 1;
}

void describe(MatrixOp::Factor& factor, Element element, llvm::Type* type) {
  factor.element = element;
  factor.slots = count_of(type);
  factor.slot_bits = type->getScalarSizeInBits();
}

/// Signs of integers, the half of short sums, saturation.
Operands read_flags(const llvm::CallBase& call, llvm::StringRef type, MatrixOp& op) {
  if (type == "iu8" || type == "iu4") {
    const bool bytes = type == "iu8";
    op.a.element =
        is_set(call, 0) ? (bytes ? Element::s8 : Element::s4) : (bytes ? Element::u8 : Element::u4);
    op.b.element =
        is_set(call, 2) ? (bytes ? Element::s8 : Element::s4) : (bytes ? Element::u8 : Element::u4);
    op.saturates = is_set(call, 5);
    return {1, 3, 4};
  }
  op.upper_half = call.arg_size() == 4 && is_set(call, 3);
  return {};
}

/// Each lane of gfx11 has a whole row of A, of gfx12 a part of it.
Layout layout_of_wmma(const MatrixOp& op) {
  return op.a.slots * op.a.slot_bits == op.k * bits_of(op.a.element) ? Layout::wmma : Layout::wmma_split;
}

/// "mfma.f32.32x32x8f16", "mfma.f32.16x16x32.fp8.bf8", "wmma.i32.16x16x16.iu8.v8i32.v4i32"
std::optional<Operands> read_product(const llvm::CallBase& call, llvm::StringRef name, bool has_negative_zero,
                                     MatrixOp& op) {
  llvm::SmallVector<llvm::StringRef, 8> words;
  name.split(words, '.');
  const bool is_mfma = words[0] == "mfma";
  if (words.size() < 3 || (!is_mfma && words[0] != "wmma") || (is_mfma && !is_plain_mfma(call)) ||
      !read_shape(words[2], op))
    return std::nullopt;
  const auto word = [&](std::size_t at) { return at < words.size() ? words[at] : llvm::StringRef(); };
  const llvm::StringRef type = words[2].empty() ? word(3) : words[2];
  const auto a = element_of(type, has_negative_zero);
  const auto b = words[2].empty() ? element_of(word(4), has_negative_zero) : std::nullopt;
  const auto sum = words[1] == "i32" ? std::optional(Element::f32) : element_of(words[1], true);
  if (!a || !sum)
    return std::nullopt;
  const Operands at = is_mfma ? Operands{} : read_flags(call, type, op);
  const bool has_signs = at.a != 0;
  describe(op.a, has_signs ? op.a.element : *a, call.getArgOperand(at.a)->getType());
  describe(op.b, has_signs ? op.b.element : b.value_or(*a), call.getArgOperand(at.b)->getType());
  op.sum = *sum;
  op.sum_slot_bits = call.getType()->getScalarSizeInBits();
  op.keeps_other_half = std::ranges::find(words, "tied") != words.end();
  op.layout = is_mfma ? Layout::mfma : layout_of_wmma(op);
  if (is_mfma)
    op.blocks = 64 * op.a.slots * op.a.slot_bits / bits_of(op.a.element) / (op.m * op.k);
  return at;
}

} // namespace

bool Decoder::decode_wave_product(const llvm::CallBase& call, llvm::StringRef name) {
  MatrixOp op;
  const bool is_gfx940 = llvm::StringRef(module_.target).starts_with("gfx94");
  const auto at = read_product(call, name, !is_gfx940, op);
  if (!at || op.blocks == 0 || (op.layout == MatrixOp::Layout::mfma && program_.warp_width != 64))
    return false;
  for (const unsigned argument : {at->a, at->b, at->sums})
    for (const std::int32_t each : slots(call.getArgOperand(argument)))
      op.operands.push_back(each);
  put_matrix(call, std::move(op));
  return true;
}

} // namespace forewarp::simt
