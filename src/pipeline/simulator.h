// The pipeline simulator: warps of one SM issue instructions into subsystems (Lemeire et al., Pipeline model,
// section 3). One engine for the Pipeline model (dependence graphs from a facts file) and for the default
// predictor (machine operations with memory servers). Event-driven: idle cycles cost nothing.
//
// Rules: an instruction may issue when its sources are ready, its warp's previous instruction has issued (in
// order; a branch holds the next one back), its scheduler has an issue slot and its subsystem instance is
// free. It holds the subsystem for `lambda` cycles; its result is ready `latency` cycles after issue, later
// when a downstream server (L2 share, DRAM share) is backed up. A `queued` instruction does not wait for its
// subsystem: it holds it, and its latency begins, when those before it are done.
//
// Servers are FIFO and never block issue by themselves. An instruction issued at t arrives at its first
// server at t and at the next one when the one before has served it. With w the sum of its waiting times and
// e the end of its last service, its result is ready at max(t + latency + w, e): unloaded servers change
// nothing but very long transfers. Behind a server that cannot give what it has at once whatever else it does
// (DRAM gathers what lies in one row, and writes) a result may also be later by `busy_wait_cycles` times the
// part of the last thousand cycles or so in which the server was busy. Service is booked in issue order (an
// access that skips a server queues behind earlier ones that do not).
//
// Groups start in launch order as slots become free. A new warp goes to the scheduler with the fewest
// resident warps, lowest index first. Not modelled: warps out of order; instruction
// cache misses and register bank conflicts but for real machine code.
//
// An instruction of real machine code (`counted`) has no registers: its sources and destinations are counters
// of its warp. A source is ready when every instruction that counts in it so far has its result (the spared
// one: but its last ones); fixed latencies are in `hold_cycles` (the stall count). Its fetch and the ports of
// the register file are modelled, which those of other programs are not.
#pragma once

#include "pipeline/events.h"
#include "support/result.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace forewarp::pipeline {

inline constexpr int max_servers = 4;
inline constexpr std::uint32_t no_register = UINT32_MAX;
inline constexpr std::uint32_t no_meeting = UINT32_MAX;
inline constexpr std::uint8_t no_read_counter = 255;
inline constexpr unsigned max_queues = 8; ///< of a warp
inline constexpr unsigned most_spared = 7, most_counters = 8;

struct Instruction {
  /// `wait`: may issue once all have arrived at `meeting`. `late`: does not wait for its sources, but its
  /// result does.
  enum class Kind : std::uint8_t { normal, barrier, wait, late } kind = Kind::normal;
  std::uint8_t source_count = 0;
  bool memory = false;  ///< waiting for its result is a memory dependence (implied by server_cycles)
  bool posted = false;  ///< a group does not wait for it to end (stores); counts in Outcome::cycles
  bool counted = false; ///< registers are counters
  bool queued = false;  ///< its subsystem takes it in its turn, and the warp goes on at once
  std::uint16_t subsystem = 0;
  std::int16_t second_subsystem =
      -1; ///< alternative; the one that is free first is taken, the first on a tie
  std::array<std::uint32_t, 6> sources{}; ///< registers that must be ready
  std::uint32_t destination = no_register;
  float lambda_cycles = 1;  ///< subsystem occupied; may be below one cycle
  float latency_cycles = 1; ///< issue to result, unloaded
  float hold_cycles = 0;    ///< the warp's next instruction issues so many cycles later at the earliest
  std::array<float, max_servers>
      server_cycles{};        ///< occupation of each downstream server, in order; 0: not used
  float busy_wait_cycles = 0; ///< beside the queue, where the last server that it uses is always busy
  std::uint8_t awaited_servers = max_servers; ///< the first ones: the result does not wait for the others
  // Of counted instructions only.
  std::uint8_t read_counter = no_read_counter;   ///< register that counts until the sources were read
  std::uint8_t read_cycles = 0;                  ///< from issue until then
  std::uint8_t spared_counter = no_read_counter; ///< register that may have `spared` under way
  std::uint8_t spared = 0;
  std::uint8_t queue = 0; ///< results of one queue of a warp come in the order of issue; 0: in any order
  std::array<std::uint8_t, 2> bank_reads{}; ///< cycles that it takes each bank of the register file
  std::uint16_t code_line = 0;              ///< line of the instruction cache
  std::uint32_t tag = 0; ///< handed to listeners (source line, op class: the caller's business)
  /// Of kind `wait`: what it waits for. Of others: where it arrives when its result is ready.
  std::uint32_t meeting = no_meeting;
};

/// Instructions of one warp, produced on demand.
class WarpStream {
public:
  virtual ~WarpStream() = default;
  /// False at the end. Instructions come in program order.
  virtual bool next(Instruction& out) = 0;
  /// Writes up to `count` instructions to `out`, returns how many; 0: the end. Implement it where speed
  /// matters.
  virtual std::size_t fill(Instruction* out, std::size_t count) {
    std::size_t made = 0;
    while (made < count && (out[made] = Instruction{}, next(out[made])))
      ++made;
    return made;
  }
  /// Number of registers used.
  virtual std::uint32_t register_count() const = 0;
};

