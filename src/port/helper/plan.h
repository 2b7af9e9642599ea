// What the recording side must know of a region; no compiler in it.
#pragma once

#include "facts/region_trace.h"
#include "port/features/record/counts.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace forewarp::port {

enum class RunKind : std::uint8_t {
  survey,   ///< dependences, objects, trip counts, extents
  detail,   ///< the events of the first blocks' threads
  timing,   ///< CPU time, nothing recorded
  features, ///< counts for dynamic features
};

struct BlockPlan {
  std::uint32_t first_site = 0, site_count = 0;
  std::uint32_t loop = facts::no_region_index;
  bool header = false;
  int level = -1; ///< innermost candidate loop that holds it; -1: a called function
};

struct SitePlan {
  bool store = false;
  std::uint32_t width_bytes = 4;
  std::string name;      ///< variable behind it
  std::string reduction; ///< accumulation that it is part of
  bool local = false;    ///< on the stack of the region's function or of a called one
};

/// An innermost loop that is recorded as a whole (static/affine_runs.h).
struct RunPlan {
  struct Block {
    std::uint32_t block = 0;
    int bit = -1; ///< of the path; -1: runs in every iteration
  };
  std::vector<Block> blocks; ///< in the order that they run in
  std::uint32_t site_count = 0;
  bool paths = false; ///< the way that each iteration takes is recorded; otherwise there is one
  /// Sites (positions among the run's) whose address each iteration leaves anew; only of runs of one way.
  std::vector<std::uint32_t> scattered = {};
};

/// Words of a recorded region that are no block's number (static/instrument.h).
inline constexpr std::uint64_t loop_entry_flag = 1ULL << 63, run_flag = 1ULL << 62;

/// Recorded ways through a loop, one word for so many equal iterations in a row.
inline constexpr unsigned path_bits = 20;
inline constexpr std::uint64_t path_mask = (1ULL << path_bits) - 1, one_iteration = 1ULL << path_bits;
/// Ends the words of a run; as a path it cannot be: RunPlan has less than path_bits bits.
inline constexpr std::uint64_t end_of_run = path_mask | one_iteration;

struct RegionPlan {
  std::vector<BlockPlan> blocks;
  std::vector<SitePlan> sites;
  std::vector<RunPlan> runs;
  std::vector<std::int64_t> loop_steps; ///< index = loop
  std::vector<bool> innermost;          ///< index = loop: holds no other
  unsigned candidates = 1;              ///< loops 0 .. candidates-1 are nested in each other

  bool quick_reads = true; ///< survey: objects that are only read for a while are taken as read only

  // detail only
  unsigned dimensions = 1;
  std::array<std::uint64_t, 3> block = {256, 1, 1}; ///< x first
  std::array<std::uint64_t, 3> extents = {1, 1, 1}; ///< outermost first
  std::uint64_t detail_blocks = 0;                  ///< blocks of the launch, from block 0; 0: none
  std::uint64_t expected_steps = 0,
                expected_addresses = 0; ///< of the detail, from the survey: memory set aside
};

struct GlobalPlan {
  std::string name;
  std::uint64_t size_bytes = 0;
  std::uint32_t element_bytes = 4;
};

struct Budget {
  double seconds = 60;                      ///< one run of the program
  std::uint64_t memory_bytes = 4ULL << 30;  ///< address space beyond that of the helper itself
  std::uint64_t shadow_bytes = 1ULL << 30;  ///< tables of the dependence check
  std::uint64_t detail_words = 48ULL << 20; ///< events kept, all regions
};

/// Time marks of one region in one run of the program.
struct RegionTimes {
  double total_ms = 0; ///< without what its own and inner regions' clock readings took
  std::uint64_t launches = 0;
  double clock_ms = 0; ///< that its own readings took
};

/// How a run ended, and what it found.
struct RunResult {
  enum class End : std::uint8_t {
    returned,
    exited,
    signal,
    time_budget,
    lost,
    jit_error
  } end = End::returned;
  int code = 0;                                 ///< exit code or signal
  int region = -1;                              ///< region that was running when it ended early
  std::uint32_t block = facts::no_region_index; ///< its last recorded block
  std::string message;                          ///< of jit_error
  double program_ms = 0;                        ///< main, start to end, without clock readings
  std::string last_words;                       ///< last line of what the program wrote to its standard error
  bool again = false; ///< survey: an object was written late, RegionPlan::quick_reads must be off
  std::vector<facts::RegionTrace> regions; ///< dynamic part; survey and detail
  std::vector<FeatureCounts> features;     ///< features, by region
  std::vector<RegionTimes> times;          ///< timing
};

} // namespace forewarp::port
