// Coalescing: lane addresses of one warp-level access -> transactions and sectors, by the GPU's own rule.
//
// Rules (all from MemoryTiming; which one applies to L1's passes is MemoryTiming::l1_pass_rule):
//  * half-warp segments, coalesce_segment_bytes 64 (compute capability 1.0/1.1): lane k of a half-warp must
//  access
//    word k of an aligned segment of 16 words of 4, 8 or 16 bytes, else every active lane is a 32-byte
//    transaction (CUDA C Programming Guide 4.2, appendix F.3.2.1).
//  * half-warp segments, coalesce_segment_bytes 128 (1.2/1.3): segments of 32 / 64 / 128 bytes for words of 1
//  / 2 / 4
//    and more bytes, halved while only one half is used (ibid., F.3.2.2).
//  * lines and sectors (2.x and later, AMD): lanes are taken `coalesce_lanes` at a time for words of up to 4
//  bytes, half as
//    many for 8 bytes, a quarter for 16 (ibid., F.4.2). A unified L1 moves its sectors, the L2 path 32-byte
//    sectors.
// Passes through the L1 pipe: line-wise L1s and L2 paths take one a distinct pass_bytes block of each group
// of lanes. A sectored L1 takes max(bank passes of its data array, 1 + (lines beyond two) / tag lookups per
// cycle): this reproduces the cycles per access that gpu-benches (D. Ernst, gpu-strides) measured on A100 and
// H200 within 15 %; a contiguous row that starts inside a line takes no longer than an aligned one. An L1 by
// whole lines whose passes serve less than a line (RDNA: 16 lanes of 4 bytes, a line has 128) takes, for two
// such parts, the larger of twice their bank passes (a bank a lane of both; 16-byte words go by whole lines)
// and their lines over the tag lookups per cycle: within 20 % of gpu-strides on RX 6900 XT. One whose passes
// serve a line (GCN, CDNA) takes four lanes a pass, up to 16 where their 4-byte words lie in a row; the words
// of four lanes conflict in 4 banks of 4 bytes or 8 of 8 bytes, and 4-byte words of several lines take two
// passes: gpu-strides on MI210, strides inside its L1, 12 % (float) and 21 % (double) off on average, odd
// strides next to a line's multiple up to a third too few. Words under 4 bytes go by rows only where each
// four lanes' lie in a row (wherever it begins), and a word of 16 bytes that four lanes share takes two
// passes: Kernel Tuner's dedispersion on MI250X, whose times fall into these classes (stride of the lanes'
// bytes; loads of the shifts by scalar or by vector loads).
#pragma once

#include "gpu/machine.h"
#include "memory/coalesce/lanes.h"

#include <vector>

namespace forewarp::memory {

/// The way of an access: which caches it meets.
enum class Route : std::uint8_t {
  l1,       ///< load looked up in L1
  l2,       ///< load that bypasses L1
  store,    ///< written through to L2
  atomic,   ///< done at L2
  constant, ///< constant cache
};

struct CoalesceRule {
  enum class Kind : std::uint8_t { half_warp_strict, half_warp_relaxed, sectors } kind = Kind::sectors;
  unsigned lanes = 32;        ///< lanes of 4 bytes that go together
  unsigned pass_bytes = 128;  ///< data path: bytes that one pass through the L1 pipe serves
  unsigned unit_bytes = 32;   ///< what `counted` counts
  unsigned sector_bytes = 32; ///< granule moved, at least 32
  double tags_per_pass = 0;   ///< above 0: sectored L1, lines looked up in one pass
  unsigned line_bytes = 128;
  unsigned banks = 0;        ///< above 0: an L1 whose passes serve parts of lines from as many banks
  double lines_per_pass = 1; ///< of that L1
  bool quads = false;        ///< an L1 that takes four lanes a pass, more where their words lie in a row
};

/// Sectors of one 128-byte block, `block` relative to the block of the event's base.
struct BlockAccess {
  BlockAccess(std::int64_t block_, unsigned sectors_)
      : block(block_), sectors(static_cast<std::uint8_t>(sectors_)) {}
  std::int64_t block : 56;
  std::uint64_t sectors : 8; ///< bit per 32 bytes
};

struct Request {
  std::uint32_t id = 0;  ///< of the table that made it
  float passes = 0;      ///< through the L1 pipe: distinct pass_bytes blocks of each group of lanes
  float counted = 0;     ///< what SiteProfile::transactions_per_request counts (docs/models/memory/README.md)
  float sectors = 0;     ///< 32-byte sectors moved if nothing hits
  float bytes_asked = 0; ///< active lanes x width
  float same_address = 0;          ///< most lanes on one address
  bool uniform = false;            ///< all active lanes, one address
  bool minimal = false;            ///< as few passes as the bytes asked allow
  std::vector<BlockAccess> blocks; ///< distinct
};

/// Volta and later: an L1 of sectors in the array of shared memory, which global loads go through.
bool l1_is_sectored(const gpu::MemoryTiming& memory);

/// Whether a pass through the L1 pipe is a bank pass of its data array, with a data path as wide as the
/// banks: it moves the words that the lanes ask for, not their sectors.
bool l1_passes_are_bank_passes(const gpu::MemoryTiming& memory);
CoalesceRule coalesce_rule(const gpu::MemoryTiming& memory, Route route);
Request coalesce(const Lanes& lanes, const CoalesceRule& rule);
/// Passes of the lanes' request through a sectored L1, data banks included.
float sectored_passes(const Request& request, const Lanes& lanes, const CoalesceRule& rule,
                      const gpu::MemoryTiming& memory);

} // namespace forewarp::memory
