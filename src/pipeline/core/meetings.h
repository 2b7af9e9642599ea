// Meetings of a group: what some of its instructions arrive at (a phase of a barrier in memory, the bytes of
// a copy) and others wait for.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace forewarp::pipeline {

struct Warp;

class Meetings {
public:
  /// A warp that waits, and from when it could have gone on.
  using Waiting = std::pair<Warp*, double>;

  /// [meeting] arrivals that it takes.
  void start(const std::vector<std::uint32_t>& arrivals) {
    meetings_.assign(arrivals.size(), {});
    for (std::size_t i = 0; i < arrivals.size(); ++i)
      meetings_[i].missing = arrivals[i];
    waiting_ = 0;
  }

  bool is_over(std::uint32_t meeting) const {
    return meeting >= meetings_.size() || meetings_[meeting].missing == 0;
  }
  /// Of the last arrival.
  double over_cycle(std::uint32_t meeting) const {
    return meeting < meetings_.size() ? meetings_[meeting].last_cycle : 0;
  }
  void wait(std::uint32_t meeting, Warp& warp, double earliest) {
    meetings_[meeting].waiting.emplace_back(&warp, earliest);
    ++waiting_;
  }
  /// The warps that no longer wait: all, where it was the last arrival.
  std::vector<Waiting> arrive(std::uint32_t meeting, double cycle) {
    if (is_over(meeting))
      return {};
    Meeting& at = meetings_[meeting];
    at.last_cycle = std::max(at.last_cycle, cycle);
    return --at.missing == 0 ? released(at) : std::vector<Waiting>();
  }
  /// Ends all meetings that somebody waits for.
  std::vector<Waiting> give_up() {
    std::vector<Waiting> all;
    for (Meeting& at : meetings_)
      if (!at.waiting.empty()) {
        at.missing = 0;
        for (const Waiting& one : released(at))
          all.push_back(one);
      }
    return all;
  }
  std::size_t waiting() const { return waiting_; }

private:
  struct Meeting {
    std::uint32_t missing = 0;
    double last_cycle = 0;
    std::vector<Waiting> waiting = {};
  };
  std::vector<Waiting> released(Meeting& at) {
    waiting_ -= at.waiting.size();
    return std::exchange(at.waiting, {});
  }

  std::vector<Meeting> meetings_;
  std::size_t waiting_ = 0;
};

} // namespace forewarp::pipeline
