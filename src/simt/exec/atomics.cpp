#include "simt/exec/atomics.h"

#include "simt/exec/faults.h"
#include "simt/exec/gather.h"
#include "simt/outside.h"

#include <llvm/ADT/APFloat.h>

#include <bit>
#include <cmath>
#include <cstring>

namespace forewarp::simt {
namespace {

template <class T> T as(std::uint64_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
template <class T> std::uint64_t bits_of(T value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

template <class F> std::uint64_t float_result(AtomicOp op, std::uint64_t old, std::uint64_t operand) {
  const F a = as<F>(old), b = as<F>(operand);
  switch (op) {
  case AtomicOp::fadd:
    return bits_of<F>(a + b);
  case AtomicOp::fsub:
    return bits_of<F>(a - b);
  case AtomicOp::fmax:
    return bits_of<F>(std::fmax(a, b));
  default:
    return bits_of<F>(std::fmin(a, b));
  }
}

// Not the compiler's own half type: its conversions are calls of a libgcc newer than the packages ask for.
const llvm::fltSemantics& semantics_of(bool is_half) {
  return is_half ? llvm::APFloat::IEEEhalf() : llvm::APFloat::BFloat();
}

float short_to_float(std::uint16_t bits, bool is_half) {
  llvm::APFloat value(semantics_of(is_half), llvm::APInt(16, bits));
  bool lost = false;
  value.convert(llvm::APFloat::IEEEsingle(), llvm::APFloat::rmNearestTiesToEven, &lost);
  return value.convertToFloat();
}

std::uint16_t to_short(float number, bool is_half) {
  llvm::APFloat value(number);
  bool lost = false;
  value.convert(semantics_of(is_half), llvm::APFloat::rmNearestTiesToEven, &lost);
  return static_cast<std::uint16_t>(value.bitcastToAPInt().getZExtValue());
}

/// Each half by itself.
std::uint64_t short_result(AtomicOp op, std::uint64_t old, std::uint64_t operand, unsigned bytes) {
  const bool is_half = op == AtomicOp::add_f16 || op == AtomicOp::min_f16 || op == AtomicOp::max_f16;
  std::uint64_t made = 0;
  for (unsigned at = 0; at < 8 * bytes; at += 16) {
    const float a = short_to_float(static_cast<std::uint16_t>(old >> at), is_half),
                b = short_to_float(static_cast<std::uint16_t>(operand >> at), is_half);
    const float value = op == AtomicOp::add_f16 || op == AtomicOp::add_bf16   ? a + b
                        : op == AtomicOp::min_f16 || op == AtomicOp::min_bf16 ? std::fmin(a, b)
                                                                              : std::fmax(a, b);
    made |= static_cast<std::uint64_t>(to_short(value, is_half)) << at;
  }
  return made;
}

std::uint64_t result_of(AtomicOp op, std::uint64_t old, std::uint64_t b, unsigned bytes) {
  const unsigned shift = 64 - 8 * bytes;
  const auto signed_old = static_cast<std::int64_t>(old << shift),
             signed_b = static_cast<std::int64_t>(b << shift);
  switch (op) {
  case AtomicOp::exchange:
    return b;
  case AtomicOp::add:
    return old + b;
  case AtomicOp::sub:
    return old - b;
  case AtomicOp::and_:
    return old & b;
  case AtomicOp::nand:
    return ~(old & b);
  case AtomicOp::or_:
    return old | b;
  case AtomicOp::xor_:
    return old ^ b;
  case AtomicOp::max:
    return signed_old > signed_b ? old : b;
  case AtomicOp::min:
    return signed_old < signed_b ? old : b;
  case AtomicOp::umax:
    return old > b ? old : b;
  case AtomicOp::umin:
    return old < b ? old : b;
  case AtomicOp::inc:
    return old >= b ? 0 : old + 1;
  case AtomicOp::dec:
    return old == 0 || old > b ? b : old - 1;
  case AtomicOp::add_f16:
  case AtomicOp::min_f16:
  case AtomicOp::max_f16:
  case AtomicOp::add_bf16:
  case AtomicOp::min_bf16:
  case AtomicOp::max_bf16:
    return short_result(op, old, b, bytes);
  default:
    return bytes == 4 ? float_result<float>(op, old, b) : float_result<double>(op, old, b);
  }
}

/// A naturally aligned atomic never crosses a page.
std::uint64_t load_cell(const Span& span, std::uint64_t at, unsigned bytes, bool& is_known) {
  is_known = all_known(span.known + (at - span.begin), bytes);
  return read_bytes(span.data + (at - span.begin), bytes);
}
void store_cell(const Span& span, std::uint64_t at, unsigned bytes, std::uint64_t value, bool is_known) {
  write_bytes(span.data + (at - span.begin), value, bytes);
  write_bytes(span.known + (at - span.begin), is_known ? ~std::uint64_t{0} : 0, bytes);
}

} // namespace

std::uint64_t combined(AtomicOp op, std::uint64_t old, std::uint64_t operand, unsigned bytes) {
  return result_of(op, old, operand, bytes);
}

std::optional<AtomicOp> atomic_of(std::string_view verb, char kind, unsigned bytes) {
  const bool is_float = kind == 'f' || kind == 'h', is_short = is_float && bytes == 2, brain = kind == 'h';
  if (verb == "add")
    return is_short   ? (brain ? AtomicOp::add_bf16 : AtomicOp::add_f16)
           : is_float ? AtomicOp::fadd
                      : AtomicOp::add;
  if (verb == "min")
    return is_short      ? (brain ? AtomicOp::min_bf16 : AtomicOp::min_f16)
           : is_float    ? AtomicOp::fmin
           : kind == 's' ? AtomicOp::min
                         : AtomicOp::umin;
  if (verb == "max")
    return is_short      ? (brain ? AtomicOp::max_bf16 : AtomicOp::max_f16)
           : is_float    ? AtomicOp::fmax
           : kind == 's' ? AtomicOp::max
                         : AtomicOp::umax;
  return verb == "and"   ? AtomicOp::and_
         : verb == "or"  ? AtomicOp::or_
         : verb == "xor" ? AtomicOp::xor_
         : verb == "inc" ? AtomicOp::inc
         : verb == "dec" ? std::optional(AtomicOp::dec)
                         : std::nullopt;
}

bool Atomics::atomic(const Instruction& instruction) {
  const MemoryOp& op = state_.program.memory_ops[instruction.detail];
  const MemoryComponent& c = op.components.front();
  const auto* addresses = reinterpret_cast<const std::uint64_t*>(state_.data(instruction.slots.a));
  const std::int32_t operand = instruction.slots.b;
  const std::uint64_t operand_known = state_.known(operand);
  if ((state_.known(instruction.slots.a) & state_.active) != state_.active) {
    record_.unknown_access(op, state_.active);
    state_.known(c.slot) = 0;
    state_.note_unknown(instruction.origin,
                        "the address of an atomic is unknown: it changes nothing that later loads see",
                        "give the buffers that it rests on");
    return true;
  }
  if (const std::uint64_t outside = lanes_outside(state_, op, addresses, instruction.origin); outside != 0)
    return without_lanes(state_, record_, op, outside, [&] { return atomic(instruction); }) &&
           give_outside(state_, op, outside);
  record_.access(op, state_.active, classify(addresses, state_.active, state_.lanes()), addresses);
  state_.known(c.slot) = 0;
  Span span;
  for (std::uint64_t rest = state_.active; rest != 0; rest &= rest - 1) {
    const auto l = static_cast<unsigned>(std::countr_zero(rest));
    const std::uint64_t at = addresses[l];
    if (at < span.begin || at + c.bytes > span.end)
      span = state_.memory.write(at);
    if (!span.data || at + c.bytes > span.end)
      return fault_access(state_, op, instruction.origin, at, l, op.width_bytes);
    bool old_known = false;
    const std::uint64_t old = load_cell(span, at, c.bytes, old_known);
    const std::uint64_t next = result_of(op.atomic, old, state_.lane_bits(operand, c.type, l), c.bytes);
    const bool value_known = (operand_known >> l & 1) != 0;
    store_cell(span, at, c.bytes, next, value_known && (old_known || op.atomic == AtomicOp::exchange));
    state_.set_lane_bits(c.slot, c.type, l, old);
    state_.known(c.slot) |= static_cast<std::uint64_t>(old_known) << l;
  }
  return true;
}

bool Atomics::compare_exchange(const Instruction& instruction) {
  const MemoryOp& op = state_.program.memory_ops[instruction.detail];
  const MemoryComponent &c = op.components[0], &success = op.components[1];
  const auto* addresses = reinterpret_cast<const std::uint64_t*>(state_.data(instruction.slots.a));
  const std::int32_t value = instruction.slots.b, expected = instruction.slots.c;
  const std::uint64_t operands_known = state_.known(value) & state_.known(expected);
  if ((state_.known(instruction.slots.a) & state_.active) != state_.active) {
    record_.unknown_access(op, state_.active);
    state_.set_unknown(op, ~std::uint64_t{0});
    return true;
  }
  if (const std::uint64_t outside = lanes_outside(state_, op, addresses, instruction.origin); outside != 0)
    return without_lanes(state_, record_, op, outside, [&] { return compare_exchange(instruction); }) &&
           give_outside(state_, op, outside);
  record_.access(op, state_.active, classify(addresses, state_.active, state_.lanes()), addresses);
  state_.known(c.slot) = state_.known(success.slot) = 0;
  for (std::uint64_t rest = state_.active; rest != 0; rest &= rest - 1) {
    const auto l = static_cast<unsigned>(std::countr_zero(rest));
    const std::uint64_t at = addresses[l];
    const Span span = state_.memory.write(at);
    if (!span.data || at + c.bytes > span.end)
      return fault_access(state_, op, instruction.origin, at, l, op.width_bytes);
    bool old_known = false;
    const std::uint64_t old = load_cell(span, at, c.bytes, old_known);
    const bool equal = old == state_.lane_bits(expected, c.type, l),
               decided = old_known && (operands_known >> l & 1) != 0;
    if (!decided)
      store_cell(span, at, c.bytes, old, false);
    else if (equal)
      store_cell(span, at, c.bytes, state_.lane_bits(value, c.type, l), true);
    state_.set_lane_bits(c.slot, c.type, l, old);
    state_.set_lane_bits(success.slot, LaneType::bit, l, equal ? 1 : 0);
    state_.known(c.slot) |= static_cast<std::uint64_t>(old_known) << l;
    state_.known(success.slot) |= static_cast<std::uint64_t>(decided) << l;
  }
  return true;
}

} // namespace forewarp::simt
