// Processor time of the calling thread.
#pragma once

#include <ctime>

namespace forewarp {

/// Seconds since the thread began.
inline double thread_cpu_s() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// What `work` gives; the processor seconds that it took are added to `seconds`.
template <class Work> auto timed(double& seconds, const Work& work) {
  const double start = thread_cpu_s();
  auto result = work();
  seconds += thread_cpu_s() - start;
  return result;
}

} // namespace forewarp
