// Blocks, divergent paths, loops.
#include "simt/exec/group.h"

#include "support/counter_random.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

namespace forewarp::simt {
namespace {

constexpr std::uint64_t instructions_between_clock_checks = 1 << 20;

template <class T> void copy_lanes(std::uint8_t* to, const std::uint8_t* from, std::uint64_t lanes) {
  auto* d = reinterpret_cast<T*>(to);
  const auto* s = reinterpret_cast<const T*>(from);
  for (; lanes != 0; lanes &= lanes - 1)
    d[std::countr_zero(lanes)] = s[std::countr_zero(lanes)];
}

} // namespace

bool GroupRunner::charge(std::uint64_t instructions, std::uint32_t location) {
  const std::uint64_t before = budget_.instructions;
  budget_.instructions += instructions;
  if (budget_.instructions > options_.max_instructions)
    return fail_with(ErrorCode::budget,
                     fmt::format("more than {} warp instructions were run; the kernel was here",
                                 options_.max_instructions),
                     location,
                     "raise --max-instructions, sample fewer groups, or settle an endless loop's trip count");
  if (before / instructions_between_clock_checks !=
      budget_.instructions / instructions_between_clock_checks) {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - budget_.start;
    if (spent.count() > options_.max_seconds)
      return fail_with(
          ErrorCode::budget,
          fmt::format("the interpreter ran for more than {} s; the kernel was here", options_.max_seconds),
          location, "raise --max-seconds or sample fewer groups");
  }
  return true;
}

void GroupRunner::run_warp(Warp& warp) {
  warp_ = &warp;
  context_.data[0] = warp.registers.data.get();
  context_.known[0] = warp.registers.known.data();
  if (local_region_) {
    local_region_->flat = warp.local.data();
    local_region_->flat_known = warp.local_known.data();
  }
  while (!error_ && warp.state == WarpState::running) {
    if (warp.paths.empty()) {
      warp.state = WarpState::finished;
      break;
    }
    Path& path = warp.paths.back();
    if (path.active == 0) {
      warp.paths.pop_back();
      continue;
    }
    active_ = path.active;
    const Block& block = program_.blocks[path.block];
    const std::uint32_t resume = warp.resume;
    warp.resume = UINT32_MAX;
    if (resume == UINT32_MAX) {
      start_block(path);
      if (!charge(block.ir_instructions + 1, block.terminator.location))
        break;
    }
    const auto [first, end] = code_of(block);
    if (!run_block(resume != UINT32_MAX ? resume : first, end))
      break; // waits, or failed
    if (!finish_block())
      break;
  }
}

std::pair<std::uint32_t, std::uint32_t> GroupRunner::code_of(const Block& block) const {
  if (!asked_only_)
    return {block.first, block.end};
  return warp_->recording ? std::pair(block.first_asked, block.end_asked)
                          : std::pair(block.first_unrecorded, block.end_unrecorded);
}

/// Of the step that begins.
bool GroupRunner::goes_into_record(const Path& path) {
  const std::uint32_t location = program_.blocks[path.block].terminator.location;
  if (!in_pieces_) {
    if (warp_->recording && budgeted_bytes() > most_warp_trace_bytes_)
      end_record(location);
    return warp_->recording;
  }
  if (!long_warps_ && budgeted_bytes() > most_warp_trace_bytes_ / long_share) {
    long_warps_ = true;
    shorten_record(*warp_);
    note_once(
        facts::Note::Severity::assumption, location,
        "the trace reached its budget: of long warps pieces were recorded, evenly spread, and the rest of "
        "their work is taken to be like them",
        "--max-trace-mb");
  }
  const unsigned level = warp_->pieces.level();
  const bool held = warp_->pieces.hold(block_bytes_[path.block], warp_->trace, warp_->recorded_instructions);
  if (warp_->pieces.level() > level)
    warp_->last_offsets.clear(program_.sites.size()); // they have moved
  return held;
}

void GroupRunner::shorten_record(Warp& warp) const {
  warp.pieces.shorten(warp.trace, warp.recorded_instructions);
  warp.last_offsets.clear(program_.sites.size()); // they have moved
}

void GroupRunner::start_block(const Path& path) {
  const Block& block = program_.blocks[path.block];
  facts::WarpTrace& trace = warp_->trace;
  trace.ir_instructions += block.ir_instructions;
  warp_->recording = goes_into_record(path);
  if (warp_->recording) {
    trace.steps.push_back(
        {path.block, path.previous_block, path.active, static_cast<std::uint32_t>(trace.events.size())});
    warp_->recorded_instructions += block.ir_instructions;
    budget_.trace_bytes += sizeof(facts::BlockStep);
  }
  warp_->clock += block.ir_instructions;
  if (path.forget != 0) {
    for (std::int32_t slot : block.phi_slots)
      known(slot) &= ~path.forget;
    warp_->paths.back().forget = 0;
  }
}

/// The warp goes on without a record.
void GroupRunner::end_record(std::uint32_t location) {
  warp_->recording = false;
  note_once(
      facts::Note::Severity::assumption, location,
      "the trace reached its budget: warps were recorded up to here, and the rest of their work is taken to "
      "be like it",
      "--max-trace-mb");
}

bool GroupRunner::run_block(std::uint32_t first, std::uint32_t end) {
  const bool partial = active_ != warp_->live;
  const Instruction* code = program_.code.data();
  for (std::uint32_t at = first; at < end; ++at) {
    const Instruction& instruction = code[at];
    if (instruction.preserve && partial) {
      run_preserving(instruction);
      if (error_)
        return false;
    } else if (instruction.kernel) {
      instruction.kernel(context_, instruction.slots);
    } else {
      if (!execute(instruction))
        return false;
    }
  }
  return true;
}

/// Runs an instruction and puts the old values of lanes outside the mask back.
void GroupRunner::run_preserving(const Instruction& instruction) {
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
    saved.push_back({slot, known(slot), bytes.size()});
    bytes.insert(bytes.end(), data(slot), data(slot) + slot_bytes_);
  };
  if (instruction.kernel) {
    save(instruction.slots.destination);
    instruction.kernel(context_, instruction.slots);
  } else {
    const bool memory = instruction.special == Special::load || instruction.special == Special::atomic ||
                        instruction.special == Special::compare_exchange ||
                        instruction.special == Special::texture;
    if (memory)
      for (const MemoryComponent& c : program_.memory_ops[instruction.detail].components)
        save(c.slot);
    else
      save(instruction.slots.destination);
    if (!execute(instruction))
      return;
  }
  // The type of the slot does not matter: 32-bit lanes are put back as such, 64-bit and masks below.
  for (const Saved& s : saved) {
    const std::uint64_t idle = warp_->live & ~active_;
    std::uint8_t* now = data(s.slot);
    const std::uint8_t* old = bytes.data() + s.at;
    switch (program_.slot_types[static_cast<std::size_t>(s.slot)]) {
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
    known(s.slot) = (known(s.slot) & ~idle) | (s.known & idle);
  }
}

void GroupRunner::move_phis(const Edge& edge, std::uint64_t taking) {
  const bool all_take = taking == warp_->live;
  const PhiMove* const moves =
      program_.moves.data() + (asked_only_ ? edge.first_asked_move : edge.first_move);
  const std::uint32_t count = asked_only_ ? edge.asked_move_count : edge.move_count;
  for (std::uint32_t k = 0; k < count; ++k) {
    const PhiMove& move = moves[k];
    const bool whole = all_take || move.uniform; // uniform values are read from lane 0, in the mask or not
    std::uint8_t* to = data(move.destination);
    const std::uint8_t* from = data(move.source);
    std::uint64_t& flags = known(move.destination);
    flags = whole ? known(move.source) : (flags & ~taking) | (known(move.source) & taking);
    if (move.type == LaneType::bit) {
      auto& mask = *reinterpret_cast<std::uint64_t*>(to);
      const std::uint64_t lanes = whole ? ~std::uint64_t{0} : taking;
      mask = (mask & ~lanes) | (*reinterpret_cast<const std::uint64_t*>(from) & lanes);
    } else if (whole) {
      std::memcpy(to, from, move.type == LaneType::word ? slot_bytes_ / 2 : slot_bytes_);
    } else if (move.type == LaneType::word) {
      copy_lanes<std::uint32_t>(to, from, taking);
    } else {
      copy_lanes<std::uint64_t>(to, from, taking);
    }
  }
}

void GroupRunner::take_edge(Path& path, std::uint32_t edge_index, std::uint64_t taking) {
  const Edge& edge = program_.edges[edge_index];
  move_phis(edge, taking);
  if (edge.action == Edge::LoopAction::repeat)
    ++warp_->loop_iterations[edge.loop];
  else if (edge.action == Edge::LoopAction::enter)
    warp_->loop_iterations[edge.loop] = 0, warp_->watches[edge.loop].iterations = 0;
  path.previous_block = path.block;
  path.block = edge.target;
}

/// Ends paths that reached their reconvergence point.
void GroupRunner::pop_reconverged() {
  std::vector<Path>& paths = warp_->paths;
  while (paths.size() > 1 && paths.back().block == paths.back().reconverge) {
    const std::uint32_t previous = paths.back().previous_block, here = paths.back().block;
    paths.pop_back();
    if (paths.back().block != here)
      break; // another side has yet to run
    paths.back().previous_block = previous;
  }
}

void GroupRunner::leave(std::uint64_t leaving) {
  std::vector<Path>& paths = warp_->paths;
  const std::uint64_t gone = leaving & ~paths.back().twin;
  paths.back().active = 0;
  for (Path& path : paths)
    path.active &= ~gone;
  warp_->live &= ~gone;
  paths.pop_back();
}

/// Sends lanes several ways; the path below waits at the reconvergence point.
void GroupRunner::split(const Terminator& t, const std::vector<std::pair<std::uint32_t, std::uint64_t>>& ways,
                        std::uint64_t both) {
  std::vector<Path>& paths = warp_->paths;
  Path below = paths.back();
  const std::uint32_t from = below.block;
  paths.pop_back();
  below.forget |= both;
  below.block = t.reconverge;
  below.previous_block = from;
  // Without a common successor, or where the path below waits there already, no entry is needed.
  if (t.reconverge != UINT32_MAX && t.reconverge != below.reconverge)
    paths.push_back(below);
  else if (both != 0 && !paths.empty() && paths.back().block == t.reconverge)
    paths.back().forget |= both;
  // The last pushed runs first: the first way of the list.
  for (auto way = ways.rbegin(); way != ways.rend(); ++way) {
    Path path = {from, t.reconverge, below.previous_block, way->second, below.twin | (both & way->second), 0};
    take_edge(path, way->first, way->second);
    if (path.block != t.reconverge)
      paths.push_back(path);
  }
}

void GroupRunner::branch(const Terminator& t) {
  Path& path = warp_->paths.back();
  const std::uint64_t condition = *reinterpret_cast<std::uint64_t*>(data(t.condition));
  const std::uint64_t unknown = active_ & ~known(t.condition);
  std::uint64_t taken = condition & active_, both = 0;
  if (unknown != 0)
    taken = settle_branch(t, condition, unknown, active_, both);
  const std::uint64_t not_taken = (active_ & ~taken) | both;
  if (not_taken != 0 && taken != 0)
    return split(t, {{t.first_edge, taken}, {t.first_edge + 1, not_taken}}, both);
  const std::uint32_t edge = not_taken == 0 ? t.first_edge : t.first_edge + 1;
  take_edge(path, edge, active_);
  if (program_.edges[edge].action == Edge::LoopAction::repeat)
    watch_loop(path, program_.edges[edge].loop);
}

void GroupRunner::choose_case(const Terminator& t) {
  const std::uint64_t unknown = active_ & ~known(t.condition);
  std::uint64_t rest = active_ & ~unknown, both = 0;
  std::vector<std::pair<std::uint32_t, std::uint64_t>> ways;
  for (std::size_t k = 0; k < t.case_values.size(); ++k) {
    std::uint64_t matching = 0;
    for (std::uint64_t left = rest; left != 0; left &= left - 1) {
      const auto l = static_cast<unsigned>(std::countr_zero(left));
      if (lane_bits(t.condition, t.condition_type, l) == t.case_values[k])
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
    note_once(facts::Note::Severity::assumption, t.location,
              "a switch rests on unknown values: every case was run", "give the values that it rests on");
  }
  if (ways.size() == 1)
    take_edge(warp_->paths.back(), ways[0].first, active_);
  else
    split(t, ways, both);
}

bool GroupRunner::finish_block() {
  const Terminator& t = program_.blocks[warp_->paths.back().block].terminator;
  switch (t.kind) {
  case Terminator::Kind::exit:
    leave(active_);
    break;
  case Terminator::Kind::unreachable:
    note_once(facts::Note::Severity::assumption, t.location,
              "a place that the compiler holds to be unreachable was reached",
              "check the kernel for undefined behaviour");
    leave(active_);
    break;
  case Terminator::Kind::jump:
    take_edge(warp_->paths.back(), t.first_edge, active_);
    break;
  case Terminator::Kind::branch:
    branch(t);
    break;
  case Terminator::Kind::switch_:
    choose_case(t);
    break;
  }
  pop_reconverged();
  return true;
}

} // namespace forewarp::simt
