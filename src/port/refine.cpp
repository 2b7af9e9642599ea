#include "port/refine.h"

#include "port/choose.h"

#include <algorithm>

namespace forewarp::port {
namespace {

bool executed(const TracedRegion& region) {
  return !region.trace.launches.empty();
}

bool needs_its_earlier_iterations(const TracedRegion& region) {
  return !region.valid() && region.problem.code == ErrorCode::unsupported &&
         region.parallelism.dimensions == 0;
}

bool same_loop(const RegionMark& left, const RegionMark& right) {
  return left.line == right.line && left.column == right.column && left.file == right.file;
}

class Refiner {
public:
  Refiner(const RecordedProgram& recorded, const std::vector<TracedRegion>& regions,
          const std::vector<SourceLoop>& loops)
      : recorded_(recorded), regions_(regions), loops_(loops) {}

  Refinement run(const std::vector<RegionMark>& marks) {
    for (const RegionMark& mark : marks)
      add(mark);
    return std::move(out_);
  }

private:
  void add(const RegionMark& mark) {
    std::vector<std::size_t> own; // several in a template
    for (std::size_t i = 0; i < recorded_.marks.size(); ++i)
      if (same_loop(recorded_.marks[i], mark))
        own.push_back(i);
    const auto any = [&](const auto& holds) { return std::any_of(own.begin(), own.end(), holds); };
    const bool ran = any([&](std::size_t i) { return executed(regions_[i]); });
    const bool failed = ran && !any([&](std::size_t i) { return regions_[i].valid(); });
    const std::vector<RegionMark> inner = inner_marks(loops_, mark);
    const bool serial =
        failed && any([&](std::size_t i) { return needs_its_earlier_iterations(regions_[i]); });
    const bool swappable = failed && any([&](std::size_t i) { return regions_[i].parallelism.interchange; });
    if (!inner.empty() && ((mark.swept && failed) || serial)) {
      if (!mark.swept || swappable) // it has an answer of its own, if only what is in the way
        out_.retired.insert(out_.retired.end(), own.begin(), own.end());
      out_.marks.insert(out_.marks.end(), inner.begin(), inner.end());
    } else if (failed && any([&](std::size_t i) { return hides(i); })) {
      out_.retired.insert(out_.retired.end(), own.begin(), own.end());
    } else if (!mark.swept || own.empty() || ran ||
               !any([&](std::size_t i) { return hidden_by_answered(i); })) {
      out_.marks.push_back(mark);
      return;
    }
    out_.changed = true;
  }

  bool hides(std::size_t outer) const {
    for (std::size_t i = 0; i < recorded_.marks.size(); ++i)
      if (!executed(regions_[i]) && recorded_.called[outer].contains(recorded_.functions[i]))
        return true;
    return false;
  }
  bool hidden_by_answered(std::size_t index) const {
    const auto outer = hidden_by(index, recorded_, regions_);
    return outer && regions_[*outer].valid();
  }

  const RecordedProgram& recorded_;
  const std::vector<TracedRegion>& regions_;
  const std::vector<SourceLoop>& loops_;
  Refinement out_;
};

} // namespace

std::optional<std::size_t> hidden_by(std::size_t index, const RecordedProgram& recorded,
                                     const std::vector<TracedRegion>& regions) {
  if (executed(regions[index]))
    return std::nullopt;
  for (std::size_t outer = 0; outer < recorded.marks.size(); ++outer)
    if (outer != index && executed(regions[outer]) &&
        recorded.called[outer].contains(recorded.functions[index]))
      return outer;
  return std::nullopt;
}

Refinement refine(const std::vector<RegionMark>& marks, const RecordedProgram& recorded,
                  const std::vector<TracedRegion>& regions, const std::vector<SourceLoop>& loops) {
  return Refiner(recorded, regions, loops).run(marks);
}

} // namespace forewarp::port
