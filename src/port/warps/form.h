// Warp formation (Wang, Zhong, Mitra: CGPredict, TECS 2017, section 3.2): pseudo-threads side by side in
// blocks, 32 of a block a pseudo-warp that runs in lock step. The result is a warp trace like any other.
#pragma once

#include "facts/region_trace.h"
#include "facts/trace.h"
#include "gpu/machine.h"
#include "support/result.h"

#include <array>
#include <string>
#include <vector>

namespace forewarp::port {

struct WarpOptions {
  std::array<std::uint64_t, 3> block = {0, 0, 0}; ///< threads, x first; zeros: the region's
  /// Axis a of the grid (x first) is the region's parallel loop axes[a], counted from the innermost.
  std::array<unsigned, 3> axes = {0, 1, 2};
  /// Threads of the whole launch by axis of the region, outermost first; zeros: the traced launch's.
  std::array<std::uint64_t, 3> extents = {0, 0, 0};
  unsigned warp_width = 32;
};

struct PseudoWarps {
  facts::KernelTrace trace; ///< groups = traced blocks in launch order; IR blocks = RegionTrace::blocks
  std::vector<facts::MemorySite> sites; ///< index = RegionTrace::sites
  std::uint64_t traced_threads = 0;
};

/// Addresses become those of DeviceLayout. Lanes that part at a branch run one after the other and meet again
/// in program order. Blocks of another shape than the traced one are kept where they are whole.
/// Errors: bad_input (no thread traced, a block of no thread or above 1024 threads).
Result<PseudoWarps> form_warps(const facts::RegionTrace& trace, const WarpOptions& options = {});

/// Blocks that the multiprocessor holds at one time: threads, warps, blocks and shared memory, registers left
/// out (C section 3.5; the occupancy calculator with registers is the default predictor's).
unsigned resident_blocks(const gpu::Machine& machine, std::uint64_t block_threads,
                         std::uint64_t shared_bytes_per_block);

/// Two batches of resident threads are wanted (C section 3.2). Empty, or the sentence with what is needed.
std::string batch_warning(const PseudoWarps& warps, const gpu::Machine& machine);

} // namespace forewarp::port
