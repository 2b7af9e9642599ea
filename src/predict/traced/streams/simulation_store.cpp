#include "predict/traced/streams/simulation_store.h"

#include "predict/traced/streams/simulated_inputs.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <bit>

namespace forewarp::predict::hybrid {
namespace {

class Bytes {
public:
  template <class Value> void add(const Value& value) {
    static_assert(std::has_unique_object_representations_v<Value> || std::is_floating_point_v<Value>);
    const auto* data = reinterpret_cast<const std::uint8_t*>(&value);
    bytes_.insert(bytes_.end(), data, data + sizeof value);
  }
  SimulationKey digest() const {
    const XXH128_hash_t hash = XXH3_128bits(bytes_.data(), bytes_.size());
    return {hash.low64, hash.high64};
  }
  void clear() { bytes_.clear(); }

private:
  std::vector<std::uint8_t> bytes_;
};

void add_step(Bytes& bytes, const facts::WarpTrace& warp, std::size_t s,
              const std::vector<facts::AccessOutcome>& outcomes) {
  const facts::BlockStep& step = warp.steps[s];
  bytes.add(std::array{step.block, step.previous_block});
  const std::size_t end = s + 1 < warp.steps.size() ? warp.steps[s + 1].first_event : warp.events.size();
  for (std::size_t e = step.first_event; e < end; ++e) {
    const facts::AccessOutcome outcome = as_simulated(outcomes[e]);
    const auto bits = [](float value) { return std::bit_cast<std::uint32_t>(value); };
    bytes.add(std::array{(static_cast<std::uint32_t>(warp.events[e].space) << 8) +
                             static_cast<std::uint32_t>(std::popcount(warp.events[e].active)) +
                             (static_cast<std::uint32_t>(warp.events[e].places - 1U) << 16U) +
                             (static_cast<std::uint32_t>(warp.events[e].width_bytes) << 24U),
                         bits(outcome.transactions), bits(outcome.sectors), bits(outcome.l2_sectors),
                         bits(outcome.dram_sectors), bits(outcome.dram_extra_sectors),
                         bits(outcome.l2_far_sectors), bits(outcome.l3_sectors), bits(outcome.lines),
                         bits(outcome.dram_wait)});
    if (warp.events[e].pattern != facts::MemoryEvent::Pattern::explicit_offsets &&
        warp.events[e].first_offset != 0) // it names a meeting
      bytes.add(warp.events[e].first_offset);
  }
}

void add_group(Bytes& bytes, const SimulationInputs& inputs, std::uint32_t sample) {
  const std::vector<facts::WarpTrace>& warps = inputs.trace.groups[sample].warps;
  bytes.add(warps.size());
  for (std::size_t w = 0; w < warps.size(); ++w) {
    std::span<const TraceCut> cuts;
    if (inputs.cuts != nullptr)
      cuts = (*inputs.cuts)[sample][w];
    std::size_t held = warps[w].steps.size();
    for (const TraceCut& cut : cuts)
      held -= cut.to - cut.from;
    bytes.add(held);
    for (std::size_t s = 0; s < warps[w].steps.size();)
      if (!cuts.empty() && s == cuts.front().from) {
        s = cuts.front().to;
        cuts = cuts.subspan(1);
      } else {
        add_step(bytes, warps[w], s++, inputs.memory.outcomes[sample][w]);
      }
  }
}

} // namespace

std::shared_ptr<const pipeline::Outcome> SimulationStore::find(const SimulationKey& key) {
  const std::lock_guard guard(mutex_);
  const auto found = index_.find(key);
  if (found == index_.end()) {
    ++misses_;
    return nullptr;
  }
  ++hits_;
  entries_.splice(entries_.begin(), entries_, found->second);
  return entries_.front().outcome;
}

void SimulationStore::keep(const SimulationKey& key, std::shared_ptr<const pipeline::Outcome> outcome) {
  const std::lock_guard guard(mutex_);
  if (index_.contains(key))
    return; // another thread was as far
  entries_.push_front({key, std::move(outcome)});
  index_[key] = entries_.begin();
  if (entries_.size() <= capacity_)
    return;
  index_.erase(entries_.back().key);
  entries_.pop_back();
}

std::size_t SimulationStore::hits() const {
  const std::lock_guard guard(mutex_);
  return hits_;
}

std::size_t SimulationStore::misses() const {
  const std::lock_guard guard(mutex_);
  return misses_;
}

SimulationKey key_of(const SimulationKey& program, const SimulationInputs& inputs) {
  Bytes all, group;
  all.add(program);
  all.add(inputs.configuration.concurrent_groups);
  all.add(inputs.configuration.group_launch_interval_cycles);
  all.add(inputs.configuration.group_refill_cycles);
  all.add(inputs.configuration.most_running_warps);
  all.add(inputs.configuration.most_groups);
  all.add(inputs.configuration.warps_per_group);
  all.add(inputs.shares.port_bytes_per_cycle);
  all.add(inputs.shares.l2_bytes_per_cycle);
  all.add(inputs.shares.dram_read_bytes_per_cycle);
  all.add(inputs.shares.dram_write_bytes_per_cycle);
  all.add(inputs.shares.l3_bytes_per_cycle);
  all.add(inputs.sharing.warps_per_sm);
  all.add(inputs.sharing.lanes_per_warp);
  all.add(inputs.sharing.l1_bytes);
  all.add(inputs.memory.sector_bytes);
  std::map<std::uint32_t, SimulationKey> of_sample;
  for (const std::uint32_t sample : inputs.dealt) {
    const auto [at, is_new] = of_sample.try_emplace(sample);
    if (is_new) {
      group.clear();
      add_group(group, inputs, sample);
      at->second = group.digest();
    }
    all.add(at->second);
  }
  return all.digest();
}

} // namespace forewarp::predict::hybrid
