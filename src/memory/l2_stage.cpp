#include "memory/l2_stage.h"

#include "memory/cohort.h"
#include "memory/dirty_sectors.h"
#include "memory/dram_rows.h"
#include "memory/footprint.h"
#include "memory/l2_parts.h"
#include "memory/l2_plan.h"
#include "memory/meetings.h"
#include "memory/piece_look.h"
#include "memory/repeated_step.h"
#include "memory/sector_count.h"
#include "memory/steady_loop.h"
#include "memory/wave_order.h"
#include "support/counter_random.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace forewarp::memory {
namespace {

/// What one block of a request asks of L2 after L1: the same for all groups that share the request.
struct BlockPass {
  std::uint8_t mask = 0;
  double share = 0; ///< of the groups' accesses that L1 lets through; 0: none
};

class Run {
public:
  Run(const StageInput& in, const L1Result& l1, const gpu::CacheGeometry& geometry, const WaveOrder& order,
      const LineSampling& sampling, std::size_t expected_blocks)
      : footprint(sampling, expected_blocks),
        rows(in.memory, static_cast<double>(sampling.one_in()), in.translator.irregular_sites().size()),
        in_(in), l1_(l1), order_(order), sampling_(sampling),
        l2_(sampling.share_of(geometry), in.memory.l2_parts), l3_(sampling.share_of(in.memory.l3)),
        only_l2_(in.memory.l3.present ? nullptr : l2_.only()), has_l3_(in.memory.l3.present),
        absent_(!in.memory.l2.present) {
    result.sites.resize(in.translator.irregular_sites().size());
  }

  /// One wave; `weight` 0: only warms.
  void wave(std::uint64_t index, double weight) {
    arena_.release();
    meetings_.clear();
    std::vector<std::vector<Cohort>> batches;
    for (const GroupRange& groups : order_.batches(index))
      batches.push_back(cohorts_of(in_, sampling_, groups, arena_));
    weight_ = weight;
    rows.weigh(weight);
    wave_ = index == 0 ? 0 : 1;
    for (std::size_t run = 0; run < order_.runs(); ++run)
      for (std::vector<Cohort>& batch : batches)
        in_step(batch, run);
  }

  L2Result result;
  Footprint footprint;
  DramRowCounter rows;
  bool warm = false;          ///< contents from before the counted run
  double accesses_a_wave = 0; ///< simulated, about
  double cache_sectors = 0;   ///< simulated
  double long_wave_accesses = 0;

private:
  /// What one warp of a cohort has still to ask in this run.
  struct Queue {
    Cohort* cohort;
    std::uint32_t warp;
    const StreamEvent *next, *end;
  };

  void in_step(std::vector<Cohort>& cohorts, std::size_t run) {
    queues_.clear();
    for (Cohort& c : cohorts) {
      const auto& warps = in_.streams[c.sample()].warps;
      for (std::uint32_t w = 0; w < warps.size(); ++w)
        if (const auto [first, end] = order_.events(c.sample(), w, run); first < end)
          queues_.push_back({&c, w, warps[w].data() + first, warps[w].data() + end});
    }
    std::optional<LoopWatch> watch = order_.all_in_step() && !queues_.empty() ? watch_loop() : std::nullopt;
    for (std::size_t turn = 0; !queues_.empty(); ++turn) {
      if (watch && watch->ends_window(turn))
        turn += leave_out(*watch, turn);
      bool ended = false;
      last_ = {};
      for (Queue& q : queues_) {
        if (reaches_l2(*q.cohort, *q.next))
          step_or_repeat(q);
        ended |= ++q.next == q.end;
      }
      if (!to_dram_.empty())
        send_to_dram();
      if (ended)
        std::erase_if(queues_, [](const Queue& q) { return q.next == q.end; });
    }
  }

  /// Of a wave that asks for much, all warps the same; nothing where there is no such loop.
  std::optional<LoopWatch> watch_loop() const {
    constexpr double windows = 10; // at least, if loops were all of the wave
    if (sampling_.whole() || weight_ == 0 || accesses_a_wave < long_wave_accesses)
      return std::nullopt;
    std::vector<const std::vector<StreamEvent>*> streams;
    for (const Queue& q : queues_)
      streams.push_back(&in_.streams[q.cohort->sample()].warps[q.warp]);
    const auto turns = static_cast<double>(streams.front()->size());
    const auto loop = steady_loop(
        streams, static_cast<std::size_t>(long_wave_accesses / windows / accesses_a_wave * turns));
    if (!loop)
      return std::nullopt;
    return LoopWatch(*loop, cache_sectors, accesses_a_wave / turns);
  }

