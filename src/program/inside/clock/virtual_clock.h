// The clock that the user's program sees: this machine's, less the time that stands for nothing on the GPU
// asked for (predictions, kernels run on the processor), and moved on to the end of what the program waits
// for. `clock_gettime`, `gettimeofday`, `time` and `timespec_get` of the program read it (clock_calls.cpp).
#pragma once

#include <cstdint>

namespace forewarp::program {

/// Nanoseconds of the virtual CLOCK_MONOTONIC. Never goes back.
std::int64_t virtual_now();
/// False as long as it is this machine's.
bool is_clock_moved();
/// This machine's own CLOCK_MONOTONIC.
std::int64_t machine_now();

/// A call during which the program's clock stands still: for all of its threads, also where one of them
/// computes meanwhile.
class StillCall {
public:
  StillCall();
  ~StillCall();
  StillCall(const StillCall&) = delete;
  StillCall& operator=(const StillCall&) = delete;
  std::int64_t entered_at() const { return entered_at_; }
  /// The clock moves on to this time, where it is not there yet.
  void leave_at(std::int64_t time);

private:
  std::int64_t entered_at_ = 0;
};

/// Around a fork: held before, let go of in the parent; in the child, where no other thread is left, it runs.
void hold_clock();
void let_clock_go();
void restart_clock();

} // namespace forewarp::program
