#include "memory/l2/skip_loop.h"

namespace forewarp::memory {
namespace {

/// So far, DRAM's rows among them.
std::vector<SiteSectors> sums_of(L2Lookup& lookup) {
  std::vector<SiteSectors> sums = lookup.result.sites;
  const std::vector<DramRowUse>& uses = lookup.rows.finish();
  for (std::size_t s = 0; s < sums.size(); ++s) {
    sums[s].rows_opened = uses[s].rows_opened;
    sums[s].extra = uses[s].extra_bytes;
  }
  return sums;
}

void add(const std::vector<SiteSectors>& more, L2Lookup& lookup) {
  for (std::uint32_t s = 0; s < more.size(); ++s) {
    SiteSectors& site = lookup.result.sites[s];
    site.asked += more[s].asked;
    site.read += more[s].read;
    site.waiting += more[s].waiting;
    site.crossed += more[s].crossed;
    site.from_l3 += more[s].from_l3;
    site.written += more[s].written;
    lookup.rows.add_use(s, {more[s].rows_opened, more[s].extra});
  }
}

} // namespace

std::optional<LoopWatch> watch_loop(const StageInput& in, const std::vector<WarpQueue>& queues,
                                    const WaveSize& size) {
  constexpr double windows = 10; // at least, if loops were all of the wave
  if (size.accesses < size.long_wave_accesses)
    return std::nullopt;
  std::vector<const std::vector<StreamEvent>*> streams;
  for (const WarpQueue& q : queues)
    streams.push_back(&in.streams[q.cohort->sample()].warps[q.warp]);
  const auto turns = static_cast<double>(streams.front()->size());
  const auto loop = steady_loop(
      streams, static_cast<std::size_t>(size.long_wave_accesses / windows / size.accesses * turns));
  if (!loop)
    return std::nullopt;
  return LoopWatch(*loop, size.cache_sectors, size.accesses / turns);
}

std::size_t leave_out(LoopWatch& watch, std::size_t turn, std::vector<WarpQueue>& queues, L2Lookup& lookup,
                      L2Walk& walk, LastStep& last) {
  const std::size_t windows = watch.left_out(turn, {sums_of(lookup), lookup.weight, lookup.result.accesses});
  if (windows == 0)
    return 0;
  add(watch.sums_of(windows), lookup);
  const std::size_t turns = windows * watch.loop().window;
  const auto period = static_cast<std::ptrdiff_t>(watch.loop().period);
  lookup.only_footprint = true;
  for (std::size_t t = 0; t < turns; ++t) {
    last = {};
    for (WarpQueue& q : queues) {
      const StreamEvent& event = *q.next++;
      const StreamEvent& before = *(&event - period);
      const bool touched =
          (before.request == event.request && before.base / sector_bytes == event.base / sector_bytes) ||
          last.is_same(*q.cohort, event);
      if (!touched && walk.reaches_l2(*q.cohort, event))
        walk.step(*q.cohort, q.warp, event);
      last = {q.cohort, &event};
    }
  }
  lookup.only_footprint = false;
  return turns;
}

} // namespace forewarp::memory
