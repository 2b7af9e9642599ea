#include "simt/exec/matrices/factor.h"

#include "simt/exec/matrices/layouts.h"
#include "simt/exec/matrices/numbers.h"
#include "simt/memory_map.h"

#include <algorithm>

namespace forewarp::simt {
namespace {

using Swizzle = facts::TensorMap::Swizzle;

constexpr unsigned piece_bytes = 16; ///< what lies together in every layout
constexpr unsigned brick_rows = 8;   ///< of so many rows the pieces lie one behind the other

/// Row `row` and the piece `piece` along the direction in which elements are neighbours, `across` along the
/// other (PTX ISA, "Shared memory matrix layout"; the canonical layouts).
std::uint64_t address_of_piece(const MatrixDescriptor& at, bool across_k, unsigned piece, unsigned across) {
  const unsigned width = 1U << static_cast<unsigned>(at.swizzle); // pieces of a swizzled row
  const std::uint64_t brick = across / brick_rows, in_brick = across % brick_rows * (width * piece_bytes);
  if (at.swizzle == Swizzle::none)
    return at.start + in_brick +
           (across_k ? piece * at.stride + brick * at.leading : piece * at.leading + brick * at.stride);
  const std::uint64_t behind = across_k ? piece / width * at.leading + piece % width * piece_bytes
                                        : std::uint64_t{piece} * piece_bytes;
  return facts::swizzled(at.start + in_brick + brick * at.stride + behind, at.swizzle);
}

double signed_number(const MatrixOp::Factor& factor, std::uint64_t bits) {
  const double number = number_of(factor.element, bits);
  return factor.negated ? -number : number;
}

std::uint64_t mask_of(unsigned bits) {
  return bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
}

std::uint64_t element_of(const std::uint8_t* bytes, unsigned first_bit, unsigned bits) {
  std::uint64_t value = 0;
  for (unsigned b = 0; b < (first_bit % 8 + bits + 7) / 8; ++b)
    value |= std::uint64_t{bytes[first_bit / 8 + b]} << (8 * b);
  return value >> first_bit % 8 & mask_of(bits);
}

std::uint64_t field_of(std::uint64_t bits, unsigned first, unsigned count) {
  return bits >> first & ((std::uint64_t{1} << count) - 1);
}

/// What both forms have in common; none: the pattern does not begin at its own alignment.
std::optional<MatrixDescriptor> described(std::uint64_t bits, Swizzle swizzle) {
  if (field_of(bits, 49, 3) != 0)
    return std::nullopt;
  return MatrixDescriptor{shared_window + (field_of(bits, 0, 14) << 4), field_of(bits, 16, 14) << 4,
                          field_of(bits, 32, 14) << 4, swizzle};
}

} // namespace

bool NumberMatrix::any_known() const {
  return std::ranges::find(known, true) != known.end();
}

std::optional<MatrixDescriptor> MatrixDescriptor::of_warpgroup(std::uint64_t bits) {
  constexpr Swizzle swizzles[] = {Swizzle::none, Swizzle::bytes_128, Swizzle::bytes_64, Swizzle::bytes_32};
  return described(bits, swizzles[field_of(bits, 62, 2)]);
}

/// Not modelled: swizzles of 128 bytes in pieces of 32, and leading offsets that are addresses.
std::optional<MatrixDescriptor> MatrixDescriptor::of_tensor_product(std::uint64_t bits) {
  constexpr Swizzle swizzles[] = {Swizzle::none, Swizzle::bytes_128, Swizzle::bytes_64, Swizzle::bytes_32};
  const std::uint64_t kind = field_of(bits, 61, 3);
  if (kind % 2 != 0 || field_of(bits, 52, 1) != 0)
    return std::nullopt;
  return described(bits, swizzles[kind / 2]);
}

NumberMatrix factor_in_registers(const GroupState& state, const MatrixOp& op, bool is_a) {
  const MatrixOp::Factor& factor = is_a ? op.a : op.b;
  const unsigned bits = bits_of(factor.element), of_slot = factor.slot_bits / bits;
  const std::size_t first = is_a ? op.first_of_a() : op.first_of_b();
  const LaneType type = factor.slot_bits == 64 ? LaneType::quad : LaneType::word;
  NumberMatrix made(std::size_t{is_a ? op.m : op.n} * op.blocks, op.k);
  for (unsigned i = 0; i < factor.slots; ++i) {
    const std::int32_t slot = op.operands[first + i];
    for (unsigned lane = 0; lane < state.lanes(); ++lane) {
      const std::uint64_t held = state.lane_bits(slot, type, lane);
      const bool known = (state.known(slot) >> lane & 1) != 0;
      for (unsigned e = 0; e < of_slot; ++e) {
        const MatrixPlace place = place_in_factor(op, is_a, lane, i * of_slot + e, state.lanes());
        if (!place.is_held || place.row >= made.known.size() || place.at >= made.depth)
          continue;
        made.numbers[place.row * made.depth + place.at] =
            signed_number(factor, held >> (e * bits) & mask_of(bits));
        made.known[place.row] = made.known[place.row] && known;
      }
    }
  }
  return made;
}

NumberMatrix factor_in_memory(const GroupState& state, const MatrixDescriptor& at,
                              const MatrixOp::Factor& factor, unsigned first, unsigned rows, unsigned depth) {
  const unsigned bits = bits_of(factor.element), of_piece = 8 * piece_bytes / bits;
  const unsigned along = factor.across_k ? rows : depth, across = factor.across_k ? depth : rows;
  NumberMatrix made(rows, depth);
  for (unsigned o = 0; o < across; ++o)
    for (unsigned p = 0; p * of_piece < along; ++p) {
      const std::uint64_t address = factor.across_k ? address_of_piece(at, true, first / of_piece + p, o)
                                                    : address_of_piece(at, false, p, first + o);
      const Span span = state.memory.read(address, piece_bytes);
      const bool inside = span.data != nullptr && address >= span.begin && address + piece_bytes <= span.end;
      for (unsigned e = 0; e < of_piece && p * of_piece + e < along; ++e) {
        const unsigned row = factor.across_k ? p * of_piece + e : o,
                       k = factor.across_k ? o : p * of_piece + e;
        const unsigned held = factor.packed_bits > 0 ? factor.packed_bits : bits, bit = e * held;
        if (!inside || element_of(span.known + (address - span.begin), bit, held) != mask_of(held)) {
          made.known[row] = false;
          continue;
        }
        const std::uint64_t code = element_of(span.data + (address - span.begin), bit, held);
        made.numbers[row * made.depth + k] =
            signed_number(factor, factor.element == MatrixOp::Element::e2m1 && held == 4 ? code << 2 : code);
      }
    }
  return made;
}

} // namespace forewarp::simt
