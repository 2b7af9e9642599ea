// Matrix products of a warp (llvm.nvvm.mma.*), and matrices whose rows change lanes (ir/builtins.h).
#include "simt/decode/decoder.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSwitch.h>

#include <optional>

namespace forewarp::simt {
namespace {

using Element = MatrixOp::Element;

bool read_shape(llvm::StringRef word, MatrixOp& op) {
  return word.consume_front("m") && !word.consumeInteger(10, op.m) && word.consume_front("n") &&
         !word.consumeInteger(10, op.n) && word.consume_front("k") && !word.consumeInteger(10, op.k) &&
         word.empty();
}

std::optional<Element> element_of(llvm::StringRef word) {
  return llvm::StringSwitch<std::optional<Element>>(word)
      .Case("bf16", Element::bf16)
      .Case("tf32", Element::tf32)
      .Case("f64", Element::f64)
      .Case("s8", Element::s8)
      .Case("u8", Element::u8)
      .Case("s4", Element::s4)
      .Case("u4", Element::u4)
      .Case("b1", Element::b1)
      .Default(std::nullopt);
}

/// "f32.f32": types of the sums of halves; "s8.u8", "bf16": of the factors.
bool read_types(llvm::ArrayRef<llvm::StringRef> words, MatrixOp& op) {
  if (words.empty())
    return false;
  if (words[0] == "f16" || words[0] == "f32") {
    op.sum = words[0] == "f16" ? Element::f16 : Element::f32;
    return words.size() == 2 && words[1] == words[0];
  }
  const auto a = element_of(words[0]), b = element_of(words.back());
  op.a = a.value_or(op.a);
  op.b = b.value_or(op.b);
  op.sum = op.a == Element::f64 ? Element::f64 : Element::f32;
  return a && b && words.size() <= 2;
}

/// "mma.m16n8k16.row.col.f32.f32", "mma.and.popc.m8n8k128.row.col.b1"
bool read_product(llvm::StringRef name, MatrixOp& op) {
  llvm::SmallVector<llvm::StringRef, 8> words;
  name.split(words, '.');
  std::size_t at = 1;
  while (at < words.size() && (words[at] == "and" || words[at] == "xor" || words[at] == "popc"))
    op.counts_and = op.counts_and || words[at++] == "and";
  if (at + 3 > words.size() || !read_shape(words[at], op) || words[at + 1] != "row" || words[at + 2] != "col")
    return false;
  at += 3;
  if (at < words.size() && words[at] == "satfinite") {
    op.saturates = true;
    ++at;
  }
  if (!read_types(llvm::ArrayRef(words).drop_front(at), op))
    return false;
  return op.m == 16 || (op.m == 8 && op.a != Element::f16); // m8n8k4 of halves: four products side by side
}

} // namespace

void Decoder::emit_matrix(const llvm::CallBase& call, MatrixOp op) {
  for (const llvm::Use& argument : call.args())
    for (const std::int32_t each : slots(argument))
      op.operands.push_back(each);
  op.results = define(call);
  program_.matrix_ops.push_back(std::move(op));
  emit_special(Special::matrix, no_slot, static_cast<std::uint32_t>(program_.matrix_ops.size() - 1));
}

bool Decoder::decode_product(const llvm::CallBase& call, llvm::StringRef name) {
  MatrixOp op;
  if (!read_product(name, op))
    return false;
  emit_matrix(call, std::move(op));
  return true;
}

/// matrix.{take,give}.x<n>{.trans}, matrix.transpose
bool Decoder::decode_matrix_marker(const llvm::CallBase& call, llvm::StringRef name) {
  MatrixOp op;
  op.kind = name.starts_with("take")   ? MatrixOp::Kind::take
            : name.starts_with("give") ? MatrixOp::Kind::give
                                       : MatrixOp::Kind::transpose;
  op.transposed = name.ends_with(".trans");
  emit_matrix(call, std::move(op));
  return true;
}

} // namespace forewarp::simt
