#include "memory/l2_stage.h"

#include "memory/dram_rows.h"
#include "memory/footprint.h"
#include "support/counter_random.h"

#include <algorithm>
#include <bit>
#include <map>

namespace forewarp::memory {
namespace {

/// One address shift and how many groups of the wave have it.
struct Shift {
  std::int64_t bytes = 0;
  std::uint32_t groups = 0;
  std::uint64_t group = 0; ///< the first of them
};

/// Groups of one wave that one sample stands for.
class Cohort {
public:
  Cohort(const StageInput& in, std::uint32_t sample) : in_(in), sample_(sample) {}
  void add(std::uint64_t group) { groups_.push_back({group, group_at(in_.trace.shape.groups, group)}); }
  std::uint32_t sample() const { return sample_; }
  std::size_t size() const { return groups_.size(); }

  /// Shifts of the event over the cohort, distinct, in order of the first group that has each.
  const std::vector<Shift>& shifts(std::uint32_t warp, const StreamEvent& event) {
    if (event.local || event.unknown)
      return one_each(event.local ? local_ : unknown_, event);
    const Translation& t = in_.translator.translation(sample_, warp, event);
    if (!t.affine) {
      scratch_.clear();
      for (const Member& g : groups_)
        scratch_.push_back({in_.translator.delta(sample_, t, event, g.index, g.at), 1, g.index});
      return scratch_;
    }
    for (const auto& [key, list] : affine_)
      if (key == t.bytes_per_group)
        return list;
    affine_.emplace_back(t.bytes_per_group, distinct(t, event));
    return affine_.back().second;
  }

private:
  struct Member {
    std::uint64_t index = 0;
    facts::Dim3 at;
  };

  std::vector<Shift> distinct(const Translation& t, const StreamEvent& event) const {
    std::vector<Shift> all;
    for (const Member& g : groups_)
      all.push_back({in_.translator.delta(sample_, t, event, g.index, g.at), 1, g.index});
    std::stable_sort(all.begin(), all.end(),
                     [](const Shift& a, const Shift& b) { return a.bytes < b.bytes; });
    std::vector<Shift> out;
    for (const Shift& s : all)
      if (!out.empty() && out.back().bytes == s.bytes)
        ++out.back().groups;
      else
        out.push_back(s);
    std::stable_sort(out.begin(), out.end(),
                     [](const Shift& a, const Shift& b) { return a.group < b.group; });
    return out;
  }

  const std::vector<Shift>& one_each(std::vector<Shift>& list, const StreamEvent& event) const {
    if (list.empty())
      for (const Member& g : groups_) {
        const std::uint64_t place =
            in_.dealing.slot_of(g.index) * in_.dealing.sms + in_.dealing.sm_of(g.index);
        list.push_back({event.local ? local_delta(in_, sample_, place) : 0, 1, g.index});
      }
    return list;
  }

  const StageInput& in_;
  std::uint32_t sample_;
  std::vector<Member> groups_;
  std::vector<std::pair<std::array<std::int64_t, 3>, std::vector<Shift>>> affine_;
  std::vector<Shift> local_, unknown_, scratch_;
};

std::vector<Cohort> cohorts_of(const StageInput& in, std::uint64_t wave) {
  std::vector<Cohort> cohorts;
  std::map<std::uint32_t, std::size_t> by_sample;
  const std::uint64_t first = in.dealing.first_of_wave(wave), count = in.dealing.size_of_wave(wave);
  for (std::uint64_t g = first; g < first + count; ++g) {
    const auto [entry, is_new] = by_sample.try_emplace(in.translator.representative(g), cohorts.size());
    if (is_new)
      cohorts.emplace_back(in, entry->first);
    cohorts[entry->second].add(g);
  }
  return cohorts;
}

class Run {
public:
  Run(const StageInput& in, const L1Result& l1, const gpu::CacheGeometry& geometry, unsigned shift)
      : rows(in.memory, shift, in.translator.irregular_sites().size()), in_(in), l1_(l1),
        l2_(geometry, "lru", shift), absent_(!in.memory.l2.present) {
    result.sites.resize(in.translator.irregular_sites().size());
  }

