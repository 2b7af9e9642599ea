// Warps, groups and schedulers as the engine keeps them. A warp has a position in its scheduler: positions
// are the age order (0 oldest), so that sets of warps are bit masks; they close up when warps leave.
#pragma once

#include "pipeline/core/meetings.h"
#include "pipeline/core/scoreboard.h"

#include <algorithm>
#include <bit>
#include <limits>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace forewarp::pipeline {

inline constexpr double never = std::numeric_limits<double>::infinity();
inline constexpr unsigned max_positions = 64;
using WarpMask = std::uint64_t;

constexpr WarpMask bit_of(unsigned position) {
  return WarpMask{1} << position;
}
constexpr WarpMask without_position(WarpMask mask, unsigned position) {
  const WarpMask below = bit_of(position) - 1;
  return (mask & below) | ((mask >> 1) & ~below);
}

struct Warp {
  static constexpr std::size_t batch = 16;
  const Instruction *next = nullptr, *end = nullptr; ///< of what is buffered
  WarpStream* stream = nullptr;                      ///< owned by its group
  Scoreboard scoreboard;
  std::uint32_t group_slot = 0, index_in_group = 0;
  unsigned scheduler = 0, position = 0;
  bool at_barrier = false, ended = false;
  Scoreboard::Maker waits_for = Scoreboard::Maker::arithmetic; ///< what makes the head's last source
  double free_cycle = 0;       ///< end of its last issue slot: waiting counts from here
  double data_ready_cycle = 0; ///< of the head
  double barrier_until_cycle = 0;
  std::uint32_t fetched_line = no_register; ///< of the code, whose instructions it has
  double completion_cycle = 0;              ///< last result that its group waits for
  std::array<Instruction, batch> buffer;

  const Instruction& head() const { return *next; }
  void begin(WarpStream& its_stream, std::uint32_t slot, std::uint32_t index, double cycle) {
    stream = &its_stream;
    next = end = nullptr;
    scoreboard.reset(stream->register_count());
    fetched_line = no_register;
    group_slot = slot;
    index_in_group = index;
    at_barrier = ended = false;
    waits_for = Scoreboard::Maker::arithmetic;
    free_cycle = completion_cycle = cycle;
    data_ready_cycle = barrier_until_cycle = 0;
  }
};

/// Subsystems and registers that exist, times that are finite and not negative.
inline bool is_possible(const Instruction& instruction, std::size_t subsystems, std::uint32_t registers) {
  const auto exists = [&](std::uint32_t source) { return source < registers; };
  return instruction.subsystem < subsystems &&
         instruction.second_subsystem < static_cast<std::ptrdiff_t>(subsystems) &&
         instruction.lambda_cycles >= 0 && instruction.latency_cycles >= 0 &&
         instruction.lambda_cycles < never && instruction.latency_cycles < never &&
         instruction.source_count <= instruction.sources.size() &&
         (instruction.destination == no_register || exists(instruction.destination)) &&
         (instruction.read_counter == no_read_counter || exists(instruction.read_counter)) &&
         instruction.queue < max_queues &&
         std::all_of(instruction.sources.begin(), instruction.sources.begin() + instruction.source_count,
                     exists);
}

struct GroupSlot {
  std::uint32_t launch_index = 0;
  std::vector<Warp*> warps;
  std::unique_ptr<GroupStreams> streams;
  Meetings meetings;
  unsigned live = 0, arrived = 0;
  double barrier_cycle = 0, completion_cycle = 0;
};

/// Subsystems that a head can go to, beside its scheduler: a wake-up need not look at the warp.
struct HeadUnits {
  std::uint16_t subsystem = 0;
  std::int16_t second_subsystem = -1;
  bool queued = false;
};
inline HeadUnits units_of(const Instruction& head) {
  return {head.subsystem, head.second_subsystem, head.queued};
}
inline Scoreboard::Maker maker_of(const Instruction& instruction, bool uses_server) {
  if (instruction.memory || uses_server)
    return Scoreboard::Maker::memory;
  return instruction.queued ? Scoreboard::Maker::queue : Scoreboard::Maker::arithmetic;
}

inline constexpr unsigned wake_chunk = 8;
template <std::size_t count> constexpr std::array<double, count> no_wakes() {
  std::array<double, count> cycles{};
  for (double& cycle : cycles)
    cycle = never;
  return cycles;
}

