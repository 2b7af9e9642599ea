#include "simt/exec/warp_control.h"

#include "simt/exec/unknown_branches.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace forewarp::simt {
namespace {

template <class T> void copy_lanes(std::uint8_t* to, const std::uint8_t* from, std::uint64_t lanes) {
  auto* d = reinterpret_cast<T*>(to);
  const auto* s = reinterpret_cast<const T*>(from);
  for (; lanes != 0; lanes &= lanes - 1)
    d[std::countr_zero(lanes)] = s[std::countr_zero(lanes)];
}

} // namespace

void WarpControl::run(Warp& warp) {
  state_.warp = &warp;
  state_.use_registers(warp);
  if (state_.local_region) {
    state_.local_region->flat = warp.local.data();
    state_.local_region->flat_known = warp.local_known.data();
  }
  while (!state_.error && warp.state == WarpState::running) {
    if (warp.paths.empty()) {
      warp.state = WarpState::finished;
      break;
    }
    Path& path = warp.paths.back();
    if (path.active == 0) {
      warp.paths.pop_back();
      continue;
    }
    state_.active = path.active;
    const Block& block = state_.program.blocks[path.block];
    const std::uint32_t resume = warp.resume;
    warp.resume = UINT32_MAX;
    if (resume == UINT32_MAX) {
      start_block(path);
      if (!state_.charge(block.ir_instructions + 1, block.terminator.location))
        break;
    }
    const auto [first, end] = code_of(block);
    if (!run_block(resume != UINT32_MAX ? resume : first, end))
      break; // waits, or failed
    finish_block();
  }
}

std::pair<std::uint32_t, std::uint32_t> WarpControl::code_of(const Block& block) const {
  if (!state_.asked_only)
    return {block.first, block.end};
  return state_.warp->recording ? std::pair(block.first_asked, block.end_asked)
                                : std::pair(block.first_unrecorded, block.end_unrecorded);
}

void WarpControl::start_block(const Path& path) {
  const Block& block = state_.program.blocks[path.block];
  record_.start_step(path);
  state_.warp->clock += block.ir_instructions;
  if (path.forget != 0) {
    for (std::int32_t slot : block.phi_slots)
      state_.known(slot) &= ~path.forget;
    state_.warp->paths.back().forget = 0;
  }
}

bool WarpControl::run_block(std::uint32_t first, std::uint32_t end) {
  const bool partial = state_.active != state_.warp->live;
  const Instruction* code = state_.program.code.data();
  for (std::uint32_t at = first; at < end; ++at) {
    const Instruction& instruction = code[at];
    if (instruction.preserve && partial) {
      run_preserving(instruction);
      if (state_.error || state_.warp->state != WarpState::running)
        return false;
    } else if (instruction.kernel) {
      instruction.kernel(state_.context, instruction.slots);
    } else {
      if (!specials_.execute(instruction))
        return false;
    }
  }
  return true;
}

/// Runs an instruction and puts the old values of lanes outside the mask back.
void WarpControl::run_preserving(const Instruction& instruction) {
  struct Saved {
    std::int32_t slot;
    std::uint64_t known;
    std::size_t at;
  };
  thread_local std::vector<std::uint8_t> bytes;
  thread_local std::vector<Saved> saved;
  saved.clear();
  bytes.clear();
  auto save = [&](std::int32_t slot) {
    if (slot == no_slot || slot < 0)
      return;
    saved.push_back({slot, state_.known(slot), bytes.size()});
    bytes.insert(bytes.end(), state_.data(slot), state_.data(slot) + state_.slot_bytes);
  };
  if (instruction.kernel) {
    save(instruction.slots.destination);
    instruction.kernel(state_.context, instruction.slots);
  } else {
    const bool memory = instruction.special == Special::load || instruction.special == Special::atomic ||
                        instruction.special == Special::compare_exchange ||
                        instruction.special == Special::texture;
    if (memory)
      for (const MemoryComponent& c : state_.program.memory_ops[instruction.detail].components)
        save(c.slot);
    else
      save(instruction.slots.destination);
    if (!specials_.execute(instruction))
      return;
  }
  // The type of the slot does not matter: 32-bit lanes are put back as such, 64-bit and masks below.
  for (const Saved& s : saved) {
    const std::uint64_t idle = state_.warp->live & ~state_.active;
    std::uint8_t* now = state_.data(s.slot);
    const std::uint8_t* old = bytes.data() + s.at;
    switch (state_.program.slot_types[static_cast<std::size_t>(s.slot)]) {
    case LaneType::bit: {
      auto& mask = *reinterpret_cast<std::uint64_t*>(now);
      std::uint64_t before = 0;
      std::memcpy(&before, old, sizeof before);
      mask = (mask & ~idle) | (before & idle);
      break;
    }
    case LaneType::word:
      copy_lanes<std::uint32_t>(now, old, idle);
      break;
    case LaneType::quad:
      copy_lanes<std::uint64_t>(now, old, idle);
      break;
    }
    state_.known(s.slot) = (state_.known(s.slot) & ~idle) | (s.known & idle);
  }
}

