// Whether a scheduler's instruction cache holds a line of code.
#pragma once

#include "pipeline/simulator.h"

#include <algorithm>
#include <vector>

namespace forewarp::pipeline {

class InstructionFetch {
public:
  InstructionFetch(const InstructionCache& cache, unsigned schedulers) : cache_(cache), held_(schedulers) {
    for (std::vector<Line>& lines : held_)
      for (unsigned l = 0; cache.lines > 0 && l <= cache.lines_ahead; ++l)
        lines.push_back({.number = l});
  }
  bool on() const { return cache_.lines > 0; }

  /// Cycle from which a warp of the scheduler has the line's instructions.
  double ready_cycle(unsigned scheduler, unsigned line, double now) {
    double cycle = now;
    for (unsigned ahead = 0; ahead <= cache_.lines_ahead; ++ahead) {
      const Line& there = fetch(held_[scheduler], line + ahead, now + cache_.miss_cycles + ahead);
      if (ahead == 0)
        cycle = std::max(now, there.ready_cycle);
    }
    return cycle;
  }

private:
  struct Line {
    unsigned number = 0;
    double ready_cycle = 0;
    std::uint64_t last_use = 0;
  };

  const Line& fetch(std::vector<Line>& lines, unsigned number, double when_missing) {
    auto found = std::find_if(lines.begin(), lines.end(), [&](const Line& l) { return l.number == number; });
    if (found == lines.end()) {
      if (lines.size() < cache_.lines)
        found = lines.insert(lines.end(), Line{});
      else
        found = std::min_element(lines.begin(), lines.end(), [](const Line& one, const Line& other) {
          return one.last_use < other.last_use;
        });
      found->number = number;
      found->ready_cycle = when_missing;
    }
    found->last_use = ++uses_;
    return *found;
  }

  InstructionCache cache_;
  std::vector<std::vector<Line>> held_; ///< [scheduler]
  std::uint64_t uses_ = 0;
};

} // namespace forewarp::pipeline
