// The kernel as machine operations of one target family (design law 2): made by codegen from the same IR that
// the interpreter runs. Per IR block a list of operations with register dependences; no control flow of its
// own.
#pragma once

#include "facts/op_class.h"
#include "facts/source_location.h"
#include "facts/trace.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace forewarp::facts {

inline constexpr std::uint32_t no_value = UINT32_MAX;

/// What an operation does at a meeting (facts/trace.h), which the event of its `meeting_site` names.
enum class Meets : std::uint8_t {
  never,
  arrives,      ///< when its result is ready; the warp goes on
  arrives_far,  ///< the same, when the other groups of the cluster can have heard of it
  arrives_late, ///< when its sources are; the warp goes on
  waits         ///< does not begin before all have arrived
};

/// What an operation of class tensor_mma is worth: a multiply-add counts two.
struct TensorWork {
  float flops = 0;      ///< of the warp
  float peak_flops = 0; ///< of one operation at the GPU's dense peak for factors and sums of these types
};

/// One warp-wide machine instruction.
struct MachineOp {
  OpClass op = OpClass::nop;
  std::uint8_t source_count = 0;
  bool to_predicate = false; ///< NVIDIA: what is no comparison reads the result as a predicate
  bool continues = false;    ///< a further pass of the instruction that the operation before it began
  bool queued = false;       ///< its unit takes it in its turn, and the warp goes on at once
  bool fills = false;        ///< zeros in place of an asynchronous copy: the copy's instruction
  Meets meets = Meets::never;
  std::array<std::uint32_t, 4> sources = {no_value, no_value, no_value, no_value}; ///< virtual registers read
  std::uint32_t destination = no_value; ///< virtual register written (a 64-bit pair is one)
  std::uint32_t site = no_value;        ///< memory site, for accesses of the trace; spills have none
  std::uint16_t parts = 1;              ///< the site's access was split into this many operations
  std::int32_t offset_bytes = 0;        ///< constant part of a memory operation's address
  std::uint16_t width_bytes = 0;        ///< bytes per lane of a memory operation
  std::uint32_t meeting_site = no_value;
  std::uint32_t stores_site = no_value; ///< of an asynchronous copy: its store, which is the same instruction
  TensorWork tensor = {};
  SourceLocation location = {};
};

inline constexpr std::uint8_t no_counter = 7;
inline constexpr unsigned counter_count = 7;        ///< of a warp, for results of variable latency
inline constexpr std::uint8_t products_counter = 6; ///< of them: products of a warp group

/// What real machine code tells the issue stage of one operation (its control word). Imitated operations have
/// none: their registers' dependences decide.
struct IssueControl {
  std::uint8_t stall_cycles = 1;             ///< until the warp's next operation may issue, at least 1
  std::uint8_t wait_mask = 0;                ///< bit i: waits until counter i is zero
  std::uint8_t written_counter = no_counter; ///< counts until the result is written
  std::uint8_t read_counter = no_counter;    ///< counts until the sources were read
  std::uint8_t read_cycles = 0;              ///< from issue until then
  std::uint8_t spared_counter = no_counter;  ///< waits until at most `spared` of this counter's are under way
  std::uint8_t spared = 0;
  /// Results of one queue arrive in the order of issue; 0: in any order.
  std::uint8_t queue = 0;
  bool uniform = false;          ///< of the uniform datapath: one value a warp, on no pipe of the lanes
  bool special_register = false; ///< reads one (S2R): neither move nor special function
  std::array<std::uint8_t, 2> bank_reads = {}; ///< registers that it reads of each bank of the file
  std::uint32_t code_offset_bytes = 0;         ///< of the instruction in the kernel's code
};

/// At the entry of a block from `previous_block`, `destination` takes the readiness of `source` (a phi; no
/// instruction).
struct PhiAlias {
  std::uint32_t previous_block = 0;
  std::uint32_t destination = 0;
  std::uint32_t source = no_value; ///< no_value: a constant
};

struct MachineBlock;

/// Operations that a warp issues without effect where it enters a block past bodies that the machine code
/// runs under a predicate: none of its lanes is active in them, yet nothing branches around them.
struct PassedBody {
  std::uint32_t previous_block = no_value; ///< of the step right before
  std::uint32_t before_block = no_value;   ///< of the step before that; no_value: any
  std::uint32_t operations = 0;
  std::uint32_t accesses = 0;          ///< of these: loads and stores, which their unit takes all the same
  std::uint32_t body_block = no_value; ///< whose operations they are, where these are real machine code
  std::uint32_t condition = no_value;  ///< predicate that they wait for
  SourceLocation location = {};        ///< of the first of them

  /// One more block of the body.
  void add(const MachineBlock& block);
};

struct MachineBlock {
  std::vector<MachineOp> ops;
  std::vector<IssueControl> controls; ///< one an operation; empty: the code has none
  std::vector<PhiAlias> phis;
  std::vector<PassedBody> passed;
  std::uint32_t memory_sites = 0; ///< number of MemoryEvents that one run of the block yields
};

/// Registers and memory of one thread / group.
struct ResourceUse {
  double registers_per_thread = 0; ///< 32-bit registers (VGPRs on AMD)
  double scalar_registers = 0;     ///< AMD SGPRs
  double spill_bytes_per_thread = 0;
  std::uint64_t static_shared_bytes = 0;
  std::uint64_t local_bytes_per_thread = 0; ///< private arrays
  std::string source = "estimate";          ///< "estimate", "ptxas", "amdgpu backend", "given"
};

struct MachineProgram {
  std::string kernel;
  std::string target; ///< e.g. "sm_70", "gfx942"
  unsigned warp_width = 32;
  std::vector<MachineBlock> blocks;
  std::vector<MemorySite> sites;
  std::uint32_t value_count = 0; ///< virtual registers are 0 .. value_count-1
  ResourceUse resources;
  SourceFiles files;
  std::vector<Note> notes;

  /// Real machine code, whose control words say when a warp issues.
  bool has_controls() const;
};

/// The bodies that the warp passes on its way into step `step`, a run of `block`; null: none.
const PassedBody* bodies_passed(const MachineBlock& block, const WarpTrace& warp, std::size_t step);

} // namespace forewarp::facts
