#include "memory/waves/wave_order.h"

#include <algorithm>
#include <memory_resource>

namespace forewarp::memory {
namespace {

/// Indices of the events that begin another run of a basic block than the event before; where an SM's groups
/// take turns runs make no difference, and the whole stream is one.
std::vector<std::size_t> starts_of_runs(const StageInput& in, std::uint32_t sample, std::size_t w) {
  const std::vector<StreamEvent>& events = in.streams[sample].warps[w];
  if (!in.memory.oldest_group_first)
    return {0};
  const std::vector<facts::BlockStep>& steps = in.trace.groups[sample].warps[w].steps;
  std::vector<std::size_t> starts;
  auto step = steps.begin();
  for (std::size_t e = 0; e < events.size(); ++e) {
    const auto previous = step;
    while (step != steps.end() && std::next(step) != steps.end() &&
           std::next(step)->first_event <= events[e].event)
      ++step;
    if (e == 0 || step != previous)
      starts.push_back(e);
  }
  return starts;
}

/// Accesses by run, all warps and groups together.
class RunSums {
public:
  void add(Cohort& cohort, const std::vector<std::size_t>& starts, const std::vector<StreamEvent>& events) {
    accesses_.resize(std::max(accesses_.size(), starts.size()));
    std::size_t run = 0;
    for (std::size_t e = 0; e < events.size(); ++e) {
      run += run + 1 < starts.size() && starts[run + 1] == e ? 1 : 0;
      const bool each = events[e].local || events[e].unknown || !events[e].translation->affine;
      accesses_[run] +=
          events[e].request->blocks.size() * (each ? cohort.size() : cohort.shifts(events[e]).all.size());
    }
  }
  WaveDemand demand() const {
    WaveDemand sum;
    for (const std::uint64_t accesses : accesses_) {
      sum.accesses += accesses;
      sum.longest_run = std::max(sum.longest_run, accesses);
    }
    return sum;
  }

private:
  std::vector<std::uint64_t> accesses_;
};

} // namespace

WaveDemand wave_demand(const StageInput& in, std::uint64_t wave) {
  const LineSampling all;
  std::pmr::monotonic_buffer_resource arena;
  RunSums runs;
  const GroupRange groups{in.dealing.first_of_wave(wave), in.dealing.size_of_wave(wave)};
  for (Cohort& c : cohorts_of(in, all, groups, arena)) {
    const SampleStream& stream = in.streams[c.sample()];
    for (std::size_t w = 0; w < stream.warps.size(); ++w)
      runs.add(c, starts_of_runs(in, c.sample(), w), stream.warps[w]);
  }
  return runs.demand();
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
      starts_[s].push_back(starts_of_runs(in, static_cast<std::uint32_t>(s), w));
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