  /// One wave; `weight` 0: only warms.
  void wave(std::uint64_t index, double weight) {
    std::vector<Cohort> cohorts = cohorts_of(in_, index);
    std::size_t longest = 0;
    for (const Cohort& c : cohorts)
      for (const auto& warp : in_.streams[c.sample()].warps)
        longest = std::max(longest, warp.size());
    weight_ = weight;
    rows.weigh(weight);
    wave_ = index == 0 ? 0 : 1;
    for (std::size_t turn = 0; turn < longest; ++turn)
      for (Cohort& c : cohorts) {
        const auto& warps = in_.streams[c.sample()].warps;
        for (std::uint32_t w = 0; w < warps.size(); ++w)
          if (turn < warps[w].size())
            step(c, w, warps[w][turn]);
      }
  }

  L2Result result;
  Footprint footprint;
  DramRowCounter rows;
  bool warm = false; ///< contents from before the counted run

private:
  void step(Cohort& cohort, std::uint32_t warp, const StreamEvent& event) {
    const std::uint32_t source = l1_.source[cohort.sample()];
    const L1Sample& passed = l1_.samples[source];
    const Translation& t = in_.translator.translation(cohort.sample(), warp, event);
    const Request* const own = &in_.requests[event.request];
    if (own->blocks.empty())
      return;
    const bool filtered = (event.route == Route::l1 || event.route == Route::constant) && passed.visits > 0;
    for (const Shift& shift : cohort.shifts(warp, event)) {
      const PlacedRequest placed = place(in_, cohort.sample(), warp, event, shift.bytes);
      const std::vector<BlockAccess>& blocks = placed.request->blocks;
      for (std::size_t i = 0; i < blocks.size(); ++i) {
        auto block = static_cast<std::uint64_t>(placed.block + blocks[i].block);
        if (event.unknown)
          block = Translator::scattered_block(t, block, shift.group);
        ++result.accesses;
        if (!l2_.simulates(block)) // most of a long stream: nothing dearer before this
          continue;
        std::uint8_t mask = blocks[i].sectors;
        double times = shift.groups;
        const std::size_t at = event.first_block + std::min(i, own->blocks.size() - 1);
        if (filtered && at < passed.passed.size()) {
          if (passed.passed[at] == 0)
            continue;
          // Groups at another alignment of the sample ask for other sectors of the block: only their share of
          // misses is the same.
          const std::uint8_t whole = widened(in_, event.route, mask);
          mask = placed.request == own && passed.mask[at] != 0 ? passed.mask[at] : whole;
          times *= passed.passed[at] / passed.asked[at] * std::popcount(whole) / std::popcount(mask);
        }
        // Below one access: it happens or not, drawn by the group and the place in the trace.
        if (times < 1 && counter_random_unit(shift.group, (static_cast<std::uint64_t>(event.event) << 16) +
                                                              warp * 64 + i) >= times)
          continue;
        access_l2(event, block, mask, std::max(1.0, times));
      }
    }
  }

  void access_l2(const StreamEvent& event, std::uint64_t block, std::uint8_t mask, double times) {
    const bool write = event.route == Route::store || event.route == Route::atomic;
    const CacheResult r = event.route == Route::store    ? l2_.store(block, mask)
                          : event.route == Route::atomic ? l2_.atomic(block, mask)
                                                         : l2_.load(block, mask);
    if (r.skipped || weight_ == 0)
      return;
    L2Site& site = result.sites[event.site];
    const double each = absent_ ? times : 1;
    site.asked += weight_ * times * std::popcount(r.seen);
    site.read += weight_ * each * r.filled;
    site.written += weight_ * each * r.newly_dirty;
    if (r.fetched != 0 || r.newly_dirty != 0)
      rows.add(event.site, block, event.route == Route::store ? r.seen : r.fetched);
    // A first touch always misses (or dirties) a cold cache: hits need no look.
    if (!warm && r.missing == 0 && r.newly_dirty == 0)
      return;
    if (event.route != Route::store)
      footprint.touch(block, r.seen, false, wave_);
    if (write)
      footprint.touch(block, r.seen, true, wave_);
  }

