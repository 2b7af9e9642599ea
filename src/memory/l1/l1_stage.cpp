#include "memory/l1/l1_stage.h"

#include "memory/cache/cache.h"
#include "memory/coalesce/sector_count.h"
#include "memory/l1/l1_loop.h"
#include "support/counter_random.h"

#include <algorithm>
#include <array>
#include <bit>

namespace forewarp::memory {

std::uint64_t l1_data_bytes(const gpu::MemoryTiming& memory, const gpu::OccupancyLimits& limits,
                            unsigned active_groups, std::uint64_t shared_bytes_per_group) {
  if (!memory.l1.present)
    return 0;
  if (!memory.l1.unified_with_shared || limits.shared_carveouts_bytes.empty())
    return memory.l1.size_bytes;
  const std::uint64_t unit = std::max<std::uint64_t>(1, limits.shared_alloc_unit_bytes);
  std::uint64_t each = shared_bytes_per_group;
  if (each || limits.shared_reserved_per_group_bytes)
    each = (each + limits.shared_reserved_per_group_bytes + unit - 1) / unit * unit;
  const std::uint64_t wanted = each * active_groups;
  std::vector<std::uint64_t> choices = limits.shared_carveouts_bytes;
  std::sort(choices.begin(), choices.end());
  auto choice = std::lower_bound(choices.begin(), choices.end(), wanted);
  const std::uint64_t carved = choice == choices.end() ? choices.back() : *choice;
  return memory.l1.size_bytes > carved ? memory.l1.size_bytes - carved : 0;
}

namespace {

struct Resident {
  std::uint64_t group = 0;
  facts::Dim3 at;
  std::uint32_t sample = 0;
  unsigned slot = 0;
  std::int64_t local_bytes = 0;  ///< by which its private memory lies from that of slot 0
  std::int64_t apart_blocks = 0; ///< by which all that it touches lies elsewhere: a stand-in
};

class Sm {
public:
  Sm(const StageInput& in, std::uint64_t l1_bytes, L1Result& result)
      : in_(in), result_(result), l1_(geometry(in.memory.l1, l1_bytes), in.memory.l1_replacement),
        constant_(in.memory.constant_l1),
        evict_on_store_(in.memory.l1.sector_bytes >= in.memory.l1.line_bytes),
        cache_sectors_(static_cast<double>((l1_bytes + in.memory.constant_l1.size_bytes) / sector_bytes)),
        asked_(in.translator.irregular_sites().size()), passed_(asked_.size()) {
    for (unsigned mask = 0; mask < 16; ++mask) {
      const auto sectors = static_cast<std::uint8_t>(mask);
      asked_l1_[mask] = static_cast<std::uint16_t>(sector_count(widened(in, Route::l1, sectors)));
      asked_constant_[mask] = static_cast<std::uint16_t>(sector_count(widened(in, Route::constant, sectors)));
    }
  }

  void run(std::vector<Resident> residents, Drift drift) {
    std::size_t longest = 0;
    bool first_visits = true;
    for (const Resident& r : residents)
      first_visits &= result_.samples[r.sample].visits == 0;
    for (Resident& r : residents) {
      L1Sample& out = result_.samples[r.sample];
      out.visits += 1;
      if (out.passed.empty()) {
        out.passed.resize(in_.streams[r.sample].block_count);
        out.asked.resize(in_.streams[r.sample].block_count);
        out.mask.resize(in_.streams[r.sample].block_count);
      }
      r.local_bytes = local_delta(in_, r.sample, r.slot);
      for (const auto& warp : in_.streams[r.sample].warps)
        longest = std::max(longest, warp.size());
    }
    if (drift != Drift::none)
      return run_apart(residents, longest, drift);
    std::optional<L1Loop> loop = first_visits ? loop_of(residents, longest) : std::nullopt;
    for (std::size_t turn = 0; turn < longest; ++turn) {
      if (loop)
        turn += loop->leave_out(turn, asked_, passed_);
      for (const Resident& r : residents) {
        const auto& warps = in_.streams[r.sample].warps;
        for (std::uint32_t w = 0; w < warps.size(); ++w)
          if (turn < warps[w].size())
            step(r, w, warps[w][turn]);
      }
    }
  }

private:
  /// Each warp starts at a time of its own. Before it and behind it the warp of the group that was and will
  /// be in its place runs: for its lines, not for the counts.
  void run_apart(const std::vector<Resident>& residents, std::size_t longest, Drift drift) {
    for (std::size_t turn = 0; turn < 2 * longest; ++turn)
      for (std::size_t i = 0; i < residents.size(); ++i) {
        const auto& warps = in_.streams[residents[i].sample].warps;
        for (std::uint32_t w = 0; w < warps.size(); ++w) {
          const std::size_t events = warps[w].size();
          const std::size_t start = events - ahead(drift, i, residents.size(), w, warps.size(), events);
          if (turn >= 2 * events)
            continue;
          const std::size_t life = (turn + events - start) / events; // 0 before, 1 its own, 2 behind
          recorded_ = life == 1;
          step(in_its_place(residents[i], life), w, warps[w][(turn + events - start) % events]);
        }
      }
    recorded_ = true;
  }

