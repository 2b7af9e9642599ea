// One access of L2: what it finds in L2's parts and in the memory-side cache, and what is counted of it. In a
// header because nearly all of a profile's time is spent here.
#pragma once

#include "memory/coalesce/sector_count.h"
#include "memory/l2/l2_parts.h"
#include "memory/l2/l2_stage.h"
#include "memory/l2/to_dram.h"
#include "memory/waves/footprint.h"
#include "memory/waves/line_sampling.h"
#include "support/counter_random.h"

#include <algorithm>
#include <cmath>

namespace forewarp::memory {

/// What one block of a request asks of L2 after L1: the same for all groups that share the request.
struct BlockPass {
  std::uint8_t mask = 0;
  double share = 0; ///< of the groups' accesses that L1 lets through; 0: none
};

class L2Lookup {
public:
  L2Lookup(const StageInput& in, const gpu::CacheGeometry& geometry, const LineSampling& sampling,
           std::size_t expected_blocks)
      : footprint(sampling, expected_blocks),
        rows(in.memory, static_cast<double>(sampling.one_in()), in.translator.irregular_sites().size()),
        in_(in), sampling_(sampling), l2_(sampling.share_of(geometry), in.memory.l2_parts),
        l3_(sampling.share_of(in.memory.l3)), only_l2_(in.memory.l3.present ? nullptr : l2_.only()),
        has_l3_(in.memory.l3.present), absent_(!in.memory.l2.present) {
    result.sites.resize(in.translator.irregular_sites().size());
  }
  L2Lookup(const L2Lookup&) = delete;
  L2Lookup& operator=(const L2Lookup&) = delete;

  /// Of `groups` groups that ask together, `group` among them, for a block of event `event`.
  void access(const StreamEvent& event, std::uint32_t warp, std::size_t i, std::uint64_t block,
              const BlockPass& pass, std::uint32_t groups, std::uint64_t group) {
    if (only_footprint)
      return touch(event, sampling_.compact(block), pass.mask);
    const double times = groups * pass.share;
    // Below one access: it happens or not, drawn by the group and the place in the trace.
    if (times < 1 &&
        counter_random_unit(group, (static_cast<std::uint64_t>(event.event) << 16) + warp * 64 + i) >= times)
      return;
    if (only_l2_ != nullptr && !warm && event.route != Route::store && event.route != Route::atomic)
      load(event, group, block, pass.mask, std::max(1.0, times));
    else
      access_l2(event, group, block, pass.mask, std::max(1.0, times));
  }

  L2Result result;
  Footprint footprint;
  DramRowCounter rows;
  ToDram to_dram;
  bool warm = false;           ///< contents from before the counted run
  double weight = 1;           ///< of the wave; 0: it only warms
  unsigned wave = 0;           ///< 0: the first
  bool only_footprint = false; ///< of turns that are passed over
  bool changed_caches = false; ///< set by an access that did

private:
  /// access_l2 of what nearly all accesses are: a load of a cold L2 in one part, with DRAM behind it.
  void load(const StreamEvent& event, std::uint64_t group, std::uint64_t block, std::uint8_t mask,
            double times) {
    result.sites[event.site].asked += weight * times * sector_count(mask);
    const std::uint64_t held = sampling_.whole() ? block : sampling_.compact(block);
    const CacheResult found = only_l2_->load(held, mask);
    ++result.accesses;
    if (found.missing == 0)
      return;
    changed_caches = true;
    count(event, group, block, held, mask, times, {found, 0}, 0);
  }

  void access_l2(const StreamEvent& event, std::uint64_t group, std::uint64_t block, std::uint8_t mask,
                 double times) {
    result.sites[event.site].asked += weight * times * sector_count(mask);
    if (l2_.count() == 1)
      return access_part(event, group, block, mask, times, 0);
    const unsigned first = l2_.near(in_.dealing.sm_of(group));
    access_part(event, group, block, mask, times, first);
    if (event.route == Route::store || event.route == Route::atomic)
      return;
    // Of groups that ask together, some are near to another part.
    const double none_there = std::pow(1 - 1.0 / static_cast<double>(l2_.count()), times - 1);
    for (unsigned part = 0; part < l2_.count(); ++part)
      if (part != first && counter_random_unit(block, group + part) >= none_there)
        access_part(event, group, block, mask, times, part);
  }

  void access_part(const StreamEvent& event, std::uint64_t group, std::uint64_t block, std::uint8_t mask,
                   double times, unsigned part) {
    const std::uint64_t held = sampling_.whole() ? block : sampling_.compact(block);
    const L2Parts::Found found = l2_.access(event.route, part, block, held, mask);
    const CacheResult& r = found.at_home;
    ++result.accesses;
    const unsigned from_l3 = has_l3_ ? found_in_l3(event, held, mask, r) : 0;
    count(event, group, block, held, mask, times, found, from_l3);
  }

  void count(const StreamEvent& event, std::uint64_t group, std::uint64_t block, std::uint64_t held,
             std::uint8_t mask, double times, const L2Parts::Found& found, unsigned from_l3) {
    const CacheResult& r = found.at_home;
    changed_caches |= r.missing != 0 || r.newly_dirty != 0 || found.crossed != 0;
    if (weight == 0)
      return;
    if (r.filled != 0 || r.newly_dirty != 0 || found.crossed != 0) // nearly all accesses hit
      tally(event, group, block, mask, times, found, from_l3);
    // A first touch always misses (or dirties) a cold cache: hits need no look.
    if (!warm && r.missing == 0 && r.newly_dirty == 0)
      return;
    touch(event, held, mask);
  }

  void touch(const StreamEvent& event, std::uint64_t held, std::uint8_t mask) {
    if (event.route != Route::store)
      footprint.touch(held, mask, false, wave);
    if (event.route == Route::store || event.route == Route::atomic)
      footprint.touch(held, mask, true, wave);
  }

  /// What left or entered L2, or crossed between its parts, by site.
  void tally(const StreamEvent& event, std::uint64_t group, std::uint64_t block, std::uint8_t mask,
             double times, const L2Parts::Found& found, unsigned from_l3);
  /// Sectors of an L2 miss that the memory-side cache holds; it keeps what it fetches and what is written.
  unsigned found_in_l3(const StreamEvent& event, std::uint64_t block, std::uint8_t mask,
                       const CacheResult& l2);

  const StageInput& in_;
  const LineSampling& sampling_;
  L2Parts l2_;
  Cache l3_;
  Cache* only_l2_; ///< null: it has parts, or a memory-side cache behind it
  bool has_l3_, absent_;
};

} // namespace forewarp::memory