struct GroupStreams {
  std::vector<std::unique_ptr<WarpStream>> warps;
  /// [meeting] how many instructions of the warps arrive there; a meeting beyond has none and is over.
  std::vector<std::uint32_t> arrivals;
};

/// Hands out groups as slots become free (continuous refill), in launch order.
class GroupSource {
public:
  virtual ~GroupSource() = default;
  /// Null: no more groups.
  virtual std::unique_ptr<GroupStreams> next() = 0;
};

enum class SchedulerPolicy { round_robin, greedy_then_oldest, oldest_first, two_level };

struct Subsystem {
  std::string name;
  bool per_scheduler = false;
};

/// One for each scheduler. A line that is asked for brings the next ones along, one a cycle; the lines used
/// least lately make room. The first lines are there from the start.
struct InstructionCache {
  unsigned lines = 0;       ///< 0: every fetch hits
  double miss_cycles = 0;   ///< from the level behind
  unsigned lines_ahead = 0; ///< fetched with a line
};

struct Configuration {
  std::vector<Subsystem> subsystems;
  std::vector<std::string> servers; ///< downstream, at most max_servers
  unsigned schedulers = 1;          ///< warp w belongs to scheduler w % schedulers
  /// Issue slots; 0: no issue limit (P's example). Above 1 a scheduler picks one warp a cycle and issues up
  /// to that many of its consecutive instructions together (dual issue); n together take max(1, n / this)
  /// cycles.
  double issue_per_cycle_per_scheduler = 1;
  double issue_limit_per_sm = 0; ///< overall; 0: none
  /// > 0: the slots of a cycle go to different warps (AMD: one each to the vector, scalar, memory, LDS and
  /// branch unit), and a warp issues once in so many cycles.
  double warp_issue_distance_cycles = 0;
  SchedulerPolicy policy = SchedulerPolicy::greedy_then_oldest;
  unsigned concurrent_groups = 1;
  double barrier_latency_cycles = 0;
  unsigned two_level_active_warps = 8; ///< per scheduler, policy two_level
  /// An instruction that uses server s issues only while the server's backlog is at most this; 0: no bound.
  std::array<double, max_servers> server_backlog_cycles{};
  unsigned max_outstanding_memory =
      0; ///< instructions with `memory` between issue and result, per SM; 0: no bound
  double group_launch_interval_cycles = 0; ///< least distance of two group starts
  double group_refill_cycles = 0;          ///< from a group's end to the start of the one in its slot
  InstructionCache instruction_cache;      ///< of counted instructions
  /// > 0: a warp gives its place back when it ends, not when its group does (AMD), and goes to the scheduler
  /// with the fewest that still run. A group starts when so many warps less its own run, and fewer than
  /// `most_groups` groups are there.
  unsigned most_running_warps = 0;
  unsigned most_groups = 0;     ///< used where most_running_warps is; at least concurrent_groups
  unsigned warps_per_group = 1; ///< likewise
  std::uint32_t tag_count = 0;  ///< > 0: Outcome::tag_* are filled for tags below this
  double max_cycles = 0; ///< stop early (steady state reached is the caller's judgement); 0: run to the end
};

struct Outcome {
  double cycles = 0; ///< last result ready
  double instructions = 0;
  double instructions_at_first_finish = 0;                     ///< issued when the first group ended
  std::vector<double> group_finish_cycles, group_start_cycles; ///< in launch order
  std::vector<double> subsystem_busy_cycles;                   ///< summed over instances
  std::vector<double> subsystem_instructions;
  std::vector<double> subsystem_stall_cycles; ///< warp-cycles that ready instructions waited for it
  std::vector<unsigned> subsystem_instances;
  std::vector<double> server_busy_cycles;
  std::vector<double> server_wait_cycles; ///< summed over instructions: time spent queueing before the server
  std::vector<double> tag_stall_cycles,
      tag_issue_cycles;                                 ///< warp-cycles waited by, issue slots used by, a tag
  std::array<double, stall_cause_count> stall_cycles{}; ///< warp-cycles by cause
  double issue_slots_used = 0;
  double warp_resident_cycles = 0; ///< integral of resident warps
  bool finished = true;            ///< false: max_cycles reached
  double unmet_waits = 0; ///< warps that waited for an arrival that no stream holds, and went on all the same
};

/// `listener` may be null. A warp that has ended no longer counts at barriers. Waits that nothing is left to
/// end are given up (Outcome::unmet_waits): parts of traces may lack an arrival. Errors: bad_input (subsystem
/// or register out of range, negative or non-finite time), unsupported (more than 64 resident warps a
/// scheduler, more than 64 subsystems).
Result<Outcome> simulate(const Configuration& configuration, GroupSource& groups,
                         Listener* listener = nullptr);

} // namespace forewarp::pipeline
