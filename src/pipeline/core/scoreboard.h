// When each register of a warp is ready, and what makes it.
#pragma once

#include "pipeline/simulator.h"

#include <algorithm>
#include <array>
#include <vector>

namespace forewarp::pipeline {

class Scoreboard {
public:
  enum class Maker : std::uint8_t { arithmetic, memory, queue };
  struct Readiness {
    double cycle = 0;
    Maker maker = Maker::arithmetic;
  };

  void reset(std::uint32_t register_count) {
    ready_cycle_.assign(register_count, 0.0);
    maker_.assign(register_count, Maker::arithmetic);
    queue_end_.fill(0);
    counted_.fill(0);
  }
  std::uint32_t size() const { return static_cast<std::uint32_t>(ready_cycle_.size()); }

  /// Latest of the instruction's sources.
  Readiness sources_ready(const Instruction& instruction) const {
    Readiness latest;
    for (unsigned i = 0; i < instruction.source_count; ++i) {
      const std::uint32_t source = instruction.sources[i];
      if (ready_cycle_[source] > latest.cycle)
        latest = {ready_cycle_[source], maker_[source]};
    }
    if (instruction.spared_counter < most_counters)
      if (const double cycle = spared_ready(instruction); cycle > latest.cycle)
        latest = {cycle, maker_[instruction.spared_counter]};
    return latest;
  }
  void write(std::uint32_t destination, double cycle, Maker maker) {
    ready_cycle_[destination] = cycle;
    maker_[destination] = maker;
  }

  /// A counter falls when the last of those that count in it has its result.
  void count(std::uint32_t counter, double cycle, Maker maker) {
    if (cycle >= ready_cycle_[counter])
      write(counter, cycle, maker);
    if (counter < most_counters)
      recent_[counter][counted_[counter]++ % recent_[counter].size()] = ready_cycle_[counter];
  }
  /// When a result that its queue hands over in order is there.
  double in_order(unsigned queue, double cycle) {
    return queue_end_[queue] = std::max(queue_end_[queue], cycle);
  }

private:
  /// When all but the last ones have their results.
  double spared_ready(const Instruction& instruction) const {
    const std::uint32_t counted = counted_[instruction.spared_counter];
    if (counted <= instruction.spared || instruction.spared > most_spared)
      return 0;
    const auto& recent = recent_[instruction.spared_counter];
    return recent[(counted - 1 - instruction.spared) % recent.size()];
  }

  std::array<std::array<double, most_spared + 1>, most_counters> recent_{};
  std::array<std::uint32_t, most_counters> counted_{};
  std::array<double, max_queues> queue_end_{};
  std::vector<double> ready_cycle_;
  std::vector<Maker> maker_;
};

} // namespace forewarp::pipeline
