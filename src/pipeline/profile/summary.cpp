#include "pipeline/profile/common.h"

#include <algorithm>

namespace forewarp::pipeline {
namespace {

using Spans = std::vector<std::pair<double, double>>;

/// Union of spans, sorted, without touching neighbours.
Spans merged(Spans spans) {
  std::sort(spans.begin(), spans.end());
  Spans result;
  for (const auto& span : spans) {
    if (!result.empty() && span.first <= result.back().second)
      result.back().second = std::max(result.back().second, span.second);
    else if (span.second > span.first)
      result.push_back(span);
  }
  return result;
}
double length(const Spans& spans) {
  double sum = 0;
  for (const auto& [from, to] : spans)
    sum += to - from;
  return sum;
}

/// Time covered by at least two of the (each disjoint) span lists.
double covered_twice(const std::vector<Spans>& lists) {
  std::vector<std::pair<double, int>> edges;
  for (const Spans& spans : lists)
    for (const auto& [from, to] : spans) {
      edges.emplace_back(from, 1);
      edges.emplace_back(to, -1);
    }
  std::sort(edges.begin(), edges.end());
  double sum = 0, last = 0;
  int depth = 0;
  for (const auto& [cycle, step] : edges) {
    if (depth >= 2)
      sum += cycle - last;
    depth += step;
    last = cycle;
  }
  return sum;
}

/// Part of [from, to) outside `busy` (disjoint and sorted).
double outside(double from, double to, const Spans& busy) {
  double left = to - from;
  auto span = std::upper_bound(busy.begin(), busy.end(), std::pair{from, from},
                               [](const auto& a, const auto& b) { return a.first < b.second; });
  for (; span != busy.end() && span->first < to; ++span)
    left -= std::max(0.0, std::min(to, span->second) - std::max(from, span->first));
  return left;
}

} // namespace

ProfileSummary summarize(const ProfileRecorder& profile, const Outcome& outcome, const ProfileNames& names) {
  using namespace profile_detail;
  ProfileSummary summary;
  summary.cycles = outcome.cycles;
  if (!(outcome.cycles > 0))
    return summary;
  const auto pipelines = pipelines_of(profile);
  const bool several = several_instances(pipelines);
  std::map<std::uint32_t, Spans> busy, in_flight;
  for (const IssueEvent& event : profile.issues) {
    busy[event.instance].emplace_back(event.issue_cycle, event.subsystem_free_cycle);
    in_flight[event.instance].emplace_back(event.issue_cycle, event.result_cycle);
  }
  std::vector<Spans> busy_lists;
  Spans all;
  for (const auto& [instance, name] : pipelines) {
    busy_lists.push_back(merged(busy[instance]));
    all.insert(all.end(), busy_lists.back().begin(), busy_lists.back().end());
    summary.pipelines.push_back({.name = pipeline_label(name, names, several),
                                 .instance = name.number,
                                 .instructions = static_cast<double>(in_flight[instance].size()),
                                 .busy_fraction = length(busy_lists.back()) / outcome.cycles,
                                 .in_flight_fraction = length(merged(in_flight[instance])) / outcome.cycles,
                                 .mean_in_flight = length(in_flight[instance]) / outcome.cycles});
  }
  const Spans any = merged(std::move(all));
  summary.any_busy_fraction = length(any) / outcome.cycles;
  summary.idle_fraction = 1 - summary.any_busy_fraction;
  if (!any.empty())
    summary.overlap_fraction = covered_twice(busy_lists) / length(any);
  for (const StallEvent& stall : profile.stalls) {
    const auto cause = static_cast<std::size_t>(stall.cause);
    summary.stall_cycles[cause] += stall.to_cycle - stall.from_cycle;
    summary.idle_stall_cycles[cause] += outside(stall.from_cycle, stall.to_cycle, any);
  }
  return summary;
}

} // namespace forewarp::pipeline
