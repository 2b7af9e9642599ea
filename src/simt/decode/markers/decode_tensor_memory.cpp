// Tensor memory (ir/builtins.h, "tensor_memory").
#include "simt/decode/decoder.h"

#include <llvm/ADT/StringSwitch.h>

#include <optional>

namespace forewarp::simt {
namespace {

using Kind = MatrixOp::Kind;
using Spread = MatrixOp::Spread;

/// "m128n64k16.b16.pair.inside": what the groups do each.
bool read_product(llvm::StringRef words, MatrixOp& op) {
  auto [shape, rest] = words.split('.');
  const auto [bits, form] = rest.split('.');
  llvm::SmallVector<llvm::StringRef, 6> each;
  form.split(each, '.');
  for (llvm::StringRef word : each) {
    op.in_pair = op.in_pair || word == "pair";
    op.has_lane_masks = op.has_lane_masks || word == "lanes";
    if ((word.consume_front("scaled") && word.getAsInteger(10, op.scales.of_row)) ||
        (word.consume_front("divided") && word.getAsInteger(10, op.divided_by)))
      return false;
  }
  return shape.consume_front("m") && !shape.consumeInteger(10, op.m) && shape.consume_front("n") &&
         !shape.consumeInteger(10, op.n) && shape.consume_front("k") && !shape.consumeInteger(10, op.k) &&
         !bits.drop_front().getAsInteger(10, op.factor_bits);
}

std::optional<Spread> spread_of(llvm::StringRef word) {
  return llvm::StringSwitch<std::optional<Spread>>(word)
      .Case("32x32b", Spread::x32_32)
      .Case("16x32bx2", Spread::x16_32_twice)
      .Case("16x64b", Spread::x16_64)
      .Case("16x128b", Spread::x16_128)
      .Case("16x256b", Spread::x16_256)
      .Default(std::nullopt);
}

} // namespace

/// Forms that are not modelled name their first address alone, or end in ".other": what they leave, and what
/// they load, is unknown.
bool Decoder::decode_tensor_memory(const llvm::CallBase& call, llvm::StringRef name) {
  MatrixOp op;
  const auto [verb, words] = name.split('.');
  if (verb == "alloc" || verb == "free" || verb == "forget") {
    op.kind = verb == "alloc" ? Kind::allocate : verb == "free" ? Kind::release : Kind::forget;
    op.n = 8; // columns that a copy or a shift changes at most
  } else if (verb == "cp") {
    op.kind = Kind::tensor_copy;
    llvm::StringRef shape = words.split('.').first;
    if (shape.consumeInteger(10, op.n) || !shape.consume_front("x") || shape.consumeInteger(10, op.row_bits))
      return false;
    op.warps = words.contains(".halves")       ? MatrixOp::Warps::halves
               : words.contains(".neighbours") ? MatrixOp::Warps::neighbours
               : op.n == 32                    ? MatrixOp::Warps::all
                                               : MatrixOp::Warps::each_its_own;
    op.packed_bits = words.contains(".of6") ? 6 : words.contains(".of4") ? 4 : 8;
  } else if (verb == "mma") {
    if (!read_product(words, op))
      return false;
    op.kind = call.arg_size() == 1 ? Kind::forget : Kind::tensor_product;
    op.a_in_tensor_memory = call.arg_size() > 1 && call.getArgOperand(1)->getType()->isIntegerTy(32);
    program_.multiplies_in_pairs = program_.multiplies_in_pairs || op.in_pair;
    program_.crosses_groups = program_.crosses_groups || op.in_pair;
  } else if (verb == "ld" || verb == "st") {
    llvm::StringRef form = words.split('.').second;
    op.packs_columns = form.consume_back(".packed");
    const auto spread = spread_of(form);
    op.kind = verb == "ld" ? Kind::tensor_load : spread ? Kind::tensor_store : Kind::forget;
    op.n = 512;
    op.spread = spread.value_or(Spread::x32_32);
    if (verb == "ld" && !spread) {
      for (const std::int32_t each : define(call))
        emit_special(Special::unknown_value, each);
      return true;
    }
  } else {
    return false;
  }
  emit_matrix(call, std::move(op));
  return true;
}

} // namespace forewarp::simt
