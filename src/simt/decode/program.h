// A kernel decoded for the interpreter: a flat array of lane instructions over numbered slots, and per block
// its range, its terminator and the phi moves of its edges.
//
// A slot holds one scalar component for all lanes of a warp: `bit` (i1) one mask word, `word` (up to 32 bits,
// raw, zero-extended) 32-bit lanes, `quad` (up to 64 bits, pointers) 64-bit lanes. Vectors and aggregates are
// several slots. Slots >= 0 are registers of the warp; slots < 0 (~index) are shared by all warps: constants,
// arguments, group ids.
#pragma once

#include "facts/slow_division.h"
#include "facts/source_location.h"
#include "facts/trace.h"
#include "simt/decode/markers/matrix_op.h"
#include "simt/lanes/lane_kernels.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace forewarp::simt {

enum class LaneType : std::uint8_t { bit, word, quad };

/// Instructions that need more than the lanes of their operands.
enum class Special : std::uint8_t {
  none, ///< a lane kernel does it
  load,
  store,
  look, ///< load or store whose value nobody asks for: where it goes is recorded and checked
  atomic,
  compare_exchange,
  copy_memory, ///< memcpy, memmove
  fill_memory, ///< memset
  barrier,
  grid_barrier, ///< of all groups of the launch
  meet,         ///< barriers in memory, named barriers; detail: index into Program::meeting_ops
  engine_copy,  ///< a piece of a bulk copy; detail: index into Program::engine_ops
  matrix,       ///< products and rows that change lanes; detail: index into Program::matrix_ops
  convert,      ///< between floats of few bits; detail: index into Program::conversion_ops
  engine_more,  ///< whether the bulk copy has further pieces; detail as above
  shuffle,
  vote,
  ballot,
  match_any,
  match_all,
  reduce,
  read_lane,
  bpermute,
  clock,
  texture,        ///< image or texture access: event of space texture, value unknown
  image_size,     ///< width, height, ... of the image at `a`; detail: ImageSize
  unknown_value,  ///< destination becomes unknown (textures without contents, undefined reads)
  watch_division, ///< looks at a quotient (`a`); detail: index into Program::divisions
};

enum class AtomicOp : std::uint8_t {
  exchange,
  add,
  sub,
  and_,
  nand,
  or_,
  xor_,
  max,
  min,
  umax,
  umin,
  fadd,
  fsub,
  fmax,
  fmin,
  inc,
  dec,
  add_f16, ///< of one or two halves in a word, as wide as the access; the next likewise
  min_f16,
  max_f16,
  add_bf16,
  min_bf16,
  max_bf16
};
enum class ShuffleMode : std::uint8_t { index, up, down, butterfly };
enum class VoteMode : std::uint8_t { all, any, uniform };
enum class ReduceMode : std::uint8_t {
  add,
  min,
  max,
  umin,
  umax,
  and_,
  or_,
  xor_,
  count,
  any_true,
  all_true
};

inline constexpr std::uint32_t no_site = UINT32_MAX;
inline constexpr std::int32_t no_slot = INT32_MAX;

struct Instruction {
  LaneKernel kernel = nullptr; ///< null: see `special`
  LaneArguments slots;
  Special special = Special::none;
  bool preserve = false;    ///< lanes that do not run keep their old value (see decode.cpp)
  std::uint32_t detail = 0; ///< index into Program::memory_ops / cross_lane_ops
  std::uint32_t origin = 0; ///< index into Program::locations
};

/// Where a component of a memory access lies and which slot it goes to or comes from.
struct MemoryComponent {
  std::int32_t slot = 0;
  LaneType type = LaneType::word;
  std::uint8_t bytes = 4;
  std::uint16_t offset_bytes = 0;
};

struct MemoryOp {
  std::uint32_t site = no_site; ///< no_site: parameter space, leaves no event
  facts::AccessKind kind = facts::AccessKind::load;
  std::uint32_t width_bytes = 4;
  std::vector<MemoryComponent> components = {};
  AtomicOp atomic = AtomicOp::add;
  bool uniform_address = false;
  std::vector<std::uint32_t> objects = {}; ///< arguments and variables, one of which it is on; empty: unknown
  std::int32_t length_slot = no_slot;      ///< of memcpy and memset
  std::vector<std::int32_t> coordinates = {}; ///< of images: slots of x, y, z
  bool last_is_layer = false;                 ///< the last coordinate counts layers
  bool real_coordinates = false;
  std::optional<facts::Sampler> sampler = {}; ///< that the program declares; none: the image's own
  std::int32_t sampler_slot = no_slot;        ///< that an argument hands over
  bool bytes_along_x = false;                 ///< surfaces: x counts bytes
  LaneType length_type = LaneType::quad;
};

/// What a query of an image asks for.
enum class ImageSize : std::uint8_t { width, height, depth, channel };

