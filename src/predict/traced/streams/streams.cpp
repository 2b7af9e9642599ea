#include "predict/traced/streams/streams.h"

#include "predict/traced/streams/simulated_inputs.h"

#include <algorithm>
#include <bit>

namespace forewarp::predict::hybrid {

using facts::AccessOutcome;
using facts::MemoryEvent;
using facts::MemorySpace;
using facts::OpClass;
using pipeline::Instruction;

namespace {

bool is_store(OpClass op) {
  return op == OpClass::store_global || op == OpClass::store_shared || op == OpClass::store_local;
}

/// An access whose address space is known at run time only is of the space that its event names.
OpClass op_of_event(OpClass op, MemorySpace space) {
  if (space == MemorySpace::shared) {
    if (op == OpClass::load_global)
      return OpClass::load_shared;
    if (op == OpClass::store_global)
      return OpClass::store_shared;
    if (op == OpClass::atomic_global)
      return OpClass::atomic_shared;
  }
  return op;
}

/// Cycles from issue to the result's first use. A barrier's are those of the group's release:
/// Configuration::barrier_latency_cycles. One of a part of the group is a meeting: it is over so long after
/// the last arrival.
double latency_cycles(const facts::MachineOp& op, const gpu::Machine& machine) {
  if (op.meets == facts::Meets::arrives_far)
    return std::max(machine.fixed.barrier_latency_cycles, machine.memory.cluster_latency_cycles);
  if (op.op == OpClass::barrier)
    return op.meets == facts::Meets::arrives ? machine.fixed.barrier_latency_cycles : 0;
  if (op.to_predicate && machine.fixed.predicate_latency_cycles > 0)
    return machine.fixed.predicate_latency_cycles;
  return machine.timing(op.op).latency_cycles;
}

/// Operations that one instruction, which is in a unit's queue, was counted as.
bool is_same_product(const facts::MachineOp& first, const facts::MachineOp& second) {
  return first.queued && second.queued && first.sources == second.sources &&
         first.source_count == second.source_count;
}

/// Registers that each value takes in turn: one more than phis hand it on, since the last of them still reads
/// what the value was so many iterations ago.
class ValueTurns {
public:
  explicit ValueTurns(const facts::MachineProgram& program)
      : readers_(program.value_count), turns_(program.value_count) {
    for (const facts::MachineBlock& block : program.blocks)
      for (const facts::PhiAlias& phi : block.phis)
        if (phi.source != facts::no_value)
          readers_[phi.source].push_back(phi.destination);
  }

  std::vector<std::uint32_t> all() {
    for (std::uint32_t value = 0; value < readers_.size(); ++value)
      of(value);
    for (std::uint32_t& turns : turns_)
      turns = std::max(turns, 2U);
    return turns_;
  }

private:
  /// A chain that comes back to where it was is counted once around.
  std::uint32_t of(std::uint32_t value) {
    if (turns_[value] != 0)
      return turns_[value];
    turns_[value] = 1;
    std::uint32_t most = 1;
    for (const std::uint32_t reader : readers_[value])
      most = std::max(most, 1 + of(reader));
    return turns_[value] = most;
  }

