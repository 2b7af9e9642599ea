#include "predict/traced/streams/streams.h"

#include "memory/coalesce.h"
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

/// Read-only loads are kept in a cache of the texture units (compute capability 3.5 to 6.x).
bool has_texture_cache(const gpu::MemoryTiming& memory) {
  return memory.l1_caches_read_only && !memory.l1.unified_with_shared && memory.coalesce_segment_bytes == 0;
}

/// One pass through all banks, at the rate that the SM moves shared-memory data.
double shared_pass_cycles(const gpu::MemoryTiming& memory) {
  return memory.shared_banks * memory.shared_bank_bytes / memory.shared_bytes_per_cycle_per_sm;
}

/// Of shared memory only: global accesses are waited for anyway.
double stall_cycles(const gpu::MemoryTiming& memory, OpClass op) {
  if (op == OpClass::store_shared)
    return memory.shared_store_stall_cycles;
  return op == OpClass::load_shared ? memory.shared_load_stall_cycles : 0;
}

/// Cycles from issue to the result's first use. A barrier's are those of the group's release:
/// Configuration::barrier_latency_cycles.
double latency_cycles(const facts::MachineOp& op, const gpu::Machine& machine) {
  if (op.op == OpClass::barrier)
    return 0;
  if (op.to_predicate && machine.fixed.predicate_latency_cycles > 0)
    return machine.fixed.predicate_latency_cycles;
  return machine.timing(op.op).latency_cycles;
}

} // namespace

StreamTemplates::StreamTemplates(const facts::MachineProgram& program, const gpu::Machine& machine,
                                 const BandwidthShares& shares, const memory::FrameSharing& sharing,
                                 unsigned sector_bytes)
    : program_(program), machine_(machine), shares_(shares), sector_bytes_(sector_bytes),
      banked_l1_(memory::l1_passes_are_bank_passes(machine.memory)),
      sectored_l1_(memory::l1_is_sectored(machine.memory)) {
  const auto spills = memory::spill_outcomes(program, machine, sharing, sector_bytes);
  for (std::size_t b = 0; b < program.blocks.size(); ++b) {
    const facts::MachineBlock& block = program.blocks[b];
    std::vector<Entry>& entries = blocks_.emplace_back();
    for (std::size_t o = 0; o < block.ops.size(); ++o) {
      entries.push_back(entry_of(block.ops[o]));
      if (!memory::is_spill(block.ops[o]))
        continue;
      sharing_ = sharing;
      apply(entries.back(), MemoryEvent{.space = MemorySpace::local}, spills[b][o],
            entries.back().instruction);
    }
    std::vector<Instruction>& passed = passed_.emplace_back();
    for (const facts::PassedBody& body : block.passed)
      // Only the issue slot is taken, whatever pipe is free, once the predicate is there.
      passed.push_back(entry_of({.op = OpClass::move,
                                 .source_count = static_cast<std::uint8_t>(body.condition != facts::no_value),
                                 .sources = {body.condition},
                                 .location = body.location})
                           .instruction);
    phis_.push_back(block.phis);
    std::stable_sort(phis_.back().begin(), phis_.back().end(), [](const auto& one, const auto& other) {
      return one.previous_block < other.previous_block;
    });
  }
}

/// Of `sectors` written with `lane_bytes` by each active lane: how many are written in part, taken that these
/// get one lane's bytes each.
double StreamTemplates::partial_sectors(double sectors, const MemoryEvent& event, double lane_bytes) const {
  if (lane_bytes >= sector_bytes_)
    return 0;
  const double missing = sectors * sector_bytes_ - std::popcount(event.active) * lane_bytes;
  return std::clamp(missing / (sector_bytes_ - lane_bytes), 0.0, sectors);
}

/// Of a read-only load that hits: the texture units fetch so many words of 4 bytes a cycle, one for lanes
/// that ask for the same; registers take a word a lane and cycle.
double StreamTemplates::texture_cycles(const MemoryEvent& event, double lane_bytes, double sectors) const {
  const double lane_words = std::max(1.0, lane_bytes / 4);
  const double words = std::min(std::popcount(event.active) * lane_words, sectors * sector_bytes_ / 4);
  return std::max(lane_words,
                  machine_.timing(OpClass::load_texture).issue_cycles * words / machine_.warp_width);
}

