// Execution profile of a run (Lemeire et al., Fig. 8 and 9): recorded by a listener, summed up, and written
// as text, as Chrome/Perfetto trace and as SVG.
#pragma once

#include "pipeline/simulator.h"

#include <string>
#include <vector>

namespace forewarp::pipeline {

/// Keeps the events of a run, up to a limit; later ones are counted only.
class ProfileRecorder final : public Listener {
public:
  explicit ProfileRecorder(std::size_t most_events = 2'000'000) : most_events_(most_events) {}
  void on_issue(const IssueEvent& event) override { keep(issues, event); }
  void on_stall(const StallEvent& event) override { keep(stalls, event); }
  void on_barrier_release(const GroupEvent& event) override { keep(barriers, event); }
  void on_group_start(const GroupEvent& event) override { keep(starts, event); }
  void on_group_finish(const GroupEvent& event) override { keep(finishes, event); }

  std::vector<IssueEvent> issues;
  std::vector<StallEvent> stalls;
  std::vector<GroupEvent> barriers, starts, finishes;
  std::size_t dropped = 0; ///< events beyond the limit

private:
  template <class Event> void keep(std::vector<Event>& events, const Event& event) {
    if (kept_ == most_events_) {
      ++dropped;
      return;
    }
    ++kept_;
    events.push_back(event);
  }
  std::size_t most_events_;
  std::size_t kept_ = 0;
};

/// What the writers need to name things.
struct ProfileNames {
  std::vector<std::string> subsystems;
  std::vector<std::string>
      tags; ///< what an instruction is: operation class or source line; may be shorter than the tags
  std::string title;
};

struct PipelineUse {
  std::string name;
  unsigned instance = 0; ///< of the subsystem
  double instructions = 0;
  double busy_fraction = 0;      ///< time in which it cannot accept an instruction
  double in_flight_fraction = 0; ///< time in which at least one instruction is on its way
  double mean_in_flight = 0;
};

struct ProfileSummary {
  double cycles = 0;
  std::vector<PipelineUse> pipelines; ///< in the order of instances
  double any_busy_fraction = 0;       ///< at least one pipeline busy
  double overlap_fraction = 0;        ///< at least two busy, of the time in which at least one is
  double idle_fraction = 0;           ///< no pipeline busy
  std::array<double, stall_cause_count> stall_cycles{}; ///< warp-cycles
  std::array<double, stall_cause_count>
      idle_stall_cycles{}; ///< of these, while no pipeline was busy: causes of non-overlap
};
ProfileSummary summarize(const ProfileRecorder& profile, const Outcome& outcome, const ProfileNames& names);

/// Table of the summary and a chart: a row per pipeline, a column per `cycles_per_column` (0: chosen so that
/// the chart fits `width`), the warp's letter where it is busy ('.' idle, '*' several warps in one column).
std::string profile_to_text(const ProfileRecorder& profile, const Outcome& outcome, const ProfileNames& names,
                            unsigned width = 100, double cycles_per_column = 0);

/// Trace event format: one track per pipeline, one per warp with its instructions and stalls; a microsecond
/// is a cycle.
std::string profile_to_chrome_trace(const ProfileRecorder& profile, const Outcome& outcome,
                                    const ProfileNames& names);

/// A row per pipeline: boxes while an instruction holds it, a thin line until its result. The first
/// `most_boxes` only.
std::string profile_to_svg(const ProfileRecorder& profile, const Outcome& outcome, const ProfileNames& names,
                           std::size_t most_boxes = 20'000);

} // namespace forewarp::pipeline
