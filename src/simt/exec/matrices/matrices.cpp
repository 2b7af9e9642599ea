#include "simt/exec/matrices/matrices.h"

#include "simt/exec/matrices/product.h"
#include "simt/lanes/lane_mask.h"

namespace forewarp::simt {
namespace {

constexpr unsigned rows_of_matrix = 8, words_of_row = 4;

} // namespace

bool Matrices::execute(const Instruction& instruction) {
  const MatrixOp& op = state_.program.matrix_ops[instruction.detail];
  if (op.kind >= MatrixOp::Kind::allocate)
    return tensor_memory_.execute(op, instruction);
  if (state_.active != lane_mask(state_.lanes()))
    set_unknown(op);
  else if (op.kind == MatrixOp::Kind::product)
    Product(op, state_).multiply();
  else if (op.kind == MatrixOp::Kind::take)
    op.bytes == MatrixOp::Bytes::none ? take(op) : take_bytes(op);
  else if (op.kind == MatrixOp::Kind::give)
    op.bytes == MatrixOp::Bytes::none ? give(op) : give_bytes(op);
  else
    transpose(op);
  return true;
}

void Matrices::set_unknown(const MatrixOp& op) {
  for (const std::int32_t slot : op.results)
    state_.known(slot) &= ~state_.active;
}

bool Matrices::half_of(std::int32_t slot, unsigned lane, unsigned index, std::uint32_t& half) const {
  half = static_cast<std::uint32_t>(state_.lane_bits(slot, LaneType::word, lane)) >> (16 * index) & 0xFFFFU;
  return is_known(slot, lane);
}

void Matrices::put(std::int32_t slot, unsigned lane, std::uint32_t word, bool known) {
  state_.set_lane_bits(slot, LaneType::word, lane, word);
  const std::uint64_t bit = std::uint64_t{1} << lane;
  state_.known(slot) = known ? state_.known(slot) | bit : state_.known(slot) & ~bit;
}

/// Lane 4 g + q has of matrix i words q of row g; transposed the halves g of rows 2 q and 2 q + 1.
void Matrices::take(const MatrixOp& op) {
  for (unsigned i = 0; i < op.results.size(); ++i)
    for (unsigned lane = 0; lane < 32; ++lane) {
      const unsigned g = lane / 4, q = lane % 4, first = rows_of_matrix * i;
      std::uint32_t low = 0, high = 0;
      const bool known = op.transposed ? half_of(op.operands[g / 2], first + 2 * q, g % 2, low) &
                                             half_of(op.operands[g / 2], first + 2 * q + 1, g % 2, high)
                                       : half_of(op.operands[q], first + g, 0, low) &
                                             half_of(op.operands[q], first + g, 1, high);
      put(op.results[i], lane, low | high << 16, known);
    }
}

/// Lane 8 i + r gets row r of matrix i, halves c of which lie with lane 4 r + c / 2, transposed with 4 c + r
/// / 2.
void Matrices::give(const MatrixOp& op) {
  for (unsigned i = 0; i < op.operands.size(); ++i)
    for (unsigned r = 0; r < rows_of_matrix; ++r)
      for (unsigned w = 0; w < words_of_row; ++w) {
        std::uint32_t halves[2] = {};
        bool known = true;
        for (unsigned h = 0; h < 2; ++h) {
          const unsigned c = 2 * w + h;
          known = (op.transposed ? half_of(op.operands[i], 4 * c + r / 2, r % 2, halves[h])
                                 : half_of(op.operands[i], 4 * r + w, h, halves[h])) &&
                  known;
        }
        put(op.results[w], rows_of_matrix * i + r, halves[0] | halves[1] << 16, known);
      }
  for (std::size_t lane = rows_of_matrix * op.operands.size(); lane < 32; ++lane)
    for (const std::int32_t slot : op.results)
      put(slot, static_cast<unsigned>(lane), 0, false);
}

/// Number `index` of the 16 in the row that lane `row` loaded, as a byte: floats of 4 bits in its bits 2
/// to 5.
std::uint32_t Matrices::byte_of(const MatrixOp& op, unsigned row, unsigned index, bool& known) const {
  const unsigned first = index * op.packed_bits;
  std::uint64_t word = 0;
  for (unsigned w = 0; w < 2 && first / 32 + w < words_of_row; ++w) {
    const std::int32_t slot = op.operands[first / 32 + w];
    word |= state_.lane_bits(slot, LaneType::word, row) << (32 * w);
    known = known && (is_known(slot, row) || (w > 0 && first % 32 + op.packed_bits <= 32));
  }
  const auto value = static_cast<std::uint32_t>(word >> first % 32 & ((1U << op.packed_bits) - 1));
  return op.packed_bits == 4 ? value << 2 : value;
}

/// Lane 4 g + q has columns 4 q to 4 q + 3 of row g, of 16 rows in a second register of row g + 8; transposed
/// the loaded rows are columns (PTX ISA, figures of ldmatrix's .m16n16 and .m8n16).
void Matrices::take_bytes(const MatrixOp& op) {
  const bool square = op.bytes == MatrixOp::Bytes::square;
  for (unsigned i = 0; i < op.results.size(); ++i)
    for (unsigned lane = 0; lane < 32; ++lane) {
      const unsigned g = lane / 4 + (square ? 8 * (i % 2) : 0), q = lane % 4;
      const unsigned first = square ? 16 * (i / 2) : rows_of_matrix * i;
      std::uint32_t word = 0;
      bool known = true;
      for (unsigned j = 0; j < 4; ++j)
        word |= (op.transposed ? byte_of(op, first + 4 * q + j, g, known)
                               : byte_of(op, first + g, 4 * q + j, known))
                << (8 * j);
      put(op.results[i], lane, word, known);
    }
}

/// Lane 8 i + c gets column c of matrix i; lane 4 g + q holds of it rows g and g + 8 of columns 2 q and 2 q +
/// 1, as of a product's sums (PTX ISA, figure of stmatrix's .m16n8).
void Matrices::give_bytes(const MatrixOp& op) {
  for (unsigned i = 0; i < op.operands.size(); ++i)
    for (unsigned c = 0; c < rows_of_matrix; ++c)
      for (unsigned w = 0; w < words_of_row; ++w) {
        std::uint32_t word = 0;
        bool known = true;
        for (unsigned j = 0; j < 4; ++j) {
          const unsigned row = 4 * w + j, lane = 4 * (row % 8) + c / 2;
          known = known && is_known(op.operands[i], lane);
          const auto held =
              static_cast<std::uint32_t>(state_.lane_bits(op.operands[i], LaneType::word, lane));
          word |= (held >> (8 * (2 * (row / 8) + c % 2)) & 0xFFU) << (8 * j);
        }
        put(op.results[w], rows_of_matrix * i + c, word, known);
      }
  for (std::size_t lane = rows_of_matrix * op.operands.size(); lane < 32; ++lane)
    for (const std::int32_t slot : op.results)
      put(slot, static_cast<unsigned>(lane), 0, false);
}

void Matrices::transpose(const MatrixOp& op) {
  std::uint32_t words[32] = {};
  bool known[32] = {};
  for (unsigned lane = 0; lane < 32; ++lane) {
    const unsigned g = lane / 4, q = lane % 4;
    std::uint32_t low = 0, high = 0;
    known[lane] = half_of(op.operands[0], 4 * (2 * q) + g / 2, g % 2, low) &
                  half_of(op.operands[0], 4 * (2 * q + 1) + g / 2, g % 2, high);
    words[lane] = low | high << 16;
  }
  for (unsigned lane = 0; lane < 32; ++lane)
    put(op.results[0], lane, words[lane], known[lane]);
}

} // namespace forewarp::simt
