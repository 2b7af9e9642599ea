// What of a warp's run goes into the trace: steps and memory events, within the trace's budget.
#pragma once

#include "simt/exec/group_state.h"

#include <vector>

namespace forewarp::simt {

/// A warp that may be recorded in pieces is long from this part of its budget on: below, all of it is wanted,
/// since circles that caches hold show in whole rounds only.
inline constexpr std::uint64_t long_share = 2;

/// What is spread over a warp's life stands for it with so much less of the budget than its first part.
inline constexpr std::uint64_t pieces_share = 4;

std::uint64_t bytes_of(const facts::WarpTrace& warp);

class WarpRecord {
public:
  WarpRecord(GroupState& state, std::uint64_t warps);

  void start(Warp& warp) const;
  /// A step of the running warp begins; it may be left out.
  void start_step(const Path& path);
  /// The running warp goes on without a record.
  void end(std::uint32_t location);
  /// Of a group without barriers, whose warps ran one after the other: those that ran before the first long
  /// one.
  void shorten_early(std::vector<Warp>& warps, std::uint32_t count) const;

  /// A memory event of lanes whose addresses are known, or are not. Width: where it is not the site's.
  void access(const MemoryOp& op, std::uint64_t active, const AddressPattern& pattern,
              const std::uint64_t* addresses, unsigned width_bytes = 0);
  /// A read of several texels by each lane.
  void mixed_access(const MemoryOp& op, const Texels& texels);
  void unknown_access(const MemoryOp& op, std::uint64_t active);
  /// The event of an access that no lane makes: every run of a site has one.
  void no_access(const MemoryOp& op);
  /// An event that names a meeting (facts/trace.h): one access of shared memory at `address`.
  void meeting(std::uint32_t site, std::uint64_t address, std::uint32_t meeting);

  /// Of a warp, so that a few groups fit, whatever their size.
  std::uint64_t most_bytes() const { return most_bytes_; }
  /// Of the running warp's record, shared offsets as if each event had its own.
  std::uint64_t budgeted_bytes() const {
    return bytes_of(state_.warp->trace) + state_.warp->last_offsets.shared_bytes;
  }

private:
  bool iterations_differ() const;
  bool holds(const Path& path);
  void shorten(Warp& warp) const;
  facts::MemorySpace space_at(std::uint64_t address, const MemoryOp& op);
  /// The address as lane 0 would have it: events of private memory tell places inside a frame.
  std::uint64_t private_event_address(std::uint64_t address, unsigned lane) const;

  GroupState& state_;
  std::uint64_t most_bytes_;
  bool in_pieces_;                         ///< a long warp is recorded (record_pieces.h)
  bool long_warps_ = false;                ///< one was met: records are short from then on
  std::vector<std::uint64_t> block_bytes_; ///< [block] of the record, at most
};

} // namespace forewarp::simt
