// What warps did: the interpreter (simt) writes it, memory and pipeline read it. A later producer of traces
// (source-level analysis alone) fills the same structures.
//
// A warp's trace is the list of IR basic blocks that it ran, plus one MemoryEvent for each memory instruction
// of each run block, in IR order. The machine operations of a block are not in the trace: they are the
// machine step's (facts/machine_program.h), so that one trace serves every GPU of the same warp width.
#pragma once

#include "facts/launch.h"
#include "facts/source_location.h"

#include <cstdint>
#include <string>
#include <vector>

namespace forewarp::facts {

/// Where the memories of a run lie in its one address space.
namespace windows {
inline constexpr std::uint64_t shared = 0x0100'0000;
inline constexpr std::uint64_t cluster = 0x0200'0000; ///< shared memory of the other groups of a cluster
inline constexpr std::uint64_t local = 0x1000'0000;
inline constexpr std::uint64_t constant = 0x4000'0000;
inline constexpr std::uint64_t parameter = 0x8000'0000;
inline constexpr std::uint64_t global = 0x1'0000'0000;
} // namespace windows

/// Memory as the kernel names it. `global` includes read-only data; `constant` is OpenCL's / CUDA's constant
/// space.
enum class MemorySpace : std::uint8_t { global, shared, constant, local, texture, parameter };
std::string_view to_string(MemorySpace space);

enum class AccessKind : std::uint8_t { load, store, atomic };

/// One memory instruction of the kernel's IR, in program order. Index = "site"; shared by trace, machine
/// program and memory profile.
struct MemorySite {
  std::uint32_t block = 0;          ///< IR block
  std::uint32_t index_in_block = 0; ///< among the memory instructions of its block
  AccessKind kind = AccessKind::load;
  MemorySpace space =
      MemorySpace::global; ///< as far as known statically; an event may say otherwise (generic pointers)
  std::uint32_t width_bytes = 4; ///< bytes per lane
  SourceLocation location = {};
  std::string buffer = {};         ///< kernel parameter or variable that it goes to, when known
  bool returns_value = true;       ///< atomics whose result is unused: false
  bool counts = false;             ///< atomics that add one to a word and give nothing back
  bool one_per_warp = false;       ///< atomics that the assembler does once for a warp's lanes (one address)
  std::uint32_t joined_bytes = 0;  ///< loads: bytes per lane of the one request that the compiler
                                   ///< makes of this and its neighbours; 0: not joined
  bool moved_by_neighbour = false; ///< shared: part of another site's joined request: asks for nothing itself
  bool meets = false;              ///< its events name a meeting
  bool read_only_path = false;     ///< load through the read-only / texture path (`__ldg`, const restrict):
                                   ///< cached in L1 even where other global loads are not
};

/// Phases of barriers in memory (mbarrier) and rounds of named barriers, numbered per group in the order in
/// which the run met them: what one warp waits for, and others arrive at. Sites of such operations keep the
/// number in `MemoryEvent::first_offset`; `no_meeting`: nothing is waited for.
inline constexpr std::uint32_t no_meeting = UINT32_MAX;

/// Where the shared memory of the groups of a cluster lies, a span for each rank, for all but the group
/// itself.
inline constexpr std::uint64_t cluster_window = windows::cluster, cluster_span = 0x0080'0000;
inline constexpr unsigned most_cluster_groups =
    16; ///< CUDA C++ programming guide: 8, 16 where the program opts in

/// One executed memory instruction of one warp. Addresses live in `WarpTrace::offsets` where they are
/// irregular.
struct MemoryEvent {
  enum class Pattern : std::uint8_t {
    affine,           ///< lane l -> base + l * stride
    affine2,          ///< lane l -> base + (l % row_lanes) * stride + (l / row_lanes) * row_stride
    explicit_offsets, ///< lane l -> base + offsets[first_offset + l]
    unknown,          ///< address not known; the memory room's stated policy applies
  };
  std::uint32_t site = 0;
  MemorySpace space = MemorySpace::global;
  Pattern pattern = Pattern::affine;
  std::uint8_t row_lanes = 0;
  std::uint8_t width_bytes = 0; ///< bytes per lane where they differ from the site's (texels); 0: the site's
  std::uint64_t active = 0;     ///< bit per lane that performs the access
  std::uint64_t base = 0;       ///< virtual address (see MemoryMap)
  std::int64_t stride = 0;
  std::int64_t row_stride = 0;
  std::uint32_t first_offset = 0;
  std::uint8_t places = 1; ///< that a lane reads, texels to mix: as many lists of offsets, lane by lane
};

/// Bytes per lane of an event of this site.
inline std::uint32_t width_of(const MemoryEvent& event, const MemorySite& site) {
  return event.width_bytes != 0 ? event.width_bytes : site.width_bytes;
}

/// One run of one basic block by the lanes in `active`.
struct BlockStep {
  std::uint32_t block = 0;
  std::uint32_t previous_block = UINT32_MAX; ///< for phi moves; UINT32_MAX at the entry
  std::uint64_t active = 0;
  std::uint32_t first_event = 0; ///< index of this step's first MemoryEvent in WarpTrace::events
};

struct WarpTrace {
  std::vector<BlockStep> steps;
  std::vector<MemoryEvent> events;
  std::vector<std::int64_t> offsets;
  std::uint64_t ir_instructions = 0; ///< executed IR instructions (without phi and debug)
  double recorded_share =
      1; ///< of ir_instructions that `steps` hold: the first part, or pieces, where the trace budget was used
};

struct GroupTrace {
  Dim3 group = {0, 0, 0}; ///< group index
  std::vector<WarpTrace> warps;
  std::uint64_t behaviour =
      0; ///< equal for groups whose warps ran the same blocks in the same order with the same masks
};

/// Groups of the grid that behave alike, as estimated from the sample.
struct BehaviourClass {
  std::uint64_t behaviour = 0;
  std::vector<std::uint32_t> samples; ///< indices into KernelTrace::groups
  double weight_groups = 0;           ///< estimated number of groups of the grid in this class
};

/// A linear range of the virtual address space.
struct MemoryRegion {
  std::string name; ///< parameter or variable
  MemorySpace space = MemorySpace::global;
  std::uint64_t base = 0;
  std::uint64_t size_bytes = 0;
};

/// Something that was assumed, could not be modelled, or makes the answer invalid.
struct Note {
  enum class Severity : std::uint8_t { info, assumption, invalid } severity = Severity::info;
  std::string text; ///< one sentence
  SourceLocation location = {};
  std::string remedy = {};    ///< option that settles it, e.g. "--trip-count 14=N"
  bool rests_on_data = false; ///< what buffers hold (or arguments that were not given) would settle it
};

struct KernelTrace {
  unsigned warp_width = 32;
  LaunchShape shape;
  std::vector<GroupTrace> groups; ///< the sample, in the order of group index (x fastest)
  std::vector<BehaviourClass> classes;
  bool whole_grid = false; ///< every group was run: output buffers are the kernel's result
  std::vector<MemoryRegion> regions;
  std::vector<Note> notes;
  double sampling_relative_error =
      0; ///< 1-sigma of the mean work per group from sampling, 0 when whole or uniform
};

} // namespace forewarp::facts