/// What an instruction does at a barrier in memory (PTX ISA, "mbarrier"), or at a named barrier. Operands: a
/// is the address or the name, b what the kind says, c (arrivals) the cluster's groups that hear of it, a bit
/// each.
struct MeetingOp {
  enum class Kind : std::uint8_t {
    begin,      ///< b: arrivals of a phase
    arrive,     ///< b: how many arrivals a lane stands for; the result names the phase
    expect,     ///< b: bytes that a lane adds to what the phase waits for
    bytes_come, ///< b: bytes
    copied,     ///< the lane's copies have come, which the phase waited for; counts nothing
    drop,       ///< as arrive, and later phases expect so many fewer
    parity,     ///< waits until the phase of parity b is over
    phase,      ///< waits until the phase that b names is over
    gather,     ///< named: the warp arrives; b: work-items of a round (0: all of the group)
    leave,      ///< named: waits until the warp's round is over
    cluster_arrive,
    cluster_leave, ///< of the cluster's barrier, likewise
  } kind = Kind::begin;
  std::uint32_t site = no_site;
};

/// Copies that no lane makes (PTX ISA, "cp.async.bulk"), in pieces of a warp's width times 16 bytes.
struct EngineOp {
  /// rows: four rows of a matrix; columns: of images, by a map of theirs.
  enum class Shape : std::uint8_t { bytes, tile, rows, columns } shape = Shape::bytes;
  enum class Step : std::uint8_t { spread, read, write, arrive, more } step = Step::read;
  bool to_shared = true;
  std::uint32_t site = no_site;
  /// What is there is combined with: "" (replaced), "add", "min", ...; of elements of a kind (as PTX's types
  /// begin, 'h' for bf16) and so many bytes, 0 of them: as the map says.
  std::string combination = {};
  char combined_kind = 'u';
  unsigned combined_bytes = 0;
  /// bytes: shared address, address in global memory or in another group, length. tile: shared address,
  /// address of the tensor map, coordinates from the innermost; rows: column, four rows; columns: offsets
  /// behind the coordinates. Of `arrive` the barrier behind them; of `spread` a bit for each group of the
  /// cluster that gets the copy.
  std::vector<std::int32_t> operands = {};
  std::vector<LaneType> types = {};
};

/// A conversion between floats of few bits and others, several at a time (PTX ISA, "cvt").
struct ConversionOp {
  using Element = MatrixOp::Element;
  Element to = Element::f16, from = Element::f32;
  unsigned count = 2;     ///< numbers
  bool in_word = false;   ///< the sources are packed in one, else each has a register, the uppermost first
  bool keeps_sign = true; ///< else what is negative is zero (.relu)
  bool saturates = false, to_zero = false, up = false, random = false,
       scaled = false; ///< the last two: one more operand
  std::vector<std::int32_t> operands = {};
};

struct CrossLaneOp {
  ShuffleMode shuffle = ShuffleMode::index;
  VoteMode vote = VoteMode::all;
  ReduceMode reduce = ReduceMode::add;
  LaneType type = LaneType::word;
  bool is_signed = false;
  std::int32_t predicate_slot = no_slot; ///< second result of shfl...p and match.all...p
};

struct PhiMove {
  std::int32_t destination = 0, source = 0;
  LaneType type = LaneType::word;
  bool uniform = false;
};

struct Edge {
  enum class LoopAction : std::uint8_t { none, enter, repeat } action = LoopAction::none;
  std::uint32_t target = 0;
  std::uint32_t loop = 0; ///< header's loop, with an action
  std::uint32_t first_move = 0, move_count = 0;
  std::uint32_t first_asked_move = 0, asked_move_count = 0; ///< the same without values nobody asks for
};

struct Terminator {
  enum class Kind : std::uint8_t { exit, jump, branch, switch_, unreachable } kind = Kind::exit;
  std::int32_t condition = 0;
  LaneType condition_type = LaneType::bit;
  std::uint32_t first_edge = 0; ///< branch: [true, false]; switch: [default, cases...]
  std::vector<std::uint64_t> case_values = {};
  std::uint32_t reconverge = UINT32_MAX; ///< immediate post-dominator; UINT32_MAX: the kernel's end
  std::uint32_t location = 0;
  std::uint32_t exit_of_loop = UINT32_MAX; ///< innermost loop that one side leaves
  bool leaves_when_true = false, is_latch = false;
  std::optional<bool> expected = std::nullopt; ///< the way that the code itself takes for usual
};

struct Block {
  std::uint32_t first = 0, end = 0;             ///< instructions
  std::uint32_t first_asked = 0, end_asked = 0; ///< the same without values nobody asks for
  std::uint32_t first_unrecorded = 0,
                end_unrecorded = 0; ///< without accesses, and what only this run of the block's are made of
  Terminator terminator;
  std::uint32_t rank = 0; ///< in reverse post-order: ways that meet come from lower ones
  std::uint32_t ir_instructions = 0;
  std::vector<std::int32_t> phi_slots = {}; ///< become unknown where an unknown branch reconverges
};

