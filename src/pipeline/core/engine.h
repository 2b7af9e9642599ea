// The event loop. Time jumps to the next cycle at which some scheduler may issue or a group ends.
#pragma once

#include "pipeline/core/accounts.h"
#include "pipeline/core/counted.h"
#include "pipeline/core/gates.h"
#include "pipeline/core/instruction_fetch.h"
#include "pipeline/core/next_scheduler.h"
#include "pipeline/core/servers.h"
#include "pipeline/core/state.h"
#include "pipeline/core/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <utility>

namespace forewarp::pipeline {

template <class Policy> class Engine {
public:
  Engine(const Configuration& configuration, GroupSource& groups, Listener* listener)
      : configuration_(configuration), source_(groups), accounts_(configuration, listener),
        units_(configuration.subsystems, configuration.schedulers), gates_(configuration, servers_),
        fetch_(configuration.instruction_cache, configuration.schedulers) {
    for (unsigned i = 0; i < configuration.schedulers; ++i)
      schedulers_.push_back({.index = i,
                             .ready = std::vector<WarpMask>(configuration.subsystems.size()),
                             .policy = Policy(configuration)});
    next_cycle_.assign(configuration.schedulers, never);
    last_issue_order_.assign(configuration.schedulers, 0);
    const double limit = configuration.issue_per_cycle_per_scheduler;
    warp_distance_cycles_ = configuration.warp_issue_distance_cycles;
    most_per_pick_ = limit > 1 && warp_distance_cycles_ <= 0 ? static_cast<unsigned>(std::ceil(limit)) : 1;
    for (unsigned issued = 0; limit > 0 && issued <= most_per_pick_; ++issued)
      slot_cycles_.push_back(most_per_pick_ > 1 ? std::max(1.0, issued / limit) : issued / limit);
    sm_slot_cycles_ = configuration.issue_limit_per_sm > 0 ? 1 / configuration.issue_limit_per_sm : 0;
    own_slot_cycles_ = limit > 0 ? 1 / limit : sm_slot_cycles_;
    has_gates_ = gates_.any();
    warps_leave_ = configuration.most_running_warps > 0;
    const unsigned slots = warps_leave_ ? std::max(configuration.concurrent_groups, configuration.most_groups)
                                        : configuration.concurrent_groups;
    slots_.resize(slots);
    for (auto slot = slots; slot-- > 0;)
      free_slots_.push_back(slot);
  }

  Result<Outcome> run() {
    start_groups(0);
    while (error_.message.empty()) {
      const std::size_t scheduler = next_scheduler();
      const double group_end = finishing_.empty() ? never : finishing_.front().first;
      const double leaving = leaving_.empty() ? never : leaving_.front().first;
      const double issue_cycle = next_cycle_[scheduler], cycle = std::min({issue_cycle, group_end, leaving});
      if (cycle == never) {
        if (give_up_waiting())
          continue;
        break;
      }
      if (configuration_.max_cycles > 0 && cycle > configuration_.max_cycles)
        return stop_early();
      now_ = std::max(now_, cycle);
      if (leaving == cycle)
        give_place_back();
      else if (group_end <= issue_cycle)
        finish_group();
      else
        step(schedulers_[scheduler]);
    }
    if (!error_.message.empty())
      return tl::unexpected<Error>(error_);
    return accounts_.outcome(units_, servers_, true);
  }

private:
  // ---- time ----
  std::size_t next_scheduler() const { return earliest_scheduler(next_cycle_, last_issue_order_); }

  void step(Scheduler<Policy>& scheduler) {
    double& next_cycle = next_cycle_[scheduler.index];
    if (scheduler.next_wake_cycle <= now_)
      wake(scheduler);
    const double slot = std::max(scheduler.slot_free_cycle, sm_slot_free_cycle_);
    if (slot > now_) {
      next_cycle = slot;
      return;
    }
    double later = scheduler.next_wake_cycle;
    const WarpMask candidates = issuable(scheduler, later);
    if (candidates == 0) {
      next_cycle = later;
      return;
    }
    const unsigned position = scheduler.policy.pick(candidates);
    Warp& warp = *scheduler.warps[position];
    unsigned issued = 0;
    do {
      issue(scheduler, warp);
      ++issued;
    } while (issued < most_per_pick_ && can_follow(scheduler, warp));
    scheduler.policy.issued(warp.position);
    last_issue_order_[scheduler.index] = ++issue_order_;
    if (configuration_.issue_per_cycle_per_scheduler > 0)
      scheduler.slot_free_cycle =
          std::max(now_ + slot_cycles_[issued], ports_open_cycle(scheduler.bank_free_cycle));
    next_cycle = std::max(scheduler.slot_free_cycle, earliest_work(scheduler));
    if constexpr (!Policy::restricts)
      if (took_shared_ && !has_gates_)
        defer_others(scheduler.index);
  }

  /// A unit of the whole SM was taken: schedulers that would find nothing else are not stepped for it.
  void defer_others(unsigned index) {
    took_shared_ = false;
    for (unsigned other = 0; other < schedulers_.size(); ++other)
      if (other != index && next_cycle_[other] <= now_ + 1)
        next_cycle_[other] = std::max(schedulers_[other].slot_free_cycle, earliest_work(schedulers_[other]));
  }

  /// Lower bound of the next issue: the first wake-up, or a ready warp's subsystem.
  double earliest_work(const Scheduler<Policy>& scheduler) const {
    double earliest = scheduler.next_wake_cycle;
    if (scheduler.queued != 0)
      return now_;
    for (std::uint64_t rest = scheduler.occupied; rest; rest &= rest - 1)
      earliest = std::min(earliest, units_.free_cycle(units_.instance(
                                        scheduler.index, static_cast<unsigned>(std::countr_zero(rest)))));
    return std::max(earliest, now_);
  }

  void wake(Scheduler<Policy>& scheduler) {
    double next = never;
    for (unsigned chunk = 0; chunk * wake_chunk < scheduler.resident; ++chunk) {
      if (scheduler.chunk_wake_cycle[chunk] <= now_)
        for (WarpMask rest = scheduler.wake_stretch(chunk, now_); rest; rest &= rest - 1)
          wake(scheduler, static_cast<unsigned>(std::countr_zero(rest)));
      next = std::min(next, scheduler.chunk_wake_cycle[chunk]);
    }
    scheduler.next_wake_cycle = next;
  }

  void wake(Scheduler<Policy>& scheduler, unsigned position) {
    scheduler.put_ready(scheduler.waiting_for[position], bit_of(position));
    if (has_gates_)
      gates_.mark(scheduler.warps[position]->head(), bit_of(position), scheduler.gated);
  }

  /// Warps that may issue now; lowers `later` to the next cycle at which a ready but blocked one could.
  WarpMask issuable(Scheduler<Policy>& scheduler, double& later) {
    WarpMask allowed = ~WarpMask{0};
    if constexpr (Policy::restricts)
      allowed = scheduler.policy.allowed(scheduler.all_ready());
    double gate_cycle = never;
    const WarpMask blocked = has_gates_ ? gates_.closed(scheduler.gated, now_, gate_cycle) : 0;
    WarpMask candidates = 0;
    for (std::uint64_t rest = scheduler.occupied; rest; rest &= rest - 1) {
      const auto subsystem = static_cast<unsigned>(std::countr_zero(rest));
      const WarpMask ready = scheduler.ready[subsystem] & allowed;
      const double free = units_.free_cycle(units_.instance(scheduler.index, subsystem));
      const WarpMask open = ready & ~blocked;
      if (ready & blocked)
        later = std::min(later, std::max(free, gate_cycle));
      candidates |= free <= now_ ? open : open & scheduler.queued;
      if (free > now_ && (open & ~scheduler.queued))
        later = std::min(later, free);
    }
    return candidates;
  }

  bool can_follow(Scheduler<Policy>& scheduler, const Warp& warp) {
    if (warp.ended || warp.at_barrier)
      return false;
    const WarpMask bit = bit_of(warp.position);
    if (Policy::restricts || has_gates_) {
      double unused = never;
      return (issuable(scheduler, unused) & bit) != 0;
    }
    // A unit that takes several instructions a cycle takes the second in the same cycle.
    const auto is_open = [&](unsigned subsystem) {
      return (scheduler.ready[subsystem] & bit) != 0 &&
             units_.free_cycle(units_.instance(scheduler.index, subsystem)) < now_ + 1;
    };
    const Instruction& head = warp.head();
    return is_open(head.subsystem) ||
           (head.second_subsystem >= 0 && is_open(static_cast<unsigned>(head.second_subsystem)));
  }

  // ---- instructions ----
  void issue(Scheduler<Policy>& scheduler, Warp& warp) {
    const Instruction& head = warp.head();
    unsigned subsystem = 0;
    const std::uint32_t instance = units_.choose(scheduler.index, head, now_, subsystem);
    leave_ready(scheduler, warp);
    const std::uint32_t launch_index = slots_[warp.group_slot].launch_index;
    accounts_.current_group(launch_index);
    const double unit_free = units_.free_cycle(instance), start = std::max(now_, unit_free);
    accounts_.waited(warp, head, now_, head.queued ? 0 : unit_free,
                     has_gates_ ? gates_.opened_cycle(head) : 0);
    took_shared_ |= units_.is_shared(subsystem);
    units_.occupy(instance, start, head.lambda_cycles);
    double result = (head.queued ? start : now_) + head.latency_cycles, done = 0;
    const bool uses_server = servers_used(head);
    if (uses_server) {
      const Servers::Service service = servers_.serve(head, now_);
      result = std::max(result + service.wait_cycles, service.end_cycle);
      done = service.last_cycle;
    }
    gates_.issued(head.memory || uses_server, result);
    if (head.counted)
      result = count(warp.scoreboard, scheduler.bank_free_cycle, head, now_, result, maker_of(head, false));
    else if (head.destination != no_register)
      warp.scoreboard.write(head.destination, result, maker_of(head, uses_server));
    if (!head.posted)
      warp.completion_cycle = std::max(warp.completion_cycle, result);
    accounts_.issued(warp, head, launch_index, subsystem, instance, now_, std::max(result, done),
                     own_slot_cycles_);
    sm_slot_free_cycle_ = now_ + sm_slot_cycles_;
    warp.free_cycle = now_ + std::max(own_slot_cycles_, warp_distance_cycles_);
    const bool barrier = head.kind == Instruction::Kind::barrier;
    const double next = now_ + std::max<double>(warp_distance_cycles_, head.hold_cycles);
    if (head.kind == Instruction::Kind::late)
      result = std::max(result, warp.scoreboard.sources_ready(head).cycle);
    if (head.meeting != no_meeting && head.kind != Instruction::Kind::wait)
      meet(slots_[warp.group_slot], head.meeting, result);
    ++warp.next;
    if (barrier)
      arrive(warp, result);
    else
      advance(warp, next);
  }

  /// The next instruction becomes the head; it may issue from `earliest` at the earliest.
  void advance(Warp& warp, double earliest) {
    if (warp.next == warp.end && !refill(warp)) {
      if (error_.message.empty())
        end_warp(warp);
      return;
    }
    const Instruction& head = warp.head();
    Scoreboard::Readiness readiness = warp.scoreboard.sources_ready(head);
    if (head.kind == Instruction::Kind::late)
      readiness = {};
    if (head.kind == Instruction::Kind::wait) {
      Meetings& meetings = slots_[warp.group_slot].meetings;
      if (!meetings.is_over(head.meeting)) {
        schedulers_[warp.scheduler].policy.long_wait(warp.position);
        return meetings.wait(head.meeting, warp, earliest);
      }
      if (const double over = meetings.over_cycle(head.meeting); over > readiness.cycle)
        readiness = {over, Scoreboard::Maker::memory};
    }
    double ready = std::max(earliest, readiness.cycle);
    if (head.counted && fetch_.on() && head.code_line != warp.fetched_line) {
      warp.fetched_line = head.code_line;
      ready = std::max(ready, fetch_.ready_cycle(warp.scheduler, head.code_line, std::max(earliest, now_)));
    }
    warp.data_ready_cycle = ready;
    const bool for_sources = readiness.cycle >= earliest;
    warp.waits_for = for_sources ? readiness.maker : Scoreboard::Maker::arithmetic;
    Scheduler<Policy>& scheduler = schedulers_[warp.scheduler];
    if (ready <= now_) {
      become_ready(scheduler, warp);
      next_cycle_[warp.scheduler] = std::min(next_cycle_[warp.scheduler], now_);
      return;
    }
    if (readiness.maker == Scoreboard::Maker::memory)
      scheduler.policy.long_wait(warp.position);
    scheduler.wait_until(warp.position, ready, units_of(head));
    next_cycle_[warp.scheduler] = std::min(next_cycle_[warp.scheduler], ready);
  }

  /// False: the warp's end, or an error.
  bool refill(Warp& warp) {
    warp.next = warp.buffer.data();
    warp.end = warp.next + warp.stream->fill(warp.buffer.data(), Warp::batch);
    return warp.next != warp.end && check(warp);
  }

  bool check(const Warp& warp) {
    for (const Instruction& instruction : std::span(warp.next, warp.end))
      if (!is_possible(instruction, configuration_.subsystems.size(), warp.scoreboard.size())) {
        error_ = {ErrorCode::bad_input,
                  "an instruction names a subsystem or register that does not exist, or a time is negative",
                  fmt::format("group {}, warp {}", slots_[warp.group_slot].launch_index, warp.index_in_group),
                  ""};
        return false;
      }
    return true;
  }

  void become_ready(Scheduler<Policy>& scheduler, const Warp& warp) {
    scheduler.put_ready(units_of(warp.head()), bit_of(warp.position));
    if (has_gates_)
      gates_.mark(warp.head(), bit_of(warp.position), scheduler.gated);
  }
  void leave_ready(Scheduler<Policy>& scheduler, const Warp& warp) {
    const Instruction& head = warp.head();
    const WarpMask bit = bit_of(warp.position);
    scheduler.take_ready(head.subsystem, bit);
    if (head.second_subsystem >= 0)
      scheduler.take_ready(static_cast<unsigned>(head.second_subsystem), bit);
    scheduler.queued &= ~bit;
    if (has_gates_)
      for (WarpMask& mask : scheduler.gated)
        mask &= ~bit;
  }

  // ---- barriers and meetings ----
  void go_on(const std::vector<Meetings::Waiting>& warps) {
    for (const auto& [warp, earliest] : warps)
      advance(*warp, std::max(earliest, now_));
  }
  void meet(GroupSlot& group, std::uint32_t meeting, double cycle) {
    go_on(group.meetings.arrive(meeting, cycle));
  }
  /// Nothing else is left to happen. False: nobody waits.
  bool give_up_waiting() {
    double warps = 0;
    for (GroupSlot& group : slots_)
      if (group.meetings.waiting() > 0) {
        warps += static_cast<double>(group.meetings.waiting());
        go_on(group.meetings.give_up());
      }
    accounts_.gave_up(warps);
    return warps > 0;
  }
  void arrive(Warp& warp, double result_cycle) {
    GroupSlot& group = slots_[warp.group_slot];
    warp.at_barrier = true;
    schedulers_[warp.scheduler].policy.long_wait(warp.position);
    ++group.arrived;
    group.barrier_cycle = std::max(group.barrier_cycle, result_cycle);
    release_if_complete(group);
  }
  void release_if_complete(GroupSlot& group) {
    if (group.arrived == 0 || group.arrived < group.live)
      return;
    const double release = std::max(group.barrier_cycle + configuration_.barrier_latency_cycles, now_);
    group.arrived = 0;
    group.barrier_cycle = 0;
    accounts_.barrier_released(group.launch_index, release);
    for (Warp* warp : group.warps)
      if (warp->at_barrier) {
        warp->at_barrier = false;
        warp->barrier_until_cycle = release;
        warp->completion_cycle = std::max(warp->completion_cycle, release);
        advance(*warp, release);
      }
  }

  // ---- groups ----
  void end_warp(Warp& warp) {
    GroupSlot& group = slots_[warp.group_slot];
    warp.ended = true;
    if (warps_leave_) {
      leaving_.emplace_back(std::max(now_, warp.completion_cycle), warp.scheduler);
      std::push_heap(leaving_.begin(), leaving_.end(), std::greater<>{});
    }
    schedulers_[warp.scheduler].policy.long_wait(warp.position);
    accounts_.warp_ended(warp.completion_cycle, group_start_cycle(group));
    group.completion_cycle = std::max(group.completion_cycle, warp.completion_cycle);
    if (--group.live > 0)
      release_if_complete(group);
    else
      group_ended(group);
  }
  void give_place_back() {
    std::pop_heap(leaving_.begin(), leaving_.end(), std::greater<>{});
    --schedulers_[leaving_.back().second].running;
    leaving_.pop_back();
    --running_warps_;
    start_groups(now_ + configuration_.group_refill_cycles);
  }
  double group_start_cycle(const GroupSlot& group) const {
    return accounts_.group_start_cycle(group.launch_index);
  }
  void group_ended(GroupSlot& group) {
    const auto slot = static_cast<unsigned>(&group - slots_.data());
    finishing_.emplace_back(std::max(group.completion_cycle, now_), slot);
    std::push_heap(finishing_.begin(), finishing_.end(), std::greater<>{});
  }
  void finish_group() {
    std::pop_heap(finishing_.begin(), finishing_.end(), std::greater<>{});
    const auto [cycle, slot] = finishing_.back();
    finishing_.pop_back();
    GroupSlot& group = slots_[slot];
    accounts_.group_finished(group.launch_index, cycle);
    for (Warp* warp : group.warps) {
      schedulers_[warp->scheduler].remove(*warp);
      free_warps_.push_back(warp);
    }
    group.warps.clear();
    group.streams.reset();
    free_slots_.push_back(slot);
    start_groups(now_ + configuration_.group_refill_cycles);
  }

  void start_groups(double earliest) {
    while (!free_slots_.empty() && has_room() && !exhausted_ && error_.message.empty()) {
      auto streams = source_.next();
      if (!streams) {
        exhausted_ = true;
        return;
      }
      const unsigned slot = free_slots_.back();
      free_slots_.pop_back();
      start_group(slot, std::move(streams), earliest);
    }
  }
  bool has_room() const {
    return !warps_leave_ ||
           running_warps_ + configuration_.warps_per_group <= configuration_.most_running_warps;
  }
  void start_group(unsigned slot, std::unique_ptr<GroupStreams> streams, double earliest) {
    GroupSlot& group = slots_[slot];
    const double start = std::max(earliest, next_launch_cycle_);
    next_launch_cycle_ = start + configuration_.group_launch_interval_cycles;
    group.launch_index = accounts_.group_started(start);
    group.live = static_cast<unsigned>(streams->warps.size());
    group.arrived = 0;
    group.barrier_cycle = 0;
    group.completion_cycle = start;
    group.meetings.start(streams->arrivals);
    group.streams = std::move(streams);
    for (unsigned i = 0; i < group.streams->warps.size(); ++i) {
      Scheduler<Policy>& scheduler = emptiest_scheduler(group.launch_index);
      if (scheduler.resident == max_positions) {
        error_ = {ErrorCode::unsupported,
                  fmt::format("more than {} resident warps per scheduler", max_positions), "",
                  "lower the concurrent groups or raise the number of schedulers"};
        return;
      }
      group.warps.push_back(&make_warp(scheduler, *group.streams->warps[i], slot, i, start));
    }
    if (group.live == 0)
      return group_ended(group);
    for (std::size_t i = 0; i < group.warps.size(); ++i)
      advance(*group.warps[i], start);
  }
  /// Where warps leave one by one, groups begin at different schedulers: of groups that start together the
  /// warps that do most would else meet at one, as they do not where groups come one at a time.
  Scheduler<Policy>& emptiest_scheduler(std::size_t group) {
    if (!warps_leave_)
      return *std::ranges::min_element(schedulers_, {}, [](const auto& s) { return s.resident; });
    const std::size_t count = schedulers_.size(), first = group % count;
    return *std::ranges::min_element(schedulers_, {}, [&](const auto& s) {
      return std::pair(s.running, (s.index + count - first) % count);
    });
  }
  Warp& make_warp(Scheduler<Policy>& scheduler, WarpStream& stream, unsigned slot, unsigned index,
                  double start) {
    if (free_warps_.empty())
      free_warps_.push_back(&warp_storage_.emplace_back());
    Warp& warp = *free_warps_.back();
    free_warps_.pop_back();
    warp.begin(stream, slot, index, start);
    scheduler.add(warp);
    ++scheduler.running;
    ++running_warps_;
    return warp;
  }

  Result<Outcome> stop_early() {
    now_ = configuration_.max_cycles;
    for (const GroupSlot& group : slots_)
      for (const Warp* warp : group.warps)
        if (!warp->ended)
          accounts_.warp_ended(now_, std::min(now_, group_start_cycle(group)));
    return accounts_.outcome(units_, servers_, false);
  }

  const Configuration& configuration_;
  GroupSource& source_;
  Accounts accounts_;
  Units units_;
  Servers servers_;
  Gates gates_;
  InstructionFetch fetch_;
  std::vector<Scheduler<Policy>> schedulers_;
  std::vector<double> next_cycle_; ///< [scheduler] no issue before this; together: all are looked at often
  std::vector<std::uint64_t> last_issue_order_; ///< [scheduler]
  std::deque<Warp> warp_storage_;
  std::vector<Warp*> free_warps_;
  std::vector<GroupSlot> slots_;
  std::vector<unsigned> free_slots_;
  std::vector<std::pair<double, unsigned>> finishing_; ///< heap: cycle, slot
  bool exhausted_ = false, has_gates_ = false, took_shared_ = false, warps_leave_ = false;
  unsigned running_warps_ = 0;
  std::vector<std::pair<double, unsigned>> leaving_; ///< heap: cycle in which a warp ends, its scheduler
  unsigned most_per_pick_ = 1;
  std::vector<double> slot_cycles_; ///< by number of instructions issued together
  double own_slot_cycles_ = 0, sm_slot_cycles_ = 0, warp_distance_cycles_ = 0;
  double now_ = 0, sm_slot_free_cycle_ = 0, next_launch_cycle_ = 0;
  std::uint64_t issue_order_ = 0;
  Error error_;
};

} // namespace forewarp::pipeline
