// Long traces simulated in part: of each warp's loops the first iterations, or stretches of the whole loop,
// and the last. With two such parts of different length the time per left-out iteration follows.
#pragma once

#include "pipeline/simulator.h"
#include "predict/traced/streams/streams.h"

#include <optional>
#include <vector>

namespace forewarp::predict::hybrid {

/// What is left out of each warp of each sample.
struct TraceCuts {
  std::vector<std::vector<WarpCuts>> cuts; ///< [sample][warp]
  bool operator==(const TraceCuts&) const = default;
};

/// Two parts of the traces.
struct TwoParts {
  TraceCuts shorter, longer;
  double held_share = 0; ///< of the instructions, by the longer part
  double more = 0; ///< instructions that the longer leaves out over those that it holds more than the shorter
};

/// Steps at which one block was entered from the same block by the same lanes.
using RunsOfBlock = std::vector<std::size_t>;
/// Steps at which the iterations of a loop begin.
using Loop = std::span<const std::size_t>;

class TraceCutter {
public:
  /// All arguments outlive it.
  TraceCutter(const facts::KernelTrace& trace, const std::vector<facts::BehaviourClass>& classes,
              const facts::MemoryProfile& memory, const StreamTemplates& templates);

  TraceCutter(const TraceCutter&) = delete;
  TraceCutter& operator=(const TraceCutter&) = delete;

  /// Chooses the outermost loops that run often enough for parts that hold `least_share` of their iterations
  /// and more. False where such loops are less than half of a warp that is not short itself; `anywhere`:
  /// steps of such a warp stand for iterations.
  bool choose_loops(double least_share, bool anywhere);

  /// Parts that hold the first `shorter_share` and `longer_share` of the loops' iterations, the last one, and
  /// all between the loops. Nothing where the two do not differ.
  std::optional<TwoParts> first_iterations(double shorter_share, double longer_share) const;
  /// The same with the first iteration, and shares of all in so many stretches over the whole of each loop.
  std::optional<TwoParts> spread_iterations(double shorter_share, double longer_share,
                                            std::size_t stretches) const;
  /// How far what the longer part holds more asks the pipes and the memory system for another thing than the
  /// rest: at most 1 where the two are alike. Walks all accesses.
  double difference_of(const TwoParts& parts) const;
  bool alike(const TwoParts& parts) const { return difference_of(parts) <= 1; }

private:
  /// `keep(cuts, loop, share)`: leaves out all but that share of a loop.
  template <class Keep>
  std::optional<TwoParts> cut(double shorter_share, double longer_share, const Keep& keep) const;

  struct WarpLoops {
    std::vector<double> instructions_before; ///< [step]; one more than steps
    std::vector<RunsOfBlock> runs;
    std::vector<Loop> loops;        ///< one after the other
    std::vector<std::size_t> steps; ///< all of the warp, where they stand for iterations
  };

  const facts::KernelTrace& trace_;
  const std::vector<facts::BehaviourClass>& classes_;
  const facts::MemoryProfile& memory_;
  const StreamTemplates& templates_;
  std::vector<std::vector<WarpLoops>> warps_; ///< [class][warp]; all samples of a class run alike
  double instructions_ = 0;                   ///< of the grid
};

/// Outcome of the whole from those of two parts: every figure grows with the share kept, along a line.
pipeline::Outcome extended(const pipeline::Outcome& shorter, const pipeline::Outcome& longer, double more);

} // namespace forewarp::predict::hybrid
