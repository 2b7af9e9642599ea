#include "simt/exec/matrices/tensor_memory.h"

#include "facts/trace.h"
#include "simt/exec/matrices/numbers.h"
#include "simt/memory_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace forewarp::simt {
namespace {

using Kind = MatrixOp::Kind;
using Element = MatrixOp::Element;
using Spread = MatrixOp::Spread;

constexpr unsigned warp_lanes = 32,
                   warps_of_group = 4; ///< a warp reaches the part of its own rank in the warp group

struct Cell {
  unsigned lane, column;
};

/// What register `index` of lane `t` moves, from the first lane and column (PTX ISA, "Matrix fragments for
/// tcgen05.ld"). `halves_apart`: columns from lanes 0 to 15 to the others.
Cell cell_of(Spread spread, unsigned t, unsigned index, unsigned halves_apart) {
  const unsigned g = t / 4, q = t % 4;
  switch (spread) {
  case Spread::x16_32_twice:
    return {t % 16, index + (t < 16 ? 0 : halves_apart)};
  case Spread::x16_64:
    return {g + 8 * (q % 2), q / 2 + 2 * index};
  case Spread::x16_128:
    return {g + 8 * (index % 2), q + 4 * (index / 2)};
  case Spread::x16_256:
    return {g + 8 * (index / 2 % 2), 2 * q + index % 2 + 8 * (index / 4)};
  default:
    return {t, index};
  }
}

/// Where row and column of a group's sums lie, of `rows` rows and `n` columns: 64 rows are 16 of each warp's
/// part, or, in a pair, beside each other.
Cell cell_of_sum(bool in_pair, unsigned rows, unsigned n, unsigned row, unsigned column) {
  if (rows != 64)
    return {row, column};
  return in_pair ? Cell{row + 64 * (column / (n / 2)), column % (n / 2)}
                 : Cell{row / 16 * warp_lanes + row % 16, column};
}

std::optional<Element> element_of(unsigned bits, bool of_integers, unsigned format) {
  constexpr Element small[] = {Element::e2m3, Element::e3m2, Element::e2m1};
  if (bits == 4)
    return Element::fp4;
  if (bits == 8 && !of_integers && format >= 3 && format <= 5)
    return small[format - 3];
  constexpr Element halves[] = {Element::f16, Element::bf16};
  if (bits == 16 && format < 2)
    return halves[format];
  if (bits == 32 && format == 2)
    return Element::tf32;
  if (bits == 8 && format < 2)
    return of_integers ? (format == 1 ? Element::s8 : Element::u8)
                       : (format == 1 ? Element::e5m2 : Element::e4m3);
  return std::nullopt;
}

} // namespace

/// As the instruction descriptor says (PTX ISA, "Instruction descriptor").
struct TensorMemory::Request {
  MatrixOp product; ///< types, signs, shape: m of one group
  std::uint32_t sums = 0;
  std::uint64_t a = 0, b = 0;
  bool in_pair = false, a_in_tensor_memory = false, adds = false;
  std::uint32_t scales_of_a = 0, scales_of_b = 0; ///< addresses
  std::array<std::uint32_t, 8> lanes_that_stay{}; ///< bits, by group

  /// False: types or a form that is not modelled.
  bool read(const MatrixOp& op, std::uint32_t descriptor) {
    const auto field = [&](unsigned first, unsigned count) {
      return descriptor >> first & ((1U << count) - 1);
    };
    const bool is_scaled = op.scales.of_row > 0, of_integers = !is_scaled && field(4, 2) == 2;
    const auto x = element_of(op.factor_bits, of_integers, field(7, 3)),
               y = element_of(op.factor_bits, of_integers, field(10, 3));
    if (!x || !y || field(2, 1) != 0 || (!is_scaled && field(4, 2) == 3))
      return false;
    if (!is_scaled && field(4, 2) == 0)
      product.sum = Element::f16;
    product.scales = op.scales;
    product.scales.element = field(23, 1) != 0 ? Element::ue8m0 : Element::e4m3;
    product.scales.byte_a = field(29, 2);
    product.scales.byte_b = field(4, 2);
    product.divided_by = op.divided_by;
    product.a = {
        .element = *x, .in_memory = true, .across_k = field(15, 1) != 0, .negated = field(13, 1) != 0};
    product.b = {
        .element = *y, .in_memory = true, .across_k = field(16, 1) != 0, .negated = field(14, 1) != 0};
    for (MatrixOp::Factor* factor : {&product.a, &product.b})
      factor->packed_bits = factor->element == Element::e2m1                                       ? 4
                            : factor->element == Element::e3m2 || factor->element == Element::e2m3 ? 6
                                                                                                   : 0;
    product.saturates = field(3, 1) != 0;
    product.m = op.m;
    product.n = op.n;
    product.k = op.k;
    in_pair = op.in_pair;
    a_in_tensor_memory = op.a_in_tensor_memory;
    return product.m == 64 || product.m == 128;
  }
};

