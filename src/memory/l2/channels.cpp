#include "memory/l2/channels.h"

#include "support/counter_random.h"

#include <algorithm>
#include <cmath>

namespace forewarp::memory {
namespace {

/// Looked at: so many groups of the first wave, and events of each of their warps.
constexpr std::uint64_t most_groups = 32;
constexpr std::size_t most_events = 16;
/// Blocks of a request that counts as scattered.
constexpr std::size_t least_blocks = 16;

class ChannelLook {
public:
  explicit ChannelLook(const StageInput& in)
      : in_(in), counts_(in.memory.l2_channels), sums_(in.translator.irregular_sites().size()) {}

  /// Of `events` events of each warp the one of this place: what the groups ask at one time.
  void take(std::size_t place, std::size_t events) {
    std::ranges::fill(counts_, 0);
    blocks_ = 0;
    asked_.clear();
    const std::uint64_t wave = in_.dealing.size_of_wave(0), groups = std::min(most_groups, wave);
    for (std::uint64_t i = 0; i < groups; ++i)
      add_group(groups == wave ? i : counter_random(i, wave) % wave, place, events);
    if (blocks_ < 2)
      return;
    double pairs = 0; // of blocks in one channel: of random ones a share of 1 / n, however few they are
    for (const double count : counts_)
      pairs += count * (count - 1);
    const auto channels = static_cast<double>(counts_.size());
    const double used = std::clamp(blocks_ * (blocks_ - 1) / std::max(1.0, pairs), 1.0, channels);
    for (const auto& [site, blocks] : asked_) {
      sums_[site].blocks += blocks;
      sums_[site].time += blocks * std::sqrt(channels / used);
    }
  }

  std::vector<double> crowding() const {
    std::vector<double> out;
    out.reserve(sums_.size());
    for (const Sum& sum : sums_)
      out.push_back(sum.blocks > 0 ? sum.time / sum.blocks : 1);
    return out;
  }

private:
  void add_group(std::uint64_t group, std::size_t place, std::size_t events) {
    const std::uint32_t sample = in_.translator.representative(group);
    const auto& warps = in_.streams[sample].warps;
    for (std::uint32_t w = 0; w < warps.size(); ++w)
      if (const std::size_t e = warps[w].size() * place / events; e < warps[w].size())
        add_request(group, sample, w, warps[w][e]);
  }

  void add_request(std::uint64_t group, std::uint32_t sample, std::uint32_t warp, const StreamEvent& event) {
    if (event.route == Route::store || event.local || event.unknown || event.translation == nullptr ||
        event.request->blocks.size() < least_blocks)
      return;
    const std::int64_t moved = in_.translator.delta(sample, *event.translation, event, group);
    const PlacedRequest placed = place(in_, sample, warp, event, moved);
    for (const BlockAccess& access : placed.request->blocks) {
      const auto address = static_cast<std::uint64_t>(placed.block + access.block) * block_bytes;
      counts_[address / in_.memory.l2_channel_bytes % counts_.size()] += 1;
    }
    const auto blocks = static_cast<double>(placed.request->blocks.size());
    blocks_ += blocks;
    asked_.emplace_back(event.site, blocks);
  }

  const StageInput& in_;
  std::vector<double> counts_; ///< [channel] blocks, of one place
  double blocks_ = 0;
  std::vector<std::pair<std::uint32_t, double>> asked_; ///< site and blocks of its requests
  struct Sum {
    double blocks = 0, time = 0;
  };
  std::vector<Sum> sums_;
};

} // namespace

std::vector<double> channel_crowding(const StageInput& in) {
  const std::size_t sites = in.translator.irregular_sites().size();
  if (in.memory.l2_channels < 2 || in.memory.l2_channel_bytes == 0)
    return std::vector<double>(sites, 1.0);
  ChannelLook look(in);
  for (std::size_t place = 0; place < most_events; ++place)
    look.take(place, most_events);
  return look.crowding();
}

} // namespace forewarp::memory
