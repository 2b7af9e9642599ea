// Matrix products of a warp (llvm.nvvm.mma.*) and of a warp group, and matrices whose rows change lanes
// (ir/builtins.h).
#include "simt/decode/decoder.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSwitch.h>

#include <algorithm>
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
      .Case("f16", Element::f16)
      .Cases("f32", "s32", Element::f32)
      .Case("e4m3", Element::e4m3)
      .Case("e5m2", Element::e5m2)
      .Case("bf16", Element::bf16)
      .Case("tf32", Element::tf32)
      .Case("f64", Element::f64)
      .Case("s8", Element::s8)
      .Case("u8", Element::u8)
      .Case("s4", Element::s4)
      .Case("u4", Element::u4)
      .Case("b1", Element::b1)
      .Case("e2m1", Element::e2m1)
      .Case("e3m2", Element::e3m2)
      .Case("e2m3", Element::e2m3)
      .Case("fp4", Element::fp4)
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
  op.a.element = a.value_or(Element::f16);
  op.b.element = b.value_or(Element::f16);
  op.sum = op.a.element == Element::f64 ? Element::f64 : Element::f32;
  return a && b && words.size() <= 2;
}

/// Registers of a factor: LLVM passes halves one by one.
void count_slots(MatrixOp::Factor& factor, unsigned elements) {
  constexpr unsigned lanes = 32;
  const unsigned bits = bits_of(factor.element);
  factor.slot_bits = factor.element == Element::f16 ? 16 : std::max(32U, bits);
  factor.slots = elements * bits / factor.slot_bits / lanes;
}

/// "mma.m16n8k16.row.col.f32.f32", "mma.and.popc.m8n8k128.row.col.b1"
bool read_product(llvm::StringRef name, MatrixOp& op) {
  llvm::SmallVector<llvm::StringRef, 8> words;
  name.split(words, '.');
  std::size_t at = 1;
  while (at < words.size() && (words[at] == "and" || words[at] == "xor" || words[at] == "popc"))
    op.counts_and = op.counts_and || words[at++] == "and";
  const auto is_order = [](llvm::StringRef word) { return word == "row" || word == "col"; };
  if (at + 3 > words.size() || !read_shape(words[at], op) || !is_order(words[at + 1]) ||
      !is_order(words[at + 2]))
    return false;
  op.a.across_k = words[at + 1] == "col";
  op.b.across_k = words[at + 2] == "row";
  at += 3;
  if (at < words.size() && words[at] == "satfinite") {
    op.saturates = true;
    ++at;
  }
  if (!read_types(llvm::ArrayRef(words).drop_front(at), op))
    return false;
  if (op.m == 8 && op.a.element == Element::f16) {
    op.layout = MatrixOp::Layout::quarters;
    op.blocks = 4;
  }
  count_slots(op.a, op.m * op.k * op.blocks);
  count_slots(op.b, op.n * op.k * op.blocks);
  op.sum_slot_bits = bits_of(op.sum);
  const bool in_order = op.layout == MatrixOp::Layout::quarters || (!op.a.across_k && !op.b.across_k);
  return in_order && (op.m == 16 || op.m == 8);
}

bool read_numbers(llvm::ArrayRef<llvm::StringRef> words, llvm::ArrayRef<unsigned*> numbers) {
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (i >= words.size() || words[i].getAsInteger(10, *numbers[i]))
      return false;
  return true;
}

/// "satfinite", "sparse.0", "scaled.2.ue8m0.0.0.0.0"
bool read_marked_extras(llvm::ArrayRef<llvm::StringRef> words, MatrixOp& op) {
  while (!words.empty()) {
    const llvm::StringRef word = words.front();
    words = words.drop_front();
    if (word == "satfinite") {
      op.saturates = true;
    } else if (word == "sparse") {
      op.is_sparse = true;
      if (!read_numbers(words, {&op.metadata_lane}))
        return false;
      words = words.drop_front();
    } else if (word == "scaled" && words.size() >= 6) {
      MatrixOp::Scales& scales = op.scales;
      scales.element = words[1] == "ue4m3" ? Element::e4m3 : Element::ue8m0;
      if (!read_numbers(words, {&scales.of_row}) ||
          !read_numbers(words.drop_front(2),
                        {&scales.byte_a, &scales.lane_a, &scales.byte_b, &scales.lane_b}) ||
          scales.of_row == 0)
        return false;
      words = words.drop_front(6);
    } else {
      return false;
    }
  }
  return true;
}

/// "m16n8k32.row.col.e4m3.e4m3.f32.f32x4"
bool read_marked_product(llvm::StringRef name, MatrixOp& op) {
  llvm::SmallVector<llvm::StringRef, 16> words;
  name.split(words, '.');
  constexpr std::size_t types = 3; // behind shape and layouts
  if (words.size() < types + 4 || !read_shape(words[0], op) || op.m != 16 || op.n != 8)
    return false;
  const auto a = element_of(words[types]), b = element_of(words[types + 1]),
             sum = element_of(words[types + 2]);
  if (!a || !b || !sum || !read_marked_extras(llvm::ArrayRef(words).slice(types + 3).drop_back(), op))
    return false;
  op.a.element = *a;
  op.b.element = *b;
  op.sum = *sum;
  op.sum_slot_bits = 32;
  constexpr unsigned bits_of_warp = 32 * 32; // of a register
  op.a.slots = op.m * op.k * bits_of(*a) / bits_of_warp / (op.is_sparse ? 2 : 1);
  op.b.slots = op.n * op.k * bits_of(*b) / bits_of_warp;
  if (op.sum == Element::f64)
    op.a.slot_bits = op.b.slot_bits = op.sum_slot_bits = 64;
  op.a.slots = op.a.slots * 32 / op.a.slot_bits;
  op.b.slots = op.b.slots * 32 / op.b.slot_bits;
  return true;
}

