#include "port/dependence.h"

#include <fmt/format.h>

#include <algorithm>

namespace forewarp::port {
namespace {

using facts::RegionDependence;

bool blocks(const RegionDependence& dependence) {
  if (!dependence.reduction.empty())
    return false;
  return dependence.kind == RegionDependence::Kind::flow || !dependence.privatizable;
}

/// "i-1": where the earlier iteration lies, seen from the later one, in the loop that carries it. A value
/// handed on in a register (count 0) comes from the iteration before.
std::string earlier_iteration(const RegionDependence& dependence, const facts::RegionTrace& trace) {
  const std::string variable =
      dependence.loop < trace.loops.size() ? trace.loops[dependence.loop].variable : "";
  const std::int64_t distance = dependence.count == 0 ? 1
                                                      : dependence.sink_iteration[dependence.loop] -
                                                            dependence.source_iteration[dependence.loop];
  return variable.empty() ? fmt::format("the iteration {} before", distance)
                          : fmt::format("iteration {}-{}", variable, distance);
}

void add_once(std::vector<std::string>& list, std::string text) {
  if (std::find(list.begin(), list.end(), text) == list.end())
    list.push_back(std::move(text));
}

std::string name_of(const RegionDependence& dependence) {
  return dependence.variable.empty() ? "memory" : "'" + dependence.variable + "'";
}

/// "line 7"; in another file than the region's "file:7".
std::string words_of(const facts::SourceLocation& at, const facts::RegionTrace& trace) {
  return at.file == trace.location.file || at.file >= trace.files.size()
             ? fmt::format("line {}", at.line)
             : fmt::format("{}:{}", trace.files[at.file], at.line);
}

/// Flow first, then the most frequent.
const RegionDependence* obstacle_at(const facts::RegionTrace& trace, unsigned level) {
  const RegionDependence* worst = nullptr;
  for (const RegionDependence& dependence : trace.dependences) {
    if (dependence.loop != level || !blocks(dependence))
      continue;
    const bool flow = dependence.kind == RegionDependence::Kind::flow;
    const bool worst_flow = worst && worst->kind == RegionDependence::Kind::flow;
    if (!worst || (flow && !worst_flow) || (flow == worst_flow && dependence.count > worst->count))
      worst = &dependence;
  }
  return worst;
}

bool has_reduction(const facts::RegionTrace& trace, unsigned level) {
  return std::any_of(trace.dependences.begin(), trace.dependences.end(),
                     [&](const RegionDependence& dependence) {
                       return dependence.loop == level && !dependence.reduction.empty();
                     });
}

void gather(const facts::RegionTrace& trace, Parallelism& result) {
  for (const RegionDependence& dependence : trace.dependences) {
    if (dependence.loop >= result.dimensions)
      continue;
    if (!dependence.reduction.empty())
      add_once(result.reductions, fmt::format("{} into {} (line {})", dependence.reduction,
                                              name_of(dependence), dependence.source.line));
    else if (dependence.privatizable)
      add_once(result.privates, dependence.variable);
  }
}

} // namespace

std::string describe(const RegionDependence& dependence, const facts::RegionTrace& trace) {
  const std::string where = earlier_iteration(dependence, trace);
  const std::string sink = words_of(dependence.sink, trace), source = words_of(dependence.source, trace);
  switch (dependence.kind) {
  case RegionDependence::Kind::flow:
    return fmt::format("{} reads what {} wrote in {} ({})", sink, source, where, name_of(dependence));
  case RegionDependence::Kind::anti:
    return fmt::format("{} overwrites what {} read in {} ({})", sink, source, where, name_of(dependence));
  default:
    return fmt::format("{} overwrites what {} wrote in {} ({})", sink, source, where, name_of(dependence));
  }
}

namespace {

std::string line_of_loop(const facts::RegionTrace& trace, unsigned level) {
  return fmt::format("line {}", trace.loops[level].location.line);
}

bool inner_is_free(const facts::RegionTrace& trace, unsigned candidates) {
  return candidates > 1 && !obstacle_at(trace, 1);
}

/// Every dependence of the outermost loop stays within one iteration of the loop inside it.
bool may_interchange(const facts::RegionTrace& trace, unsigned candidates) {
  return inner_is_free(trace, candidates) &&
         std::none_of(trace.dependences.begin(), trace.dependences.end(),
                      [](const RegionDependence& dependence) {
                        return dependence.loop == 0 && blocks(dependence) && !dependence.same_inner;
                      });
}

std::string name_of(RegionDependence::Pattern pattern) {
  switch (pattern) {
  case RegionDependence::Pattern::arg_extremum:
    return ": a search for the place of a minimum or maximum";
  case RegionDependence::Pattern::compaction:
    return ": a stream compaction";
  default:
    return "";
  }
}

/// What to do about a shape that has a known parallel form; "" where it has none.
std::string remedy_of(RegionDependence::Pattern pattern) {
  switch (pattern) {
  case RegionDependence::Pattern::arg_extremum:
    return "reduce in two steps: each block finds its own extremum and its place, then one block that of all "
           "(keep "
           "value and place in one pair)";
  case RegionDependence::Pattern::compaction:
    return "two kernels: a prefix sum over the tests gives every element that passes its place, then each is "
           "stored there (copy_if in Thrust, DeviceSelect in CUB)";
  default:
    return "";
  }
}

/// What to do about the outermost loop's need of its own earlier iterations.
std::string remedy_of(const RegionDependence& obstacle, const facts::RegionTrace& trace,
                      unsigned candidates) {
  if (!inner_is_free(trace, candidates))
    return obstacle.kind == RegionDependence::Kind::flow
               ? "mark a loop further in, or one whose iterations do not need each other"
               : "give the loop a copy of the array to read from";
  const std::string inner = line_of_loop(trace, 1);
  return fmt::format(
      "the loop in {} inside it needs no iteration of its own: mark that one (a launch for each "
      "iteration of this one){}",
      inner,
      may_interchange(trace, candidates)
          ? ", or interchange the two loops, which is allowed here: each of its iterations "
            "needs only itself, so that one thread can run this loop for it"
          : "; the two cannot be interchanged");
}

} // namespace

Parallelism decide_parallelism(const facts::RegionTrace& trace, unsigned candidates, unsigned wanted) {
  Parallelism result;
  if (const RegionDependence* obstacle = obstacle_at(trace, 0)) {
    result.obstacle = describe(*obstacle, trace) + name_of(obstacle->pattern);
    result.location = obstacle->sink;
    result.remedy = remedy_of(obstacle->pattern);
    if (result.remedy.empty())
      result.remedy = remedy_of(*obstacle, trace, candidates);
    result.interchange = may_interchange(trace, candidates);
    return result;
  }
  const unsigned most = wanted == 0 ? candidates : std::min(candidates, wanted);
  result.dimensions = 1;
  while (result.dimensions < most && !obstacle_at(trace, result.dimensions) &&
         !has_reduction(trace, result.dimensions))
    ++result.dimensions;
  gather(trace, result);
  return result;
}

} // namespace forewarp::port
