// Downstream bandwidth servers (L2 share, DRAM share): FIFO, booked in issue order.
#pragma once

#include "pipeline/simulator.h"

#include <algorithm>
#include <limits>
#include <queue>
#include <vector>

namespace forewarp::pipeline {

class Servers {
public:
  struct Service {
    double wait_cycles = 0;
    double end_cycle = 0;
    double last_cycle = 0; ///< end of the servers that nobody waits for, too
  };

  /// Passes through every server that the instruction uses, one after the other.
  Service serve(const Instruction& instruction, double issue_cycle) {
    Service service{0, issue_cycle, issue_cycle};
    double busy_wait = 0;
    for (int i = 0; i < max_servers; ++i) {
      const double occupation = instruction.server_cycles[i];
      if (occupation <= 0)
        continue;
      const double start = std::max(service.last_cycle, free_cycle_[i]);
      const double wait = start - service.last_cycle;
      wait_cycles_[i] += wait;
      busy_cycles_[i] += occupation;
      // A mean that forgets with the time constant `remembered_cycles`.
      const double since = start - last_start_[i];
      busy_share_[i] =
          std::min(1.0, (busy_share_[i] * remembered_cycles + occupation) / (remembered_cycles + since));
      last_start_[i] = start;
      service.last_cycle = free_cycle_[i] = start + occupation;
      if (i >= instruction.awaited_servers)
        continue;
      service.wait_cycles += wait;
      service.end_cycle = service.last_cycle;
      busy_wait = instruction.busy_wait_cycles * busy_share_[i];
    }
    service.wait_cycles += busy_wait;
    return service;
  }
  double free_cycle(int server) const { return free_cycle_[server]; }
  double busy_cycles(int server) const { return busy_cycles_[server]; }
  double wait_cycles(int server) const { return wait_cycles_[server]; }

private:
  static constexpr double remembered_cycles = 1000; ///< about as long as a load takes
  std::array<double, max_servers> free_cycle_{}, busy_cycles_{}, wait_cycles_{}, busy_share_{}, last_start_{};
};

inline bool servers_used(const Instruction& instruction) {
  const auto& cycles = instruction.server_cycles;
  static_assert(max_servers == 4);
  return (cycles[0] + cycles[1]) + (cycles[2] + cycles[3]) > 0;
}

/// The bound on memory operations between issue and result.
class OutstandingMemory {
public:
  explicit OutstandingMemory(unsigned limit) : limit_(limit) {}
  bool bounded() const { return limit_ > 0; }
  /// Cycle from which one more may issue; operations that ended by `now` leave.
  double open_cycle(double now) {
    while (!ends_.empty() && ends_.top() <= now) {
      if (ends_.size() >= limit_)
        last_opening_cycle_ = ends_.top();
      ends_.pop();
    }
    return ends_.size() < limit_ ? now : ends_.top();
  }
  double last_opening_cycle() const { return last_opening_cycle_; }
  void add(double end_cycle) { ends_.push(end_cycle); }

private:
  unsigned limit_;
  double last_opening_cycle_ = 0;
  std::priority_queue<double, std::vector<double>, std::greater<>> ends_;
};

} // namespace forewarp::pipeline
