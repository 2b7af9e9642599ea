#include "simt/exec/small_floats.h"

#include "simt/exec/matrices/numbers.h"

#include <cmath>

namespace forewarp::simt {
namespace {

using Element = MatrixOp::Element;

/// Number `index` of the result, 0 being the lowest.
double source_number(const GroupState& state, const ConversionOp& op, unsigned index, unsigned lane) {
  const std::int32_t slot = op.operands[op.in_word ? 0 : op.count - 1 - index];
  const std::uint64_t word = state.lane_bits(slot, LaneType::word, lane);
  const unsigned bits = bits_of(op.from);
  double number = number_of(op.from, op.in_word ? word >> (bits * index) : word);
  if (op.scaled)
    number *=
        number_of(Element::ue8m0, state.lane_bits(op.operands.back(), LaneType::word, lane) >> (8 * index));
  return number < 0 && !op.keeps_sign ? 0 : number;
}

/// PTX ISA, "cvt", random bits: two halves of 13 (f16) or 16 bits, of four numbers the upper half for the
/// upper two; of fp4 bytes. Which byte is whose of a pair its figure alone says: taken as the halves are.
NumberRounding rounding_of(const GroupState& state, const ConversionOp& op, unsigned index, unsigned lane) {
  NumberRounding rounding{.saturates = op.saturates};
  rounding.how = op.to_zero ? Rounding::zero : op.up ? Rounding::up : Rounding::nearest;
  if (!op.random)
    return rounding;
  const auto bits = static_cast<std::uint32_t>(state.lane_bits(op.operands.back(), LaneType::word, lane));
  const unsigned upper = index >= op.count / 2 ? 1 : 0;
  rounding.how = Rounding::random;
  if (op.to == Element::fp4) {
    rounding.random_bits = 8;
    rounding.random = bits >> (8 * upper + 16 * (index % 2)) & 0xFFU;
  } else {
    rounding.random_bits = op.to == Element::f16 ? 13 : 16;
    rounding.random = bits >> (16 * upper) & ((1U << rounding.random_bits) - 1);
  }
  return rounding;
}

} // namespace

void convert_small_floats(GroupState& state, const Instruction& instruction) {
  const ConversionOp& op = state.program.conversion_ops[instruction.detail];
  const std::int32_t result = instruction.slots.destination;
  std::uint64_t known = ~std::uint64_t{0};
  for (const std::int32_t operand : op.operands)
    known &= state.known(operand);
  const unsigned bits = op.to == Element::e2m3 || op.to == Element::e3m2 ? 8 : bits_of(op.to);
  for (std::uint64_t rest = known & state.active; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    std::uint64_t made = 0;
    for (unsigned index = 0; index < op.count; ++index)
      made |= std::uint64_t{code_of(op.to, source_number(state, op, index, lane),
                                    rounding_of(state, op, index, lane))}
              << (bits * index);
    state.set_lane_bits(result, LaneType::word, lane, made);
  }
  state.known(result) = known;
}

} // namespace forewarp::simt
