// What a warp's access does to banks and memory segments, from the residues of the variables in its address
// (W section 3.3): x mod NUM_bank, or mod the segment, needs of every variable only its remainder.
#pragma once

#include "symbolic/conditions/lanes.h"

#include <optional>

namespace forewarp::symbolic {

/// The generation's rules, from the GPU's file.
struct BankRules {
  unsigned banks = 32, bank_bytes = 4;
  unsigned lanes_per_pass = 32; ///< lanes that are served together: 32, or a half-warp of 16
};

struct AccessPattern {
  double mean = 1;   ///< over the residues of everything but the work-item
  bool exact = true; ///< false: some residues were left out or unknown; `mean` is then the worst case
};

/// Bank passes of one warp's access, 1 for a conflict-free one: in every set of lanes that are served
/// together, the most different words of one bank. `offset`: bytes, in items and other symbols; `width`:
/// bytes a lane.
AccessPattern bank_passes(const Expression& offset, unsigned width, const std::vector<LaneBox>& lanes,
                          const BankRules& rules);

/// Memory segments of `segment_bytes` (a power of two) that one warp's access touches.
AccessPattern segments(const Expression& offset, unsigned width, const std::vector<LaneBox>& lanes,
                       unsigned segment_bytes);

/// Free symbols that an address may be split from: floor((b N + t) / 2^j) 2^(j + 1) needs N = k 2^J to be a
/// function of t alone (W Fig. 6).
struct MultipleOfPower {
  std::string symbol;  ///< N
  Expression exponent; ///< J: the largest exponent that N has to be divisible by
  Expression quotient; ///< k
};
struct Simplified {
  Expression value;
  std::vector<MultipleOfPower> constraints; ///< under which it equals what it was made of
};
/// Distributes floor divisions by 2^(alpha v + beta) over sums as W Fig. 6 does: terms with a symbol of
/// `free` are taken to be multiples of the divisor, and the constraint is kept. `largest`: the upper bound of
/// each variable of an exponent.
Simplified simplify_under_constraints(const Expression& a, const std::vector<std::string>& free,
                                      const std::map<std::string, Expression>& largest);

} // namespace forewarp::symbolic
