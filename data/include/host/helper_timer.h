// The host timer of samples of CUDA's toolkit, for host code that is compiled to be run.
#pragma once
#include <time.h>

struct StopWatchInterface {
  double begun = 0, last = 0, total = 0;
  int sessions = 0;
  bool runs = false;
  static double now() {
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1e3 + time.tv_nsec * 1e-6;
  }
};
inline bool sdkCreateTimer(StopWatchInterface** timer) { return (*timer = new StopWatchInterface) != nullptr; }
inline bool sdkDeleteTimer(StopWatchInterface** timer) {
  delete *timer;
  *timer = nullptr;
  return true;
}
inline bool sdkStartTimer(StopWatchInterface** timer) {
  (*timer)->begun = StopWatchInterface::now();
  return (*timer)->runs = true;
}
inline bool sdkStopTimer(StopWatchInterface** timer) {
  (*timer)->last = StopWatchInterface::now() - (*timer)->begun;
  (*timer)->total += (*timer)->last;
  ++(*timer)->sessions;
  (*timer)->runs = false;
  return true;
}
inline bool sdkResetTimer(StopWatchInterface** timer) {
  **timer = StopWatchInterface{};
  return true;
}
/// Milliseconds.
inline float sdkGetTimerValue(StopWatchInterface** timer) {
  const StopWatchInterface& t = **timer;
  return static_cast<float>(t.total + (t.runs ? StopWatchInterface::now() - t.begun : 0));
}
inline float sdkGetAverageTimerValue(StopWatchInterface** timer) {
  return (*timer)->sessions > 0 ? static_cast<float>((*timer)->total / (*timer)->sessions) : 0;
}