std::optional<std::uint64_t> TensorMemory::operand(const MatrixOp& op, std::size_t index, LaneType type,
                                                   unsigned lane) const {
  const std::int32_t slot = op.operands[index];
  return (state_.known(slot) >> lane & 1) != 0 ? std::optional(state_.lane_bits(slot, type, lane))
                                               : std::nullopt;
}

TensorStore* TensorMemory::store_of(const MatrixOp& op, unsigned group) const {
  if (!op.in_pair || state_.cluster_rank % 2 == group)
    return &state_.tensor_memory;
  const unsigned rank = state_.cluster_rank / 2 * 2 + group;
  return rank < state_.tensor_memories.size() ? state_.tensor_memories[rank] : nullptr;
}

void TensorMemory::forget(const MatrixOp& op, std::uint32_t column, std::uint32_t count) {
  for (unsigned group = 0; group < (op.in_pair ? 2 : 1); ++group)
    if (TensorStore* store = store_of(op, group))
      store->forget(column, count);
}

bool TensorMemory::allocate(const MatrixOp& op, const Instruction& instruction) {
  const std::int32_t result = op.results.front();
  const auto lane = static_cast<unsigned>(std::countr_zero(state_.active));
  const auto count = operand(op, 0, LaneType::word, lane);
  state_.known(result) = 0;
  if (!count)
    return true;
  const auto column = state_.tensor_memory.allocate(static_cast<std::uint32_t>(*count));
  if (!column)
    return state_.fail_with(
        ErrorCode::kernel_fault,
        fmt::format("{} columns of tensor memory are asked for, which are not free", *count),
        instruction.origin, "an SM has 512 columns: release those that are not needed any more");
  for (unsigned l = 0; l < state_.lanes(); ++l)
    state_.set_lane_bits(result, LaneType::word, l, *column);
  state_.known(result) = ~std::uint64_t{0};
  return true;
}

void TensorMemory::move(const MatrixOp& op, bool loads) {
  const unsigned behind = op.spread == Spread::x16_32_twice ? 2 : 1, width = op.packs_columns ? 2 : 1;
  const std::size_t count = loads ? op.results.size() : op.operands.size() - behind;
  const auto at = operand(op, 0, LaneType::word, 0);
  const auto apart = behind == 2 ? operand(op, 1, LaneType::word, 0) : std::optional<std::uint64_t>(0);
  if (!at || !apart) {
    for (const std::int32_t slot : op.results)
      state_.known(slot) = 0;
    if (!loads)
      state_.tensor_memory.forget(0, TensorStore::columns);
    return;
  }
  const auto column = static_cast<unsigned>(*at & 0xFFFF);
  const unsigned lane =
      static_cast<unsigned>(*at >> 16) % warp_lanes + state_.warp->index % warps_of_group * warp_lanes;
  for (unsigned i = 0; i < count; ++i) {
    const std::int32_t slot = loads ? op.results[i] : op.operands[behind + i];
    std::uint64_t known = 0;
    for (unsigned t = 0; t < warp_lanes; ++t) {
      const Cell cell = cell_of(op.spread, t, i, static_cast<unsigned>(*apart));
      std::uint32_t word = 0;
      bool all = true;
      for (unsigned part = 0; part < width; ++part) {
        const unsigned place = column + width * cell.column + part;
        if (!loads) {
          const auto held = static_cast<std::uint32_t>(state_.lane_bits(slot, LaneType::word, t));
          state_.tensor_memory.write(lane + cell.lane, place,
                                     width == 1 ? held : held >> (16 * part) & 0xFFFFU,
                                     (state_.known(slot) >> t & 1) != 0);
          continue;
        }
        std::uint32_t read = 0;
        all = state_.tensor_memory.read(lane + cell.lane, place, read) && all;
        word |= width == 1 ? read : (read & 0xFFFFU) << (16 * part);
      }
      if (loads && all) {
        state_.set_lane_bits(slot, LaneType::word, t, word);
        known |= std::uint64_t{1} << t;
      }
    }
    if (loads)
      state_.known(slot) = known;
  }
}

