// Which iterations of a long loop a trace visits: the first, some in the middle, the last. What lies between
// is counted: conditions and addresses are closed forms in the iteration's number, so that any of them can be
// visited.
#pragma once

#include <algorithm>
#include <cstdint>

namespace forewarp::statictrace {

struct LoopSchedule {
  std::uint64_t head = 0, middle = 0, tail = 0; ///< iterations visited; middle 0: all of `runs`
  std::uint64_t runs = 1;

  static LoopSchedule whole(std::uint64_t runs) { return {0, 0, 0, runs}; }
  /// About `keep` iterations of `runs`, of which the last `least_tail` have to be visited. The middle ones
  /// lie around the middle of what is left out, so that what grows evenly from iteration to iteration is
  /// counted right.
  static LoopSchedule cut(std::uint64_t runs, std::uint64_t keep, std::uint64_t least_tail) {
    const std::uint64_t third = std::max<std::uint64_t>(1, keep / 3), tail = std::max(third, least_tail);
    if (2 * third + tail >= runs)
      return whole(runs);
    return {third, third, tail, runs};
  }

  bool is_whole() const { return middle == 0; }
  std::uint64_t visits() const { return is_whole() ? runs : head + middle + tail; }
  /// Number of the iteration that is visited as number `visit`.
  std::uint64_t iteration(std::uint64_t visit) const {
    if (is_whole() || visit < head)
      return visit;
    if (visit < head + middle)
      return head + (runs - head - tail - middle) / 2 + (visit - head);
    return runs - tail + (visit - head - middle);
  }
  /// Iterations that a visit stands for.
  double weight(std::uint64_t visit) const {
    if (is_whole() || visit < head || visit >= head + middle)
      return 1;
    return static_cast<double>(runs - head - tail) / static_cast<double>(middle);
  }
};

} // namespace forewarp::statictrace