/// Replaces cycles that are not after `now` by `never`. Bit per cycle replaced; `least` is the least that
/// stays. No branches: which warp wakes cannot be foreseen.
inline unsigned take_until(double* cycles, double now, double& least) {
  unsigned taken = 0;
#ifdef __SSE2__
  const __m128d limit = _mm_set1_pd(now), none = _mm_set1_pd(never);
  __m128d stay = none;
  for (unsigned i = 0; i < wake_chunk; i += 2) {
    const __m128d pair = _mm_loadu_pd(cycles + i), due = _mm_cmple_pd(pair, limit);
    const __m128d rest = _mm_or_pd(_mm_and_pd(due, none), _mm_andnot_pd(due, pair));
    taken |= static_cast<unsigned>(_mm_movemask_pd(due)) << i;
    _mm_storeu_pd(cycles + i, rest);
    stay = _mm_min_pd(stay, rest);
  }
  least = std::min(_mm_cvtsd_f64(stay), _mm_cvtsd_f64(_mm_unpackhi_pd(stay, stay)));
#else
  least = never;
  for (unsigned i = 0; i < wake_chunk; ++i) {
    const bool due = cycles[i] <= now;
    taken |= static_cast<unsigned>(due) << i;
    cycles[i] = due ? never : cycles[i];
    least = std::min(least, cycles[i]);
  }
#endif
  return taken;
}

/// [gate] ready heads that have to pass it: one gate a bounded server, and one for outstanding memory
/// operations (gates.h).
using GatedHeads = std::array<WarpMask, max_servers + 1>;

template <class Policy> struct Scheduler {
  unsigned index = 0;
  unsigned resident = 0;
  unsigned running = 0; ///< residents that have not ended
  std::array<Warp*, max_positions> warps{};
  std::array<double, max_positions> wake_cycle =
      no_wakes<max_positions>(); ///< head is data-ready from here; never: it is now, or there is none
  std::array<double, max_positions / wake_chunk> chunk_wake_cycle =
      no_wakes<max_positions / wake_chunk>();         ///< earliest of each stretch of positions
  std::array<HeadUnits, max_positions> waiting_for{}; ///< of warps with a wake_cycle
  double next_wake_cycle = never;
  std::uint64_t occupied = 0;  ///< bit per subsystem whose `ready` is not empty
  std::vector<WarpMask> ready; ///< [subsystem] heads that are data-ready
  WarpMask queued = 0;         ///< of these, heads that do not wait for their subsystem
  GatedHeads gated{};          ///< of these, heads that have to pass a gate
  double slot_free_cycle = 0;
  std::array<double, 2> bank_free_cycle{}; ///< ports of the register file
  Policy policy;

  void put_ready(unsigned subsystem, WarpMask bit) {
    ready[subsystem] |= bit;
    occupied |= std::uint64_t{1} << subsystem;
  }
  void put_ready(HeadUnits units, WarpMask bit) {
    put_ready(units.subsystem, bit);
    if (units.queued)
      queued |= bit;
    if (units.second_subsystem >= 0)
      put_ready(static_cast<unsigned>(units.second_subsystem), bit);
  }
  void take_ready(unsigned subsystem, WarpMask bit) {
    ready[subsystem] &= ~bit;
    if (ready[subsystem] == 0)
      occupied &= ~(std::uint64_t{1} << subsystem);
  }
  WarpMask all_ready() const {
    WarpMask all = 0;
    for (std::uint64_t rest = occupied; rest; rest &= rest - 1)
      all |= ready[static_cast<unsigned>(std::countr_zero(rest))];
    return all;
  }
  void wait_until(unsigned position, double cycle, HeadUnits units) {
    wake_cycle[position] = cycle;
    waiting_for[position] = units;
    double& chunk = chunk_wake_cycle[position / wake_chunk];
    chunk = std::min(chunk, cycle);
    next_wake_cycle = std::min(next_wake_cycle, cycle);
  }
  /// Warps of one stretch of positions that stop waiting at or before `now`.
  WarpMask wake_stretch(unsigned chunk, double now) {
    const unsigned awake = take_until(&wake_cycle[chunk * wake_chunk], now, chunk_wake_cycle[chunk]);
    return static_cast<WarpMask>(awake) << (chunk * wake_chunk);
  }
  void add(Warp& warp) {
    warp.scheduler = index;
    warp.position = resident++;
    warps[warp.position] = &warp;
    wake_cycle[warp.position] = never;
  }
  /// The warp has ended and is in no mask but keeps a position; the younger ones close up.
  void remove(const Warp& warp) {
    const unsigned gone = warp.position;
    for (unsigned position = gone + 1; position < resident; ++position) {
      warps[position - 1] = warps[position];
      warps[position - 1]->position = position - 1;
      wake_cycle[position - 1] = wake_cycle[position];
      waiting_for[position - 1] = waiting_for[position];
    }
    wake_cycle[--resident] = never;
    for (std::uint64_t rest = occupied; rest; rest &= rest - 1) {
      WarpMask& mask = ready[static_cast<unsigned>(std::countr_zero(rest))];
      mask = without_position(mask, gone);
    }
    queued = without_position(queued, gone);
    for (WarpMask& mask : gated)
      mask = without_position(mask, gone);
    for (unsigned chunk = gone / wake_chunk; chunk < chunk_wake_cycle.size(); ++chunk)
      wake_stretch(chunk, -1);
    policy.remove(gone);
  }
};

} // namespace forewarp::pipeline
