#include "simt/exec/waiting/meetings.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace forewarp::simt {
namespace {

using Kind = MeetingOp::Kind;

constexpr std::uint64_t named_barriers = 16; // PTX ISA, "bar"

unsigned first_of(std::uint64_t lanes) {
  return static_cast<unsigned>(std::countr_zero(lanes));
}

} // namespace

void Meetings::start() {
  barriers_.clear();
  named_.clear();
  cluster_ = {};
  ids_.clear();
}

std::uint64_t Meetings::place_of(std::uint64_t address) const {
  if (address >= facts::cluster_window)
    return address;
  // Of a pair's first group: what its second one makes of its own address without the lowest bit of the rank.
  const bool of_first = state_.program.multiplies_in_pairs && address < shared_window;
  const std::uint64_t rank = of_first ? state_.cluster_rank & ~1U : state_.cluster_rank;
  return facts::cluster_window + rank * facts::cluster_span + address % shared_window;
}

std::uint64_t Meetings::own_place(std::uint64_t address) const {
  return place_of(shared_window + address % facts::cluster_span);
}

std::uint32_t Meetings::id_of(std::uint64_t place, std::uint64_t phase) {
  return ids_.try_emplace({place, phase}, static_cast<std::uint32_t>(ids_.size())).first->second;
}

bool Meetings::operands_known(const Instruction& instruction) {
  std::uint64_t known = state_.known(instruction.slots.a) & state_.known(instruction.slots.b);
  if (instruction.slots.c != no_slot)
    known &= state_.known(instruction.slots.c);
  if ((known & state_.active) == state_.active)
    return true;
  return state_.fail_with(ErrorCode::unsupported,
                          "which barrier is meant, or how many it waits for, is unknown", instruction.origin,
                          "give the arguments and buffers that it rests on");
}

bool Meetings::execute(const Instruction& instruction) {
  const MeetingOp& op = state_.program.meeting_ops[instruction.detail];
  if (!operands_known(instruction))
    return false;
  switch (op.kind) {
  case Kind::gather:
    return gather(op, instruction);
  case Kind::leave:
    return leave(op, instruction);
  case Kind::cluster_arrive:
    return arrive_at_cluster(op);
  case Kind::cluster_leave:
    return wait_for_cluster(op, instruction);
  case Kind::parity:
  case Kind::phase:
    return wait(op, instruction);
  default:
    return use(op, instruction);
  }
}

void Meetings::begin(Barrier& barrier, std::uint64_t count) {
  barrier.first_phase += barrier.expected > 0 ? barrier.phase + 1 : 0;
  barrier.expected = barrier.pending = count;
  barrier.phase = 0;
  barrier.bytes = 0;
}

void Meetings::count(Barrier& barrier, const MeetingOp& op, std::uint64_t number) {
  if (op.kind == Kind::expect)
    barrier.bytes += static_cast<std::int64_t>(number);
  else if (op.kind == Kind::bytes_come)
    barrier.bytes -= static_cast<std::int64_t>(number);
  else
    barrier.pending -= std::min(barrier.pending, number);
  if (op.kind == Kind::drop)
    barrier.expected -= std::min(barrier.expected, number);
}

void Meetings::end_phase_if_complete(Barrier& barrier) {
  if (barrier.pending > 0 || barrier.bytes != 0)
    return;
  ++barrier.phase;
  barrier.pending = barrier.expected;
}

/// At the same place of each group of the cluster whose bit is set.
void Meetings::arrive_in_groups(const MeetingOp& op, std::uint64_t address, std::uint64_t number,
                                std::uint64_t groups) {
  for (std::uint64_t rest = groups & 0xFFFF; rest != 0; rest &= rest - 1) {
    const unsigned rank = first_of(rest);
    if (rank >= state_.shape.cluster.count())
      break;
    Barrier& barrier =
        barriers_[facts::cluster_window + rank * facts::cluster_span + address % shared_window];
    count(barrier, op, number);
    end_phase_if_complete(barrier);
  }
}

/// What does not wait. The event names the phase that the first lane finds.
bool Meetings::use(const MeetingOp& op, const Instruction& instruction) {
  ++changes_;
  const unsigned first = first_of(state_.active);
  const std::uint64_t place = state_.lane_bits(instruction.slots.a, LaneType::quad, first);
  std::uint32_t id = facts::no_meeting;
  for (std::uint64_t rest = state_.active; rest != 0; rest &= rest - 1) {
    const unsigned lane = first_of(rest);
    Barrier& barrier = barriers_[place_of(state_.lane_bits(instruction.slots.a, LaneType::quad, lane))];
    const std::uint64_t number = state_.lane_bits(instruction.slots.b, LaneType::word, lane);
    if (op.kind == Kind::begin) {
      if (lane == first || state_.lane_bits(instruction.slots.a, LaneType::quad, lane) != place)
        begin(barrier, number);
      continue;
    }
    if (lane == first && op.kind != Kind::expect)
      id = id_of(own_place(place), barrier.first_phase + barrier.phase);
    if (instruction.slots.destination != no_slot)
      state_.set_lane_bits(instruction.slots.destination, LaneType::quad, lane, barrier.phase);
    if (op.kind == Kind::copied)
      continue;
    if (instruction.slots.c != no_slot) {
      arrive_in_groups(op, state_.lane_bits(instruction.slots.a, LaneType::quad, lane), number,
                       state_.lane_bits(instruction.slots.c, LaneType::word, lane));
      continue;
    }
    count(barrier, op, number);
    if (op.kind != Kind::expect)
      end_phase_if_complete(barrier);
  }
  if (instruction.slots.destination != no_slot)
    state_.known(instruction.slots.destination) = ~std::uint64_t{0};
  record_.meeting(op.site, place, id);
  return true;
}

