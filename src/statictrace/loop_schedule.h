// Which iterations of a long loop a trace visits: pieces of neighbours spread evenly from the first to the
// last. What lies between is counted: conditions and addresses are closed forms in the iteration's number, so
// that any of them can be visited.
#pragma once

#include <algorithm>
#include <cstdint>

namespace forewarp::statictrace {

struct LoopSchedule {
  std::uint64_t pieces = 0, length = 0; ///< iterations visited: so many pieces of so many; no pieces: all
  std::uint64_t tail = 0;               ///< and the last ones, all of them
  std::uint64_t runs = 1;

  static LoopSchedule whole(std::uint64_t runs) { return {0, 0, 0, runs}; }
  /// About `keep` iterations of `runs`. The pieces stand for equal parts of the loop: what changes from
  /// iteration to iteration (lanes that leave, inner loops that grow) has in the trace the share that it has
  /// in the loop. `least_tail` > 1: so many of the last iterations have to be visited.
  static LoopSchedule cut(std::uint64_t runs, std::uint64_t keep, std::uint64_t least_tail) {
    const std::uint64_t tail = least_tail > 1 ? least_tail : 0;
    const std::uint64_t spread = std::max<std::uint64_t>(2, tail == 0 ? keep : keep * 2 / 3);
    const std::uint64_t pieces = spread < 6 ? (spread + 2) / 3 : std::min<std::uint64_t>(8, 2 + spread / 6);
    const LoopSchedule schedule{pieces, spread / pieces, tail, runs};
    return schedule.visits() >= runs ? whole(runs) : schedule;
  }

  bool is_whole() const { return pieces == 0; }
  std::uint64_t visits() const { return is_whole() ? runs : pieces * length + tail; }
  /// Number of the iteration that is visited as number `visit`.
  std::uint64_t iteration(std::uint64_t visit) const {
    if (is_whole())
      return visit;
    const std::uint64_t spread = pieces * length, span = runs - tail;
    if (visit >= spread)
      return span + (visit - spread);
    const std::uint64_t places = std::max<std::uint64_t>(1, pieces - 1);
    return visit / length * (span - length) / places + visit % length;
  }
  /// Iterations that a visit stands for. The first and the last, which conditions single out, are themselves.
  double weight(std::uint64_t visit) const {
    const std::uint64_t spread = pieces * length;
    if (is_whole() || visit == 0 || visit + 1 == visits() || visit >= spread)
      return 1;
    const std::uint64_t alone = tail == 0 ? 2 : 1;
    return static_cast<double>(runs - tail - alone) / static_cast<double>(spread - alone);
  }
};

} // namespace forewarp::statictrace
