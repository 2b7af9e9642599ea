// Warp traces as instruction streams of the pipeline simulator: machine operations of each run block, with
// the memory outcomes of the trace's events put in.
#pragma once

#include "facts/machine_program.h"
#include "facts/memory_profile.h"
#include "facts/trace.h"
#include "gpu/machine.h"
#include "memory/l1/spills.h"
#include "pipeline/simulator.h"
#include "predict/traced/cost/access.h"

#include <cstdint>
#include <span>
#include <vector>

namespace forewarp::predict::hybrid {

/// A machine program with everything that does not change from run to run of a block put in: one template
/// instruction per machine operation.
class StreamTemplates {
public:
  /// What says when a warp's next instruction may issue.
  enum class Issue {
    by_dependences,  ///< registers: for every program
    by_control_words ///< of real machine code, where it has them
  };

  StreamTemplates(const facts::MachineProgram& program, const gpu::Machine& machine,
                  const BandwidthShares& shares, const memory::FrameSharing& sharing, unsigned sector_bytes,
                  bool rounds_outcomes = true, Issue issue = Issue::by_dependences);

  struct Entry {
    pipeline::Instruction instruction; ///< registers are virtual values, renamed by the stream
    facts::OpClass op;
    std::uint16_t parts = 1;
    std::uint32_t event_in_block = facts::no_value;  ///< index among the block's memory events
    std::uint32_t stored_in_block = facts::no_value; ///< the store of an asynchronous copy, in the same way
    bool store = false;
    bool continues = false;        ///< the instruction of the entry before it
    std::uint32_t width_bytes = 0; ///< a lane, of a site
    bool read_only_path = false;
    bool copies = false;    ///< load of an asynchronous copy to shared memory
    bool by_engine = false; ///< a piece of a bulk copy: no pipe of the warps is taken
    facts::Meets meets = facts::Meets::never;
    std::uint32_t meeting_in_block = facts::no_value; ///< index of the event that names it
  };
  const std::vector<Entry>& block(std::uint32_t index) const { return blocks_[index]; }
  std::size_t block_count() const { return blocks_.size(); }
  /// What the warp issues without effect on its way into step `step`: how many, and the first of them.
  struct Passed {
    std::uint32_t operations = 0;
    const pipeline::Instruction* instruction = nullptr;
  };
  /// Registers of the streams' instructions are the counters of a warp.
  bool counted() const { return counted_; }
  Passed passed(const facts::WarpTrace& warp, std::size_t step) const;
  /// Of the block of step `step`, with what is passed before it.
  std::size_t instructions_of(const facts::WarpTrace& warp, std::size_t step) const;
  /// Phi moves of a block entered from `previous_block`.
  std::span<const facts::PhiAlias> phis(std::uint32_t index, std::uint32_t previous_block) const;
  const BandwidthShares& shares() const { return cached_.shares; }
  /// Outcomes of accesses are taken as_simulated (simulated_inputs.h).
  bool rounds_outcomes() const { return rounds_outcomes_; }
  /// Of the spilled frames; the default where nothing depends on it.
  const memory::FrameSharing& sharing() const { return sharing_; }
  std::uint32_t value_count() const { return program_.value_count; }
  /// Of those that a value takes in turn; up to the first of the next.
  std::uint32_t first_register(std::uint32_t value) const { return first_register_[value]; }
  bool has_meetings() const { return has_meetings_; }
  /// Source place of a tag.
  const facts::SourceLocation& location(std::uint32_t tag) const { return tag_locations_[tag]; }
  std::size_t tag_count() const { return tag_locations_.size(); }

  /// Puts an event's outcome into a memory instruction: pipe occupation, latency, server demands.
  void apply(const Entry& entry, const facts::MemoryEvent& event, const facts::AccessOutcome& outcome,
             pipeline::Instruction& out) const;
  /// What an asynchronous copy takes besides as a store to shared memory: its data pass the banks once.
  void apply_stored(const facts::AccessOutcome& outcome, pipeline::Instruction& out) const;

private:
  std::uint32_t tag_of(const facts::SourceLocation& location);
  Entry entry_of(const facts::MachineOp& op);
  void put_control(const facts::IssueControl& control, pipeline::Instruction& out) const;
  std::vector<pipeline::Instruction> passed_of(const facts::PassedBody& body);

