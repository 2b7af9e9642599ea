// Takes the place of the C library's clocks where this library was loaded first (LD_PRELOAD). Programs that
// are linked statically, and those that read the processor's counter, go past it. Processor-time clocks stay
// as they are.
#include "program/inside/clock/clock_calls.h"

#include "program/inside/clock/virtual_clock.h"

#include <dlfcn.h>
#include <sys/time.h>

#define FOREWARP_EXPORT extern "C" __attribute__((visibility("default")))

namespace forewarp::program {
namespace {

constexpr long second_ns = 1'000'000'000;

bool is_moved(clockid_t clock) {
  switch (clock) {
  case CLOCK_REALTIME:
  case CLOCK_MONOTONIC:
  case CLOCK_MONOTONIC_RAW:
  case CLOCK_REALTIME_COARSE:
  case CLOCK_MONOTONIC_COARSE:
  case CLOCK_BOOTTIME:
    return true;
  default:
    return false;
  }
}

void move(timespec& time) {
  const std::int64_t moved = virtual_now() - machine_now();
  std::int64_t total = time.tv_sec * std::int64_t{second_ns} + time.tv_nsec + moved;
  time.tv_sec = total / second_ns;
  time.tv_nsec = total % second_ns;
}

} // namespace

int machine_clock_gettime(clockid_t clock, timespec* time) {
  using ClockGettime = int (*)(clockid_t, timespec*);
  static const auto real = reinterpret_cast<ClockGettime>(dlsym(RTLD_NEXT, "clock_gettime"));
  return real(clock, time);
}

} // namespace forewarp::program

FOREWARP_EXPORT int clock_gettime(clockid_t clock, timespec* time) noexcept {
  const int status = forewarp::program::machine_clock_gettime(clock, time);
  if (status == 0 && forewarp::program::is_clock_moved() && forewarp::program::is_moved(clock))
    forewarp::program::move(*time);
  return status;
}

FOREWARP_EXPORT int gettimeofday(timeval* time, void*) noexcept {
  timespec now{};
  const int status = clock_gettime(CLOCK_REALTIME, &now);
  *time = {now.tv_sec, now.tv_nsec / 1000};
  return status;
}

FOREWARP_EXPORT time_t time(time_t* out) noexcept {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  if (out)
    *out = now.tv_sec;
  return now.tv_sec;
}

FOREWARP_EXPORT int timespec_get(timespec* time, int base) noexcept {
  if (base != TIME_UTC || clock_gettime(CLOCK_REALTIME, time) != 0)
    return 0;
  return base;
}