  /// Where the grid has no such group, the resident itself stands in, on lines of its own.
  Resident in_its_place(Resident r, std::size_t life) const {
    const std::uint64_t wave = in_.dealing.per_wave();
    if (life == 1)
      return r;
    if (life == 0 ? r.group < wave : r.group + wave >= in_.dealing.groups) {
      r.apart_blocks = (life == 0 ? 1 : 2) * (std::int64_t{1} << 44);
      return r;
    }
    r.group = life == 0 ? r.group - wave : r.group + wave;
    r.at = group_at(in_.trace.shape.groups, r.group);
    return r;
  }

  /// Events by which a warp is ahead of the first: places in a life are spread evenly over those that drift.
  static std::size_t ahead(Drift drift, std::size_t resident, std::size_t residents, std::size_t warp,
                           std::size_t warps, std::size_t events) {
    return drift == Drift::groups ? resident * events / residents
                                  : (resident * warps + warp) * events / (residents * warps);
  }

  std::optional<L1Loop> loop_of(const std::vector<Resident>& residents, std::size_t turns) const {
    std::vector<std::uint32_t> samples;
    double accesses = 0;
    for (const Resident& r : residents) {
      if (std::find(samples.begin(), samples.end(), r.sample) == samples.end())
        samples.push_back(r.sample);
      accesses += in_.streams[r.sample].block_count;
    }
    return l1_loop(
        in_, samples, result_,
        {accesses, static_cast<double>(turns), cache_sectors_, in_.memory.l1_replacement == "lru"});
  }

  static gpu::CacheGeometry geometry(gpu::CacheGeometry l1, std::uint64_t bytes) {
    l1.size_bytes = bytes;
    return l1;
  }

  /// Once groups start as others end, chance decides which groups of a circle meet on an SM; groups dealt in
  /// turn would always or never do.
  static facts::Dim3 drawn_place(const Resident& r, std::uint64_t period_groups) {
    facts::Dim3 at = r.at;
    at.x += counter_random(r.group, period_groups) % period_groups;
    return at;
  }

  PlacedRequest placed(const Resident& r, std::uint32_t warp, const StreamEvent& event) const {
    if (event.local)
      return place(in_, r.sample, warp, event, r.local_bytes);
    const std::optional<Line>& line = event.translation->line;
    const facts::Dim3 at = line && line->period_groups > 0 ? drawn_place(r, line->period_groups) : r.at;
    return place(in_, r.sample, warp, event,
                 in_.translator.delta(r.sample, *event.translation, event, r.group, at));
  }

  void step(const Resident& r, std::uint32_t warp, const StreamEvent& event) {
    if (event.route == Route::l1)
      look_up(l1_, asked_l1_, r, warp, event);
    else if (event.route == Route::constant)
      look_up(constant_, asked_constant_, r, warp, event);
    else if (event.route == Route::store && in_.memory.l1.write_allocate)
      for_each_block(r, warp, event, [&](auto block, auto sectors) { l1_.store(block, sectors); });
    else if (event.route == Route::atomic || (event.route == Route::store && evict_on_store_))
      for_each_block(r, warp, event, [&](auto block, auto) { l1_.invalidate(block); });
  }

  std::uint64_t block_of(const Resident& r, const StreamEvent& event, std::int64_t block) const {
    return static_cast<std::uint64_t>(r.apart_blocks) +
           (event.unknown
                ? Translator::scattered_block(*event.translation, static_cast<std::uint64_t>(block), r.group)
                : static_cast<std::uint64_t>(block));
  }