/// A of `group`; of B the columns that `group` holds.
std::optional<NumberMatrix> TensorMemory::factor(const Request& request, bool is_a, unsigned group) const {
  const MatrixOp& product = request.product;
  if (is_a && request.a_in_tensor_memory) {
    MatrixOp where;
    where.in_pair = request.in_pair;
    const TensorStore* store = store_of(where, group);
    const unsigned bits = bits_of(product.a.element);
    NumberMatrix made(product.m, product.k);
    for (unsigned row = 0; row < product.m && store != nullptr; ++row)
      for (unsigned k = 0; k < product.k; ++k) {
        const Cell cell = cell_of_sum(request.in_pair, product.m, 2 * product.k, row, k * bits / 32);
        std::uint32_t word = 0;
        made.known[row] = store->read(static_cast<unsigned>(request.a >> 16) + cell.lane,
                                      static_cast<unsigned>(request.a & 0xFFFF) + cell.column, word) &&
                          made.known[row];
        const double number = number_of(product.a.element, word >> k * bits % 32 & (~0U >> (32 - bits)));
        made.numbers[row * made.depth + k] = product.a.negated ? -number : number;
      }
    return store != nullptr ? std::optional(std::move(made)) : std::nullopt;
  }
  auto at = MatrixDescriptor::of_tensor_product(is_a ? request.a : request.b);
  if (!at)
    return std::nullopt;
  if (request.in_pair && state_.cluster_rank % 2 != group)
    at->start += facts::cluster_window + (state_.cluster_rank ^ 1U) * facts::cluster_span - shared_window;
  const unsigned rows = is_a ? product.m : product.n / (request.in_pair ? 2 : 1);
  return factor_in_memory(state_, *at, is_a ? product.a : product.b, 0, rows, product.k);
}

/// cuBLAS, "1D block scaling factors layout", and tcgen05.cp.32x128b.warpx4, which brings it here: row r has
/// the bytes of lane r % 32 in column r / 32; each part of a row one, from the descriptor's number on.
void TensorMemory::scale(const Request& request, bool is_a, unsigned group, NumberMatrix& factor) const {
  const MatrixOp::Scales& scales = request.product.scales;
  MatrixOp where;
  where.in_pair = request.in_pair;
  const TensorStore* store = store_of(where, group);
  const std::uint32_t at = is_a ? request.scales_of_a : request.scales_of_b;
  const std::size_t part = factor.depth / scales.of_row;
  const std::uint32_t code_mask = scales.element == Element::e4m3 ? 0x7F : 0xFF; // ue4m3 has no sign
  for (unsigned row = 0; row < factor.known.size(); ++row) {
    std::uint32_t word = 0;
    if (store == nullptr ||
        !store->read((at >> 16) % warp_lanes + row % warp_lanes, (at & 0xFFFF) + row / warp_lanes, word)) {
      factor.known[row] = false;
      continue;
    }
    word >>= 8 * (is_a ? scales.byte_a : scales.byte_b);
    for (std::size_t k = 0; k < factor.depth; ++k)
      factor.numbers[row * factor.depth + k] *=
          number_of(scales.element, word >> (8 * (k / part)) & code_mask);
  }
}

/// Rows of 16 or 32 bytes behind a descriptor to lanes, four bytes a column; packed floats become bytes.
void TensorMemory::copy(const MatrixOp& op, unsigned lane) {
  const auto to = operand(op, 0, LaneType::word, lane), from = operand(op, 1, LaneType::quad, lane);
  const auto at = from ? MatrixDescriptor::of_tensor_product(*from) : std::nullopt;
  const unsigned columns = op.row_bits / 32;
  if (!to || !at)
    return state_.tensor_memory.forget(to ? static_cast<std::uint32_t>(*to & 0xFFFF) : 0,
                                       to ? columns : TensorStore::columns);
  MatrixOp::Factor bytes{.element = Element::u8, .in_memory = true, .packed_bits = op.packed_bits % 8};
  const NumberMatrix rows = factor_in_memory(state_, *at, bytes, 0, op.n, op.row_bits / 8);
  for (unsigned target = 0; target < TensorStore::lanes; ++target) {
    const unsigned warp = target / warp_lanes, in_warp = target % warp_lanes;
    const unsigned row = op.warps == MatrixOp::Warps::all          ? in_warp
                         : op.warps == MatrixOp::Warps::halves     ? warp / 2 * warp_lanes + in_warp
                         : op.warps == MatrixOp::Warps::neighbours ? warp % 2 * warp_lanes + in_warp
                                                                   : target;
    for (unsigned column = 0; column < columns; ++column) {
      std::uint32_t word = 0;
      for (unsigned b = 0; b < 4; ++b) {
        const auto byte = static_cast<std::uint32_t>(rows.row(row)[4 * column + b]);
        word |= (op.packed_bits == 4 ? byte << 2 : byte) << (8 * b);
      }
      state_.tensor_memory.write(target, static_cast<unsigned>(*to & 0xFFFF) + column, word, rows.known[row]);
    }
  }
}

