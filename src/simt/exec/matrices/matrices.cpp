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
    take(op);
  else if (op.kind == MatrixOp::Kind::give)
    give(op);
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