void Meetings::bytes_come(std::uint64_t address, std::uint64_t bytes, std::uint32_t site) {
  ++changes_;
  Barrier& barrier = barriers_[place_of(address)];
  if (site != no_site)
    record_.meeting(site, address, id_of(own_place(address), barrier.first_phase + barrier.phase));
  barrier.bytes -= static_cast<std::int64_t>(bytes);
  end_phase_if_complete(barrier);
}

/// test_wait may say no and try_wait may give up: the run takes both for waiting, since nothing else changes
/// what a warp finds that looks again.
bool Meetings::wait(const MeetingOp& op, const Instruction& instruction) {
  const std::uint64_t place = state_.lane_bits(instruction.slots.a, LaneType::quad, first_of(state_.active));
  const LaneType type = op.kind == Kind::parity ? LaneType::word : LaneType::quad;
  std::uint32_t id = facts::no_meeting;
  for (std::uint64_t rest = state_.active; rest != 0; rest &= rest - 1) {
    const unsigned lane = first_of(rest);
    const Barrier& barrier = barriers_[place_of(state_.lane_bits(instruction.slots.a, LaneType::quad, lane))];
    const std::uint64_t asked = state_.lane_bits(instruction.slots.b, type, lane);
    const bool over = op.kind == Kind::parity ? (barrier.phase & 1) != (asked & 1) : barrier.phase > asked;
    if (!over)
      return suspend(instruction);
    const std::uint64_t phase = op.kind == Kind::parity ? barrier.phase - 1 : asked;
    if (lane == first_of(state_.active) && barrier.phase > 0) // before the first, the one before it is over
      id = id_of(own_place(place), barrier.first_phase + phase);
  }
  state_.known(instruction.slots.destination) = ~std::uint64_t{0};
  *reinterpret_cast<std::uint64_t*>(state_.data(instruction.slots.destination)) = ~std::uint64_t{0};
  record_.meeting(op.site, place, id);
  return true;
}

/// A barrier counts whole warps (PTX ISA, "bar": the count is a multiple of the warp's width).
bool Meetings::gather(const MeetingOp& op, const Instruction& instruction) {
  const unsigned first = first_of(state_.active);
  const std::uint64_t name = state_.lane_bits(instruction.slots.a, LaneType::word, first);
  std::uint64_t items = state_.lane_bits(instruction.slots.b, LaneType::word, first);
  if (name >= named_barriers)
    return state_.fail_with(ErrorCode::kernel_fault, fmt::format("barrier {} of 16", name),
                            instruction.origin, "a group has barriers 0 to 15");
  const std::uint64_t lanes = state_.lanes();
  if (items == 0)
    items = (state_.group_size.count() + lanes - 1) / lanes * lanes;
  Named& barrier = named_[name_of(name)];
  ++changes_;
  record_.meeting(op.site, shared_window + name, id_of(name_of(name), barrier.round));
  state_.warp->rounds[name] = barrier.round;
  barrier.arrived += lanes;
  if (barrier.arrived >= items) {
    barrier.arrived = 0;
    ++barrier.round;
  }
  return true;
}

bool Meetings::leave(const MeetingOp& op, const Instruction& instruction) {
  const std::uint64_t name = state_.lane_bits(instruction.slots.a, LaneType::word, first_of(state_.active));
  const std::uint64_t round = state_.warp->rounds[name % named_barriers];
  if (named_[name_of(name)].round <= round)
    return suspend(instruction);
  record_.meeting(op.site, shared_window + name, id_of(name_of(name), round));
  return true;
}

/// A barrier of the cluster: the last round that the warp arrived at is what it waits for.
bool Meetings::arrive_at_cluster(const MeetingOp& op) {
  ++changes_;
  record_.meeting(op.site, facts::cluster_window, id_of(own_cluster(), cluster_.round));
  state_.warp->cluster_round = cluster_.round;
  cluster_.arrived += static_cast<std::uint64_t>(std::popcount(state_.active));
  if (cluster_.arrived >= state_.shape.cluster.count() * state_.shape.group_size.count())
    end_cluster_round();
  return true;
}

bool Meetings::wait_for_cluster(const MeetingOp& op, const Instruction& instruction) {
  const std::uint64_t round = state_.warp->cluster_round;
  if (cluster_.round <= round)
    return suspend(instruction);
  record_.meeting(op.site, facts::cluster_window, id_of(own_cluster(), round));
  return true;
}

void Meetings::end_cluster_round() {
  ++changes_;
  cluster_.arrived = 0;
  ++cluster_.round;
}

bool Meetings::suspend(const Instruction& instruction) {
  Warp& warp = *state_.warp;
  warp.state = WarpState::at_meeting;
  warp.seen_changes = changes_;
  warp.barrier = warp.resume = static_cast<std::uint32_t>(&instruction - state_.program.code.data());
  return false;
}

void Meetings::fail_waiting(const Warp& warp) {
  state_.fail_with(
      ErrorCode::kernel_fault,
      fmt::format("warp {} of group ({}, {}, {}) waits at a barrier for an arrival or for bytes that "
                  "never come",
                  warp.index, state_.group.x, state_.group.y, state_.group.z),
      state_.program.code[warp.barrier].origin,
      "check the barrier's count, the bytes it expects, and the parity that is waited for");
}

} // namespace forewarp::simt
