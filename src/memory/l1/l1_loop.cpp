#include "memory/l1/l1_loop.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace forewarp::memory {
namespace {

using Stream = std::vector<StreamEvent>;

bool is_look_up(const StreamEvent& event) {
  return event.route == Route::l1 || event.route == Route::constant || event.route == Route::l2;
}

bool same_addresses(const StreamEvent& a, const StreamEvent& b) {
  return a.request == b.request && a.base == b.base && a.translation == b.translation && a.route == b.route &&
         a.lowest == b.lowest && !a.unknown;
}

/// Of every warp's stream, each of the turns [turn, turn + turns) holds for the event and the one `back`
/// turns before it.
template <class Holds>
bool all_of(const StageInput& in, const std::vector<std::uint32_t>& samples, std::size_t turn,
            std::size_t turns, std::size_t back, Holds holds) {
  for (const std::uint32_t s : samples)
    for (const Stream& stream : in.streams[s].warps)
      for (std::size_t t = turn; t < turn + turns; ++t)
        if (!holds(stream[t - back], stream[t]))
          return false;
  return true;
}

} // namespace

std::optional<L1Loop> l1_loop(const StageInput& in, const std::vector<std::uint32_t>& samples,
                              L1Result& result, const L1Work& work) {
  // Look-ups of a window and windows, at least, if loops were all.
  constexpr double window_accesses = 60'000, windows = 8;
  if (!in.leaves_out_steady_loops || work.accesses < windows * window_accesses)
    return std::nullopt;
  std::vector<const Stream*> streams;
  for (const std::uint32_t s : samples)
    for (const Stream& stream : in.streams[s].warps)
      streams.push_back(&stream);
  if (streams.empty() || std::ranges::any_of(streams, &Stream::empty))
    return std::nullopt;
  const auto loop =
      steady_loop(streams, static_cast<std::size_t>(window_accesses / work.accesses * work.turns));
  if (!loop)
    return std::nullopt;
  return L1Loop(in, samples, result, *loop, work);
}

L1Loop::L1Loop(const StageInput& in, std::vector<std::uint32_t> samples, L1Result& result,
               const SteadyLoop& loop, const L1Work& work)
    : in_(in), samples_(std::move(samples)), result_(result), watch_(loop, work.cache_sectors, 1),
      by_age_(work.by_age) {}

std::size_t L1Loop::end_window(std::size_t turn, std::span<const std::uint64_t> asked,
                               std::span<const std::uint64_t> passed) {
  const SteadyLoop& loop = watch_.loop();
  const std::uint64_t passed_now = std::accumulate(passed.begin(), passed.end(), std::uint64_t{0});
  const bool all_hit = std::exchange(passed_before_, passed_now) == passed_now;
  if (all_hit && !no_circle_) {
    if (goes_in_a_circle(turn)) {
      repeat(turn, loop.end - turn, loop.window);
      no_circle_ = true;
      return loop.end - turn;
    }
    no_circle_ = true;
  }
  if (!by_age_)
    return 0;
  WaveSums sums;
  sums.sites.resize(asked.size());
  for (std::size_t s = 0; s < asked.size(); ++s) {
    sums.sites[s].asked = static_cast<double>(asked[s]);
    sums.sites[s].read = static_cast<double>(passed[s]);
  }
  sums.accesses = turn; // every line is looked up: no bursts
  const std::size_t turns = watch_.left_out(turn, std::move(sums)) * loop.window;
  if (turns == 0 || !same_requests(turn, turns))
    return 0;
  repeat(turn, turns, watch_.alike_windows() * loop.window);
  return turns;
}

bool L1Loop::goes_in_a_circle(std::size_t turn) const {
  const SteadyLoop& loop = watch_.loop();
  return all_of(in_, samples_, turn, loop.end - turn, loop.window,
                [](const StreamEvent& before, const StreamEvent& event) {
                  return same_addresses(before, event) && is_look_up(event);
                });
}

bool L1Loop::same_requests(std::size_t turn, std::size_t turns) const {
  return all_of(
      in_, samples_, turn, turns, watch_.loop().window,
      [](const StreamEvent& before, const StreamEvent& event) { return before.request == event.request; });
}

void L1Loop::repeat(std::size_t turn, std::size_t turns, std::size_t of) {
  const auto again = [](auto& values, std::size_t from, std::size_t to, std::size_t end) {
    for (std::size_t at = to; at < end; ++at) // a part that was written may be what is repeated next
      values[at] = values[at - (to - from)];
  };
  for (const std::uint32_t s : samples_) {
    L1Sample& out = result_.samples[s];
    for (const Stream& stream : in_.streams[s].warps) {
      const std::size_t from = stream[turn - of].first_block, to = stream[turn].first_block;
      const StreamEvent& last = stream[turn + turns - 1];
      const std::size_t end = last.first_block + last.request->blocks.size();
      again(out.passed, from, to, end);
      again(out.asked, from, to, end);
      again(out.mask, from, to, end);
    }
  }
}

} // namespace forewarp::memory
