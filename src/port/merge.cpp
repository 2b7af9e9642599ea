#include "port/merge.h"

#include <algorithm>

namespace forewarp::port {
namespace {

constexpr std::array<std::array<std::uint64_t, 3>, 3> default_blocks = {
    {{256, 1, 1}, {32, 32, 1}, {32, 4, 4}}};

/// The runs put the site's number where the line belongs: they know no lines.
void name_places(facts::RegionDependence& dependence, const facts::RegionTrace& trace) {
  const auto place = [&](const facts::SourceLocation& site) {
    return site.line < trace.sites.size() ? trace.sites[site.line].location : facts::SourceLocation{};
  };
  dependence.source = place(dependence.source);
  dependence.sink = place(dependence.sink);
}

void add_dependence(facts::RegionTrace& trace, facts::RegionDependence dependence) {
  name_places(dependence, trace);
  for (facts::RegionDependence& known : trace.dependences)
    if (known.kind == dependence.kind && known.loop == dependence.loop &&
        known.source.line == dependence.source.line && known.sink.line == dependence.sink.line &&
        known.variable == dependence.variable && known.reduction == dependence.reduction &&
        known.privatizable == dependence.privatizable) {
      known.count += dependence.count;
      known.same_inner = known.same_inner && dependence.same_inner;
      return;
    }
  trace.dependences.push_back(std::move(dependence));
}

/// An array whose cells no iteration gets from another or from before the region can be each thread's own.
void mark_privatizable(facts::RegionTrace& trace) {
  for (std::uint32_t index = 0; index < trace.objects.size(); ++index) {
    facts::RegionObject& object = trace.objects[index];
    bool needed = false, possible = object.written_bytes > 0 && object.copy_in_bytes == 0;
    for (const facts::RegionDependence& dependence : trace.dependences)
      if (dependence.object == index) {
        needed = needed || dependence.privatizable;
        possible = possible && dependence.privatizable;
      }
    object.privatizable = needed && possible;
  }
}

} // namespace

void merge_survey(facts::RegionTrace& trace, facts::RegionTrace survey) {
  for (std::size_t i = 0; i < trace.loops.size() && i < survey.loops.size(); ++i) {
    facts::RegionLoop& loop = trace.loops[i];
    const facts::RegionLoop& run = survey.loops[i];
    loop.executions = run.executions;
    loop.iterations = run.iterations;
    loop.detailed_launch_executions = run.detailed_launch_executions;
    loop.detailed_launch_iterations = run.detailed_launch_iterations;
    loop.min_trips = run.min_trips;
    loop.max_trips = run.max_trips;
  }
  for (std::size_t i = 0; i < trace.blocks.size() && i < survey.blocks.size(); ++i) {
    trace.blocks[i].runs = survey.blocks[i].runs;
    trace.blocks[i].detailed_launch_runs = survey.blocks[i].detailed_launch_runs;
  }
  for (std::size_t i = 0; i < trace.sites.size() && i < survey.sites.size(); ++i)
    trace.sites[i].object = survey.sites[i].object;
  trace.objects = std::move(survey.objects);
  trace.launches = std::move(survey.launches);
  trace.trace_complete = survey.trace_complete;
  for (facts::RegionDependence& dependence : survey.dependences)
    add_dependence(trace, std::move(dependence));
  mark_privatizable(trace);
}

namespace {

/// The detail run's heap may lie elsewhere than the survey's: objects move to where the recorded addresses
/// are.
void move_objects(facts::RegionTrace& trace, const facts::RegionTrace& detail) {
  std::vector<bool> moved(trace.objects.size(), false);
  for (std::size_t s = 0; s < trace.sites.size() && s < detail.sites.size(); ++s) {
    const std::uint32_t object = trace.sites[s].object, there = detail.sites[s].object;
    if (object >= trace.objects.size() || there >= detail.objects.size() || moved[object])
      continue;
    // An unknown object is only what was touched of its page.
    const bool known = trace.objects[object].kind != facts::RegionObject::Kind::unknown;
    if (known && trace.objects[object].size_bytes == detail.objects[there].size_bytes)
      trace.objects[object].base = detail.objects[there].base;
    moved[object] = true;
  }
}

} // namespace

void merge_detail(facts::RegionTrace& trace, facts::RegionTrace detail) {
  move_objects(trace, detail);
  trace.launches = std::move(detail.launches);
  for (facts::RegionLaunch& launch : trace.launches)
    for (unsigned level = trace.dimensions; level < 3; ++level)
      launch.extents[level] = 1;
  trace.threads = std::move(detail.threads);
  trace.steps = std::move(detail.steps);
  trace.addresses = std::move(detail.addresses);
  trace.trace_complete = trace.trace_complete && detail.trace_complete;
}

void settle_shape(facts::RegionTrace& trace, const Parallelism& parallelism, const RegionMark& mark,
                  const std::vector<std::uint64_t>& given) {
  trace.dimensions = std::max(1U, parallelism.dimensions);
  trace.block = default_blocks[trace.dimensions - 1];
  if (mark.block_dimensions > 0)
    trace.block = mark.block;
  for (std::size_t i = 0; i < given.size() && i < 3; ++i) {
    if (i == 0)
      trace.block = {1, 1, 1};
    trace.block[i] = given[i];
  }
  for (unsigned level = trace.dimensions; level < 3; ++level)
    trace.block[level] = 1;
  for (unsigned level = 0; level < trace.dimensions; ++level) {
    trace.loops[level].parallel_dimension = static_cast<int>(level);
    if (!trace.launches.empty())
      trace.extents[level] = trace.launches.front().extents[level];
  }
}

} // namespace forewarp::port
