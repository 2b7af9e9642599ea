#include "memory/wave_order.h"

#include <algorithm>
#include <memory_resource>

namespace forewarp::memory {
namespace {

/// Indices of the events that begin another run of a basic block than the event before.
std::vector<std::size_t> starts_of_runs(const facts::WarpTrace& warp,
                                        const std::vector<StreamEvent>& events) {
  std::vector<std::size_t> starts;
  auto step = warp.steps.begin();
  for (std::size_t e = 0; e < events.size(); ++e) {
    const auto previous = step;
    while (step != warp.steps.end() && std::next(step) != warp.steps.end() &&
           std::next(step)->first_event <= events[e].event)
      ++step;
    if (e == 0 || step != previous)
      starts.push_back(e);
  }
  return starts;
}

} // namespace

WaveDemand wave_demand(const StageInput& in, std::uint64_t wave) {
  WaveDemand demand;
  const LineSampling all;
  std::pmr::monotonic_buffer_resource arena;
  std::vector<std::uint64_t> by_run;
  const GroupRange groups{in.dealing.first_of_wave(wave), in.dealing.size_of_wave(wave)};
  for (Cohort& c : cohorts_of(in, all, groups, arena)) {
    const SampleStream& stream = in.streams[c.sample()];
    for (std::size_t w = 0; w < stream.warps.size(); ++w) {
      const std::vector<std::size_t> starts =
          starts_of_runs(in.trace.groups[c.sample()].warps[w], stream.warps[w]);
      by_run.resize(std::max(by_run.size(), starts.size()));
      std::size_t run = 0;
      for (std::size_t e = 0; e < stream.warps[w].size(); ++e) {
        run += run + 1 < starts.size() && starts[run + 1] == e ? 1 : 0;
        const StreamEvent& event = stream.warps[w][e];
        const bool each = event.local || event.unknown || !event.translation->affine;
        by_run[run] += event.request->blocks.size() * (each ? c.size() : c.shifts(event).all.size());
      }
    }
  }
  for (const std::uint64_t accesses : by_run) {
    demand.accesses += accesses;
    demand.longest_run = std::max(demand.longest_run, accesses);
  }
  return demand;
}

WaveOrder::WaveOrder(const StageInput& in, const WaveDemand& demand, std::uint64_t l2_bytes)
    : in_(in), groups_per_batch_(in.dealing.per_wave()) {
  const std::uint64_t run_bytes = demand.longest_run * block_bytes;
  if (!in.memory.oldest_group_first || in.dealing.groups_per_sm < 2 || run_bytes <= l2_bytes / 2)
    return;
  // A quarter of L2 a batch: its own run then stays until the next batch has been.
  const std::uint64_t wanted = (run_bytes + l2_bytes / 4 - 1) / std::max<std::uint64_t>(1, l2_bytes / 4);
  const std::uint64_t per_sm = std::max<std::uint64_t>(1, in.dealing.groups_per_sm / wanted);
  groups_per_batch_ = per_sm * in.dealing.sms;
  starts_.resize(in.streams.size());
  for (std::size_t s = 0; s < in.streams.size(); ++s)
    for (std::size_t w = 0; w < in.streams[s].warps.size(); ++w) {
      starts_[s].push_back(starts_of_runs(in.trace.groups[s].warps[w], in.streams[s].warps[w]));
      runs_ = std::max(runs_, starts_[s].back().size());
    }
}

std::vector<GroupRange> WaveOrder::batches(std::uint64_t wave) const {
  std::vector<GroupRange> out;
  const std::uint64_t first = in_.dealing.first_of_wave(wave), end = first + in_.dealing.size_of_wave(wave);
  for (std::uint64_t g = first; g < end; g += groups_per_batch_)
    out.push_back({g, std::min(groups_per_batch_, end - g)});
  return out;
}

std::pair<std::size_t, std::size_t> WaveOrder::events(std::uint32_t sample, std::size_t warp,
                                                      std::size_t run) const {
  const std::size_t size = in_.streams[sample].warps[warp].size();
  if (starts_.empty())
    return {0, size};
  const std::vector<std::size_t>& starts = starts_[sample][warp];
  if (run >= starts.size())
    return {size, size};
  return {starts[run], run + 1 < starts.size() ? starts[run + 1] : size};
}

} // namespace forewarp::memory