  /// Passes turns over whose sums are known; only the footprint sees them. Returns their number.
  std::size_t leave_out(LoopWatch& watch, std::size_t turn) {
    const std::size_t windows = watch.left_out(turn, {sums(), weight_, result.accesses});
    if (windows == 0)
      return 0;
    add(watch.sums_of(windows));
    const std::size_t turns = windows * watch.loop().window;
    const auto period = static_cast<std::ptrdiff_t>(watch.loop().period);
    only_footprint_ = true;
    for (std::size_t t = 0; t < turns; ++t) {
      last_ = {};
      for (Queue& q : queues_) {
        const StreamEvent& event = *q.next++;
        const StreamEvent& before = *(&event - period);
        const bool touched =
            (before.request == event.request && before.base / sector_bytes == event.base / sector_bytes) ||
            last_.is_same(*q.cohort, event);
        if (!touched && reaches_l2(*q.cohort, event))
          step(*q.cohort, q.warp, event);
        last_ = {q.cohort, &event};
      }
    }
    only_footprint_ = false;
    return turns;
  }

  /// So far, DRAM's rows among them.
  std::vector<L2Site> sums() {
    std::vector<L2Site> sums = result.sites;
    const std::vector<DramRowUse>& uses = rows.finish();
    for (std::size_t s = 0; s < sums.size(); ++s) {
      sums[s].rows_opened = uses[s].rows_opened;
      sums[s].extra = uses[s].extra_bytes;
    }
    return sums;
  }
  void add(const std::vector<L2Site>& more) {
    for (std::uint32_t s = 0; s < more.size(); ++s) {
      L2Site& site = result.sites[s];
      site.asked += more[s].asked;
      site.read += more[s].read;
      site.crossed += more[s].crossed;
      site.from_l3 += more[s].from_l3;
      site.written += more[s].written;
      rows.add_use(s, {more[s].rows_opened, more[s].extra});
    }
  }

  /// What a turn moves reaches DRAM group by group: warps of one group follow each other closely.
  void send_to_dram() {
    std::stable_sort(to_dram_.begin(), to_dram_.end(),
                     [](const ToDram& a, const ToDram& b) { return a.group < b.group; });
    if (!sampling_.whole())
      look_at_turn();
    rows.pieces_a_row(look_.pieces_a_row());
    for (const ToDram& moved : to_dram_)
      rows.add(moved.site, moved.block, moved.sectors);
    to_dram_.clear();
  }

  /// All that the turn that ends asked for.
  void look_at_turn() {
    for (const Queue& q : queues_)
      if (const StreamEvent& event = q.next[-1]; !event.request->blocks.empty())
        look_.add(rows, place(in_, q.cohort->sample(), q.warp, event, 0),
                  static_cast<double>(q.cohort->size()));
  }

  void step_or_repeat(const Queue& q) {
    const StreamEvent& event = *q.next;
    L2Site& site = result.sites[event.site];
    if (last_.is_repeated_by(*q.cohort, event)) {
      site.asked += last_.asked;
      result.accesses += last_.accesses;
      return;
    }
    last_ = {q.cohort, &event, false, site.asked, result.accesses};
    step(*q.cohort, q.warp, event);
    last_.asked = site.asked - last_.asked;
    last_.accesses = result.accesses - last_.accesses;
  }

  bool reaches_l2(const Cohort& cohort, const StreamEvent& event) const {
    const std::size_t blocks = event.request->blocks.size();
    if (event.route != Route::l1 && event.route != Route::constant)
      return blocks != 0;
    return blocks != 0 && l1_.samples[l1_.source[cohort.sample()]].passes(event.first_block, blocks);
  }

