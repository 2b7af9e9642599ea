// What an instrumented run counts for the dynamic features of one region (Ardalani, dissertation 2016,
// table 3.1 and section 3.2). Plain numbers; features.h makes the features of them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace forewarp::port {

inline constexpr std::uint64_t memory_block_bytes = 128, memory_page_bytes = 4096;
inline constexpr unsigned memory_window = 32; ///< consecutive executions of one load or store

/// Windows of instructions whose parallelism is measured; 16384 is for ilpRate.
inline constexpr std::array<std::uint32_t, 5> ilp_windows = {32, 256, 2048, 16384, 65536};
/// Windows of decisions of one branch: 2^4 to 2^10.
inline constexpr unsigned first_branch_window_log2 = 4;
inline constexpr std::size_t branch_window_count = 7;

/// Complete windows of `memory_window` executions of one load or store.
struct WindowCounts {
  std::uint64_t windows = 0;
  std::uint64_t same_address = 0;
  std::uint64_t odd_stride = 0; ///< constant stride, an odd number of the access's own width
  /// Constant stride of s elements, s not 0: by the power of two in s, at most 32.
  std::array<std::uint64_t, 6> by_bank_conflict = {};
  std::array<std::uint64_t, 6> exact_power_stride = {};              ///< stride of exactly 2^i elements
  std::array<std::uint64_t, memory_window + 1> by_transactions = {}; ///< distinct 128-byte blocks
};

struct BranchCounts {
  std::array<std::uint64_t, branch_window_count> windows = {}; ///< complete ones, all branches
  std::array<std::uint64_t, branch_window_count> mixed = {};   ///< not all decisions the same
};

/// Of the instructions that were looked at one by one.
struct IlpCounts {
  std::uint64_t instructions = 0;
  std::array<double, ilp_windows.size()> cycles = {}; ///< sums of the windows' longest chains
};

struct ReuseCounts {
  std::uint64_t accesses = 0;           ///< of those looked at one by one
  std::array<std::uint64_t, 3> at = {}; ///< blocks of 128 B: so many others since the same one was touched
};

struct FeatureTotals {
  std::uint64_t launches = 0;
  std::uint64_t accesses = 0;
  std::uint64_t blocks = 0, pages = 0;               ///< distinct ones touched
  std::uint64_t read_blocks = 0, written_blocks = 0; ///< sums over launches (Footprint)
  WindowCounts windows;
  BranchCounts branches;
  IlpCounts ilp;
  ReuseCounts reuse;
};

struct FeatureCounts {
  FeatureTotals totals;
  std::vector<std::uint64_t> block_runs; ///< by RegionBlock, all launches
};

} // namespace forewarp::port
