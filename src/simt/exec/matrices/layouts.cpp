#include "simt/exec/matrices/layouts.h"

#include "simt/exec/matrices/numbers.h"

namespace forewarp::simt {
namespace {

using Layout = MatrixOp::Layout;
using Element = MatrixOp::Element;

/// Lane 4 g + q holds, of p elements a register, in register w of A those from k = p q on (and 4 p further
/// for every register of the same row before it) of row g, or g + 8 in every second register of 16 rows; of B
/// those of column g. An element of 64 bits is a register of its own here.
MatrixPlace in_warp(const MatrixOp& op, bool is_a, unsigned lane, unsigned index) {
  const Element element = is_a ? op.a.element : op.b.element;
  const unsigned in_register = element == Element::f64 ? 1 : 32 / bits_of(element);
  const unsigned halves = (is_a ? op.m : op.n) / 8, of_register = index / in_register;
  return {lane / 4 + 8 * (of_register % halves),
          in_register * (lane % 4 + 4 * (of_register / halves)) + index % in_register};
}

/// Sums: columns 2 q and 2 q + 1 of row g, then of row g + 8; the next eight columns behind them.
MatrixPlace sum_in_warp(unsigned lane, unsigned index) {
  return {lane / 4 + 8 * (index / 2 % 2), lane % 4 * 2 + index % 2 + 8 * (index / 4)};
}

/// PTX ISA, "Matrix Fragments for mma.m8n8k4 with .f16": the upper lanes have rows 4 to 7 (columns of B).
/// Along k a lane holds four elements of its row; across it four rows of its k.
MatrixPlace in_quarter(const MatrixOp::Factor& factor, unsigned lane, unsigned index) {
  const unsigned first = 8 * (lane % 16 / 4) + 4 * (lane / 16), of_quad = lane % 4;
  return factor.across_k ? MatrixPlace{first + index, of_quad} : MatrixPlace{first + of_quad, index};
}

/// Of halves a row of eight; of floats two by two in two rows, two columns apart, and four further.
MatrixPlace sum_in_quarter(const MatrixOp& op, unsigned lane, unsigned index) {
  const unsigned first = 8 * (lane % 16 / 4), row = first + 4 * (lane / 16);
  if (op.sum == Element::f16)
    return {row + lane % 4, first + index};
  return {row + lane % 2 + (index & 2U), first + (index & 4U) + (lane & 2U) + index % 2};
}

/// Lanes go through the rows (columns of B), then through k, then through the blocks; those of doubles
/// through the blocks before k.
MatrixPlace in_mfma(const MatrixOp& op, bool is_a, unsigned lane, unsigned index) {
  const unsigned rows = is_a ? op.m : op.n, rest = lane / rows;
  const unsigned held = rows * op.k * op.blocks / 64, parts = op.k / held; // elements of a lane
  const bool blocks_first = op.sum == Element::f64;
  const unsigned block = blocks_first ? rest % op.blocks : rest / parts;
  const unsigned part = blocks_first ? rest / op.blocks : rest % parts;
  return {block * rows + lane % rows, part * held + index};
}

MatrixPlace sum_in_mfma(const MatrixOp& op, unsigned lane, unsigned index) {
  const unsigned column = lane % op.n, rest = lane / op.n;
  if (op.sum == Element::f64) {
    const unsigned block = rest % op.blocks, part = rest / op.blocks;
    return {block * op.m + (64 / op.n / op.blocks) * index + part, block * op.n + column};
  }
  if (op.m == 4) // a block of 16 sums has four lanes
    return {rest * op.m + index, rest * op.n + column};
  const unsigned of_block = op.m * op.n / 64, block = index / of_block, in_block = index % of_block;
  return {block * op.m + 4 * (64 / op.n) * (in_block / 4) + 4 * rest + in_block % 4, block * op.n + column};
}

/// Of gfx12: lanes 16 to 31 have the second half of k, those from 32 on (waves of 64) what is left; of 16-bit
/// elements four of k go from lane to lane.
MatrixPlace in_split(const MatrixOp& op, bool is_a, unsigned lane, unsigned index, unsigned lanes) {
  const MatrixOp::Factor& factor = is_a ? op.a : op.b;
  const unsigned held = factor.slots * factor.slot_bits / bits_of(factor.element), rest = lane / 16;
  if (bits_of(factor.element) == 16)
    return {lane % 16, 4 * rest + index % 4 + (lanes / 4) * (index / 4)};
  const bool is_needed = held * lanes == 16 * op.k || lane < 32; // else others hold the same
  return {lane % 16, op.k / 2 * (rest % 2) + held * (lane / 32) + index, is_needed};
}

} // namespace

MatrixPlace place_in_factor(const MatrixOp& op, bool is_a, unsigned lane, unsigned index, unsigned lanes) {
  switch (op.layout) {
  case Layout::quarters:
    return in_quarter(is_a ? op.a : op.b, lane, index);
  case Layout::mfma:
    return in_mfma(op, is_a, lane, index);
  case Layout::wmma:
    return {lane % 16, index};
  case Layout::wmma_split:
    return in_split(op, is_a, lane, index, lanes);
  default:
    return in_warp(op, is_a, lane, index);
  }
}

MatrixPlace place_of_sum(const MatrixOp& op, unsigned lane, unsigned index, unsigned lanes) {
  switch (op.layout) {
  case Layout::quarters:
    return sum_in_quarter(op, lane, index);
  case Layout::mfma:
    return sum_in_mfma(op, lane, index);
  case Layout::wmma: { // sums of 16 bits are one half of a register, which `upper_half` says
    const bool is_short = bits_of(op.sum) == 16;
    const unsigned of_lane = is_short ? index / 2 : index;
    return {lanes / 16 * of_lane + lane / 16, lane % 16, !is_short || (index % 2 == 1) == op.upper_half};
  }
  case Layout::wmma_split:
    return {8 * (lane / 16 % 2) + 256 / lanes * (lane / 32) + index, lane % 16};
  default:
    return sum_in_warp(lane, index);
  }
}

} // namespace forewarp::simt