  void step(Cohort& cohort, std::uint32_t warp, const StreamEvent& event) {
    const bool irregular = !event.translation->affine && !event.local && !event.unknown;
    if (sampling_.whole() || event.unknown)
      walk(cohort, warp, event, irregular ? cohort.scattered_shifts(event) : cohort.shifts(event).all);
    else if (irregular)
      sample_random(cohort, warp, event);
    else
      for (const ShiftsOfAlignment& shifts : cohort.shifts(event).by_alignment)
        sample(cohort, warp, event, shifts);
  }

  /// Every shift and block, one by one.
  void walk(const Cohort& cohort, std::uint32_t warp, const StreamEvent& event, const List<Shift>& shifts) {
    for (const Shift& shift : shifts) {
      const PlacedRequest placed = place(in_, cohort.sample(), warp, event, shift.bytes);
      const std::vector<BlockAccess>& blocks = placed.request->blocks;
      for (std::size_t i = 0; i < blocks.size(); ++i) {
        auto block = static_cast<std::uint64_t>(placed.block + blocks[i].block);
        if (event.unknown)
          block = Translator::scattered_block(*event.translation, block, shift.group);
        if (sampling_.whole() || sampling_.contains(block))
          access(event, warp, i, block, pass_of(cohort, event, *placed.request, i), shift.groups,
                 shift.group);
      }
    }
  }

