// One step of a cohort's warp: its request at every shift of the groups, block by block, as accesses of L2.
#pragma once

#include "memory/l2/l2_lookup.h"
#include "memory/waves/cohort.h"
#include "memory/waves/meetings.h"

namespace forewarp::memory {

class L2Walk {
public:
  L2Walk(const StageInput& in, const L1Result& l1, const LineSampling& sampling, L2Lookup& lookup)
      : in_(in), l1_(l1), sampling_(sampling), lookup_(lookup), meetings_(sampling) {}

  /// Cohorts of the wave before are gone.
  void begin_wave() { meetings_.clear(); }
  /// Whether L1 lets any of it through.
  bool reaches_l2(const Cohort& cohort, const StreamEvent& event) const;
  void step(Cohort& cohort, std::uint32_t warp, const StreamEvent& event);

private:
  /// Every shift and block, one by one.
  void walk(const Cohort& cohort, std::uint32_t warp, const StreamEvent& event, const List<Shift>& shifts);
  /// An unknown address: every group's blocks are drawn, and those on sampled lines are asked for.
  void scatter(Cohort& cohort, std::uint32_t warp, const StreamEvent& event);
  /// Of every block only the shifts that put it on a sampled line (sampled_walk.cpp).
  void sample(const Cohort& cohort, std::uint32_t warp, const StreamEvent& event,
              const ShiftsOfAlignment& shifts);
  /// The same where each group moves by its own random number, modulo a range.
  void sample_random(Cohort& cohort, std::uint32_t warp, const StreamEvent& event);
  /// What brings `residue` to `wanted`, modulo the period.
  std::uint64_t up_to(std::uint64_t wanted, std::uint64_t residue) const {
    return wanted >= residue ? wanted - residue : wanted + sampling_.period() - residue;
  }
  BlockPass pass_of(const Cohort& cohort, const StreamEvent& event, const Request& placed,
                    std::size_t i) const;

  const StageInput& in_;
  const L1Result& l1_;
  const LineSampling& sampling_;
  L2Lookup& lookup_;
  MeetingTables meetings_; ///< of this wave
};

} // namespace forewarp::memory
