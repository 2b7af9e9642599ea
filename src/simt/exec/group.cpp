#include "simt/exec/group.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

namespace forewarp::simt {
namespace {

constexpr std::uint64_t fnv_offset = 0xCBF29CE484222325ULL, fnv_prime = 0x100000001B3ULL;

void mix(std::uint64_t& hash, std::uint64_t value) {
  hash = (hash ^ value) * fnv_prime;
}

std::uint64_t first_lanes(unsigned count) {
  return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

} // namespace

void RegisterFile::allocate(std::size_t slots, std::size_t slot_bytes) {
  const std::size_t bytes = std::max<std::size_t>(slots, 1) * slot_bytes;
  data.reset(static_cast<std::uint8_t*>(::operator new[](bytes, std::align_val_t{64})));
  std::memset(data.get(), 0, bytes);
  known.assign(std::max<std::size_t>(slots, 1), 0);
}

GroupRunner::GroupRunner(const Program& program, const facts::LaunchShape& shape, const RunOptions& options,
                         MemoryMap& memory, std::uint64_t shared_bytes,
                         const std::vector<std::uint64_t>& variable_addresses)
    : program_(program), shape_(shape), options_(options), memory_(memory), shared_memory_(shared_bytes),
      shared_known_(shared_bytes) {
  context_.chunks = program.warp_width / 32;
  slot_bytes_ = static_cast<std::size_t>(context_.chunks) * slot_bytes_per_chunk;
  shared_registers_.allocate(program.shared_slots, slot_bytes_);
  context_.data[1] = shared_registers_.data.get();
  context_.known[1] = shared_registers_.known.data();
  if (shared_bytes > 0) {
    Region& region =
        memory_.add_window("shared memory", facts::MemorySpace::shared, shared_window, shared_bytes);
    region.flat = shared_memory_.data();
    region.flat_known = shared_known_.data();
  }
  const std::uint64_t frame = private_frame_bytes();
  if (frame > 0)
    local_region_ =
        &memory_.add_window("private memory", facts::MemorySpace::local, local_window, frame * lanes());
  warps_ = make_warps();
  most_warp_trace_bytes_ =
      options.max_trace_bytes / fitting_groups / std::max<std::uint64_t>(1, warps_.size());
  in_pieces_ = !options.whole_grid && !program.has_barrier && program.places_were_loaded &&
               !program.follows_loads && iterations_differ();
  measure_blocks();
  for (const SharedConstant& c : program.constants)
    set_shared(c.slot, c.type, c.value, c.known);
  for (const AddressConstant& a : program.address_constants)
    set_shared(a.slot, LaneType::quad, variable_addresses[a.variable] + a.addend, true);
  auto set = [&](GroupValue value, std::uint64_t number) {
    if (group_slot(value) != no_slot)
      set_shared(group_slot(value), LaneType::word, number, true);
  };
  set(GroupValue::groups_x, shape.groups.x);
  set(GroupValue::groups_y, shape.groups.y);
  set(GroupValue::groups_z, shape.groups.z);
  set(GroupValue::global_x, shape.global_items.x);
  set(GroupValue::global_y, shape.global_items.y);
  set(GroupValue::global_z, shape.global_items.z);
  set(GroupValue::enqueued_x, shape.group_size.x);
  set(GroupValue::enqueued_y, shape.group_size.y);
  set(GroupValue::enqueued_z, shape.group_size.z);
  set(GroupValue::work_dim, shape.global_items.z > 1 ? 3 : shape.global_items.y > 1 ? 2 : 1);
  if (const std::int32_t slot = group_slot(GroupValue::frame); slot != no_slot) {
    for (unsigned l = 0; l < lanes(); ++l)
      set_lane_bits(slot, LaneType::quad, l, local_window + l * frame);
    known(slot) = ~std::uint64_t{0};
  }
}

/// No loop whose iterations are known to be alike but for moved addresses: the first ones stand for those.
bool GroupRunner::iterations_differ() const {
  return std::ranges::all_of(program_.replays, [](const LoopReplay& replay) {
    return replay.stay == LoopReplay::Stay::never_known;
  });
}

void GroupRunner::measure_blocks() {
  block_bytes_.assign(program_.blocks.size(), sizeof(facts::BlockStep));
  for (const facts::MemorySite& site : program_.sites)
    block_bytes_[site.block] += sizeof(facts::MemoryEvent) + lanes() * sizeof(std::int64_t);
}

std::vector<Warp> GroupRunner::make_warps() const {
  const std::uint64_t private_bytes = private_frame_bytes() * lanes();
  std::vector<Warp> warps((shape_.group_size.count() + lanes() - 1) / lanes());
  for (Warp& warp : warps) {
    // Without barriers warps run one after the other and can share one register file.
    if (&warp == &warps.front() || program_.has_barrier)
      warp.registers.allocate(program_.register_slots, slot_bytes_);
    warp.loop_iterations.resize(program_.loops);
    warp.watches.resize(program_.loops);
    warp.local.resize(private_bytes);
    warp.local_known.resize(private_bytes);
  }
  return warps;
}

GroupRunner::State GroupRunner::make_state(facts::Dim3 group) const {
  return {group, make_warps(), std::vector<std::uint8_t>(shared_memory_.size()),
          std::vector<std::uint8_t>(shared_memory_.size())};
}

void GroupRunner::exchange(State& state) {
  std::swap(warps_, state.warps);
  // The region of shared memory points at this runner's bytes.
  std::swap_ranges(shared_memory_.begin(), shared_memory_.end(), state.shared_memory.begin());
  std::swap_ranges(shared_known_.begin(), shared_known_.end(), state.shared_known.begin());
  set_group(state.group);
}

void GroupRunner::set_shared(std::int32_t slot, LaneType type, std::uint64_t value, bool is_known) {
  if (type == LaneType::bit)
    *reinterpret_cast<std::uint64_t*>(data(slot)) = (value & 1) != 0 ? ~std::uint64_t{0} : 0;
  else
    for (unsigned l = 0; l < lanes(); ++l)
      set_lane_bits(slot, type, l, value);
  known(slot) = is_known ? ~std::uint64_t{0} : 0;
}

void GroupRunner::set_group(facts::Dim3 group) {
  group_ = group;
  auto size = [](std::uint64_t index, std::uint64_t whole, std::uint64_t items) {
    return std::min(whole, items - std::min(items, index * whole));
  };
  group_size_ = {size(group.x, shape_.group_size.x, shape_.global_items.x),
                 size(group.y, shape_.group_size.y, shape_.global_items.y),
                 size(group.z, shape_.group_size.z, shape_.global_items.z)};
  warp_count_ = static_cast<std::uint32_t>((group_size_.count() + lanes() - 1) / lanes());
  auto set = [&](GroupValue value, std::uint64_t number) {
    if (group_slot(value) != no_slot)
      set_shared(group_slot(value), LaneType::word, number, true);
  };
  set(GroupValue::group_x, group.x);
  set(GroupValue::group_y, group.y);
  set(GroupValue::group_z, group.z);
  set(GroupValue::size_x, group_size_.x);
  set(GroupValue::size_y, group_size_.y);
  set(GroupValue::size_z, group_size_.z);
  set(GroupValue::warps, warp_count_);
}

void GroupRunner::set_lane_value(Warp& warp, WarpValue value, unsigned lane, std::uint64_t lane_value) {
  const std::int32_t slot = program_.warp_values[static_cast<int>(value)];
  if (slot == no_slot)
    return;
  const bool wide = lanes() == 64 && value >= WarpValue::eq_mask;
  set_lane_bits(slot, wide ? LaneType::quad : LaneType::word, lane, lane_value);
  warp.registers.known[static_cast<std::size_t>(slot)] = ~std::uint64_t{0};
}

void GroupRunner::start_warp(Warp& warp, std::uint32_t index) {
  warp.index = index;
  warp.resume = UINT32_MAX;
  warp.state = WarpState::running;
  warp.clock = warp.barriers = warp.replayed_barriers = 0;
  for (LoopWatch& watch : warp.watches)
    watch.iterations = 0;
  warp.trace = {};
  warp.last_offsets.clear(program_.sites.size());
  warp.recording = true;
  warp.recorded_instructions = 0;
  warp.pieces.start(most_warp_trace_bytes_ / pieces_share, lanes());
  if (long_warps_)
    shorten_record(warp);
  warp.trace.steps.reserve(warp.expected_steps);
  warp.trace.events.reserve(warp.expected_events);
  const std::uint64_t first = static_cast<std::uint64_t>(index) * lanes();
  warp.live = lanes_at_start(index);
  warp.paths.clear();
  warp.paths.push_back({0, UINT32_MAX, UINT32_MAX, warp.live, 0, 0});
  std::fill(warp.loop_iterations.begin(), warp.loop_iterations.end(), 0);
  std::fill(warp.local_known.begin(), warp.local_known.end(), std::uint8_t{0});
  context_.data[0] = warp.registers.data.get();
  context_.known[0] = warp.registers.known.data();
  std::fill(warp.registers.known.begin(), warp.registers.known.end(), 0);
  for (unsigned l = 0; l < lanes(); ++l) {
    const std::uint64_t id = first + l;
    set_lane_value(warp, WarpValue::tid_x, l, id % group_size_.x);
    set_lane_value(warp, WarpValue::tid_y, l, id / group_size_.x % group_size_.y);
    set_lane_value(warp, WarpValue::tid_z, l, id / group_size_.x / group_size_.y);
    set_lane_value(warp, WarpValue::lane, l, l);
    set_lane_value(warp, WarpValue::warp, l, index);
    const std::uint64_t bit = std::uint64_t{1} << l, whole = first_lanes(lanes());
    set_lane_value(warp, WarpValue::eq_mask, l, bit);
    set_lane_value(warp, WarpValue::lt_mask, l, bit - 1);
    set_lane_value(warp, WarpValue::le_mask, l, bit | (bit - 1));
    set_lane_value(warp, WarpValue::gt_mask, l, whole & ~(bit | (bit - 1)));
    set_lane_value(warp, WarpValue::ge_mask, l, whole & ~(bit - 1));
  }
}

Result<facts::GroupTrace> GroupRunner::run(facts::Dim3 group) {
  set_group(group);
  if (!program_.has_barrier) {
    std::fill(shared_known_.begin(), shared_known_.end(), std::uint8_t{0});
    for (std::uint32_t w = 0; w < warp_count_ && !error_; ++w) {
      if (w > 0)
        warps_[w].registers = std::move(warps_[w - 1].registers);
      const std::uint64_t bytes_before = budget_.trace_bytes;
      start_warp(warps_[w], w);
      run_warp(warps_[w]);
      if (warps_[w].pieces.level() > 0)
        budget_.trace_bytes = bytes_before + pieces_share * warps_[w].pieces.held_bytes();
    }
    for (std::uint32_t w = 0; w < warp_count_ && long_warps_; ++w)
      shorten_record(warps_[w]); // those that ran before the first long one
    if (warp_count_ > 1)         // give the file back for the next group, also after an error
      for (Warp& warp : warps_)
        if (&warp != &warps_[0] && warp.registers.data)
          warps_[0].registers = std::move(warp.registers);
    if (error_)
      return tl::unexpected<Error>(*error_);
  } else {
    start();
    FOREWARP_TRY(run_on());
  }
  return finish();
}

void GroupRunner::start() {
  std::fill(shared_known_.begin(), shared_known_.end(), std::uint8_t{0});
  for (std::uint32_t w = 0; w < warp_count_; ++w)
    start_warp(warps_[w], w);
}

Result<bool> GroupRunner::run_on() {
  grid_barrier_ = UINT32_MAX;
  do {
    for (std::uint32_t w = 0; w < warp_count_ && !error_; ++w)
      if (warps_[w].state == WarpState::running)
        run_warp(warps_[w]);
  } while (!error_ && !replay_failed_ && release_barrier() && grid_barrier_ == UINT32_MAX);
  if (error_)
    return tl::unexpected<Error>(*error_);
  return grid_barrier_ == UINT32_MAX;
}

std::uint64_t GroupRunner::lanes_at_start(std::uint32_t warp) const {
  const std::uint64_t first = static_cast<std::uint64_t>(warp) * lanes();
  return first_lanes(static_cast<unsigned>(std::min<std::uint64_t>(lanes(), group_size_.count() - first)));
}

/// Work-items that returned are not waited for: what hardware does, though the languages leave it undefined.
void GroupRunner::note_returned(std::uint32_t barrier) {
  for (std::uint32_t w = 0; w < warp_count_; ++w)
    if (warps_[w].state == WarpState::finished || warps_[w].live != lanes_at_start(w))
      return note_once(facts::Note::Severity::info, program_.code[barrier].origin, returned_before_barrier,
                       "");
}

bool GroupRunner::release_barrier() {
  std::uint32_t waiting = UINT32_MAX;
  bool any_true = false, all_true = true, all_known = true;
  std::uint64_t count = 0, replayed_barriers = 0;
  for (std::uint32_t w = 0; w < warp_count_; ++w) {
    Warp& warp = warps_[w];
    if (warp.state != WarpState::at_barrier)
      continue;
    const Instruction& at = program_.code[warp.barrier];
    if (waiting != UINT32_MAX && waiting != warp.barrier) {
      const facts::SourceLocation first = program_.locations[program_.code[waiting].origin],
                                  second = program_.locations[at.origin];
      if (!(first == second))
        return fail_with(
            ErrorCode::kernel_fault,
            fmt::format("warps of group ({}, {}, {}) wait at different barriers: line {} and line {}",
                        group_.x, group_.y, group_.z, first.line, second.line),
            at.origin, "every work-item of a group has to reach the same barrier");
    }
    if (waiting == UINT32_MAX)
      replayed_barriers = warp.replayed_barriers;
    replay_failed_ = replay_failed_ || warp.replayed_barriers != replayed_barriers;
    waiting = waiting == UINT32_MAX ? warp.barrier : waiting;
    if (at.detail != 0) { // barrier with reduction
      context_.data[0] = warp.registers.data.get();
      context_.known[0] = warp.registers.known.data();
      all_known = all_known && (known(at.slots.a) & warp.live) == warp.live;
      for (std::uint64_t rest = warp.live; rest != 0; rest &= rest - 1) {
        const bool flag =
            lane_bits(at.slots.a, LaneType::word, static_cast<unsigned>(std::countr_zero(rest))) != 0;
        any_true = any_true || flag;
        all_true = all_true && flag;
        count += flag ? 1 : 0;
      }
    }
  }
  if (waiting == UINT32_MAX)
    return false;
  note_returned(waiting);
  if (program_.code[waiting].special == Special::grid_barrier)
    grid_barrier_ = waiting;
  for (std::uint32_t w = 0; w < warp_count_; ++w) {
    Warp& warp = warps_[w];
    if (warp.state != WarpState::at_barrier)
      continue;
    const Instruction& at = program_.code[warp.barrier];
    if (at.detail != 0) {
      context_.data[0] = warp.registers.data.get();
      context_.known[0] = warp.registers.known.data();
      const ReduceMode mode = program_.cross_lane_ops[at.detail - 1].reduce;
      const std::uint64_t value = mode == ReduceMode::count      ? count
                                  : mode == ReduceMode::all_true ? static_cast<std::uint64_t>(all_true)
                                                                 : static_cast<std::uint64_t>(any_true);
      for (unsigned l = 0; l < lanes(); ++l)
        set_lane_bits(at.slots.destination, LaneType::word, l, value);
      known(at.slots.destination) = all_known ? ~std::uint64_t{0} : 0;
    }
    warp.resume = warp.barrier + 1;
    warp.state = WarpState::running;
  }
  return true;
}

std::uint64_t GroupRunner::trace_bytes(const facts::GroupTrace& trace) {
  std::uint64_t bytes = sizeof(facts::GroupTrace);
  for (const facts::WarpTrace& warp : trace.warps)
    bytes += bytes_of(warp);
  return bytes;
}

facts::GroupTrace GroupRunner::finish() {
  facts::GroupTrace out;
  out.group = group_;
  std::uint64_t hash = fnv_offset;
  for (std::uint32_t w = 0; w < warp_count_; ++w) {
    mix(hash, 0xFFFF'FFFF'FFFFULL + w);
    for (const facts::BlockStep& step : warps_[w].trace.steps) {
      mix(hash, step.block);
      mix(hash, step.active);
    }
    if (warps_[w].recorded_instructions < warps_[w].trace.ir_instructions) {
      warps_[w].trace.recorded_share = static_cast<double>(warps_[w].recorded_instructions) /
                                       static_cast<double>(warps_[w].trace.ir_instructions);
      mix(hash, warps_[w].trace.ir_instructions); // records that were cut are alike where the work is not
    }
    warps_[w].expected_steps = warps_[w].trace.steps.size();
    warps_[w].expected_events = warps_[w].trace.events.size();
    out.warps.push_back(std::move(warps_[w].trace));
  }
  out.behaviour = hash;
  return out;
}

std::vector<facts::Note> GroupRunner::notes() const {
  return notes_;
}

} // namespace forewarp::simt
