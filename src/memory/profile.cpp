// Assembles the memory profile: requests and bank passes per event, L1, L2, sums per site.
#include "memory/profile.h"

#include "facts/busy_front.h"
#include "gpu/dram_rates.h"
#include "memory/dram/like_arrays.h"
#include "memory/l1/l1_stage.h"
#include "memory/l2/l2_stage.h"
#include "memory/notes.h"
#include "memory/outcomes.h"
#include "memory/translate/trace_addresses.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace forewarp::memory {
namespace {

Result<void> check(const facts::KernelTrace& trace, const gpu::Machine& machine) {
  if (trace.groups.empty())
    return fail(ErrorCode::internal, "the trace holds no work-group");
  if (trace.warp_width == 0 || trace.warp_width > max_lanes)
    return fail(ErrorCode::unsupported,
                fmt::format("a warp of {} lanes cannot be modelled", trace.warp_width), {},
                "warps have 1 to 64 lanes");
  if (machine.sm_count == 0)
    return fail(ErrorCode::bad_input, "the GPU has no multiprocessor", "sm_count");
  const facts::Dim3& grid = trace.shape.groups;
  if (grid.count() == 0)
    return fail(ErrorCode::launch, "the grid holds no work-group");
  for (const facts::GroupTrace& group : trace.groups)
    if (group.group.x >= grid.x || group.group.y >= grid.y || group.group.z >= grid.z)
      return fail(ErrorCode::internal, "a sampled work-group lies outside the grid");
  return {};
}

/// Warp events of one sample that the stages may hold at most, so that time and memory stay bounded.
std::uint64_t events_per_warp(const facts::KernelTrace& trace, unsigned groups_per_sm) {
  constexpr std::uint64_t budget = 1'000'000;
  std::uint64_t warps = 1;
  for (const facts::GroupTrace& group : trace.groups)
    warps = std::max<std::uint64_t>(warps, group.warps.size());
  return std::max<std::uint64_t>(256, budget / (warps * std::max(1U, groups_per_sm)));
}

/// Groups that ask for memory: all, or those of a busy front whose others leave without an access.
std::uint64_t asking_groups(const facts::KernelTrace& trace) {
  const std::uint64_t all = trace.shape.groups.count();
  const std::optional<facts::BusyFront> front = facts::busy_front(trace);
  if (!front)
    return all;
  for (const facts::GroupTrace& group : trace.groups)
    if (facts::linear_index(trace.shape.groups, group) > front->last_busy)
      for (const facts::WarpTrace& warp : group.warps)
        if (!warp.events.empty())
          return all;
  return front->busy_groups();
}

/// Than arrays at like offsets, which ask one bank for many rows: both are the same activations, and the
/// longer of the two counts. Only where groups drift: there every request opens its rows.
bool rows_cost_more(const facts::MemoryProfile& profile, const gpu::MemoryTiming& memory) {
  const double read = profile.dram_bytes_read, written = profile.dram_bytes_written;
  if (memory.dram_rows.sm_bursts == 0 || profile.like_arrays == 0 || read + written <= 0)
    return false;
  const auto time = [&](double like_arrays, double more_read, double more_written) {
    const gpu::DramRates rates = gpu::dram_rates(memory, read, written, like_arrays);
    return (read + more_read) / rates.read_gbps + (written + more_written) / rates.write_gbps;
  };
  return time(0, profile.dram_extra_bytes_read, profile.dram_extra_bytes_written) >
         time(profile.like_arrays, 0, 0);
}

} // namespace

Result<facts::MemoryProfile> profile(const facts::KernelTrace& trace,
                                     const std::vector<facts::MemorySite>& sites, const gpu::Machine& machine,
                                     const ProfileOptions& options, const TraceAddresses* addresses) {
  FOREWARP_TRY(check(trace, machine));
  const gpu::MemoryTiming& memory = machine.memory;
  Dealing dealing;
  dealing.groups = asking_groups(trace);
  dealing.sms = machine.sm_count;
  dealing.groups_per_sm = std::max(1U, options.active_groups_per_sm);

  std::optional<TraceAddresses> own;
  if (addresses == nullptr)
    addresses = &own.emplace(trace, sites);
  const Translator& translator = addresses->translator();
  RequestTable requests(memory, trace.warp_width);
  const StreamSource source{trace, sites, memory, events_per_warp(trace, dealing.groups_per_sm)};
  std::vector<SampleStream> streams;
  for (std::uint32_t g = 0; g < trace.groups.size(); ++g) {
    const bool other_serves = translator.uniform(g) && translator.alike(g)[0] != g;
    streams.push_back(other_serves ? SampleStream{} : make_stream(source, g, requests));
    translator.attach(g, streams.back());
  }

  using enum facts::Shortcut;
  const bool steady_loops_left_out = options.shortcuts.takes(steady_loops);
  const StageInput input{trace,
                         memory,
                         translator,
                         requests,
                         streams,
                         dealing,
                         addresses->pitches_bytes(),
                         steady_loops_left_out,
                         options.atomics};
  const std::uint64_t l1_bytes =
      l1_data_bytes(memory, machine.limits, dealing.groups_per_sm, options.shared_bytes_per_group);
  // A group that uses shared memory meets at barriers.
  const Drift drift = !memory.groups_drift()               ? Drift::none
                      : options.shared_bytes_per_group > 0 ? Drift::groups
                                                           : Drift::warps;
  const L1Result l1 = run_l1(input, l1_bytes, drift);
  L2Options l2_options;
  l2_options.warm = options.cache == ProfileOptions::CacheState::warm;
  l2_options.others_dirty = options.cache == ProfileOptions::CacheState::dirty ? memory.l2_dirty_share : 0;
  l2_options.max_simulated_accesses =
      options.shortcuts.takes(line_sampling) ? options.max_l2_accesses : UINT64_MAX;
  if (!options.shortcuts.takes(l2_waves))
    l2_options.exact_accesses = UINT64_MAX;
  l2_options.long_wave_accesses = options.long_wave_accesses;
  const L2Result l2 = run_l2(input, l1, l2_options);

  facts::MemoryProfile out;
  out.gpu = machine.name;
  out.sector_bytes = sector_bytes;
  fill_profile(input, sites, l1, l2, out);
  if (memory.dram_arrays_read_gbps > 0)
    out.like_arrays = arrays_at_like_offsets(trace, out.sites);
  if (rows_cost_more(out, memory))
    out.like_arrays = 0;
  add_notes(input, sites, l1, l2, l1_bytes, out.notes);
  return out;
}

} // namespace forewarp::memory
