#include "memory/l2/l2_stage.h"

#include "memory/l2/dirty_sectors.h"
#include "memory/l2/l2_plan.h"
#include "memory/l2/skip_loop.h"
#include "memory/waves/wave_order.h"

#include <algorithm>

namespace forewarp::memory {
namespace {

/// The waves of a run, each as groups in step.
class Run {
public:
  Run(const StageInput& in, const L1Result& l1, const WaveOrder& order, const LineSampling& sampling,
      L2Lookup& lookup, const WaveSize& size)
      : in_(in), order_(order), sampling_(sampling), lookup_(lookup), size_(size),
        walk_(in, l1, sampling, lookup) {}

  /// One wave; `weight` 0: only warms.
  void wave(std::uint64_t index, double weight) {
    arena_.release();
    walk_.begin_wave();
    std::vector<std::vector<Cohort>> batches;
    for (const GroupRange& groups : order_.batches(index))
      batches.push_back(cohorts_of(in_, sampling_, groups, arena_));
    lookup_.weight = weight;
    lookup_.rows.weigh(weight);
    lookup_.wave = index == 0 ? 0 : 1;
    for (std::size_t run = 0; run < order_.runs(); ++run)
      for (std::vector<Cohort>& batch : batches)
        in_step(batch, run);
  }

private:
  void in_step(std::vector<Cohort>& cohorts, std::size_t run) {
    queues_.clear();
    for (Cohort& c : cohorts) {
      const auto& warps = in_.streams[c.sample()].warps;
      for (std::uint32_t w = 0; w < warps.size(); ++w)
        if (const auto [first, end] = order_.events(c.sample(), w, run); first < end)
          queues_.push_back({&c, w, warps[w].data() + first, warps[w].data() + end});
    }
    std::optional<LoopWatch> watch;
    if (in_.leaves_out_steady_loops && order_.all_in_step() && !queues_.empty() && !sampling_.whole() &&
        lookup_.weight != 0)
      watch = watch_loop(in_, queues_, size_);
    for (std::size_t turn = 0; !queues_.empty(); ++turn) {
      if (watch && watch->ends_window(turn))
        turn += leave_out(*watch, turn, queues_, lookup_, walk_, last_);
      bool ended = false;
      last_ = {};
      for (WarpQueue& q : queues_) {
        if (walk_.reaches_l2(*q.cohort, *q.next))
          step_or_repeat(q);
        ended |= ++q.next == q.end;
      }
      if (!lookup_.to_dram.empty())
        send_to_dram();
      if (ended)
        std::erase_if(queues_, [](const WarpQueue& q) { return q.next == q.end; });
    }
  }

  /// With a look at all that the turn that ends asked for, where not all of it was simulated, or where only
  /// one request's pieces share rows.
  void send_to_dram() {
    if (!sampling_.whole() || lookup_.rows.own_sectors() > 0)
      for (const WarpQueue& q : queues_)
        if (const StreamEvent& event = q.next[-1]; !event.request->blocks.empty())
          lookup_.to_dram.look.add(lookup_.rows, in_, event.route,
                                   place(in_, q.cohort->sample(), q.warp, event, 0),
                                   static_cast<double>(q.cohort->size()));
    lookup_.to_dram.send(lookup_.rows);
  }

  void step_or_repeat(const WarpQueue& q) {
    const StreamEvent& event = *q.next;
    L2Result& result = lookup_.result;
    SiteSectors& site = result.sites[event.site];
    if (last_.is_repeated_by(*q.cohort, event)) {
      site.asked += last_.asked;
      result.accesses += last_.accesses;
      return;
    }
    last_ = {q.cohort, &event, false, site.asked, result.accesses};
    lookup_.changed_caches = false;
    walk_.step(*q.cohort, q.warp, event);
    last_.changed_caches = lookup_.changed_caches;
    last_.asked = site.asked - last_.asked;
    last_.accesses = result.accesses - last_.accesses;
  }