/// Values that the warp or group supplies; no_slot when the kernel does not use them.
enum class WarpValue : std::uint8_t {
  tid_x,
  tid_y,
  tid_z,
  lane,
  warp,
  eq_mask,
  lt_mask,
  le_mask,
  gt_mask,
  ge_mask,
  count
};
enum class GroupValue : std::uint8_t {
  group_x,
  group_y,
  group_z,
  size_x,
  size_y,
  size_z,
  groups_x,
  groups_y,
  groups_z,
  warps,
  packet,
  implicit_arguments,
  frame,
  global_x,
  global_y,
  global_z,
  enqueued_x,
  enqueued_y,
  enqueued_z,
  work_dim,
  cluster_x, ///< size of the group's cluster, in groups
  cluster_y,
  cluster_z,
  cluster_rank, ///< of the group in its cluster
  cluster_count,
  in_cluster_x, ///< place of the group in its cluster
  in_cluster_y,
  in_cluster_z,
  cluster_id_x, ///< of the group's cluster in the grid
  cluster_id_y,
  cluster_id_z,
  clusters_x, ///< in the grid
  clusters_y,
  clusters_z,
  dynamic_shared, ///< bytes that the launch asks for
  count
};

struct SharedConstant {
  std::int32_t slot = 0; ///< < 0
  LaneType type = LaneType::word;
  std::uint64_t value = 0;
  bool known = true;
};

/// A loop whose iterations may be written to the trace without being run (replay_analysis.h).
struct LoopReplay {
  enum class Stay : std::uint8_t { never_known, below, below_or_equal, above, above_or_equal, unequal };
  Stay stay = Stay::never_known; ///< the loop goes on while `moving stay bound`; never_known: not replayable
  bool is_signed = false;
  std::uint8_t width = 32; ///< bits of both
  std::uint32_t latch = 0;
  std::int32_t moving = no_slot, bound = no_slot;
  bool moving_uniform = false, bound_uniform = false; ///< lane 0 stands for all
  struct Induction {
    std::int32_t slot;
    LaneType type;
    bool uniform;
  };
  std::vector<Induction> inductions;
};

/// A module-level variable: placed in the address space of each launch.
struct Variable {
  std::string name;
  facts::MemorySpace space = facts::MemorySpace::global;
  std::uint64_t size_bytes = 0, align_bytes = 1;
  std::vector<std::uint8_t> contents = {}; ///< empty: unknown (shared, external)
  bool contents_known = false;
  bool dynamic_shared = false; ///< extern __shared__: starts after the static part
  /// Addresses of other variables inside the contents: (offset, variable index, addend).
  struct Relocation {
    std::uint64_t offset;
    std::uint32_t variable;
    std::uint64_t addend;
  };
  std::vector<Relocation> relocations = {};
};

/// The slots of one kernel parameter.
struct ParameterSlots {
  struct Component {
    std::int32_t slot;
    LaneType type;
    std::uint32_t offset_bytes, bytes;
  };
  std::vector<Component> components;
  bool is_pointer = false, by_value_memory = false;
  bool used = true; ///< by any instruction
  std::uint32_t size_bytes = 0;
};

/// A constant that is an address in a module variable: value = variable address + addend.
struct AddressConstant {
  std::int32_t slot;
  LaneType type; ///< `word`: an address of shared memory as a 32-bit number
  std::uint32_t variable;
  std::uint64_t addend;
};

struct Program {
  unsigned warp_width = 32;
  std::vector<Instruction> code;
  std::vector<Block> blocks;
  std::vector<Edge> edges;
  std::vector<PhiMove> moves;
  std::vector<MemoryOp> memory_ops;
  std::vector<CrossLaneOp> cross_lane_ops;
  std::vector<MeetingOp> meeting_ops;
  std::vector<EngineOp> engine_ops;
  std::vector<MatrixOp> matrix_ops;
  std::vector<ConversionOp> conversion_ops;
  std::vector<facts::MemorySite> sites;
  std::vector<facts::SlowDivision> divisions; ///< of floats, slow or not
  std::vector<facts::SourceLocation> locations;
  std::vector<SharedConstant> constants;
  std::vector<AddressConstant> address_constants;
  std::vector<Variable> variables;
  std::vector<ParameterSlots> parameters;
  std::int32_t warp_values[static_cast<int>(WarpValue::count)];
  std::int32_t group_values[static_cast<int>(GroupValue::count)];
  std::vector<LaneType> slot_types; ///< of registers that `preserve` may have to restore
  std::vector<LoopReplay> replays;  ///< by loop
  std::uint32_t register_slots = 0, shared_slots = 0, loops = 0;
  std::uint64_t frame_bytes = 0; ///< private arrays of one thread
  bool has_barrier = false, has_grid_barrier = false;
  bool crosses_groups = false;      ///< some access, arrival or wait is of another group of the cluster
  bool multiplies_in_pairs = false; ///< tensor products that the even group of a pair asks for
  bool places_were_loaded = false;  ///< some access of a loop goes where loaded values say
  bool follows_loads = false; ///< some load of a loop goes where its own value of an earlier iteration led
  facts::SourceFiles files;
  std::vector<facts::Note> notes;
};

} // namespace forewarp::simt
