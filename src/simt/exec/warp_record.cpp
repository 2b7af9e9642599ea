#include "simt/exec/warp_record.h"

#include <algorithm>

namespace forewarp::simt {

std::uint64_t bytes_of(const facts::WarpTrace& warp) {
  return sizeof warp + warp.steps.size() * sizeof(facts::BlockStep) +
         warp.events.size() * sizeof(facts::MemoryEvent) + warp.offsets.size() * sizeof(std::int64_t);
}

namespace {

/// Where an engine copies for a group, one warp asks for all of it: its record is many times the others'.
constexpr std::uint64_t copying_share = 2;
bool one_copies_for_all(const GroupState& state) {
  return !state.program.engine_ops.empty();
}

} // namespace

WarpRecord::WarpRecord(GroupState& state, std::uint64_t warps)
    : state_(state), most_bytes_(state.options.max_trace_bytes / fitting_groups /
                                 std::max<std::uint64_t>(
                                     1, one_copies_for_all(state) ? std::min(warps, copying_share) : warps)),
      in_pieces_(!state.options.whole_grid && !state.program.has_barrier &&
                 state.program.places_were_loaded && !state.program.follows_loads && iterations_differ()) {
  block_bytes_.assign(state.program.blocks.size(), sizeof(facts::BlockStep));
  for (const facts::MemorySite& site : state.program.sites)
    block_bytes_[site.block] += sizeof(facts::MemoryEvent) + state.lanes() * sizeof(std::int64_t);
}

/// No loop whose iterations are known to be alike but for moved addresses: the first ones stand for those.
bool WarpRecord::iterations_differ() const {
  return std::ranges::all_of(state_.program.replays, [](const LoopReplay& replay) {
    return replay.stay == LoopReplay::Stay::never_known;
  });
}

void WarpRecord::start(Warp& warp) const {
  warp.trace = {};
  warp.last_offsets.clear(state_.program.sites.size());
  warp.recording = true;
  warp.recorded_instructions = 0;
  warp.pieces.start(most_bytes_ / pieces_share, state_.lanes());
  if (long_warps_)
    shorten(warp);
  warp.trace.steps.reserve(warp.expected_steps);
  warp.trace.events.reserve(warp.expected_events);
}

void WarpRecord::shorten_early(std::vector<Warp>& warps, std::uint32_t count) const {
  for (std::uint32_t w = 0; w < count && long_warps_; ++w)
    shorten(warps[w]);
}

/// Of the step that begins.
bool WarpRecord::holds(const Path& path) {
  const std::uint32_t location = state_.program.blocks[path.block].terminator.location;
  if (!in_pieces_) {
    if (state_.warp->recording && budgeted_bytes() > most_bytes_)
      end(location);
    return state_.warp->recording;
  }
  if (!long_warps_ && budgeted_bytes() > most_bytes_ / long_share) {
    long_warps_ = true;
    shorten(*state_.warp);
    state_.note_once(
        facts::Note::Severity::assumption, location,
        "the trace reached its budget: of long warps pieces were recorded, evenly spread, and the rest of "
        "their work is taken to be like them",
        "--max-trace-mb");
  }
  const unsigned level = state_.warp->pieces.level();
  const bool held = state_.warp->pieces.hold(block_bytes_[path.block], state_.warp->trace,
                                             state_.warp->recorded_instructions);
  if (state_.warp->pieces.level() > level)
    state_.warp->last_offsets.clear(state_.program.sites.size()); // they have moved
  return held;
}

void WarpRecord::shorten(Warp& warp) const {
  warp.pieces.shorten(warp.trace, warp.recorded_instructions);
  warp.last_offsets.clear(state_.program.sites.size()); // they have moved
}

void WarpRecord::start_step(const Path& path) {
  const Block& block = state_.program.blocks[path.block];
  facts::WarpTrace& trace = state_.warp->trace;
  trace.ir_instructions += block.ir_instructions;
  state_.warp->recording = holds(path);
  if (!state_.warp->recording)
    return;
  trace.steps.push_back(
      {path.block, path.previous_block, path.active, static_cast<std::uint32_t>(trace.events.size())});
  state_.warp->recorded_instructions += block.ir_instructions;
  state_.budget.trace_bytes += sizeof(facts::BlockStep);
}

void WarpRecord::end(std::uint32_t location) {
  state_.warp->recording = false;
  state_.note_once(
      facts::Note::Severity::assumption, location,
      "the trace reached its budget: warps were recorded up to here, and the rest of their work is taken to "
      "be like it",
      "--max-trace-mb");
}

facts::MemorySpace WarpRecord::space_at(std::uint64_t address, const MemoryOp& op) {
  const Region* region = state_.memory.find(address);
  if (region && state_.program.sites[op.site].space != facts::MemorySpace::texture)
    return region->info.space == facts::MemorySpace::parameter ? state_.program.sites[op.site].space
                                                               : region->info.space;
  return state_.program.sites[op.site].space;
}

std::uint64_t WarpRecord::private_event_address(std::uint64_t address, unsigned lane) const {
  return address - lane * (state_.local_region->size_bytes / state_.lanes());
}

void WarpRecord::access(const MemoryOp& op, std::uint64_t active, const AddressPattern& pattern,
                        const std::uint64_t* addresses, unsigned width_bytes) {
  if (op.site == no_site || !state_.warp->recording)
    return;
  facts::WarpTrace& trace = state_.warp->trace;
  LastOffsets* const last = state_.options.whole_grid ? nullptr : &state_.warp->last_offsets;
  const facts::MemorySpace space = space_at(pattern.low, op);
  std::size_t offset_bytes = 0;
  if (space == facts::MemorySpace::local) {
    // The place inside the lane's own frame: how frames are laid out over the lanes is the memory room's
    // part.
    std::uint64_t in_frame[64];
    for (unsigned l = 0; l < state_.lanes(); ++l)
      in_frame[l] = (active >> l & 1) != 0 ? private_event_address(addresses[l], l) : local_window;
    offset_bytes = record(trace, op.site, space, active, classify(in_frame, active, state_.lanes()), in_frame,
                          state_.lanes(), last);
  } else {
    offset_bytes = record(trace, op.site, space, active, pattern, addresses, state_.lanes(), last);
  }
  trace.events.back().width_bytes = static_cast<std::uint8_t>(width_bytes);
  state_.budget.trace_bytes += sizeof(facts::MemoryEvent) + offset_bytes;
}

void WarpRecord::mixed_access(const MemoryOp& op, const Texels& texels) {
  if (op.site == no_site || !state_.warp->recording)
    return;
  facts::WarpTrace& trace = state_.warp->trace;
  const std::size_t offset_bytes = record_mixed(trace, op.site, texels, state_.lanes());
  trace.events.back().width_bytes = static_cast<std::uint8_t>(texels.width_bytes);
  state_.budget.trace_bytes += sizeof(facts::MemoryEvent) + offset_bytes;
}

void WarpRecord::meeting(std::uint32_t site, std::uint64_t address, std::uint32_t meeting) {
  if (site == no_site || !state_.warp->recording)
    return;
  facts::MemoryEvent event;
  event.site = site;
  event.space = facts::MemorySpace::shared;
  event.active = 1;
  event.base = address;
  event.first_offset = meeting;
  state_.warp->trace.events.push_back(event);
  state_.budget.trace_bytes += sizeof event;
}

void WarpRecord::no_access(const MemoryOp& op) {
  if (op.site == no_site || !state_.warp->recording)
    return;
  facts::MemoryEvent event;
  event.site = op.site;
  event.space = facts::MemorySpace::parameter; // meets no cache
  state_.warp->trace.events.push_back(event);
  state_.budget.trace_bytes += sizeof event;
}

void WarpRecord::unknown_access(const MemoryOp& op, std::uint64_t active) {
  if (op.site == no_site || !state_.warp->recording)
    return;
  facts::MemoryEvent event;
  event.site = op.site;
  event.space = state_.program.sites[op.site].space;
  event.pattern = facts::MemoryEvent::Pattern::unknown;
  event.active = active;
  state_.warp->trace.events.push_back(event);
  state_.budget.trace_bytes += sizeof event;
}

} // namespace forewarp::simt
