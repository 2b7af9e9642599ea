// What one run of a single-threaded C or C++ program did inside a marked loop nest: written by port's
// instrumented run, read by warp formation, cache analysis and models (Wang, Zhong, Mitra: CGPredict, TECS
// 2017, sections 3.1-3.4). Plain data; a hand-made trace is as good as a run's.
//
// Static part: loops, basic blocks, instructions, memory sites, objects. Dynamic part: for each pseudo-thread
// (one iteration of the parallel loops) of the detailed blocks, the basic blocks that it ran in order, and
// the addresses of their memory instructions in order; for everything else totals only.
//
// Counted level: LLVM IR after scalar optimisation (registers promoted, invariants hoisted, common
// expressions merged, a * b + c contracted), before unrolling and vectorising: the loops are the source's.
#pragma once

#include "facts/source_location.h"
#include "facts/trace.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace forewarp::facts {

inline constexpr std::uint32_t no_region_index = UINT32_MAX;

/// Kinds of IR instruction. `address` is one getelementptr (an index scaled and added to a base).
enum class RegionOp : std::uint8_t {
  fp32_add,
  fp32_mul,
  fp32_fma,
  fp32_div,
  fp32_sqrt,
  fp32_special,
  fp32_compare,
  fp64_add,
  fp64_mul,
  fp64_fma,
  fp64_div,
  fp64_sqrt,
  fp64_special,
  fp64_compare,
  int_add,
  int_mul,
  int_div,
  int_logic,
  int_shift,
  int_compare,
  select,
  convert,
  address,
  load,
  store,
  branch,
  call,
  other,
};
inline constexpr int region_op_count = static_cast<int>(RegionOp::other) + 1;

/// What an instruction's result is for; C's Table 2 counts some apart.
enum class RegionRole : std::uint8_t {
  compute,
  address_only, ///< integer arithmetic and address instructions that only lead to addresses
  loop_control, ///< increment, comparison and branch that keep a loop going
};

struct RegionInstruction {
  RegionOp op = RegionOp::other;
  RegionRole role = RegionRole::compute;
  std::uint8_t bits = 32; ///< width of the result (of the stored value, of the compared operands)
  std::uint32_t block = 0;
  std::uint32_t site = no_region_index; ///< of loads and stores: index into RegionTrace::sites
  std::array<std::uint32_t, 4> operands = {
      no_region_index, no_region_index, no_region_index,
      no_region_index}; ///< instructions or phis whose results are read, by value id
  std::uint32_t value =
      no_region_index; ///< value id of the result; unique in the region; none for stores and branches
  SourceLocation location = {};
};

/// At the entry of a block from `previous_block`, value `destination` is value `source` (none: from outside).
struct RegionPhi {
  std::uint32_t previous_block = 0;
  std::uint32_t destination = 0;
  std::uint32_t source = no_region_index;
};

/// One basic block. Its instructions and sites are contiguous and in program order.
struct RegionBlock {
  std::uint32_t first_instruction = 0, instruction_count = 0;
  std::uint32_t first_site = 0, site_count = 0;
  std::uint32_t loop =
      no_region_index;      ///< innermost loop that holds it; none: a called function outside every loop
  bool loop_header = false; ///< each run of it is one iteration of `loop`
  std::vector<RegionPhi> phis = {};
  SourceLocation location = {};
  std::uint64_t runs = 0;                 ///< all launches, all threads
  std::uint64_t detailed_launch_runs = 0; ///< the detailed launch, all threads
};

/// One load or store of the IR.
struct RegionSite {
  std::uint32_t block = 0;
  AccessKind kind = AccessKind::load;
  std::uint32_t width_bytes = 4;
  bool is_float = true;
  std::uint32_t written = 1;              ///< loads of the source that were merged into it, itself counted
  std::uint32_t object = no_region_index; ///< object that its first address lay in
  SourceLocation location = {};
};

/// One array, heap block or global that the region touched. Ranges of the host's addresses.
struct RegionObject {
  enum class Kind : std::uint8_t { global, heap, stack, unknown } kind = Kind::unknown;
  std::string name; ///< variable or parameter, as far as debug information tells
  std::uint64_t base = 0;
  std::uint64_t size_bytes = 0; ///< as allocated; of `unknown` the touched range
  std::uint32_t element_bytes = 4;
  std::uint64_t read_bytes = 0;    ///< distinct bytes read
  std::uint64_t written_bytes = 0; ///< distinct bytes written
  std::uint64_t copy_in_bytes =
      0; ///< distinct bytes read before the region wrote them: must be on the device before
  bool privatizable = false; ///< every thread writes what it reads: each can have its own copy
};

