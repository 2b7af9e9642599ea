#include "memory/l2/l2_walk.h"

namespace forewarp::memory {

bool L2Walk::reaches_l2(const Cohort& cohort, const StreamEvent& event) const {
  const std::size_t blocks = event.request->blocks.size();
  if (event.route != Route::l1 && event.route != Route::constant)
    return blocks != 0;
  return blocks != 0 && l1_.samples[l1_.source[cohort.sample()]].passes(event.first_block, blocks);
}

void L2Walk::step(Cohort& cohort, std::uint32_t warp, const StreamEvent& event) {
  const bool irregular = !event.translation->affine && !event.local && !event.unknown;
  if (event.unknown)
    scatter(cohort, warp, event);
  else if (sampling_.whole())
    walk(cohort, warp, event, irregular ? cohort.scattered_shifts(event) : cohort.shifts(event).all);
  else if (irregular)
    sample_random(cohort, warp, event);
  else
    for (const ShiftsOfAlignment& shifts : cohort.shifts(event).by_alignment)
      sample(cohort, warp, event, shifts);
}

void L2Walk::walk(const Cohort& cohort, std::uint32_t warp, const StreamEvent& event,
                  const List<Shift>& shifts) {
  for (const Shift& shift : shifts) {
    const PlacedRequest placed = place(in_, cohort.sample(), warp, event, shift.bytes);
    const std::vector<BlockAccess>& blocks = placed.request->blocks;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      lookup_.access(event, warp, i, static_cast<std::uint64_t>(placed.block + blocks[i].block),
                     pass_of(cohort, event, *placed.request, i), shift.groups, shift.group);
    }
  }
}

void L2Walk::scatter(Cohort& cohort, std::uint32_t warp, const StreamEvent& event) {
  const PlacedRequest placed = place(in_, cohort.sample(), warp, event, 0);
  const std::vector<BlockAccess>& blocks = placed.request->blocks;
  const ScatteredBlocks scattered(*event.translation);
  for (const Shift& shift : cohort.shifts(event).all)
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      const std::uint64_t block =
          scattered(static_cast<std::uint64_t>(placed.block + blocks[i].block), shift.group);
      if (sampling_.whole() || sampling_.contains(block))
        lookup_.access(event, warp, i, block, pass_of(cohort, event, *placed.request, i), shift.groups,
                       shift.group);
    }
}

BlockPass L2Walk::pass_of(const Cohort& cohort, const StreamEvent& event, const Request& placed,
                          std::size_t i) const {
  const auto mask = static_cast<std::uint8_t>(placed.blocks[i].sectors);
  if (event.route != Route::l1 && event.route != Route::constant)
    return {mask, 1};
  const L1Sample& l1 = l1_.samples[l1_.source[cohort.sample()]];
  const std::size_t at = event.first_block + std::min(i, event.request->blocks.size() - 1);
  if (l1.visits == 0 || at >= l1.passed.size())
    return {mask, 1};
  if (l1.passed[at] == 0)
    return {};
  // Groups at another alignment of the sample ask for other sectors of the block: only their share of
  // misses is the same.
  const std::uint8_t whole = widened(in_, event.route, mask);
  const std::uint8_t passed = &placed == event.request && l1.mask[at] != 0 ? l1.mask[at] : whole;
  return {passed, static_cast<float>(l1.passed[at]) / static_cast<float>(l1.asked[at]) * sector_count(whole) /
                      sector_count(passed)};
}

} // namespace forewarp::memory