  template <class Use>
  void for_each_block(const Resident& r, std::uint32_t warp, const StreamEvent& event, Use use) {
    const PlacedRequest p = placed(r, warp, event);
    for (const BlockAccess& access : p.request->blocks)
      use(block_of(r, event, p.block + access.block), static_cast<std::uint8_t>(access.sectors));
  }

  void look_up(Cache& cache, const std::array<std::uint16_t, 16>& asked, const Resident& r,
               std::uint32_t warp, const StreamEvent& event) {
    const PlacedRequest p = placed(r, warp, event);
    L1Sample& out = result_.samples[r.sample];
    const std::size_t own = event.request->blocks.size();
    const bool own_alignment = p.request == event.request;
    for (std::size_t i = 0; i < p.request->blocks.size(); ++i) {
      const BlockAccess& access = p.request->blocks[i];
      const auto sectors = static_cast<std::uint8_t>(access.sectors);
      const std::uint8_t passed = cache.load_fetched(block_of(r, event, p.block + access.block), sectors);
      if (!recorded_)
        continue;
      asked_[event.site] += asked[sectors];
      passed_[event.site] += sector_count(passed);
      if (own == 0)
        continue;
      const std::size_t at = event.first_block + std::min(i, own - 1);
      out.passed[at] = static_cast<std::uint16_t>(out.passed[at] + sector_count(passed));
      out.asked[at] = static_cast<std::uint16_t>(out.asked[at] + asked[sectors]);
      if (own_alignment)
        out.mask[at] |= passed;
    }
  }

  const StageInput& in_;
  L1Result& result_;
  Cache l1_, constant_;
  bool evict_on_store_;
  bool recorded_ = true; ///< what is looked up counts
  double cache_sectors_;
  std::vector<std::uint64_t> asked_, passed_; ///< [site] sectors, so far
  std::array<std::uint16_t, 16> asked_l1_{},
      asked_constant_{}; ///< sectors that a miss on a mask fetches at most
};

std::vector<Resident> residents_of(const StageInput& in, std::uint64_t wave, unsigned sm) {
  std::vector<Resident> out;
  for (const std::uint64_t group : in.dealing.on_sm(wave, sm))
    out.push_back({group, group_at(in.trace.shape.groups, group), in.translator.representative(group),
                   in.dealing.slot_of(group)});
  return out;
}

} // namespace

L1Result run_l1(const StageInput& in, std::uint64_t l1_bytes, Drift drift) {
  L1Result result;
  const std::size_t samples = in.trace.groups.size();
  result.samples.resize(samples);
  const std::uint64_t waves = in.dealing.waves();
  const auto simulate = [&](std::vector<Resident> residents) {
    Sm(in, l1_bytes, result).run(std::move(residents), drift);
    ++result.sms_simulated;
  };
  // An SM in the middle of a wave in the middle of the grid, where borders weigh as little as they do in the
  // whole.
  const std::uint64_t wave = waves >= 3 ? waves / 2 : 0;
  const std::uint64_t busy = std::min<std::uint64_t>(in.dealing.sms, in.dealing.size_of_wave(wave));
  simulate(residents_of(in, wave, static_cast<unsigned>(busy / 2)));
  // Behaviours that it did not hold: the SM of one of their samples, within a budget.
  const auto covered = [&](std::uint32_t s) {
    for (const std::uint32_t m : in.translator.alike(s))
      if (result.samples[m].visits > 0)
        return true;
    return false;
  };
  constexpr unsigned most_sms = 64;
  for (std::uint32_t s = 0; s < samples && result.sms_simulated < most_sms; ++s) {
    if (covered(s))
      continue;
    const std::uint64_t group = linear_index(in.trace.shape.groups, in.trace.groups[s].group);
    std::vector<Resident> residents =
        residents_of(in, group / in.dealing.per_wave(), in.dealing.sm_of(group));
    for (Resident& r : residents)
      if (r.group == group)
        r.sample = s;
    simulate(residents);
  }
  result.source.resize(samples);
  for (std::uint32_t s = 0; s < samples; ++s) {
    result.source[s] = s;
    if (result.samples[s].visits > 0)
      continue;
    for (const std::uint32_t m : in.translator.alike(s))
      if (result.samples[m].visits > 0) {
        result.source[s] = m;
        break;
      }
  }
  return result;
}

} // namespace forewarp::memory
