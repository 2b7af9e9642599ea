// Warps of a group that ask L2 for the same, one after the other.
#pragma once

#include "memory/waves/cohort.h"

#include <cstdint>

namespace forewarp::memory {

/// The same sectors of L2, whatever group of the cohort asks. What L1 lets through hangs on the warp.
inline bool same_sectors(const StreamEvent& a, const StreamEvent& b) {
  const auto looked_up_in_l1 = a.route == Route::l1 || a.route == Route::constant;
  return a.request == b.request && a.base == b.base && a.translation == b.translation && a.site == b.site &&
         a.route == b.route && a.lowest == b.lowest && !a.local && !a.unknown && !looked_up_in_l1;
}

/// The last event of a turn.
struct LastStep {
  const Cohort* cohort = nullptr;
  const StreamEvent* event = nullptr;
  bool changed_caches = true; ///< something missed, became dirty or crossed between parts of L2
  double asked = 0;           ///< sectors, weighed
  std::uint64_t accesses = 0;

  bool is_same(const Cohort& of, const StreamEvent& other) const {
    return cohort == &of && same_sectors(*event, other);
  }
  /// `other` finds the caches as this event found them, and hits everywhere.
  bool is_repeated_by(const Cohort& of, const StreamEvent& other) const {
    return !changed_caches && is_same(of, other);
  }
};

} // namespace forewarp::memory