  std::vector<std::vector<std::uint32_t>> readers_;
  std::vector<std::uint32_t> turns_; ///< 0: not known yet
};

} // namespace

StreamTemplates::StreamTemplates(const facts::MachineProgram& program, const gpu::Machine& machine,
                                 const BandwidthShares& shares, const memory::FrameSharing& sharing,
                                 unsigned sector_bytes, bool rounds_outcomes, Issue issue)
    : program_(program), machine_(machine), cached_(cached_rules(machine.memory, shares, sector_bytes)),
      rounds_outcomes_(rounds_outcomes),
      counted_(issue == Issue::by_control_words && program.has_controls()) {
  const auto spills = memory::spill_outcomes(program, machine, sharing, sector_bytes);
  for (std::size_t b = 0; b < program.blocks.size(); ++b) {
    const facts::MachineBlock& block = program.blocks[b];
    std::vector<Entry>& entries = blocks_.emplace_back();
    for (std::size_t o = 0; o < block.ops.size(); ++o) {
      entries.push_back(entry_of(block.ops[o]));
      entries.back().continues |= !counted_ && o > 0 && is_same_product(block.ops[o - 1], block.ops[o]);
      if (counted_)
        put_control(block.controls[o], entries.back().instruction);
      if (!memory::is_spill(block.ops[o]))
        continue;
      sharing_ = sharing;
      apply(entries.back(), MemoryEvent{.space = MemorySpace::local}, spills[b][o],
            entries.back().instruction);
    }
    joined_.push_back(static_cast<std::size_t>(std::ranges::count(entries, true, &Entry::continues)));
    auto& passed = passed_.emplace_back();
    for (const facts::PassedBody& body : block.passed)
      passed.push_back(passed_of(body));
    phis_.push_back(block.phis);
    std::stable_sort(phis_.back().begin(), phis_.back().end(), [](const auto& one, const auto& other) {
      return one.previous_block < other.previous_block;
    });
  }
  first_register_.push_back(0);
  for (const std::uint32_t turns : ValueTurns(program).all())
    first_register_.push_back(first_register_.back() + turns);
}

/// Only the issue slot is taken, whatever pipe is free, once the predicate is there; of loads and stores the
/// turn in their unit, too.
std::vector<Instruction> StreamTemplates::passed_of(const facts::PassedBody& body) {
  const Instruction slot =
      entry_of({.op = OpClass::move,
                .source_count = static_cast<std::uint8_t>(body.condition != facts::no_value),
                .sources = {body.condition},
                .location = body.location})
          .instruction;
  std::vector<Instruction> operations(body.operations, slot);
  const gpu::OpTiming& unit = machine_.timing(OpClass::load_shared);
  for (std::size_t o = 0; o < operations.size(); ++o) {
    Instruction& out = operations[o];
    if (counted_) {
      put_control(program_.blocks[body.body_block].controls[o], out);
      out.bank_reads = {};
    }
    if (counted_ ? !facts::is_memory(program_.blocks[body.body_block].ops[o].op) : o >= body.accesses)
      continue;
    out.subsystem = static_cast<std::uint16_t>(unit.unit);
    out.second_subsystem = static_cast<std::int16_t>(unit.second_unit);
    out.lambda_cycles = static_cast<float>(unit.issue_cycles);
  }
  return operations;
}

/// The stall count stands for fixed latencies, the counters for the others.
void StreamTemplates::put_control(const facts::IssueControl& control, Instruction& out) const {
  out.counted = true;
  out.source_count = 0;
  for (std::uint32_t counter = 0; counter < facts::counter_count; ++counter)
    if ((control.wait_mask >> counter & 1) != 0)
      out.sources[out.source_count++] = counter;
  out.destination =
      control.written_counter == facts::no_counter ? pipeline::no_register : control.written_counter;
  out.read_counter =
      control.read_counter == facts::no_counter ? pipeline::no_read_counter : control.read_counter;
  out.read_cycles = control.read_cycles;
  out.spared_counter =
      control.spared_counter == facts::no_counter ? pipeline::no_read_counter : control.spared_counter;
  out.spared = control.spared;
  out.queue = control.queue;
  out.hold_cycles = control.stall_cycles;
  out.bank_reads = control.bank_reads;
  const unsigned line_bytes = std::max(1U, machine_.instruction_cache.line_bytes);
  out.code_line =
      static_cast<std::uint16_t>(std::min<std::uint32_t>(UINT16_MAX, control.code_offset_bytes / line_bytes));
  if (control.special_register) // none publishes how long it takes: as a special function
    out.latency_cycles = static_cast<float>(machine_.timing(OpClass::sfu).latency_cycles);
  if (!control.uniform)
    return;
  // No file has a row of the uniform datapath: it takes an operation in two cycles, as the branch unit does.
  const gpu::OpTiming& beside = machine_.timing(OpClass::branch);
  out.subsystem = static_cast<std::uint16_t>(beside.unit);
  out.second_subsystem = static_cast<std::int16_t>(beside.second_unit);
  out.lambda_cycles = static_cast<float>(beside.issue_cycles);
}

StreamTemplates::Entry StreamTemplates::entry_of(const facts::MachineOp& op) {
  Entry entry;
  entry.op = op.op;
  entry.parts = std::max<std::uint16_t>(1, op.parts);
  entry.store = is_store(op.op);
  entry.continues = op.continues;
  const gpu::OpTiming& timing = machine_.timing(op.op);
  Instruction& in = entry.instruction;
  in.kind = op.op == OpClass::barrier ? Instruction::Kind::barrier : Instruction::Kind::normal;
  in.subsystem = static_cast<std::uint16_t>(timing.unit);
  in.second_subsystem = static_cast<std::int16_t>(timing.second_unit);
  in.source_count = op.source_count;
  for (unsigned s = 0; s < op.source_count; ++s)
    in.sources[s] = op.sources[s];
  in.destination = op.destination == facts::no_value ? pipeline::no_register : op.destination;
  in.lambda_cycles = static_cast<float>(timing.issue_cycles);
  in.latency_cycles = static_cast<float>(latency_cycles(op, machine_));
  in.tag = tag_of(op.location);
  in.memory = facts::is_memory(op.op);
  in.posted = entry.store && (op.op == OpClass::store_shared || !machine_.memory.stores_hold_warps);
  in.queued = op.queued;
  in.hold_cycles = op.op == OpClass::branch ? in.latency_cycles : 0;
  if (op.meets != facts::Meets::never) {
    entry.meets = op.meets;
    entry.meeting_in_block = program_.sites[op.meeting_site].index_in_block;
    has_meetings_ = true;
    if (op.meets == facts::Meets::arrives_late)
      in.kind = Instruction::Kind::late;
    if (op.op == OpClass::barrier) // of a part of the group: its own wait
      in.kind = Instruction::Kind::normal;
  }
  if (op.site != facts::no_value) {
    entry.event_in_block = program_.sites[op.site].index_in_block;
    if (op.stores_site != facts::no_value)
      entry.stored_in_block = program_.sites[op.stores_site].index_in_block;
    entry.width_bytes = program_.sites[op.site].width_bytes;
    entry.copies = op.op == OpClass::load_global && !program_.sites[op.site].returns_value;
    entry.by_engine =
        program_.sites[op.site].meets && (op.op == OpClass::load_global || op.op == OpClass::store_global);
    entry.read_only_path = program_.sites[op.site].read_only_path && machine_.memory.l1_caches_read_only;
  } else if (facts::is_memory(op.op)) {
    // A spill: lane-interleaved local memory, taken to hit L1.
    const float sectors = static_cast<float>(machine_.warp_width * 4 / cached_.sector_bytes);
    apply(entry, MemoryEvent{.space = MemorySpace::local},
          AccessOutcome{.transactions = 1, .sectors = sectors}, in);
  }
  return entry;
}

StreamTemplates::Passed StreamTemplates::passed(const facts::WarpTrace& warp, std::size_t step) const {
  const std::uint32_t block = warp.steps[step].block;
  const std::vector<facts::PassedBody>& bodies = program_.blocks[block].passed;
  const facts::PassedBody* body = facts::bodies_passed(program_.blocks[block], warp, step);
  if (body == nullptr)
    return {};
  return {body->operations, passed_[block][static_cast<std::size_t>(body - bodies.data())].data()};
}

std::size_t StreamTemplates::instructions_of(const facts::WarpTrace& warp, std::size_t step) const {
  const std::uint32_t block = warp.steps[step].block;
  return passed(warp, step).operations + blocks_[block].size() - joined_[block];
}

std::span<const facts::PhiAlias> StreamTemplates::phis(std::uint32_t index,
                                                       std::uint32_t previous_block) const {
  const std::vector<facts::PhiAlias>& all = phis_[index];
  const auto before = [](const facts::PhiAlias& phi, std::uint32_t block) {
    return phi.previous_block < block;
  };
  const auto first = std::lower_bound(all.begin(), all.end(), previous_block, before);
  auto last = first;
  while (last != all.end() && last->previous_block == previous_block)
    ++last;
  return {first, last};
}

std::uint32_t StreamTemplates::tag_of(const facts::SourceLocation& location) {
  const facts::SourceLocation line{location.file, location.line, 0};
  const auto found = std::find(tag_locations_.begin(), tag_locations_.end(), line);
  if (found != tag_locations_.end())
    return static_cast<std::uint32_t>(found - tag_locations_.begin());
  tag_locations_.push_back(line);
  return static_cast<std::uint32_t>(tag_locations_.size() - 1);
}

void StreamTemplates::apply(const Entry& entry, const MemoryEvent& event, const AccessOutcome& outcome,
                            Instruction& out) const {
  const Cost cost = cost_of({.op = op_of_event(entry.op, event.space),
                             .parts = entry.parts,
                             .width_bytes = entry.width_bytes,
                             .store = entry.store,
                             .read_only_path = entry.read_only_path,
                             .copies = entry.copies,
                             .places = event.places,
                             .texel_bytes = event.width_bytes,
                             .active = event.active,
                             .outcome = outcome},
                            machine_, cached_);
  out.lambda_cycles = entry.by_engine ? 0 : static_cast<float>(cost.pipe_cycles);
  out.latency_cycles = static_cast<float>(cost.latency_cycles);
  out.hold_cycles = out.counted ? std::max(out.hold_cycles, cost.hold_cycles) : cost.hold_cycles;
  std::copy(cost.server_cycles.begin(), cost.server_cycles.end(), out.server_cycles.begin());
  out.busy_wait_cycles = cost.busy_wait_cycles;
  if (!out.posted && op_of_event(entry.op, event.space) == OpClass::store_global)
    out.latency_cycles = static_cast<float>(machine_.memory.store_latency_cycles);
  if (entry.by_engine && entry.store) // over once L2 has it: DRAM gets it later
    out.awaited_servers = dram_share;
}

/// The next request's addresses are taken while the data move.
void StreamTemplates::apply_stored(const AccessOutcome& outcome, Instruction& out) const {
  const Cost cost = shared_cost({.op = OpClass::store_shared, .outcome = outcome}, machine_);
  out.lambda_cycles = std::max(out.lambda_cycles, static_cast<float>(cost.pipe_cycles));
  out.hold_cycles = std::max(out.hold_cycles, cost.hold_cycles);
}

TraceStream::TraceStream(const StreamTemplates& templates, const facts::WarpTrace& warp,
                         const std::vector<AccessOutcome>& outcomes, std::uint64_t max_instructions,
                         std::span<const TraceCut> cuts)
    : templates_(templates), warp_(warp), outcomes_(outcomes),
      left_(max_instructions == 0 ? UINT64_MAX : max_instructions), cuts_(cuts),
      current_(templates.value_count()) {
  for (std::uint32_t v = 0; v < templates.value_count(); ++v)
    current_[v] = templates.first_register(v);
}

void TraceStream::move_phis(const facts::BlockStep& step) {
  const std::span<const facts::PhiAlias> phis = templates_.phis(step.block, step.previous_block);
  moved_.clear(); // all phis of a block read before any is written
  for (const facts::PhiAlias& phi : phis)
    moved_.push_back(phi.source == facts::no_value ? templates_.first_register(phi.destination)
                                                   : current_[phi.source]);
  for (std::size_t i = 0; i < phis.size(); ++i)
    current_[phis[i].destination] = moved_[i];
}

bool TraceStream::enter_step() {
  while (step_ < warp_.steps.size()) {
    if (!cuts_.empty() && step_ == cuts_.front().from) {
      step_ = cuts_.front().to;
      cuts_ = cuts_.subspan(1);
      continue;
    }
    passed_ = templates_.passed(warp_, step_);
    const facts::BlockStep& step = warp_.steps[step_++];
    if (!templates_.counted())
      move_phis(step);
    entries_ = &templates_.block(step.block);
    first_event_ = step.first_event;
    op_ = 0;
    if (!entries_->empty() || passed_.operations > 0)
      return true;
  }
  entries_ = nullptr;
  return false;
}

void TraceStream::rename(const StreamTemplates::Entry& entry, Instruction& out) {
  for (unsigned s = 0; s < out.source_count; ++s)
    out.sources[s] = current_[out.sources[s]];
  if (out.destination != pipeline::no_register) {
    const std::uint32_t value = entry.instruction.destination, first = templates_.first_register(value);
    std::uint32_t& now = current_[value];
    now = now >= first && now + 1 < templates_.first_register(value + 1) ? now + 1 : first;
    out.destination = now;
  }
}

bool TraceStream::next(Instruction& out) {
  if (left_ == 0)
    return false;
  if (passed_.operations == 0 && (entries_ == nullptr || op_ == entries_->size()) && !enter_step())
    return false;
  --left_;
  gave_passed_ = passed_.operations > 0;
  if (gave_passed_) {
    --passed_.operations;
    out = *passed_.instruction++;
    return true;
  }
  first_op_ = op_;
  const StreamTemplates::Entry& entry = (*entries_)[op_++];
  out = entry.instruction;
  if (!out.counted)
    rename(entry, out);
  put_event(entry, out);
  if (entry.meets != facts::Meets::never)
    name_meeting(entry, out);
  while (op_ < entries_->size() && (*entries_)[op_].continues)
    join((*entries_)[op_++], out);
  return true;
}

void TraceStream::put_event(const StreamTemplates::Entry& entry, Instruction& out) const {
  if (entry.event_in_block == facts::no_value)
    return;
  const auto outcome_of = [&](std::size_t event) {
    return templates_.rounds_outcomes() ? as_simulated(outcomes_[event]) : outcomes_[event];
  };
  const std::size_t event = first_event_ + entry.event_in_block;
  templates_.apply(entry, warp_.events[event], outcome_of(event), out);
  if (entry.stored_in_block != facts::no_value)
    templates_.apply_stored(outcome_of(first_event_ + entry.stored_in_block), out);
}

/// The unit does one pass after the other; the last one's result is the instruction's.
void TraceStream::join(const StreamTemplates::Entry& entry, Instruction& out) {
  Instruction second = entry.instruction;
  rename(entry, second);
  put_event(entry, second);
  const float first_pass = out.lambda_cycles;
  out.lambda_cycles += second.lambda_cycles;
  out.latency_cycles = std::max(out.latency_cycles, first_pass + second.latency_cycles);
  out.hold_cycles = std::max(out.hold_cycles, second.hold_cycles);
  out.destination = second.destination;
}

void TraceStream::name_meeting(const StreamTemplates::Entry& entry, Instruction& out) const {
  out.meeting = warp_.events[first_event_ + entry.meeting_in_block].first_offset;
  if (out.meeting != pipeline::no_meeting && entry.meets == facts::Meets::waits)
    out.kind = Instruction::Kind::wait;
}

std::size_t TraceStream::fill(Instruction* out, std::size_t count) {
  std::size_t made = 0;
  while (made < count && TraceStream::next(out[made]))
    ++made;
  return made;
}

void count_arrivals(const StreamTemplates& templates, const facts::WarpTrace& warp,
                    std::span<const TraceCut> cuts, std::vector<std::uint32_t>& arrivals) {
  for (std::size_t s = 0; s < warp.steps.size();) {
    if (!cuts.empty() && s == cuts.front().from) {
      s = cuts.front().to;
      cuts = cuts.subspan(1);
      continue;
    }
    const facts::BlockStep& step = warp.steps[s++];
    for (const StreamTemplates::Entry& entry : templates.block(step.block)) {
      if (entry.meets == facts::Meets::never || entry.meets == facts::Meets::waits)
        continue;
      const std::uint32_t meeting = warp.events[step.first_event + entry.meeting_in_block].first_offset;
      if (meeting == facts::no_meeting)
        continue;
      arrivals.resize(std::max<std::size_t>(arrivals.size(), meeting + 1));
      ++arrivals[meeting];
    }
  }
}

std::uint64_t count_instructions(const StreamTemplates& templates, const facts::WarpTrace& warp) {
  std::uint64_t count = 0;
  for (std::size_t s = 0; s < warp.steps.size(); ++s)
    count += templates.instructions_of(warp, s);
  return count;
}

} // namespace forewarp::predict::hybrid