  const facts::MachineProgram& program_;
  const gpu::Machine& machine_;
  memory::FrameSharing sharing_;
  CachedRules cached_;
  bool rounds_outcomes_, has_meetings_ = false, counted_;
  std::vector<std::vector<Entry>> blocks_;
  std::vector<std::size_t> joined_; ///< by block: entries that continue another
  std::vector<std::vector<std::vector<pipeline::Instruction>>>
      passed_; ///< by block, as MachineBlock::passed: the body's operations
  std::vector<std::vector<facts::PhiAlias>> phis_; ///< by block, sorted by previous block
  std::vector<std::uint32_t> first_register_;      ///< by value, and the count of all
  std::vector<facts::SourceLocation> tag_locations_;
};

/// Steps [from, to) of a warp's trace are left out.
struct TraceCut {
  std::size_t from = 0, to = 0;
  bool operator==(const TraceCut&) const = default;
};
using WarpCuts = std::vector<TraceCut>; ///< in order, none empty

/// Instructions of one traced warp. `max_instructions` (0: none) cuts the stream short. `cuts` outlives it.
class TraceStream final : public pipeline::WarpStream {
public:
  TraceStream(const StreamTemplates& templates, const facts::WarpTrace& warp,
              const std::vector<facts::AccessOutcome>& outcomes, std::uint64_t max_instructions,
              std::span<const TraceCut> cuts = {});
  bool next(pipeline::Instruction& out) override;
  std::size_t fill(pipeline::Instruction* out, std::size_t count) override;
  std::uint32_t register_count() const override {
    return templates_.counted() ? facts::counter_count : templates_.first_register(templates_.value_count());
  }
  /// The instruction that `next` gave last was passed: of no block, and nothing waits for it.
  bool gave_passed() const { return gave_passed_; }
  /// Place of the instruction that `next` gave last, unless passed: block of the program and operation in it.
  std::uint32_t block() const { return warp_.steps[step_ - 1].block; }
  std::size_t op_in_block() const { return op_ - 1; }
  /// The first, where the instruction stands for two operations (MachineOp::continues).
  std::size_t first_op_in_block() const { return first_op_; }

private:
  bool enter_step();
  void put_event(const StreamTemplates::Entry& entry, pipeline::Instruction& out) const;
  void join(const StreamTemplates::Entry& entry, pipeline::Instruction& out);
  void name_meeting(const StreamTemplates::Entry& entry, pipeline::Instruction& out) const;
  void rename(const StreamTemplates::Entry& entry, pipeline::Instruction& out);
  void move_phis(const facts::BlockStep& step);

  const StreamTemplates& templates_;
  const facts::WarpTrace& warp_;
  const std::vector<facts::AccessOutcome>& outcomes_;
  std::uint64_t left_;
  std::span<const TraceCut> cuts_; ///< still ahead
  std::size_t step_ = 0, op_ = 0, first_op_ = 0;
  const std::vector<StreamTemplates::Entry>* entries_ = nullptr;
  std::uint32_t first_event_ = 0;
  StreamTemplates::Passed passed_; ///< still to be given before the block's own
  bool gave_passed_ = false;
  std::vector<std::uint32_t> current_; ///< virtual value -> register that holds it now
  std::vector<std::uint32_t> moved_;   ///< scratch of move_phis
};

/// Adds to `arrivals` ([meeting]) those of a warp's trace without the cuts.
void count_arrivals(const StreamTemplates& templates, const facts::WarpTrace& warp,
                    std::span<const TraceCut> cuts, std::vector<std::uint32_t>& arrivals);

/// Machine instructions that a warp's trace expands to.
std::uint64_t count_instructions(const StreamTemplates& templates, const facts::WarpTrace& warp);

} // namespace forewarp::predict::hybrid