StreamTemplates::Entry StreamTemplates::entry_of(const facts::MachineOp& op) {
  Entry entry;
  entry.op = op.op;
  entry.parts = std::max<std::uint16_t>(1, op.parts);
  entry.store = is_store(op.op);
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
  in.posted = entry.store;
  in.hold_cycles = op.op == OpClass::branch ? in.latency_cycles : 0;
  if (op.site != facts::no_value) {
    entry.event_in_block = program_.sites[op.site].index_in_block;
    entry.width_bytes = program_.sites[op.site].width_bytes;
    entry.narrow = entry.width_bytes <= 4;
    entry.copies = op.op == OpClass::load_global && !program_.sites[op.site].returns_value;
    entry.read_only_path = program_.sites[op.site].read_only_path && machine_.memory.l1_caches_read_only;
  } else if (facts::is_memory(op.op)) {
    // A spill: lane-interleaved local memory, taken to hit L1.
    const float sectors = static_cast<float>(machine_.warp_width * 4 / sector_bytes_);
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
  return {body->operations, &passed_[block][static_cast<std::size_t>(body - bodies.data())]};
}

std::size_t StreamTemplates::instructions_of(const facts::WarpTrace& warp, std::size_t step) const {
  return passed(warp, step).operations + blocks_[warp.steps[step].block].size();
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
  const gpu::MemoryTiming& memory = machine_.memory;
  const OpClass op = op_of_event(entry.op, event.space);
  const float share = 1.0F / static_cast<float>(entry.parts);
  const double transactions = std::max(1.0F, outcome.transactions * share);
  // Addresses of the next request are taken while the data of this one moves.
  const double request_cycles = machine_.timing(op).issue_cycles;
  double pipe_cycles = std::max(request_cycles, transactions * memory.lsu_cycles_per_transaction);
  double latency_cycles = memory.l1_latency_cycles;
  switch (op) {
  case OpClass::load_shared:
  case OpClass::store_shared:
    pipe_cycles = std::max(request_cycles, transactions * shared_pass_cycles(memory));
    out.hold_cycles = transactions > 1 ? static_cast<float>(transactions * memory.replay_cycles) : 0;
    latency_cycles = memory.shared_latency_cycles +
                     std::max<double>(out.hold_cycles, (transactions - 1) * shared_pass_cycles(memory));
    break;
  case OpClass::atomic_shared:
    pipe_cycles =
        std::max(pipe_cycles, request_cycles + (transactions - 1) * memory.atomic_shared_same_address_cycles);
    latency_cycles = memory.shared_latency_cycles + transactions * memory.atomic_shared_same_address_cycles;
    break;
  case OpClass::load_constant: {
    const double misses = std::min(1.0F, outcome.l2_sectors);
    latency_cycles = memory.constant_latency_cycles + (transactions - 1) +
                     misses * (memory.constant_miss_latency_cycles - memory.constant_latency_cycles);
    if (memory.replay_cycles > 0)
      out.hold_cycles = static_cast<float>(misses * memory.constant_miss_latency_cycles);
    break;
  }
  default: {
    const double reaches_l2 = std::min(1.0F, outcome.l2_sectors);
    const double reaches_dram = std::min(1.0F, outcome.dram_sectors);
    const double reaches_l3 = std::min(1.0F - static_cast<float>(reaches_dram), outcome.l3_sectors);
    // DRAM's latency is the mean over the parts of L2 that its memory hangs on.
    const double far_share = outcome.l2_sectors > 0 ? outcome.l2_far_sectors / outcome.l2_sectors : 0;
    const double crosses = reaches_l2 * far_share - reaches_dram * (1 - 1.0 / memory.l2_parts);
    const double base = op == OpClass::load_texture  ? memory.texture_latency_cycles
                        : op == OpClass::scalar_load ? memory.constant_latency_cycles
                                                     : memory.l1_latency_cycles;
    latency_cycles = base + reaches_l2 * std::max(0.0, memory.l2_latency_cycles - base) +
                     reaches_dram * (memory.dram_latency_cycles - memory.l2_latency_cycles) +
                     crosses * memory.l2_crossing_cycles +
                     reaches_l3 * std::max(0.0, memory.l3_latency_cycles - memory.l2_latency_cycles);
    if (op == OpClass::atomic_global)
      latency_cycles = std::max(latency_cycles, memory.atomic_global_latency_cycles > 0
                                                    ? memory.atomic_global_latency_cycles
                                                    : memory.l2_latency_cycles);
    if (entry.narrow && memory.lsu_cycles_per_request > 0)
      pipe_cycles = std::max(request_cycles, memory.lsu_cycles_per_request + transactions);
    double l1_bytes = outcome.sectors * share * sector_bytes_;
    const auto asked = static_cast<double>(std::popcount(event.active)) * entry.width_bytes * share;
    if (asked > 0 && banked_l1_)
      l1_bytes = std::min(l1_bytes, asked);
    if (sectored_l1_ && op == OpClass::load_global && !entry.copies)
      l1_bytes = std::max(l1_bytes, asked); // every lane's register is written, whoever shares the word
    // A copy's data pass once, into shared memory: with the store that stands for it.
    pipe_cycles =
        entry.copies ? request_cycles : std::max(pipe_cycles, l1_bytes / memory.l1_bytes_per_cycle_per_sm);
    const double l2_bytes = outcome.l2_sectors * share * sector_bytes_;
    const double dram_bytes = (outcome.dram_sectors + outcome.dram_extra_sectors) * share * sector_bytes_;
    const double line_requests = outcome.l2_sectors > 0 ? transactions * memory.l2_line_request_cycles : 0;
    if (entry.read_only_path &&
        has_texture_cache(memory)) // its units take so many lanes a cycle, wherever they look
      pipe_cycles = texture_cycles(event, entry.width_bytes * share, outcome.sectors * share);
    else if (!entry.read_only_path && line_requests > 0) // lines pass the pipe of shared memory behind the
                                                         // request; the read-only cache has its own way in
      pipe_cycles = std::max(pipe_cycles, request_cycles + line_requests);
    out.server_cycles[l1_to_l2_port] =
        static_cast<float>(std::max(l2_bytes / shares_.port_bytes_per_cycle, line_requests));
    const double extra_writes =
        entry.store ? partial_sectors(outcome.l2_sectors * share, event, entry.width_bytes * share) *
                          (memory.l2_partial_write_slots - 1)
                    : 0;
    out.server_cycles[l2_share] =
        static_cast<float>((l2_bytes + extra_writes * sector_bytes_) / shares_.l2_bytes_per_cycle);
    const double l3_bytes = outcome.l3_sectors * share * sector_bytes_;
    out.server_cycles[dram_share] = static_cast<float>(
        dram_bytes / (entry.store ? shares_.dram_write_bytes_per_cycle : shares_.dram_read_bytes_per_cycle) +
        (l3_bytes > 0 ? l3_bytes / shares_.l3_bytes_per_cycle : 0));
    break;
  }
  }
  out.hold_cycles = std::max(out.hold_cycles, static_cast<float>(stall_cycles(memory, op)));
  out.lambda_cycles = static_cast<float>(pipe_cycles);
  out.latency_cycles = static_cast<float>(latency_cycles);
}

TraceStream::TraceStream(const StreamTemplates& templates, const facts::WarpTrace& warp,
                         const std::vector<AccessOutcome>& outcomes, std::uint64_t max_instructions,
                         std::span<const TraceCut> cuts)
    : templates_(templates), warp_(warp), outcomes_(outcomes),
      left_(max_instructions == 0 ? UINT64_MAX : max_instructions), cuts_(cuts),
      current_(templates.value_count()) {
  for (std::uint32_t v = 0; v < templates.value_count(); ++v)
    current_[v] = 2 * v;
}

void TraceStream::move_phis(const facts::BlockStep& step) {
  const std::span<const facts::PhiAlias> phis = templates_.phis(step.block, step.previous_block);
  moved_.clear(); // all phis of a block read before any is written
  for (const facts::PhiAlias& phi : phis)
    moved_.push_back(phi.source == facts::no_value ? 2 * phi.destination : current_[phi.source]);
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

bool TraceStream::next(Instruction& out) {
  if (left_ == 0)
    return false;
  if (passed_.operations == 0 && (entries_ == nullptr || op_ == entries_->size()) && !enter_step())
    return false;
  --left_;
  gave_passed_ = passed_.operations > 0;
  if (gave_passed_) {
    --passed_.operations;
    out = *passed_.instruction;
    return true;
  }
  const StreamTemplates::Entry& entry = (*entries_)[op_++];
  out = entry.instruction;
  for (unsigned s = 0; s < out.source_count; ++s)
    out.sources[s] = current_[out.sources[s]];
  if (out.destination != pipeline::no_register) {
    // Two registers a value, used in turn: a phi may still read the previous iteration's.
    std::uint32_t& now = current_[entry.instruction.destination];
    const std::uint32_t first = 2 * entry.instruction.destination;
    now = now == first ? first + 1 : first;
    out.destination = now;
  }
  if (entry.event_in_block != facts::no_value) {
    const std::size_t event = first_event_ + entry.event_in_block;
    templates_.apply(entry, warp_.events[event], as_simulated(outcomes_[event]), out);
  }
  return true;
}

std::size_t TraceStream::fill(Instruction* out, std::size_t count) {
  std::size_t made = 0;
  while (made < count && TraceStream::next(out[made]))
    ++made;
  return made;
}

std::uint64_t count_instructions(const StreamTemplates& templates, const facts::WarpTrace& warp) {
  std::uint64_t count = 0;
  for (std::size_t s = 0; s < warp.steps.size(); ++s)
    count += templates.instructions_of(warp, s);
  return count;
}

} // namespace forewarp::predict::hybrid
