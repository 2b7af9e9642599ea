// Instances of the subsystems: one per SM, or one per scheduler. An instance is a pipeline that accepts the
// next instruction `lambda` cycles after the last one.
#pragma once

#include "pipeline/simulator.h"

#include <algorithm>
#include <vector>

namespace forewarp::pipeline {

class Units {
public:
  Units(const std::vector<Subsystem>& subsystems, unsigned schedulers) : subsystem_count_(subsystems.size()) {
    for (unsigned scheduler = 0; scheduler < schedulers; ++scheduler)
      for (std::size_t i = 0; i < subsystems.size(); ++i) {
        const bool shared = !subsystems[i].per_scheduler && scheduler > 0;
        instance_of_.push_back(shared ? instance_of_[i] : next_instance_++);
      }
    for (std::size_t i = 0; i < subsystems.size(); ++i)
      if (!subsystems[i].per_scheduler && schedulers > 1)
        shared_ |= std::uint64_t{1} << i;
    free_cycle_.assign(next_instance_, 0.0);
  }
  std::uint32_t instance(unsigned scheduler, unsigned subsystem) const {
    return instance_of_[scheduler * subsystem_count_ + subsystem];
  }
  unsigned instances(unsigned subsystem) const {
    std::vector<std::uint32_t> all;
    for (std::size_t i = subsystem; i < instance_of_.size(); i += subsystem_count_)
      all.push_back(instance_of_[i]);
    return static_cast<unsigned>(std::unique(all.begin(), all.end()) - all.begin());
  }
  /// The instance that takes the instruction at `now`, and its subsystem.
  std::uint32_t choose(unsigned scheduler, const Instruction& head, double now, unsigned& subsystem) const {
    const std::uint32_t first = instance(scheduler, head.subsystem);
    subsystem = head.subsystem;
    if (head.second_subsystem < 0)
      return first;
    const auto alternative = static_cast<unsigned>(head.second_subsystem);
    const std::uint32_t second = instance(scheduler, alternative);
    if (free_cycle(second) >= free_cycle(first) || free_cycle(first) <= now)
      return first;
    subsystem = alternative;
    return second;
  }
  /// One instance for several schedulers.
  bool is_shared(unsigned subsystem) const { return ((shared_ >> subsystem) & 1) != 0; }
  double free_cycle(std::uint32_t instance) const { return free_cycle_[instance]; }
  void occupy(std::uint32_t instance, double from_cycle, double lambda_cycles) {
    free_cycle_[instance] = from_cycle + lambda_cycles;
  }

private:
  std::size_t subsystem_count_;
  std::uint32_t next_instance_ = 0;
  std::uint64_t shared_ = 0;               ///< bit per subsystem
  std::vector<std::uint32_t> instance_of_; ///< [scheduler][subsystem]
  std::vector<double> free_cycle_;
};

} // namespace forewarp::pipeline
