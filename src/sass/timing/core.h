// One sub-core that issues machine code by its control words (Huerta, Shoushtary, Cruz, González, "Dissecting
// and Modeling the Architecture of Modern GPU Cores", MICRO 2025, sections 4 and 5): one instruction a cycle,
// in program order in a warp; the next one not before the stall count has passed and the counters of the wait
// mask are zero; the warp that issued last goes on if it can, else the youngest that can. Which rules are
// published and which are readings: docs/models/machine_code/sass.md.
//
// Not modelled: the constant cache of the issue stage (its operands hit), write-back conflicts, branches'
// divergence (a warp's path is given), bandwidth beyond L1.
#pragma once

#include "gpu/machine.h"
#include "sass/timing/pipes.h"

#include <array>
#include <vector>

namespace forewarp::sass {

/// Why a warp's next instruction did not issue in a cycle.
enum class Wait : std::uint8_t {
  stall_count,       ///< the one before says so (a fixed latency, or the distance to its own result's use)
  scoreboard,        ///< a counter of the wait mask is not zero
  pipe,              ///< the pipe's input is taken
  memory_queue,      ///< the sub-core's queue of memory instructions is full
  instruction_cache, ///< not fetched yet
  other_warp,        ///< could issue; another warp did
};
inline constexpr std::size_t wait_count = 6;
std::string_view to_string(Wait wait);

/// What the sub-core is; cycles of the SM clock.
struct CoreRules {
  std::array<double, pipe_count> pipe_cycles = {}; ///< that an instruction takes a pipe's input
  double global_cycles = 0, shared_cycles = 0, constant_cycles = 0, special_cycles = 0, fp64_cycles = 0;
  double system_register_cycles = 0; ///< S2R: assumed as long as a special function
  unsigned instruction_line_bytes = 128;
  double instruction_miss_cycles = 78; ///< L0 miss, L1 hit: 39 there and 39 back
  unsigned prefetched_lines = 8;       ///< stream buffer
  unsigned memory_queue_entries = 5;   ///< four and the latch
  double memory_queue_lead_cycles = 11, memory_queue_interval_cycles = 4;
  bool cold_instruction_cache = true; ///< the first run of a line misses
};

/// Widths and latencies from the GPU's file; memory hits L1.
CoreRules core_rules(const gpu::Machine& machine);

/// Of one instruction of the kernel, over all warps and runs of it.
struct InstructionTime {
  std::uint64_t issues = 0;
  double first_issue_cycle = -1; ///< of warp 0; below 0: not run
  std::array<double, wait_count> wait_cycles = {};
  std::uint8_t waited_for = 0; ///< mask of counters that were not zero when it had to wait
  std::int32_t producer = -1;  ///< index of the instruction whose counter was waited for longest; -1: none
};

struct CoreOutcome {
  double cycles = 0; ///< until the last warp's last instruction has issued and all results are there
  std::uint64_t issued = 0;
  std::vector<InstructionTime> instructions; ///< by index in the kernel
};

/// Indices of the instructions that a warp runs, in order.
using WarpPath = std::vector<std::uint32_t>;

/// All warps of `paths` live on the sub-core from cycle 0; BAR waits for the others of the list. Errors:
/// bad_input (an index outside the kernel), budget (more than `max_issues` instructions).
Result<CoreOutcome> run_core(const Kernel& kernel, const std::vector<WarpPath>& paths, const CoreRules& rules,
                             std::uint64_t max_issues = 20'000'000);

/// Every instruction once, in the order of addresses: what the listing shows.
WarpPath straight_path(const Kernel& kernel);

} // namespace forewarp::sass