void TensorMemory::put_sums(const Request& request, const NumberMatrix& a, const NumberMatrix& b,
                            unsigned group) {
  const MatrixOp& product = request.product;
  MatrixOp where;
  where.in_pair = request.in_pair;
  TensorStore* store = store_of(where, group);
  for (unsigned row = 0; row < product.m && store != nullptr; ++row)
    for (unsigned column = 0; column < product.n; ++column) {
      Cell cell = cell_of_sum(request.in_pair, product.m, product.n, row, column);
      cell.lane += request.sums >> 16;
      if (cell.lane < TensorStore::lanes &&
          (request.lanes_that_stay[4 * group + cell.lane / warp_lanes] >> cell.lane % warp_lanes & 1) != 0)
        continue;
      cell.column += request.sums & 0xFFFF;
      std::uint32_t sum = 0;
      const auto divided = [&] {
        if (product.divided_by == 0)
          return sum;
        const double number =
            number_of(product.sum, sum) * std::ldexp(1.0, -static_cast<int>(product.divided_by));
        return product.sum == Element::f16 ? code_of(Element::f16, number, {.saturates = false})
                                           : std::bit_cast<std::uint32_t>(static_cast<float>(number));
      };
      const bool known =
          a.known[row] && b.known[column] && (!request.adds || store->read(cell.lane, cell.column, sum));
      store->write(cell.lane, cell.column,
                   known ? static_cast<std::uint32_t>(sum_of(product, a.row(row), b.row(column), divided()))
                         : 0,
                   known);
    }
}

void TensorMemory::multiply(const MatrixOp& op, unsigned lane) {
  const auto sums = operand(op, 0, LaneType::word, lane),
             a = operand(op, 1, op.a_in_tensor_memory ? LaneType::word : LaneType::quad, lane),
             b = operand(op, 2, LaneType::quad, lane), descriptor = operand(op, 3, LaneType::word, lane),
             adds = operand(op, 4, LaneType::bit, lane);
  if (!sums)
    return forget(op, 0, TensorStore::columns);
  Request request;
  if (!a || !b || !adds || !descriptor || !request.read(op, static_cast<std::uint32_t>(*descriptor)))
    return forget(op, static_cast<std::uint32_t>(*sums & 0xFFFF), op.n);
  request.sums = static_cast<std::uint32_t>(*sums);
  request.a = *a;
  request.b = *b;
  request.adds = *adds != 0;
  for (std::size_t i = 5; i < op.operands.size(); ++i) {
    const auto word = operand(op, i, LaneType::word, lane);
    if (!word)
      return forget(op, static_cast<std::uint32_t>(*sums & 0xFFFF), op.n);
    if (op.has_lane_masks && i < 13)
      request.lanes_that_stay[i - 5] = static_cast<std::uint32_t>(*word);
    else if (op.scales.of_row > 0)
      (i == 5 ? request.scales_of_a : request.scales_of_b) = static_cast<std::uint32_t>(*word);
  }
  std::optional<NumberMatrix> whole = factor(request, false, 0);
  if (whole && op.in_pair) {
    const auto second = factor(request, false, 1);
    if (second) {
      whole->numbers.insert(whole->numbers.end(), second->numbers.begin(), second->numbers.end());
      whole->known.insert(whole->known.end(), second->known.begin(), second->known.end());
    } else {
      whole.reset();
    }
  }
  if (whole && op.scales.of_row > 0)
    scale(request, false, 0, *whole);
  for (unsigned group = 0; group < (op.in_pair ? 2 : 1); ++group) {
    auto rows = whole && whole->any_known() ? factor(request, true, group) : std::nullopt;
    if (!rows)
      return forget(op, static_cast<std::uint32_t>(*sums & 0xFFFF), op.n);
    if (op.scales.of_row > 0)
      scale(request, true, group, *rows);
    put_sums(request, *rows, *whole, group);
  }
}

bool TensorMemory::execute(const MatrixOp& op, const Instruction& instruction) {
  const auto first = static_cast<unsigned>(std::countr_zero(state_.active));
  switch (op.kind) {
  case Kind::allocate:
    return allocate(op, instruction);
  case Kind::release:
    if (const auto at = operand(op, 0, LaneType::word, first))
      state_.tensor_memory.release(static_cast<std::uint32_t>(*at & 0xFFFF));
    return true;
  case Kind::tensor_product:
    for (std::uint64_t rest = state_.active; rest != 0; rest &= rest - 1)
      multiply(op, static_cast<unsigned>(std::countr_zero(rest)));
    return true;
  case Kind::tensor_copy:
    return copy(op, first), true;
  case Kind::forget: {
    const auto at = operand(op, 0, LaneType::word, first);
    forget(op, at ? static_cast<std::uint32_t>(*at & 0xFFFF) : 0, at ? op.n : TensorStore::columns);
    return true;
  }
  default:
    return move(op, op.kind == Kind::tensor_load), true;
  }
}

} // namespace forewarp::simt