void WarpControl::move_phis(const Edge& edge, std::uint64_t taking) {
  const bool all_take = taking == state_.warp->live;
  const PhiMove* const moves =
      state_.program.moves.data() + (state_.asked_only ? edge.first_asked_move : edge.first_move);
  const std::uint32_t count = state_.asked_only ? edge.asked_move_count : edge.move_count;
  for (std::uint32_t k = 0; k < count; ++k) {
    const PhiMove& move = moves[k];
    const bool whole = all_take || move.uniform; // uniform values are read from lane 0, in the mask or not
    std::uint8_t* to = state_.data(move.destination);
    const std::uint8_t* from = state_.data(move.source);
    std::uint64_t& flags = state_.known(move.destination);
    flags = whole ? state_.known(move.source) : (flags & ~taking) | (state_.known(move.source) & taking);
    if (move.type == LaneType::bit) {
      auto& mask = *reinterpret_cast<std::uint64_t*>(to);
      const std::uint64_t lanes = whole ? ~std::uint64_t{0} : taking;
      mask = (mask & ~lanes) | (*reinterpret_cast<const std::uint64_t*>(from) & lanes);
    } else if (whole) {
      std::memcpy(to, from, move.type == LaneType::word ? state_.slot_bytes / 2 : state_.slot_bytes);
    } else if (move.type == LaneType::word) {
      copy_lanes<std::uint32_t>(to, from, taking);
    } else {
      copy_lanes<std::uint64_t>(to, from, taking);
    }
  }
}

void WarpControl::take_edge(Path& path, std::uint32_t edge_index, std::uint64_t taking) {
  const Edge& edge = state_.program.edges[edge_index];
  move_phis(edge, taking);
  if (edge.action == Edge::LoopAction::repeat)
    ++state_.warp->loop_iterations[edge.loop];
  else if (edge.action == Edge::LoopAction::enter)
    state_.warp->loop_iterations[edge.loop] = 0, state_.warp->watches[edge.loop].iterations = 0,
    state_.warp->overran &= ~taking;
  path.previous_block = path.block;
  path.block = edge.target;
}

/// Ends paths that reached their reconvergence point.
void WarpControl::pop_reconverged() {
  std::vector<Path>& paths = state_.warp->paths;
  while (paths.size() > 1 && paths.back().block == paths.back().reconverge) {
    const std::uint32_t previous = paths.back().previous_block, here = paths.back().block;
    paths.pop_back();
    if (paths.back().block != here)
      break; // another side has yet to run
    paths.back().previous_block = previous;
  }
}

/// Both sides of an unknown branch are run, so that ways to one place double with each such branch in a row
/// (`if (a) { if (b) goto end; }`, again and again). A warp cannot go more ways than it has lanes.
bool WarpControl::is_crowded(const Path& path) const {
  return (std::uint64_t{1} << std::min(path.choices, 63U)) > state_.lanes();
}

/// Of a crowded way: where it comes to where another one waits for the same lanes, it ends. As in Diamos et
/// al., "SIMD re-convergence at thread frontiers" (MICRO 2011), the way that is behind runs first (split).
void WarpControl::merge_twins(const Terminator& t) {
  std::vector<Path>& paths = state_.warp->paths;
  if (paths.empty() || !is_crowded(paths.back()))
    return;
  const Path& last = paths.back();
  for (auto other = paths.rbegin() + 1; other != paths.rend() && other->reconverge == last.reconverge;
       ++other) {
    if (other->block != last.block || (last.active & last.twin & other->twin & other->active) != last.active)
      continue;
    other->forget |= last.active;
    state_.note_once(facts::Note::Severity::assumption, t.location,
                     "more ways lead here, by branches that rest on unknown values, than a warp has lanes: "
                     "those that meet are run as one",
                     "give the values that the branches rest on");
    paths.pop_back();
    return;
  }
}

void WarpControl::leave(std::uint64_t leaving) {
  std::vector<Path>& paths = state_.warp->paths;
  const std::uint64_t gone = leaving & ~paths.back().twin;
  paths.back().active = 0;
  for (Path& path : paths)
    path.active &= ~gone;
  state_.warp->live &= ~gone;
  paths.pop_back();
}