  /// Of every block only the shifts that put it on a sampled line.
  void sample(const Cohort& cohort, std::uint32_t warp, const StreamEvent& event,
              const ShiftsOfAlignment& shifts) {
    const PlacedRequest placed = place(in_, cohort.sample(), warp, event, shifts.bytes);
    const std::vector<BlockAccess>& blocks = placed.request->blocks;
    const auto at_shift = [&](std::uint32_t i, const BlockPass& pass, std::uint32_t s) {
      access(event, warp, i, static_cast<std::uint64_t>(placed.block + blocks[i].block + shifts.blocks[s]),
             pass, shifts.shifts[s].groups, shifts.shifts[s].group);
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

  /// The same where each group moves by its own random number, modulo a range.
  void sample_random(Cohort& cohort, std::uint32_t warp, const StreamEvent& event) {
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
        access(event, warp, i, block, pass, 1, stays->index);
      for (const bool wraps : {false, true}) {
        const std::uint64_t from = wraps ? block - range : block; // may lie below 0 until the number is added
        const std::uint64_t residue =
            wraps ? up_to(sampling_.residue(block), sampling_.residue(range)) : sampling_.residue(block);
        for (std::uint64_t wanted = 0; wanted < sampling_.sampled_residues(); ++wanted) {
          const auto [first, end] = shifts.by_residue.at(up_to(wanted, residue));
          for (const std::uint32_t* s = first; s != end; ++s)
            if ((shifts.random[*s] >= before_wrap) == wraps)
              access(event, warp, i, from + shifts.random[*s], pass, 1,
                     cohort.members()[shifts.member[*s]].index);
        }
      }
    }
  }

  /// What brings `residue` to `wanted`, modulo the period.
  std::uint64_t up_to(std::uint64_t wanted, std::uint64_t residue) const {
    return wanted >= residue ? wanted - residue : wanted + sampling_.period() - residue;
  }

  BlockPass pass_of(const Cohort& cohort, const StreamEvent& event, const Request& placed,
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
    return {passed, static_cast<float>(l1.passed[at]) / static_cast<float>(l1.asked[at]) *
                        sector_count(whole) / sector_count(passed)};
  }

  void access(const StreamEvent& event, std::uint32_t warp, std::size_t i, std::uint64_t block,
              const BlockPass& pass, std::uint32_t groups, std::uint64_t group) {
    if (only_footprint_)
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

  /// access_l2 of what nearly all accesses are: a load of a cold L2 in one part, with DRAM behind it.
  void load(const StreamEvent& event, std::uint64_t group, std::uint64_t block, std::uint8_t mask,
            double times) {
    result.sites[event.site].asked += weight_ * times * sector_count(mask);
    const std::uint64_t held = sampling_.whole() ? block : sampling_.compact(block);
    const CacheResult found = only_l2_->load(held, mask);
    ++result.accesses;
    if (found.missing == 0)
      return;
    last_.changed_caches = true;
    count(event, group, block, held, mask, times, {found, 0}, 0);
  }

  void access_l2(const StreamEvent& event, std::uint64_t group, std::uint64_t block, std::uint8_t mask,
                 double times) {
    result.sites[event.site].asked += weight_ * times * sector_count(mask);
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
    last_.changed_caches |= r.missing != 0 || r.newly_dirty != 0 || found.crossed != 0;
    if (weight_ == 0)
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
      footprint.touch(held, mask, false, wave_);
    if (event.route == Route::store || event.route == Route::atomic)
      footprint.touch(held, mask, true, wave_);
  }

  /// What left or entered L2, or crossed between its parts, by site.
  void tally(const StreamEvent& event, std::uint64_t group, std::uint64_t block, std::uint8_t mask,
             double times, const L2Parts::Found& found, unsigned from_l3) {
    const CacheResult& r = found.at_home;
    L2Site& site = result.sites[event.site];
    const double each = absent_ ? times : 1;
    site.crossed += weight_ * found.crossed;
    site.read += weight_ * each * (r.filled - from_l3);
    site.from_l3 += weight_ * each * from_l3;
    site.written += weight_ * each * r.newly_dirty;
    if ((r.fetched != 0 && r.filled > from_l3) || r.newly_dirty != 0)
      if (rows.known())
        to_dram_.push_back({group, block, event.site, event.route == Route::store ? mask : r.fetched});
  }

  /// Sectors of an L2 miss that the memory-side cache holds; it keeps what it fetches and what is written.
  unsigned found_in_l3(const StreamEvent& event, std::uint64_t block, std::uint8_t mask,
                       const CacheResult& l2) {
    if (event.route == Route::store) {
      if (l2.newly_dirty > 0)
        l3_.store(block, mask);
      return 0;
    }
    if (l2.fetched == 0)
      return 0;
    const CacheResult r = l3_.load(block, l2.fetched);
    return l2.filled - std::min(l2.filled, r.filled);
  }

  const StageInput& in_;
  const L1Result& l1_;
  const WaveOrder& order_;
  const LineSampling& sampling_;
  L2Parts l2_;
  Cache l3_;
  Cache* only_l2_; ///< null: it has parts, or a memory-side cache behind it
  bool has_l3_, absent_;
  struct ToDram {
    std::uint64_t group = 0, block = 0;
    std::uint32_t site = 0;
    std::uint8_t sectors = 0;
  };
  std::vector<ToDram> to_dram_; ///< of this turn
  PieceLook look_;
  double weight_ = 1;
  unsigned wave_ = 0;
  bool only_footprint_ = false;                                             ///< of turns that are passed over
  LastStep last_;                                                           ///< of this turn
  std::vector<Queue> queues_;                                               ///< scratch
  MeetingTables meetings_ = MeetingTables(sampling_);                       ///< of this wave
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
  Run run(in, l1, part, order, sampling, static_cast<std::size_t>(counted));
  run.warm = options.warm;
  run.long_wave_accesses = options.long_wave_accesses;
  run.accesses_a_wave = static_cast<double>(estimate / sampling.one_in());
  run.cache_sectors = static_cast<double>(cache_bytes / sector_bytes / sampling.one_in());
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
  const std::vector<DramRowUse>& rows = run.rows.finish();
  for (std::size_t s = 0; s < rows.size(); ++s) {
    run.result.sites[s].rows_opened = rows[s].rows_opened;
    run.result.sites[s].extra = rows[s].extra_bytes / sector_bytes;
  }
  for (L2Site& site : run.result.sites) {
    site.asked *= scale;
    site.read *= scale;
    site.crossed *= scale;
    site.from_l3 *= scale;
    site.written *= scale;
  }
  if (in.memory.l2.present && !options.warm)
    run.result.dirty_at_end_bytes = keep_dirty_sectors(static_cast<double>(cache_bytes), run.result.sites);
  const Footprint::Totals totals = run.footprint.totals(in.trace.regions, weight, scale);
  run.result.footprint_bytes = totals.bytes;
  run.result.footprint_read_bytes = totals.read_bytes;
  run.result.footprint_written_bytes = totals.written_bytes;
  run.result.first_wave_bytes = totals.first_wave_bytes;
  run.result.one_line_in = sampling.one_in();
  run.result.waves_simulated = simulated;
  return std::move(run.result);
}

} // namespace forewarp::memory
