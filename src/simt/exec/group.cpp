#include "simt/exec/group.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

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

GroupRunner::GroupRunner(const Program& program, const facts::LaunchShape& shape, const RunOptions& options,
                         MemoryMap& memory, std::uint64_t shared_bytes,
                         const std::vector<std::uint64_t>& variable_addresses)
    : state_(program, shape, options, memory, shared_bytes), shared_memory_(shared_bytes),
      shared_known_(shared_bytes), warps_(make_warps()), record_(state_, warps_.size()) {
  if (shared_bytes > 0) {
    Region& region =
        memory.add_window("shared memory", facts::MemorySpace::shared, shared_window, shared_bytes);
    region.flat = shared_memory_.data();
    region.flat_known = shared_known_.data();
  }
  for (unsigned rank = 0; program.crosses_groups && shape.cluster.count() > 1 && rank < shape.cluster.count();
       ++rank)
    others_.push_back(&memory.add_window(fmt::format("shared memory of group {} of the cluster", rank),
                                         facts::MemorySpace::shared,
                                         facts::cluster_window + rank * facts::cluster_span, shared_bytes));
  const std::uint64_t frame = private_frame_bytes();
  if (frame > 0)
    state_.local_region =
        &memory.add_window("private memory", facts::MemorySpace::local, local_window, frame * lanes());
  for (const SharedConstant& c : program.constants)
    set_shared(c.slot, c.type, c.value, c.known);
  for (const AddressConstant& a : program.address_constants)
    set_shared(a.slot, a.type, variable_addresses[a.variable] + a.addend, true);
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
  set(GroupValue::cluster_x, shape.cluster.x);
  set(GroupValue::cluster_y, shape.cluster.y);
  set(GroupValue::cluster_z, shape.cluster.z);
  set(GroupValue::cluster_count, shape.cluster.count());
  set(GroupValue::clusters_x, shape.groups.x / shape.cluster.x);
  set(GroupValue::clusters_y, shape.groups.y / shape.cluster.y);
  set(GroupValue::clusters_z, shape.groups.z / shape.cluster.z);
  set(GroupValue::dynamic_shared, shape.dynamic_shared_bytes);
  set(GroupValue::work_dim, shape.global_items.z > 1 ? 3 : shape.global_items.y > 1 ? 2 : 1);
  if (const std::int32_t slot = group_slot(GroupValue::frame); slot != no_slot) {
    for (unsigned l = 0; l < lanes(); ++l)
      state_.set_lane_bits(slot, LaneType::quad, l, local_window + l * frame);
    state_.known(slot) = ~std::uint64_t{0};
  }
}