/// Sends lanes several ways; the path below waits at the reconvergence point.
void WarpControl::split(const Terminator& t, const std::vector<std::pair<std::uint32_t, std::uint64_t>>& ways,
                        std::uint64_t both) {
  std::vector<Path>& paths = state_.warp->paths;
  Path below = paths.back();
  const std::uint32_t from = below.block;
  paths.pop_back();
  below.forget |= both;
  const std::uint32_t before = t.reconverge == below.reconverge ? below.choices : 0;
  below.block = t.reconverge;
  below.previous_block = from;
  // Without a common successor, or where the path below waits there already, no entry is needed.
  if (t.reconverge != UINT32_MAX && t.reconverge != below.reconverge)
    paths.push_back(below);
  else if (both != 0 && !paths.empty() && paths.back().block == t.reconverge)
    paths.back().forget |= both;
  // The last pushed runs first: the first way of the list.
  const std::size_t first = paths.size();
  for (auto way = ways.rbegin(); way != ways.rend(); ++way) {
    Path path = {from,
                 t.reconverge,
                 below.previous_block,
                 way->second,
                 below.twin | (both & way->second),
                 0,
                 before + (both != 0 ? 1 : 0)};
    take_edge(path, way->first, way->second);
    if (path.block != t.reconverge)
      paths.push_back(path);
  }
  // Ways that may meet run up to where they meet before what lies behind is run.
  if (paths.size() > first && is_crowded(paths.back()))
    std::ranges::stable_sort(paths.begin() + static_cast<std::ptrdiff_t>(first), paths.end(),
                             std::ranges::greater{},
                             [&](const Path& path) { return state_.program.blocks[path.block].rank; });
}

void WarpControl::branch(const Terminator& t) {
  Path& path = state_.warp->paths.back();
  const std::uint64_t condition = *reinterpret_cast<std::uint64_t*>(state_.data(t.condition));
  const std::uint64_t unknown = state_.active & ~state_.known(t.condition);
  std::uint64_t taken = condition & state_.active, both = 0;
  if (unknown != 0)
    taken = settle_branch(state_, t, condition, unknown, both);
  const std::uint64_t not_taken = (state_.active & ~taken) | both;
  if (not_taken != 0 && taken != 0)
    return split(t, {{t.first_edge, taken}, {t.first_edge + 1, not_taken}}, both);
  const std::uint32_t edge = not_taken == 0 ? t.first_edge : t.first_edge + 1;
  take_edge(path, edge, state_.active);
  if (state_.program.edges[edge].action == Edge::LoopAction::repeat)
    replayer_.watch(path, state_.program.edges[edge].loop);
}

void WarpControl::choose_case(const Terminator& t) {
  const std::uint64_t unknown = state_.active & ~state_.known(t.condition);
  std::uint64_t rest = state_.active & ~unknown, both = 0;
  std::vector<std::pair<std::uint32_t, std::uint64_t>> ways;
  for (std::size_t k = 0; k < t.case_values.size(); ++k) {
    std::uint64_t matching = 0;
    for (std::uint64_t left = rest; left != 0; left &= left - 1) {
      const auto l = static_cast<unsigned>(std::countr_zero(left));
      if (state_.lane_bits(t.condition, t.condition_type, l) == t.case_values[k])
        matching |= std::uint64_t{1} << l;
    }
    rest &= ~matching;
    if ((matching | unknown) != 0)
      ways.emplace_back(t.first_edge + 1 + static_cast<std::uint32_t>(k), matching | unknown);
  }
  if ((rest | unknown) != 0)
    ways.emplace_back(t.first_edge, rest | unknown);
  if (unknown != 0) {
    both = unknown;
    state_.warp->assumed |= unknown;
    if (state_.is_new(t.location, NoteKind::unknown_switch))
      state_.note_unknown(t.location, "a switch rests on unknown values: every case was run",
                          "give the values that it rests on");
  }
  if (ways.size() == 1)
    take_edge(state_.warp->paths.back(), ways[0].first, state_.active);
  else
    split(t, ways, both);
}

void WarpControl::finish_block() {
  const Terminator& t = state_.program.blocks[state_.warp->paths.back().block].terminator;
  switch (t.kind) {
  case Terminator::Kind::exit:
    leave(state_.active);
    break;
  case Terminator::Kind::unreachable:
    state_.note_once(facts::Note::Severity::assumption, t.location,
                     "a place that the compiler holds to be unreachable was reached",
                     "check the kernel for undefined behaviour");
    leave(state_.active);
    break;
  case Terminator::Kind::jump:
    take_edge(state_.warp->paths.back(), t.first_edge, state_.active);
    break;
  case Terminator::Kind::branch:
    branch(t);
    break;
  case Terminator::Kind::switch_:
    choose_case(t);
    break;
  }
  merge_twins(t);
  pop_reconverged();
}

} // namespace forewarp::simt
