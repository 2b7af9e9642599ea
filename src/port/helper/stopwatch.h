// CPU time of the regions of one thread. Launches are timed by the thread's own clock, which other programs
// do not disturb; brief ones by the wall clock, which is read several times faster.
#pragma once

#include "port/helper/plan.h"

namespace forewarp::port {

class Stopwatch {
public:
  explicit Stopwatch(std::size_t regions);

  void start(); ///< of main
  void begin(std::uint32_t region);
  void end(std::uint32_t region);

  double seconds() const;    ///< since start
  double program_ms() const; ///< the same without the readings of the clock
  std::vector<RegionTimes> times() const;

private:
  struct State {
    unsigned depth = 0; ///< a region inside itself is one launch
    double begun_ns = 0, inner_from_ns = 0, total_ns = 0, own_readings_ns = 0;
    std::uint64_t launches = 0;
    bool brief = false, long_ones = false;
  };
  double reading_ns(bool brief) const { return brief ? wall_reading_ns_ : cpu_reading_ns_; }

  double cpu_reading_ns_ = 0, wall_reading_ns_ = 0; ///< that one reading takes
  double started_ns_ = 0, spent_ns_ = 0;            ///< spent: on readings since the start
  std::vector<State> states_;
};

} // namespace forewarp::port
