// Conversions between floats of few bits and others: "cvt." and the words of PTX (ir/builtins.h).
#include "simt/decode/decoder.h"

#include <llvm/ADT/StringSwitch.h>

#include <optional>

namespace forewarp::simt {
namespace {

using Element = MatrixOp::Element;

std::optional<Element> element_of(llvm::StringRef word) {
  return llvm::StringSwitch<std::optional<Element>>(word)
      .Case("f32", Element::f32)
      .Case("f16", Element::f16)
      .Case("bf16", Element::bf16)
      .Case("e4m3", Element::e4m3)
      .Case("e5m2", Element::e5m2)
      .Case("e2m3", Element::e2m3)
      .Case("e3m2", Element::e3m2)
      .Case("e2m1", Element::fp4)
      .Case("ue8m0", Element::ue8m0)
      .Default(std::nullopt);
}

} // namespace

/// "rn.satfinite.relu.e4m3x2.bf16x2": the type of the result, then that of the source.
bool Decoder::decode_conversion(const llvm::CallBase& call, llvm::StringRef words) {
  ConversionOp op;
  llvm::SmallVector<llvm::StringRef, 8> each;
  words.split(each, '.');
  unsigned types = 0;
  for (const llvm::StringRef word : each) {
    const auto [name, lanes] = word.rsplit('x');
    const auto element = element_of(name);
    if (!element)
      continue;
    if (types++ > 0) {
      op.from = *element;
      op.in_word = word != "f32";
    } else if (op.to = *element; lanes.getAsInteger(10, op.count)) {
      return false;
    }
  }
  const auto has = [&](llvm::StringRef word) { return llvm::is_contained(each, word); };
  op.keeps_sign = !has("relu");
  op.saturates = has("satfinite");
  op.to_zero = has("rz");
  op.up = has("rp");
  op.random = has("rs");
  op.scaled = has("scaled::n2::ue8m0");
  for (const llvm::Use& argument : call.args())
    op.operands.push_back(slot(argument));
  if (types != 2 || op.operands.size() != (op.in_word ? 1 : op.count) + (op.random || op.scaled ? 1 : 0))
    return false;
  const std::int32_t result = define(call).front();
  program_.conversion_ops.push_back(std::move(op));
  emit_special(Special::convert, result, static_cast<std::uint32_t>(program_.conversion_ops.size() - 1));
  return true;
}

} // namespace forewarp::simt
