#include "simt/exec/loop_replay.h"

#include <algorithm>
#include <bit>

namespace forewarp::simt {
namespace {

using Pattern = facts::MemoryEvent::Pattern;

constexpr std::uint64_t run_at_the_end = 2, least_replay = 2;

std::int64_t sign_extended(std::uint64_t value, unsigned width) {
  return width == 64 ? static_cast<std::int64_t>(value)
                     : static_cast<std::int64_t>(static_cast<std::int32_t>(value));
}

/// Further iterations of a lane whose `moving` is `now` and grows by `step`; 0 where that cannot be said.
std::uint64_t lane_iterations_left(const LoopReplay& replay, std::uint64_t now, std::uint64_t bound,
                                   std::int64_t step) {
  using Wide = __int128;
  const auto value = [&](std::uint64_t bits) {
    if (replay.is_signed || replay.stay == LoopReplay::Stay::unequal)
      return static_cast<Wide>(sign_extended(bits, replay.width));
    return static_cast<Wide>(bits);
  };
  Wide distance = value(bound) - value(now), by = step;
  using Stay = LoopReplay::Stay;
  if (replay.stay == Stay::above || replay.stay == Stay::above_or_equal) {
    distance = -distance;
    by = -by;
  } else if (replay.stay == Stay::unequal && by < 0) {
    distance = -distance;
    by = -by;
  }
  if (by <= 0 || distance <= 0)
    return 0;
  switch (replay.stay) {
  case Stay::below:
  case Stay::above:
    return static_cast<std::uint64_t>((distance - 1) / by);
  case Stay::below_or_equal:
  case Stay::above_or_equal:
    return static_cast<std::uint64_t>(distance / by);
  case Stay::unequal:
    return distance % by == 0 ? static_cast<std::uint64_t>(distance / by - 1) : 0;
  case Stay::never_known:
    break;
  }
  return 0;
}

bool same_shape(const facts::MemoryEvent& a, const facts::MemoryEvent& b,
                const std::vector<std::int64_t>& offsets, unsigned lanes) {
  if (a.site != b.site || a.space != b.space || a.pattern != b.pattern || a.active != b.active ||
      a.pattern == Pattern::unknown)
    return false;
  if (a.pattern == Pattern::explicit_offsets)
    return std::equal(offsets.begin() + a.first_offset, offsets.begin() + a.first_offset + lanes,
                      offsets.begin() + b.first_offset);
  return a.stride == b.stride && a.row_stride == b.row_stride && a.row_lanes == b.row_lanes;
}

bool same_step(const facts::BlockStep& a, const facts::BlockStep& b) {
  return a.block == b.block && a.previous_block == b.previous_block && a.active == b.active;
}

} // namespace

LoopWatch::Mark LoopReplayer::mark() const {
  const facts::WarpTrace& trace = state_.warp->trace;
  return {
      trace.steps.size(), trace.events.size(),   trace.ir_instructions, state_.warp->recorded_instructions,
      state_.warp->clock, state_.warp->barriers, state_.guesses};
}

void LoopReplayer::watch(const Path& path, std::uint32_t loop) {
  const LoopReplay& replayable = state_.program.replays[loop];
  if (replayable.stay == LoopReplay::Stay::never_known || !state_.options.replay_loops ||
      state_.options.whole_grid)
    return;
  LoopWatch& watch = state_.warp->watches[loop];
  const std::uint64_t done = state_.warp->loop_iterations[loop];
  if (done == 1) {
    watch.iterations = 0;
    watch.active = path.active;
    watch.depth = state_.warp->paths.size();
    watch.checked_at = 0;
  }
  if (watch.checked_at == done)
    return check_replay(watch);
  if (done > 3 || done != watch.iterations + 1 || watch.active != path.active ||
      watch.depth != state_.warp->paths.size())
    return;
  watch.iterations = done;
  watch.marks[done - 1] = mark();
  if (done == 2)
    save_values(replayable, watch);
  else if (done == 3)
    replay(loop, replayable, watch);
}

void LoopReplayer::save_values(const LoopReplay& replay, LoopWatch& watch) const {
  watch.values.clear();
  const LaneType type = replay.width == 64 ? LaneType::quad : LaneType::word;
  for (unsigned l = 0; l < state_.lanes(); ++l)
    watch.values.push_back(state_.lane_bits(replay.moving, type, l));
  for (const LoopReplay::Induction& induction : replay.inductions)
    for (unsigned l = 0; l < state_.lanes(); ++l)
      watch.values.push_back(state_.lane_bits(induction.slot, induction.type, l));
}

/// Two iterations, [a, b) and [b, end), ran the same and their events differ by a distance: `distances_`.
bool LoopReplayer::repeats(const LoopWatch::Mark& a, const LoopWatch::Mark& b, const LoopWatch::Mark& end) {
  const facts::WarpTrace& trace = state_.warp->trace;
  const std::size_t steps = end.steps - b.steps, events = end.events - b.events;
  if (b.steps - a.steps != steps || b.events - a.events != events ||
      b.ir_instructions - a.ir_instructions != end.ir_instructions - b.ir_instructions ||
      b.barriers - a.barriers != end.barriers - b.barriers || a.guesses != end.guesses)
    return false;
  for (std::size_t s = 0; s < steps; ++s)
    if (!same_step(trace.steps[a.steps + s], trace.steps[b.steps + s]))
      return false;
  distances_.resize(events);
  for (std::size_t e = 0; e < events; ++e) {
    const facts::MemoryEvent &before = trace.events[a.events + e], &now = trace.events[b.events + e];
    if (!same_shape(before, now, trace.offsets, state_.lanes()))
      return false;
    distances_[e] = static_cast<std::int64_t>(now.base - before.base);
  }
  return true;
}

/// How often the loop is still repeated, by the lane that leaves first.
std::uint64_t LoopReplayer::iterations_left(const LoopReplay& replay, const LoopWatch& watch) const {
  const bool one = replay.moving_uniform && replay.bound_uniform;
  const std::uint64_t asked = one ? 1 : watch.active;
  const auto is_known = [&](std::int32_t slot, bool uniform) {
    const std::uint64_t wanted = uniform ? 1 : watch.active;
    return (state_.known(slot) & wanted) == wanted;
  };
  if (!is_known(replay.moving, replay.moving_uniform) || !is_known(replay.bound, replay.bound_uniform))
    return 0;
  for (const LoopReplay::Induction& induction : replay.inductions)
    if (!is_known(induction.slot, induction.uniform))
      return 0;
  const LaneType type = replay.width == 64 ? LaneType::quad : LaneType::word;
  std::uint64_t least = UINT64_MAX;
  for (std::uint64_t rest = asked; rest != 0 && least > 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const unsigned moving_lane = replay.moving_uniform ? 0 : lane;
    const std::uint64_t now = state_.lane_bits(replay.moving, type, moving_lane);
    const std::int64_t step = sign_extended(now - watch.values[moving_lane], replay.width);
    least = std::min(
        least, lane_iterations_left(
                   replay, now, state_.lane_bits(replay.bound, type, replay.bound_uniform ? 0 : lane), step));
  }
  return least;
}

void LoopReplayer::replay(std::uint32_t loop, const LoopReplay& replay, LoopWatch& watch) {
  const std::uint64_t left = iterations_left(replay, watch);
  // The iteration that starts now and `left` more: all but the last ones are written.
  if (left + 1 < run_at_the_end + least_replay)
    return;
  const auto& [first, second, third] = watch.marks;
  if (!repeats(first, second, third))
    return;
  const std::uint64_t count = left + 1 - run_at_the_end;
  const std::uint64_t instructions = third.ir_instructions - second.ir_instructions;
  const std::uint32_t location = state_.program.blocks[replay.latch].terminator.location;
  if (!state_.charge(count * (instructions + third.steps - second.steps), location))
    return;
  if (state_.warp->recording && write_iterations(watch, count) < count)
    record_.end(location);
  state_.warp->trace.ir_instructions += count * instructions;
  state_.warp->clock += count * (third.clock - second.clock);
  state_.warp->replayed_barriers += count * (third.barriers - second.barriers);
  std::size_t at = state_.lanes();
  for (const LoopReplay::Induction& induction : replay.inductions)
    for (unsigned l = 0; l < state_.lanes(); ++l, ++at) {
      if (!induction.uniform && (watch.active >> l & 1) == 0)
        continue;
      const std::uint64_t now = state_.lane_bits(induction.slot, induction.type, l);
      state_.set_lane_bits(induction.slot, induction.type, l, now + count * (now - watch.values[at]));
    }
  state_.warp->loop_iterations[loop] += static_cast<std::uint32_t>(count);
  watch.checked_at = state_.warp->loop_iterations[loop] + 1;
  watch.after_replay = mark();
  replayed_ = true;
}

/// Returns how many there was room for.
std::uint64_t LoopReplayer::write_iterations(const LoopWatch& watch, std::uint64_t wanted) {
  facts::WarpTrace& trace = state_.warp->trace;
  const auto& [first, second, third] = watch.marks;
  const std::size_t steps = third.steps - second.steps, events = third.events - second.events;
  const std::uint64_t bytes = steps * sizeof(facts::BlockStep) + events * sizeof(facts::MemoryEvent);
  const std::uint64_t taken = record_.budgeted_bytes();
  const std::uint64_t count =
      std::min(wanted, (record_.most_bytes() - std::min(taken, record_.most_bytes())) / bytes);
  state_.warp->recorded_instructions += count * (third.recorded - second.recorded);
  state_.budget.trace_bytes += count * bytes;
  std::size_t step = trace.steps.size(), event = trace.events.size();
  trace.steps.resize(step + count * steps);
  trace.events.resize(event + count * events);
  for (const std::size_t end = trace.steps.size(); step < end; ++step) {
    trace.steps[step] = trace.steps[step - steps];
    trace.steps[step].first_event += static_cast<std::uint32_t>(events);
  }
  for (std::uint64_t k = 0; k < count; ++k)
    for (std::size_t e = 0; e < events; ++e, ++event) {
      trace.events[event] = trace.events[event - events];
      trace.events[event].base += static_cast<std::uint64_t>(distances_[e]);
    }
  return count;
}

/// Whether the event lies as far behind its like one iteration before as that behind the one before it.
bool LoopReplayer::moved_as_before(std::size_t event, std::size_t per_iteration) const {
  const std::vector<facts::MemoryEvent>& events = state_.warp->trace.events;
  const facts::MemoryEvent &now = events[event], &before = events[event - per_iteration],
                           &first = events[event - 2 * per_iteration];
  return same_shape(now, before, state_.warp->trace.offsets, state_.lanes()) &&
         now.base - before.base == before.base - first.base;
}

void LoopReplayer::check_replay(LoopWatch& watch) {
  const auto& [first, second, third] = watch.marks;
  const std::size_t steps = third.steps - second.steps, events = third.events - second.events;
  const std::vector<facts::BlockStep>& all = state_.warp->trace.steps;
  watch.checked_at = 0;
  if (!state_.warp->recording)
    return;
  bool right = all.size() - watch.after_replay.steps == steps &&
               state_.warp->trace.events.size() - watch.after_replay.events == events;
  for (std::size_t s = watch.after_replay.steps; right && s < all.size(); ++s)
    right = same_step(all[s], all[s - steps]);
  for (std::size_t e = watch.after_replay.events; right && e < state_.warp->trace.events.size(); ++e)
    right = moved_as_before(e, events);
  failed_ = failed_ || !right;
}

} // namespace forewarp::simt