  const StageInput& in_;
  const WaveOrder& order_;
  const LineSampling& sampling_;
  L2Lookup& lookup_;
  WaveSize size_;
  L2Walk walk_;
  LastStep last_;                                                           ///< of this turn
  std::vector<WarpQueue> queues_;                                           ///< scratch
  std::vector<std::byte> first_of_arena_ = std::vector<std::byte>(1 << 16); ///< what most waves need
  std::pmr::monotonic_buffer_resource arena_{first_of_arena_.data(), first_of_arena_.size()};
};

} // namespace

L2Result run_l2(const StageInput& in, const L1Result& l1, const L2Options& options) {
  const WaveDemand demand = wave_demand(in, 0);
  const std::uint64_t estimate = std::max<std::uint64_t>(1, demand.accesses);
  const std::uint64_t waves = in.dealing.waves();
  const bool exact = waves <= 2 || estimate * waves <= options.exact_accesses;
  // What groups share may lie many waves apart where waves are narrow: rows of tiles on a GPU of few SMs.
  const std::uint64_t simulated =
      exact ? waves : std::clamp<std::uint64_t>(options.exact_accesses / estimate, 2, waves);
  gpu::CacheGeometry geometry = in.memory.l2;
  if (!geometry.present)
    geometry.size_bytes = 0;
  const std::uint64_t cache_bytes =
      geometry.size_bytes + (in.memory.l3.present ? in.memory.l3.size_bytes : 0);
  const gpu::CacheGeometry part = part_of(geometry, in.memory.l2_parts);
  const std::uint64_t before = options.warm ? waves_before(in, cache_bytes, estimate, simulated) : 0;
  const LineSampling sampling = choose_sampling(in, part, estimate * (simulated + before), options);
  const std::uint64_t counted = estimate * simulated / sampling.one_in();
  const WaveOrder order(in, demand, geometry.size_bytes);
  L2Lookup lookup(in, part, sampling, static_cast<std::size_t>(counted));
  lookup.warm = options.warm;
  Run run(in, l1, order, sampling, lookup,
          {static_cast<double>(estimate / sampling.one_in()), options.long_wave_accesses,
           static_cast<double>(cache_bytes / sector_bytes / sampling.one_in())});
  for (std::uint64_t w = waves - before; w < waves; ++w)
    run.wave(w, 0);
  double later_groups = 0;
  for (std::uint64_t w = 1; w < simulated; ++w)
    later_groups += static_cast<double>(in.dealing.size_of_wave(w));
  const double rest = static_cast<double>(in.dealing.groups - in.dealing.size_of_wave(0));
  const double weight = later_groups > 0 ? rest / later_groups : 0;
  run.wave(0, 1);
  for (std::uint64_t w = 1; w < simulated; ++w)
    run.wave(w, weight);
  const double scale = static_cast<double>(sampling.one_in());
  const std::vector<DramRowUse>& rows = lookup.rows.finish();
  for (std::size_t s = 0; s < rows.size(); ++s) {
    lookup.result.sites[s].rows_opened = rows[s].rows_opened;
    lookup.result.sites[s].extra = rows[s].extra_bytes / sector_bytes;
  }
  for (SiteSectors& site : lookup.result.sites) {
    site.asked *= scale;
    site.read *= scale;
    site.waiting *= scale;
    site.crossed *= scale;
    site.from_l3 *= scale;
    site.written *= scale;
  }
  if (in.memory.l2.present && !options.warm)
    lookup.result.dirty_at_end_bytes =
        keep_dirty_sectors(static_cast<double>(cache_bytes), options.others_dirty, lookup.result.sites);
  const Footprint::Totals totals = lookup.footprint.totals(in.trace.regions, weight, scale);
  lookup.result.footprint_bytes = totals.bytes;
  lookup.result.footprint_read_bytes = totals.read_bytes;
  lookup.result.footprint_written_bytes = totals.written_bytes;
  lookup.result.first_wave_bytes = totals.first_wave_bytes;
  lookup.result.one_line_in = sampling.one_in();
  lookup.result.waves_simulated = simulated;
  return std::move(lookup.result);
}

} // namespace forewarp::memory
