// Counters of a run and the messages to the listener.
#pragma once

#include "pipeline/core/servers.h"
#include "pipeline/core/state.h"
#include "pipeline/core/units.h"

#include <algorithm>

namespace forewarp::pipeline {

class Accounts {
public:
  Accounts(const Configuration& configuration, Listener* listener)
      : configuration_(configuration), listener_(listener) {
    const std::size_t subsystems = configuration.subsystems.size();
    outcome_.subsystem_busy_cycles.resize(subsystems);
    outcome_.subsystem_instructions.resize(subsystems);
    outcome_.subsystem_stall_cycles.resize(subsystems);
    outcome_.tag_stall_cycles.resize(configuration.tag_count);
    outcome_.tag_issue_cycles.resize(configuration.tag_count);
  }

  std::uint32_t group_started(double cycle) {
    const auto launch_index = static_cast<std::uint32_t>(outcome_.group_start_cycles.size());
    outcome_.group_start_cycles.push_back(cycle);
    outcome_.group_finish_cycles.push_back(never);
    if (listener_)
      listener_->on_group_start({launch_index, cycle});
    return launch_index;
  }
  double group_start_cycle(std::uint32_t launch_index) const {
    return outcome_.group_start_cycles[launch_index];
  }
  void group_finished(std::uint32_t launch_index, double cycle) {
    outcome_.group_finish_cycles[launch_index] = cycle;
    if (outcome_.instructions_at_first_finish == 0)
      outcome_.instructions_at_first_finish = outcome_.instructions;
    outcome_.cycles = std::max(outcome_.cycles, cycle);
    if (listener_)
      listener_->on_group_finish({launch_index, cycle});
  }
  void barrier_released(std::uint32_t launch_index, double cycle) {
    if (listener_)
      listener_->on_barrier_release({launch_index, cycle});
  }
  void warp_ended(double end_cycle, double start_cycle) {
    outcome_.warp_resident_cycles += end_cycle - start_cycle;
  }

  /// The head issues at `now`: what kept it since the warp's last issue slot? In this order: barrier,
  /// sources, bounded memory, subsystem, issue slot.
  void waited(const Warp& warp, const Instruction& head, double now, double unit_free, double gate_opened) {
    wait_from_ = warp.free_cycle;
    if (now <= wait_from_)
      return;
    if (head.tag < configuration_.tag_count)
      outcome_.tag_stall_cycles[head.tag] += now - wait_from_;
    wait_until(warp, head, StallCause::barrier, std::min(warp.barrier_until_cycle, now));
    wait_until(warp, head, cause_of(warp.waits_for), std::min(warp.data_ready_cycle, now));
    wait_until(warp, head, StallCause::memory_queue, std::min(gate_opened, now));
    const double busy_until = std::min(unit_free, now);
    if (busy_until > wait_from_)
      outcome_.subsystem_stall_cycles[head.subsystem] += busy_until - wait_from_;
    wait_until(warp, head, StallCause::subsystem_busy, busy_until);
    wait_until(warp, head, StallCause::issue_slot, now);
  }

  void issued(const Warp& warp, const Instruction& head, std::uint32_t launch_index, unsigned subsystem,
              std::uint32_t instance, double now, double result, double slot_cycles) {
    outcome_.instructions += 1;
    outcome_.issue_slots_used += slot_cycles;
    outcome_.subsystem_busy_cycles[subsystem] += head.lambda_cycles;
    outcome_.subsystem_instructions[subsystem] += 1;
    outcome_.cycles = std::max(outcome_.cycles, result);
    if (head.tag < configuration_.tag_count)
      outcome_.tag_issue_cycles[head.tag] += slot_cycles;
    if (listener_)
      listener_->on_issue({.group = launch_index,
                           .warp = warp.index_in_group,
                           .scheduler = warp.scheduler,
                           .subsystem = subsystem,
                           .instance = instance,
                           .tag = head.tag,
                           .issue_cycle = now,
                           .subsystem_free_cycle = now + head.lambda_cycles,
                           .result_cycle = result,
                           .barrier = head.kind == Instruction::Kind::barrier});
  }
  void gave_up(double waits) { outcome_.unmet_waits += waits; }
  void current_group(std::uint32_t launch_index) { launch_index_ = launch_index; }

  Outcome outcome(const Units& units, const Servers& servers, bool finished) {
    for (std::size_t i = 0; i < configuration_.subsystems.size(); ++i)
      outcome_.subsystem_instances.push_back(units.instances(static_cast<unsigned>(i)));
    for (std::size_t i = 0; i < configuration_.servers.size(); ++i) {
      outcome_.server_busy_cycles.push_back(servers.busy_cycles(static_cast<int>(i)));
      outcome_.server_wait_cycles.push_back(servers.wait_cycles(static_cast<int>(i)));
    }
    outcome_.finished = finished;
    if (!finished)
      outcome_.cycles = configuration_.max_cycles;
    return std::move(outcome_);
  }

private:
  static StallCause cause_of(Scoreboard::Maker maker) {
    switch (maker) {
    case Scoreboard::Maker::memory:
      return StallCause::dependence_memory;
    case Scoreboard::Maker::queue:
      return StallCause::subsystem_busy;
    case Scoreboard::Maker::arithmetic:
      break;
    }
    return StallCause::dependence_arithmetic;
  }
  void wait_until(const Warp& warp, const Instruction& head, StallCause cause, double until) {
    if (until <= wait_from_)
      return;
    outcome_.stall_cycles[static_cast<std::size_t>(cause)] += until - wait_from_;
    if (listener_)
      listener_->on_stall({.group = launch_index_,
                           .warp = warp.index_in_group,
                           .tag = head.tag,
                           .cause = cause,
                           .from_cycle = wait_from_,
                           .to_cycle = until});
    wait_from_ = until;
  }

  const Configuration& configuration_;
  Listener* listener_;
  Outcome outcome_;
  double wait_from_ = 0;
  std::uint32_t launch_index_ = 0;
};

} // namespace forewarp::pipeline