std::vector<Warp> GroupRunner::make_warps() const {
  const std::uint64_t private_bytes = private_frame_bytes() * lanes();
  std::vector<Warp> warps((state_.shape.group_size.count() + lanes() - 1) / lanes());
  for (Warp& warp : warps) {
    // Without barriers warps run one after the other and can share one register file.
    if (&warp == &warps.front() || state_.program.has_barrier)
      warp.registers.allocate(state_.program.register_slots, state_.slot_bytes);
    warp.loop_iterations.resize(state_.program.loops);
    warp.watches.resize(state_.program.loops);
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
  std::swap(state_.tensor_memory, state.tensor_memory);
  set_group(state.group);
}

void GroupRunner::show(unsigned rank, State* state) {
  if (others_.empty())
    return;
  others_[rank]->flat = state != nullptr ? state->shared_memory.data() : shared_memory_.data();
  others_[rank]->flat_known = state != nullptr ? state->shared_known.data() : shared_known_.data();
  state_.tensor_memories.resize(others_.size());
  state_.tensor_memories[rank] = state != nullptr ? &state->tensor_memory : &state_.tensor_memory;
}

void GroupRunner::set_shared(std::int32_t slot, LaneType type, std::uint64_t value, bool is_known) {
  if (type == LaneType::bit)
    *reinterpret_cast<std::uint64_t*>(state_.data(slot)) = (value & 1) != 0 ? ~std::uint64_t{0} : 0;
  else
    for (unsigned l = 0; l < lanes(); ++l)
      state_.set_lane_bits(slot, type, l, value);
  state_.known(slot) = is_known ? ~std::uint64_t{0} : 0;
}

void GroupRunner::set_group(facts::Dim3 group) {
  state_.group = group;
  auto size = [](std::uint64_t index, std::uint64_t whole, std::uint64_t items) {
    return std::min(whole, items - std::min(items, index * whole));
  };
  state_.group_size = {size(group.x, state_.shape.group_size.x, state_.shape.global_items.x),
                       size(group.y, state_.shape.group_size.y, state_.shape.global_items.y),
                       size(group.z, state_.shape.group_size.z, state_.shape.global_items.z)};
  warp_count_ = static_cast<std::uint32_t>((state_.group_size.count() + lanes() - 1) / lanes());
  auto set = [&](GroupValue value, std::uint64_t number) {
    if (group_slot(value) != no_slot)
      set_shared(group_slot(value), LaneType::word, number, true);
  };
  set(GroupValue::group_x, group.x);
  set(GroupValue::group_y, group.y);
  set(GroupValue::group_z, group.z);
  set(GroupValue::size_x, state_.group_size.x);
  set(GroupValue::size_y, state_.group_size.y);
  set(GroupValue::size_z, state_.group_size.z);
  set(GroupValue::warps, warp_count_);
  const facts::Dim3& cluster = state_.shape.cluster;
  const facts::Dim3 place = {group.x % cluster.x, group.y % cluster.y, group.z % cluster.z};
  state_.cluster_rank = static_cast<unsigned>((place.z * cluster.y + place.y) * cluster.x + place.x);
  set(GroupValue::cluster_rank, state_.cluster_rank);
  set(GroupValue::in_cluster_x, place.x);
  set(GroupValue::in_cluster_y, place.y);
  set(GroupValue::in_cluster_z, place.z);
  set(GroupValue::cluster_id_x, group.x / cluster.x);
  set(GroupValue::cluster_id_y, group.y / cluster.y);
  set(GroupValue::cluster_id_z, group.z / cluster.z);
}

void GroupRunner::set_lane_value(Warp& warp, WarpValue value, unsigned lane, std::uint64_t lane_value) {
  const std::int32_t slot = state_.program.warp_values[static_cast<int>(value)];
  if (slot == no_slot)
    return;
  const bool wide = lanes() == 64 && value >= WarpValue::eq_mask;
  state_.set_lane_bits(slot, wide ? LaneType::quad : LaneType::word, lane, lane_value);
  warp.registers.known[static_cast<std::size_t>(slot)] = ~std::uint64_t{0};
}

void GroupRunner::start_warp(Warp& warp, std::uint32_t index) {
  warp.index = index;
  warp.resume = UINT32_MAX;
  warp.engine_piece = warp.engine_lane = 0;
  warp.state = WarpState::running;
  warp.clock = warp.barriers = warp.replayed_barriers = 0;
  for (LoopWatch& watch : warp.watches)
    watch.iterations = 0;
  record_.start(warp);
  const std::uint64_t first = static_cast<std::uint64_t>(index) * lanes();
  warp.live = lanes_at_start(index);
  warp.assumed = warp.overran = 0;
  warp.paths.clear();
  warp.paths.push_back({0, UINT32_MAX, UINT32_MAX, warp.live, 0, 0});
  std::fill(warp.loop_iterations.begin(), warp.loop_iterations.end(), 0);
  std::fill(warp.local_known.begin(), warp.local_known.end(), std::uint8_t{0});
  state_.use_registers(warp);
  std::fill(warp.registers.known.begin(), warp.registers.known.end(), 0);
  for (unsigned l = 0; l < lanes(); ++l) {
    const std::uint64_t id = first + l;
    set_lane_value(warp, WarpValue::tid_x, l, id % state_.group_size.x);
    set_lane_value(warp, WarpValue::tid_y, l, id / state_.group_size.x % state_.group_size.y);
    set_lane_value(warp, WarpValue::tid_z, l, id / state_.group_size.x / state_.group_size.y);
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
  if (!state_.program.has_barrier) {
    std::fill(shared_known_.begin(), shared_known_.end(), std::uint8_t{0});
    state_.tensor_memory.clear();
    for (std::uint32_t w = 0; w < warp_count_ && !state_.error; ++w) {
      if (w > 0)
        warps_[w].registers = std::move(warps_[w - 1].registers);
      const std::uint64_t bytes_before = state_.budget.trace_bytes;
      start_warp(warps_[w], w);
      control_.run(warps_[w]);
      if (warps_[w].pieces.level() > 0)
        state_.budget.trace_bytes = bytes_before + pieces_share * warps_[w].pieces.held_bytes();
    }
    record_.shorten_early(warps_, warp_count_);
    if (warp_count_ > 1) // give the file back for the next group, also after an error
      for (Warp& warp : warps_)
        if (&warp != &warps_[0] && warp.registers.data)
          warps_[0].registers = std::move(warp.registers);
    if (state_.error)
      return tl::unexpected<Error>(*state_.error);
  } else {
    start();
    FOREWARP_TRY(run_on());
  }
  return finish();
}

void GroupRunner::start(bool first) {
  if (first)
    specials_.meetings().start();
  std::fill(shared_known_.begin(), shared_known_.end(), std::uint8_t{0});
  state_.tensor_memory.clear();
  for (std::uint32_t w = 0; w < warp_count_; ++w)
    start_warp(warps_[w], w);
}

Result<bool> GroupRunner::run_on() {
  grid_barrier_ = UINT32_MAX;
  waits_for_others_ = false;
  do {
    do {
      for (std::uint32_t w = 0; w < warp_count_ && !state_.error; ++w)
        if (warps_[w].state == WarpState::running)
          control_.run(warps_[w]);
    } while (!state_.error && look_again());
  } while (!state_.error && !replayer_.failed() && release_barrier() && grid_barrier_ == UINT32_MAX);
  if (state_.error)
    return tl::unexpected<Error>(*state_.error);
  return grid_barrier_ == UINT32_MAX && !waits_for_others_;
}

bool GroupRunner::release_cluster() {
  const auto waits_there = [&](const Warp& warp) {
    return warp.state == WarpState::at_meeting &&
           state_.program.meeting_ops[state_.program.code[warp.barrier].detail].kind ==
               MeetingOp::Kind::cluster_leave;
  };
  for (std::uint32_t w = 0; w < warp_count_; ++w)
    if (warps_[w].state != WarpState::finished && !waits_there(warps_[w]))
      return false;
  specials_.meetings().end_cluster_round();
  return true;
}

void GroupRunner::fail_waiting() {
  for (std::uint32_t w = 0; w < warp_count_ && !state_.error; ++w)
    if (warps_[w].state == WarpState::at_meeting)
      specials_.meetings().fail_waiting(warps_[w]);
}

/// Warps that wait at a meeting run again where somebody has arrived since. False: none does.
bool GroupRunner::look_again() {
  bool any = false;
  for (std::uint32_t w = 0; w < warp_count_; ++w)
    if (warps_[w].state == WarpState::at_meeting &&
        warps_[w].seen_changes != specials_.meetings().changes()) {
      warps_[w].state = WarpState::running;
      any = true;
    }
  return any;
}

std::uint64_t GroupRunner::lanes_at_start(std::uint32_t warp) const {
  const std::uint64_t first = static_cast<std::uint64_t>(warp) * lanes();
  return first_lanes(
      static_cast<unsigned>(std::min<std::uint64_t>(lanes(), state_.group_size.count() - first)));
}

/// Work-items that returned are not waited for: what hardware does, though the languages leave it undefined.
void GroupRunner::note_returned(std::uint32_t barrier) {
  for (std::uint32_t w = 0; w < warp_count_; ++w)
    if (warps_[w].state == WarpState::finished || warps_[w].live != lanes_at_start(w))
      return state_.note_once(facts::Note::Severity::info, state_.program.code[barrier].origin,
                              returned_before_barrier, "");
}

bool GroupRunner::release_barrier() {
  std::uint32_t waiting = UINT32_MAX;
  bool any_true = false, all_true = true, all_known = true;
  std::uint64_t count = 0, replayed_barriers = 0;
  for (std::uint32_t w = 0; w < warp_count_; ++w) {
    Warp& warp = warps_[w];
    if (warp.state == WarpState::at_meeting) {
      waits_for_others_ = !others_.empty(); // groups of the cluster, which run after this one
      if (waits_for_others_)
        return false;
      if (release_cluster()) // a cluster of one group, some work-items of which have returned
        return true;
      specials_.meetings().fail_waiting(warp);
      return false;
    }
    if (warp.state != WarpState::at_barrier)
      continue;
    const Instruction& at = state_.program.code[warp.barrier];
    if (waiting != UINT32_MAX && waiting != warp.barrier) {
      const facts::SourceLocation first = state_.program.locations[state_.program.code[waiting].origin],
                                  second = state_.program.locations[at.origin];
      if (!(first == second))
        return state_.fail_with(
            ErrorCode::kernel_fault,
            fmt::format("warps of group ({}, {}, {}) wait at different barriers: line {} and line {}",
                        state_.group.x, state_.group.y, state_.group.z, first.line, second.line),
            at.origin, "every work-item of a group has to reach the same barrier");
    }
    if (waiting == UINT32_MAX)
      replayed_barriers = warp.replayed_barriers;
    if (warp.replayed_barriers != replayed_barriers)
      replayer_.fail();
    waiting = waiting == UINT32_MAX ? warp.barrier : waiting;
    if (at.detail != 0) { // barrier with reduction
      state_.use_registers(warp);
      all_known = all_known && (state_.known(at.slots.a) & warp.live) == warp.live;
      for (std::uint64_t rest = warp.live; rest != 0; rest &= rest - 1) {
        const bool flag =
            state_.lane_bits(at.slots.a, LaneType::word, static_cast<unsigned>(std::countr_zero(rest))) != 0;
        any_true = any_true || flag;
        all_true = all_true && flag;
        count += flag ? 1 : 0;
      }
    }
  }
  if (waiting == UINT32_MAX)
    return false;
  note_returned(waiting);
  if (state_.program.code[waiting].special == Special::grid_barrier)
    grid_barrier_ = waiting;
  for (std::uint32_t w = 0; w < warp_count_; ++w) {
    Warp& warp = warps_[w];
    if (warp.state != WarpState::at_barrier)
      continue;
    const Instruction& at = state_.program.code[warp.barrier];
    if (at.detail != 0) {
      state_.use_registers(warp);
      const ReduceMode mode = state_.program.cross_lane_ops[at.detail - 1].reduce;
      const std::uint64_t value = mode == ReduceMode::count      ? count
                                  : mode == ReduceMode::all_true ? static_cast<std::uint64_t>(all_true)
                                                                 : static_cast<std::uint64_t>(any_true);
      for (unsigned l = 0; l < lanes(); ++l)
        state_.set_lane_bits(at.slots.destination, LaneType::word, l, value);
      state_.known(at.slots.destination) = all_known ? ~std::uint64_t{0} : 0;
    }
    warp.resume = warp.barrier + 1;
    warp.state = WarpState::running;
  }
  return true;
}

std::uint64_t GroupRunner::trace_bytes(const facts::GroupTrace& trace) {
  std::uint64_t bytes = 0; // as the record charges them: what the vectors hold
  for (const facts::WarpTrace& warp : trace.warps)
    bytes += bytes_of(warp) - sizeof warp;
  return bytes;
}

Error GroupRunner::fault(std::string message, std::uint32_t instruction, std::string hint) const {
  return {ErrorCode::kernel_fault, std::move(message), state_.place(state_.program.code[instruction].origin),
          std::move(hint)};
}

facts::GroupTrace GroupRunner::finish() {
  facts::GroupTrace out;
  out.group = state_.group;
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

} // namespace forewarp::simt
