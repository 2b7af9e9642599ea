// Which iterations of a long loop a trace visits: the first, pieces of neighbours in the middles of equal
// parts of the loop, the last. What lies between is counted: conditions and addresses are closed forms in the
// iteration's number, so that any of them can be visited.
#pragma once

#include <algorithm>
#include <cstdint>

namespace forewarp::statictrace {

struct LoopSchedule {
  std::uint64_t pieces = 0, length = 0; ///< iterations visited: so many pieces of so many; no pieces: all
  std::uint64_t tail = 0;               ///< and the last ones, all of them
  std::uint64_t runs = 1;

  static LoopSchedule whole(std::uint64_t runs) { return {0, 0, 0, runs}; }
  /// About `keep` iterations of `runs`. The pieces stand for equal parts of the loop and lie in their
  /// middles: what changes from iteration to iteration (inner loops that grow) has in the trace the share
  /// that it has in the loop, and what changes at its ends only (lanes that leave) has no larger one.
  /// `least_tail`: so many of the last iterations have to be visited.
  static LoopSchedule cut(std::uint64_t runs, std::uint64_t keep, std::uint64_t least_tail) {
    const std::uint64_t tail = std::max<std::uint64_t>(1, least_tail);
    const std::uint64_t inner = std::max<std::uint64_t>(3, tail == 1 ? keep : keep * 2 / 3) - 1;
    const std::uint64_t spread = std::max<std::uint64_t>(2, tail == 1 ? inner - 1 : inner);
    const std::uint64_t pieces = spread < 6 ? (spread + 2) / 3 : std::min<std::uint64_t>(8, 2 + spread / 6);
    const LoopSchedule schedule{pieces, spread / pieces, tail, runs};
    return schedule.visits() >= runs ? whole(runs) : schedule;
  }

  bool is_whole() const { return pieces == 0; }
  std::uint64_t visits() const { return is_whole() ? runs : 1 + pieces * length + tail; }
  /// Number of the iteration that is visited as number `visit`.
  std::uint64_t iteration(std::uint64_t visit) const {
    if (is_whole() || visit == 0)
      return visit;
    const std::uint64_t spread = pieces * length, between = runs - 1 - tail;
    if (visit > spread)
      return runs - tail + (visit - 1 - spread);
    const std::uint64_t piece = (visit - 1) / length;
    return visit + ((2 * piece + 1) * (between - spread) / pieces + 1) / 2;
  }
  /// Iterations that a visit stands for. The first and the last, which conditions single out, are themselves.
  double weight(std::uint64_t visit) const {
    const std::uint64_t spread = pieces * length;
    if (is_whole() || visit == 0 || visit > spread)
      return 1;
    return static_cast<double>(runs - 1 - tail) / static_cast<double>(spread);
  }
};

} // namespace forewarp::statictrace