/// "m64n128k16.f16.memory2.f16.f32.at.bt.an.bn.by_flag.f32x64"
bool read_group_product(llvm::StringRef name, MatrixOp& op) {
  llvm::SmallVector<llvm::StringRef, 12> words;
  name.split(words, '.');
  if (words.size() < 6 || !read_shape(words[0], op))
    return false;
  const auto a = element_of(words[1]), b = element_of(words[3]), sum = element_of(words[4]);
  unsigned factors = 0;
  llvm::StringRef place = words[2];
  op.a.in_memory = place.consume_front("memory");
  if (!a || !b || !sum || (!op.a.in_memory && !place.consume_front("registers")) ||
      place.getAsInteger(10, factors))
    return false;
  op.layout = MatrixOp::Layout::warpgroup;
  op.m = 16; // of each warp
  op.sum = *sum;
  op.a.element = *a;
  op.b.element = *b;
  op.a.slots = factors - 1;
  op.b.slots = 1;
  op.b.in_memory = true;
  for (const llvm::StringRef word : llvm::ArrayRef(words).drop_front(5).drop_back())
    if (word == "at" || word == "bt")
      (word == "at" ? op.a : op.b).across_k = true;
    else if (word == "an" || word == "bn")
      (word == "an" ? op.a : op.b).negated = true;
    else if (word == "by_flag" || word == "anew")
      op.onto = word == "anew" ? MatrixOp::Onto::nothing : MatrixOp::Onto::by_flag;
    else if (word == "satfinite")
      op.saturates = true;
    else if (word == "sparse")
      op.is_sparse = true;
    else if (word == "pair0" || word == "pair1")
      op.metadata_lane = word == "pair1" ? 1 : 0;
    else if (word == "and")
      op.counts_and = true;
    else
      return false;
  return true;
}

} // namespace

void Decoder::emit_matrix(const llvm::CallBase& call, MatrixOp op) {
  for (const llvm::Use& argument : call.args())
    for (const std::int32_t each : slots(argument))
      op.operands.push_back(each);
  put_matrix(call, std::move(op));
}

/// Of operands that do not fit (IR that no front end of ours made) the sums are unknown.
void Decoder::put_matrix(const llvm::CallBase& call, MatrixOp op) {
  if (op.kind == MatrixOp::Kind::product &&
      op.operands.size() != op.first_sum() + leaves(call.getType()).size() + op.behind_sums()) {
    for (const std::int32_t each : define(call))
      emit_special(Special::unknown_value, each);
    return;
  }
  if (!call.getType()->isVoidTy())
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

void Decoder::decode_marked_product(const llvm::CallBase& call, llvm::StringRef name) {
  MatrixOp op;
  if (read_marked_product(name, op))
    return emit_matrix(call, std::move(op));
  for (const std::int32_t each : define(call))
    emit_special(Special::unknown_value, each);
}

/// A form that is not read (machine code's, whose modifiers are not lifted) has unknown sums.
void Decoder::decode_group_product(const llvm::CallBase& call, llvm::StringRef name) {
  if (name.starts_with("wait."))
    return wait_for_products(call);
  MatrixOp op;
  if (read_group_product(name, op))
    return emit_matrix(call, std::move(op));
  for (const std::int32_t each : define(call))
    emit_special(Special::unknown_value, each);
}

/// Products are made where they are asked for, so the wait hands on what it is given.
void Decoder::wait_for_products(const llvm::CallBase& call) {
  Slots held;
  for (const llvm::Use& argument : call.args())
    for (const std::int32_t each : slots(argument))
      held.push_back(each);
  alias(call, std::move(held));
}

/// matrix.{take,give}.x<n>{.trans}, matrix.transpose
bool Decoder::decode_matrix_marker(const llvm::CallBase& call, llvm::StringRef name) {
  MatrixOp op;
  op.kind = name.starts_with("take")   ? MatrixOp::Kind::take
            : name.starts_with("give") ? MatrixOp::Kind::give
                                       : MatrixOp::Kind::transpose;
  op.transposed = name.ends_with(".trans");
  op.bytes = name.contains(".square")  ? MatrixOp::Bytes::square
             : name.contains(".bytes") ? MatrixOp::Bytes::rows
             : name.contains(".tall")  ? MatrixOp::Bytes::tall
                                       : MatrixOp::Bytes::none;
  op.packed_bits = name.contains(".of6") ? 6 : name.contains(".of4") ? 4 : 8;
  emit_matrix(call, std::move(op));
  return true;
}

} // namespace forewarp::simt
