// Of long streams only the accesses that lie on sampled lines: found by residues, not by trying.
#include "memory/l2/l2_walk.h"

#include <algorithm>

namespace forewarp::memory {

void L2Walk::sample(const Cohort& cohort, std::uint32_t warp, const StreamEvent& event,
                    const ShiftsOfAlignment& shifts) {
  const PlacedRequest placed = place(in_, cohort.sample(), warp, event, shifts.bytes);
  const std::vector<BlockAccess>& blocks = placed.request->blocks;
  const auto at_shift = [&](std::uint32_t i, const BlockPass& pass, std::uint32_t s) {
    lookup_.access(event, warp, i,
                   static_cast<std::uint64_t>(placed.block + blocks[i].block + shifts.blocks[s]), pass,
                   shifts.shifts[s].groups, shifts.shifts[s].group);
  };
  if (const Meetings* const known = meetings_.of(*placed.request, shifts, cohort.sample())) {
    BlockPass pass;
    const auto [first, end] = known->at(sampling_.residue(static_cast<std::uint64_t>(placed.block)));
    for (const Meeting* m = first; m != end; ++m) {
      if (m == first || m->block != (m - 1)->block)
        pass = pass_of(cohort, event, *placed.request, m->block);
      if (pass.share != 0)
        at_shift(m->block, pass, m->shift);
    }
    return;
  }
  for (std::uint32_t i = 0; i < blocks.size(); ++i) {
    const std::uint64_t residue =
        sampling_.residue(static_cast<std::uint64_t>(placed.block + blocks[i].block));
    for (std::uint64_t wanted = 0; wanted < sampling_.sampled_residues(); ++wanted) {
      const auto [first, end] = shifts.by_residue.at(up_to(wanted, residue));
      if (first == end) // nearly always
        continue;
      const BlockPass pass = pass_of(cohort, event, *placed.request, i);
      if (pass.share == 0)
        break;
      for (const std::uint32_t* s = first; s != end; ++s)
        at_shift(i, pass, *s);
    }
  }
}

void L2Walk::sample_random(Cohort& cohort, std::uint32_t warp, const StreamEvent& event) {
  const RandomShifts& shifts = cohort.random_shifts(event);
  const std::vector<BlockAccess>& blocks = event.request->blocks;
  const std::uint64_t here = (event.lowest - event.translation->low) / block_bytes,
                      range = shifts.range_blocks, before_wrap = range - std::min(range, here);
  const Cohort::Member* const stays = cohort.stays();
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const BlockPass pass = pass_of(cohort, event, *event.request, i);
    if (pass.share == 0)
      continue;
    const std::uint64_t block = event.base / block_bytes + static_cast<std::uint64_t>(blocks[i].block);
    if (stays && sampling_.contains(block))
      lookup_.access(event, warp, i, block, pass, 1, stays->index);
    for (const bool wraps : {false, true}) {
      const std::uint64_t from = wraps ? block - range : block; // may lie below 0 until the number is added
      const std::uint64_t residue =
          wraps ? up_to(sampling_.residue(block), sampling_.residue(range)) : sampling_.residue(block);
      for (std::uint64_t wanted = 0; wanted < sampling_.sampled_residues(); ++wanted) {
        const auto [first, end] = shifts.by_residue.at(up_to(wanted, residue));
        for (const std::uint32_t* s = first; s != end; ++s)
          if ((shifts.random[*s] >= before_wrap) == wraps)
            lookup_.access(event, warp, i, from + shifts.random[*s], pass, 1,
                           cohort.members()[shifts.member[*s]].index);
      }
    }
  }
}

} // namespace forewarp::memory