/// One loop of the nest, outermost first; inner loops after their parent.
struct RegionLoop {
  std::uint32_t parent = no_region_index;
  std::string variable; ///< induction variable, when known
  SourceLocation location = {};
  int parallel_dimension = -1;   ///< 0: outermost parallel loop ... -1: runs inside a thread
  bool perfectly_nested = false; ///< its parent's body holds nothing but this loop (and address arithmetic)
  std::int64_t step = 0;         ///< of the induction variable; 0: not known
  std::uint64_t executions = 0;  ///< times entered, all launches
  std::uint64_t iterations = 0;  ///< all launches
  std::uint64_t detailed_launch_executions = 0, detailed_launch_iterations = 0;
  std::uint64_t min_trips = 0, max_trips = 0; ///< of one execution
};

/// One execution of the outermost loop: one kernel launch of the ported program.
struct RegionLaunch {
  std::array<std::uint64_t, 3> extents = {1, 1, 1}; ///< largest thread coordinate + 1, outermost first
  std::uint64_t threads = 0;                        ///< iterations of the innermost parallel loop
  std::uint64_t block_runs = 0;                     ///< basic blocks run: a measure of its work
  std::uint64_t innermost_iterations = 0;           ///< iterations of the loops that hold no other
};

/// The events of one pseudo-thread: ranges of RegionTrace::steps and RegionTrace::addresses.
struct RegionThread {
  /// Outermost first: value of the induction variable / step where that is a number from 0 up, as in a kernel
  /// that guards its borders; otherwise the iteration's number from 0.
  std::array<std::uint32_t, 3> coordinate = {0, 0, 0};
  std::uint64_t first_step = 0, step_count = 0;
  std::uint64_t first_address = 0;
};

/// A dependence between different iterations of a parallel candidate loop, through memory or a scalar.
struct RegionDependence {
  enum class Kind : std::uint8_t {
    flow,
    anti,
    output
  } kind = Kind::flow;    ///< read after write, write after read, ...
  std::uint32_t loop = 0; ///< the loop that carries it
  std::string variable;   ///< object or scalar
  std::uint32_t object = no_region_index;
  SourceLocation source = {}; ///< the earlier access
  SourceLocation sink = {};   ///< the later one
  std::array<std::int64_t, 3> source_iteration = {0, 0, 0}, sink_iteration = {0, 0, 0}; ///< first example
  std::uint64_t count = 0; ///< accesses that meet it; 0: found without a run (scalar in a register)
  bool same_inner = false; ///< always between equal iterations of the next loop inside
  std::string reduction;   ///< "+", "*", "min", "max": an accumulation; empty: none
  /// A shape that has a known parallel form, though not iteration by iteration.
  enum class Pattern : std::uint8_t {
    none,
    arg_extremum, ///< place of the least or largest value
    compaction    ///< values that pass a test, one behind the other
  } pattern = Pattern::none;
  bool privatizable = false; ///< anti or output on an object that each thread may own
};

/// CPU times measured without instrumentation; 0: not measured.
struct RegionTiming {
  double region_ms = 0;  ///< median of the repetitions, all launches of the region together
  double program_ms = 0; ///< whole program, median
  unsigned repetitions = 0;
  std::string note = {}; ///< e.g. scaled from a smaller run
};

struct RegionTrace {
  std::string name;
  SourceLocation location = {};
  SourceFiles files;

  unsigned dimensions = 1; ///< parallel loops, 1 to 3
  unsigned candidates = 1; ///< nested loops from the outermost whose dependences were looked at
  std::array<std::uint64_t, 3> block = {256, 1,
                                        1}; ///< threads of a block, x first: x is the innermost parallel loop
  std::array<std::uint64_t, 3> extents = {
      1, 1, 1};                    ///< of the detailed launch, outermost first (x is extents[dimensions - 1])
  std::vector<std::string> shared; ///< arrays named by shared(...)
  std::uint64_t tile = 0;          ///< tile(...); 0: none

  std::vector<RegionLoop> loops;
  std::vector<RegionBlock> blocks;
  std::vector<RegionInstruction> instructions;
  std::vector<RegionSite> sites;
  std::vector<RegionObject> objects;
  std::uint32_t value_count = 0;

  std::vector<RegionLaunch> launches; ///< all of them, in order
  std::uint32_t detailed_launch = 0;
  std::vector<RegionThread> threads;    ///< of the detailed launch's first blocks, in the order that they ran
  std::vector<std::uint32_t> steps;     ///< block indices
  std::vector<std::uint64_t> addresses; ///< one for each site of each step's block, in order
  bool trace_complete = true;           ///< false: the budget ended the detail early

  std::vector<RegionDependence> dependences;
  std::vector<Note> notes;
  RegionTiming timing;
};

} // namespace forewarp::facts