  const StageInput& in_;
  const L1Result& l1_;
  Cache l2_;
  bool absent_;
  double weight_ = 1;
  unsigned wave_ = 0;
};

/// Block accesses of one wave, roughly: what the streams hold times the distinct shifts.
std::uint64_t estimate_accesses(const StageInput& in, std::uint64_t wave) {
  std::uint64_t sum = 0;
  for (Cohort& c : cohorts_of(in, wave)) {
    const auto& warps = in.streams[c.sample()].warps;
    for (std::uint32_t w = 0; w < warps.size(); ++w)
      for (const StreamEvent& event : warps[w]) {
        const bool each =
            event.local || event.unknown || !in.translator.translation(c.sample(), w, event).affine;
        sum += in.requests[event.request].blocks.size() * (each ? c.size() : c.shifts(w, event).size());
      }
  }
  return sum;
}

/// A write-back L2 holds what was written last when the kernel ends: those sectors are not its DRAM traffic.
/// The share of dirty sectors in a full L2 is taken to be their share of all that was filled or written.
/// Returns their bytes.
double keep_dirty_sectors(double l2_bytes, std::vector<L2Site>& sites) {
  double read = 0, written = 0;
  for (const L2Site& site : sites) {
    read += site.read;
    written += site.written;
  }
  if (written <= 0)
    return 0;
  const double held = std::min(read + written, l2_bytes / sector_bytes) * written / (read + written);
  for (L2Site& site : sites)
    site.written *= std::max(0.0, 1 - held / written);
  return held * sector_bytes;
}

} // namespace

L2Result run_l2(const StageInput& in, const L1Result& l1, const L2Options& options) {
  const std::uint64_t estimate = std::max<std::uint64_t>(1, estimate_accesses(in, 0));
  const std::uint64_t waves = in.dealing.waves();
  const bool exact = waves <= 2 || estimate * waves <= options.exact_accesses;
  // What groups share may lie many waves apart where waves are narrow: rows of tiles on a GPU of few SMs.
  const std::uint64_t simulated =
      exact ? waves : std::clamp<std::uint64_t>(options.exact_accesses / estimate, 2, waves);
  gpu::CacheGeometry geometry = in.memory.l2;
  if (!geometry.present)
    geometry.size_bytes = 0;
  unsigned shift = 0;
  const std::uint64_t sets = geometry.size_bytes / std::max(1U, geometry.line_bytes * geometry.ways);
  while (estimate >> shift > options.max_simulated_accesses && sets >> (shift + 1) >= 32)
    ++shift;
  Run run(in, l1, geometry, shift);
  run.warm = options.warm;
  if (options.warm)
    for (std::uint64_t w = waves - std::min(waves, simulated); w < waves; ++w)
      run.wave(w, 0);
  double later_groups = 0;
  for (std::uint64_t w = 1; w < simulated; ++w)
    later_groups += static_cast<double>(in.dealing.size_of_wave(w));
  const double rest = static_cast<double>(in.dealing.groups - in.dealing.size_of_wave(0));
  const double weight = later_groups > 0 ? rest / later_groups : 0;
  run.wave(0, 1);
  for (std::uint64_t w = 1; w < simulated; ++w)
    run.wave(w, weight);
  const double scale = static_cast<double>(1ULL << shift);
  const std::vector<DramRowUse>& rows = run.rows.finish();
  for (std::size_t s = 0; s < rows.size(); ++s) {
    run.result.sites[s].rows_opened = rows[s].rows_opened;
    run.result.sites[s].extra = rows[s].extra_bytes / sector_bytes;
  }
  for (L2Site& site : run.result.sites) {
    site.asked *= scale;
    site.read *= scale;
    site.written *= scale;
  }
  if (in.memory.l2.present)
    run.result.dirty_at_end_bytes =
        keep_dirty_sectors(static_cast<double>(geometry.size_bytes), run.result.sites);
  const Footprint::Totals totals = run.footprint.totals(in.trace.regions, weight, scale);
  run.result.footprint_bytes = totals.bytes;
  run.result.footprint_read_bytes = totals.read_bytes;
  run.result.footprint_written_bytes = totals.written_bytes;
  run.result.first_wave_bytes = totals.first_wave_bytes;
  run.result.sample_shift = shift;
  run.result.waves_simulated = simulated;
  return std::move(run.result);
}

} // namespace forewarp::memory
