// A GPU as finished numbers for the other rooms. Made once from a GpuFile; every default and every `assumed`
// value that entered is named in `assumed`. Cycles are SM clock cycles.
#pragma once

#include "facts/op_class.h"
#include "gpu/gpu_file.h"
#include "gpu/policies.h"

#include <array>
#include <string>
#include <vector>

namespace forewarp::gpu {

/// A pipeline of the SM: `fp32`, `int`, `fp64`, `sfu`, `lsu`, `branch`, ... Names come from the GPU file's
/// unit table.
struct Unit {
  std::string name;
  bool per_scheduler = true; ///< one instance per scheduler (sub-core), or one per SM shared by all
};

/// How one operation class runs.
struct OpTiming {
  int unit = 0;         ///< index into Machine::units
  int second_unit = -1; ///< may also run there (GA10x: fp32 on the fp32/int pipe); -1: no
  /// cycles the unit's instance is busy per warp instruction (P's lambda at instance level)
  double issue_cycles = 1;
  double latency_cycles = 4; ///< issue to use of the result (P's Lambda); memory operations: see MemoryTiming
  /// Instructions that the class's operation is (XMAD: a 32-bit multiply is 3); the times above are one's
  /// share.
  unsigned instructions = 1;
};

struct OccupancyLimits {
  unsigned max_threads_per_group = 1024, max_threads_per_sm = 2048, max_warps_per_sm = 64,
           max_groups_per_sm = 32;
  std::uint64_t registers_per_sm = 65536;
  unsigned max_registers_per_thread = 255;
  unsigned registers_beside_values = 6; ///< of a thread: program counter, stack pointer, temporaries
  /// registers per warp (AMD: per lane); per group where `registers_allocated_per_group`
  unsigned register_alloc_unit = 256;
  bool registers_allocated_per_group = false; ///< compute capability 1.x
  unsigned warp_alloc_granularity = 1, register_partitions = 1;
  unsigned vgprs_per_simd_lane = 0; ///< AMD: register file by SIMD; 0 on NVIDIA
  std::uint64_t shared_per_sm_bytes = 49152, shared_per_group_max_bytes = 49152,
                shared_per_group_default_bytes = 49152;
  std::uint64_t shared_alloc_unit_bytes = 256, shared_reserved_per_group_bytes = 0;
  std::vector<std::uint64_t> shared_carveouts_bytes; ///< choices for a unified L1/shared array; empty: fixed
};

struct CacheGeometry {
  bool present = false;
  std::uint64_t size_bytes = 0; ///< L1: per SM (unified: whole array, shared memory included); L2: per GPU
  unsigned line_bytes = 128, sector_bytes = 32, ways = 4;
  bool unified_with_shared = false;
  bool write_allocate = false, write_back = false;
};

/// Rows of the DRAM's banks. Times are one channel's.
struct DramRows {
  bool known = false;       ///< false: bandwidth only
  unsigned row_bytes = 0;   ///< that one activation opens
  unsigned burst_bytes = 0; ///< least transfer
  unsigned channels = 1;
  unsigned outstanding_requests = 64; ///< that a channel's controller can put in order
  /// Least distance of activations: max(four-activate window / 4, row cycle / banks).
  double activation_ns = 0;
  /// Where work-groups drift (MemoryTiming::groups_drift): of the bursts that the controllers hold, those of
  /// one SM. 0: groups in step.
  double sm_bursts = 0;
};

struct MemoryTiming {
  CacheGeometry l1, l2, constant_l1, constant_l2;
  CacheGeometry l3; ///< memory-side cache behind L2 (AMD Infinity Cache)
  /// false: global loads go to L2 (Kepler, Maxwell by default); read-only loads still may be kept
  bool l1_caches_global = true;
  /// read-only loads (LDG) are kept in L1 or its texture half: false on compute capability 3.0
  bool l1_caches_read_only = true;
  /// an SM sends the requests of its oldest group first (AMD); else its groups take turns
  bool oldest_group_first = false;
  /// resident groups are at different places of their lives: seen on GCN and CDNA; on RDNA a naive matrix
  /// product (RX 7900 XTX) speaks against it
  bool groups_drift() const { return oldest_group_first && l1_pass_rule == L1PassRule::quads; }
  /// a warp keeps its place and registers until L2 has its stores (AMD: s_endpgm waits for them)
  bool stores_hold_warps = false;
  double store_latency_cycles = 0; ///< until such a warp knows that L2 has a store
  L1PassRule l1_pass_rule = L1PassRule::lines;
  /// which line makes room (memory/replacement). Read in a circle, an L1 in the array of shared memory keeps
  /// a part of what exceeds it by up to a half (V100 and A100 in gpu-benches' gpu-cache): not by age
  std::string l1_replacement = "lru";
  /// read-only loads are kept in a cache of the texture units
  bool texture_units_read = false;
  /// words of 4 bytes that lie alone in their sectors and these units fetch a cycle; 0: no limit of its own
  double scattered_words_per_cycle = 0;
  /// texels that an SM's texture units mix a cycle, each from four, and the bytes that such a texel may have;
  /// 0: no limit of its own
  double filtered_per_cycle = 0, filtered_texel_bytes = 0;
  unsigned coalesce_segment_bytes = 0; ///< compute capability 1.x: half-warp segments; 0: none
  /// lanes that coalesce together: 16 on 1.x, the warp later, quarter waves on AMD
  unsigned coalesce_lanes = 32;
  /// least distance of two line requests of an SM to L2; 0: the port's bytes decide
  double l2_line_request_cycles = 0;
  /// parts of L2, each near to so many of the SMs and keeping copies of the others' lines (A100, H100)
  unsigned l2_parts = 1;
  double l2_dirty_share = 1;     ///< of its lines, after others' writes have filled it
  double l2_crossing_cycles = 0; ///< what a load from another part's memory takes longer, there and back
  /// lines that a sectored L1 looks up a cycle (gpu-benches gpu-strides: A100 and H200 need 1 + 0.26 cycles
  /// per further line); line-wise L1s take one pass a line
  double l1_tag_lookups_per_cycle = 4;
  /// lines of a request that such an L1 looks up while it reads the first pass of data
  double l1_lines_beside_data = 2;
  unsigned shared_banks = 32, shared_bank_bytes = 4, shared_lanes_per_pass = 32;
  /// banks that an L1 in the array of shared memory reads a cycle (Turing: half of them)
  unsigned l1_banks = 32;
  /// lanes of a pass where words of 8 bytes and more are not aligned to 8; 0: alignment does not count
  unsigned shared_unaligned_lanes = 0;
  // latencies, issue to use
  double l1_latency_cycles = 30, l2_latency_cycles = 200, dram_latency_cycles = 400,
         shared_latency_cycles = 24, constant_latency_cycles = 8, constant_miss_latency_cycles = 100,
         texture_latency_cycles = 100;
  /// shared memory of another group of the cluster: load to use, and an SM's share of the network between
  /// SMs; 0: the GPU has no clusters
  double cluster_latency_cycles = 0, cluster_bytes_per_cycle = 0;
  double dram_busy_wait_cycles = 0; ///< beside the queue, behind a DRAM that is always busy
  // bandwidths
  double l1_bytes_per_cycle_per_sm = 64;
  double shared_bytes_per_cycle_per_sm = 128;
  double l2_bytes_per_cycle = 1024;      ///< whole GPU, SM cycles
  double l2_bytes_per_cycle_per_sm = 64; ///< what one SM can draw
  /// writes of whole sectors that L2 takes in the time of one write of a part of a sector
  double l2_partial_write_slots = 1;
  /// distance of two issues of an access that its pipe serves in several goes (bank passes, a miss of the
  /// constant cache); its warp stays there meanwhile (replays, up to compute capability 3.x). 0: no replays
  double replay_cycles = 0;
  /// after a load or store of shared memory, until the warp's next instruction, as the code itself says
  /// (stall counts of Kepler); 0: the next cycle
  double shared_load_stall_cycles = 0, shared_store_stall_cycles = 0;
  DramRows dram_rows;
  double l3_latency_cycles = 0, l3_bytes_per_cycle = 0; ///< whole GPU; where l3 is present
  double dram_peak_gbps = 0, dram_read_gbps = 0, dram_write_gbps = 0,
         dram_copy_gbps = 0; ///< 1e9 B/s; achieved for the last three
  /// 1e9 B/s, achieved with 16 arrays at like offsets; 0: as with one
  double dram_arrays_read_gbps = 0, dram_arrays_write_gbps = 0;
  // L1 pipe: cycles per request and per further transaction
  double lsu_cycles_per_transaction = 1;
  double lsu_cycles_per_sub_word = 0; ///< further ones of a load of less than 4 B a lane
  // atomics
  double atomic_same_address_per_cycle = 1;    ///< whole GPU, operations on one address per SM cycle
  double atomic_float_same_address_cycles = 0; ///< of sums of floats on one address; 0: as integers
  double atomic_slice_sector_cycles = 0;       ///< a slice of L2, for a request's sector; 0: not bound
  double atomic_wide_lane_cycles = 0;          ///< a slice of L2, for a lane of 8 bytes; 0: as its sector
  unsigned l2_slice_run_bytes = 128;           ///< neighbouring bytes that lie in one slice of L2
  /// Sums of floats and of 64 bits in shared memory are loops of load, operation and compare-and-swap
  bool shared_atomics_retried = false;
  bool shared_increments_merged = false;  ///< lanes that count in one word of shared memory take one turn
  double atomic_l2_sectors_per_cycle = 0; ///< whole GPU; 0: L2 bandwidth only
  double atomic_shared_same_address_cycles = 4; ///< extra cycles per conflicting lane
  double atomic_global_latency_cycles = 0;      ///< 0: the L2 latency
};

/// Of a scheduler, in front of its issue stage; used where the code's own control words are known.
struct InstructionCacheTiming {
  std::uint64_t size_bytes = 0; ///< 0: not known, every fetch hits
  unsigned line_bytes = 128;
  unsigned lines_ahead = 0; ///< fetched together with a line
  double miss_cycles = 0;   ///< hit in the level behind
};

struct FixedCosts {
  double launch_overhead_us = 5; ///< host call to kernel start
  double kernel_min_time_us = 2; ///< device time of an empty kernel as events see it
  double group_dispatch_ns = 0;  ///< per group, whole GPU
  /// on an SM, from a group's end to the first instruction of the group that takes its place
  double group_refill_cycles = 0;
  double barrier_latency_cycles = 20;
  /// from an operation to what reads its result as a predicate; 0: the latency of the operation
  double predicate_latency_cycles = 0;
  double pcie_h2d_gbps = 0, pcie_d2h_gbps = 0;
};

struct Machine {
  std::string name, vendor, target, generation, value_set;
  double compute_capability = 0; ///< 0 on AMD
  unsigned warp_width = 32;
  unsigned sm_count = 1;
  unsigned schedulers_per_sm = 4;
  /// instructions per cycle and scheduler; with dual issue at most 1 + dual_issue_share, though the hardware
  /// has two slots
  double issue_per_scheduler = 1;
  /// of issued instructions that can be the second of a pair (Kepler, Maxwell); source in file
  double dual_issue_share = 0;
  /// 32-bit integer to float is an operation of class cvt_narrow (source in file); shorter unsigned ones, too
  bool int_to_fp32_on_alu = false, short_to_fp32_on_alu = false;
  CompilerRules compiler;
  unsigned tensor_multiply_adds = gpu::tensor_multiply_adds(""); ///< of halves in one tensor_mma
  MatrixRates matrix_rates;                                      ///< of AMD's matrix cores
  unsigned wide_integer_passes = 1; ///< AMD: of a vector instruction that shifts or compares 64-bit integers
  double tensor_memory_product_rate = 1; ///< of products into tensor memory (tcgen05), as the next
  double warpgroup_product_rate = 1;     ///< of a warp group's products, over that of a warp's own
  double sm_clock_mhz = 1000;            ///< the clock that predictions use: typical sustained
  double sm_clock_base_mhz = 0, sm_clock_boost_mhz = 0;
  std::vector<Unit> units;
  std::array<OpTiming, facts::op_class_count> ops;
  OccupancyLimits limits;
  MemoryTiming memory;
  FixedCosts fixed;
  InstructionCacheTiming instruction_cache;
  double fp32_peak_gflops = 0;
  double tensor_peak_per_ns = 0;    ///< operations of class tensor_mma of the whole GPU, at its fastest clock
  std::vector<std::string> assumed; ///< keys whose value no source gives

  const OpTiming& timing(facts::OpClass op) const { return ops[static_cast<std::size_t>(op)]; }
  int unit_index(const std::string& name) const; ///< -1: no such unit
};

/// Finished numbers from a file; `value_set` names one of the file's sets ("" = the main values).
Result<Machine> resolve(const GpuFile& file, const std::string& value_set = "");

} // namespace forewarp::gpu
