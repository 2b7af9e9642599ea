// Takes the place of the C library's clocks where this library was loaded first (LD_PRELOAD). Programs that
// are linked statically, and those that read the processor's counter, go past it. Processor-time clocks stay
// as they are.
#include "program/inside/clock/clock_calls.h"

#include "program/inside/clock/virtual_clock.h"

#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
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

void add(timespec& time, std::int64_t moved) {
  const std::int64_t total = time.tv_sec * std::int64_t{second_ns} + time.tv_nsec + moved;
  time.tv_sec = total / second_ns;
  time.tv_nsec = total % second_ns;
}

void move(timespec& time) {
  add(time, virtual_now() - machine_now());
}

/// A time that the program has reckoned from its own clock, on this machine's.
timespec on_machine(const timespec& time, clockid_t clock) {
  timespec out = time;
  if (is_clock_moved() && is_moved(clock))
    add(out, machine_now() - virtual_now());
  return out;
}

/// The C library's own function; `version`: where it has an older one of that name.
template <class Function> Function next(Function, const char* name, const char* version = nullptr) {
  void* found = version ? dlvsym(RTLD_NEXT, name, version) : nullptr;
  return reinterpret_cast<Function>(found ? found : dlsym(RTLD_NEXT, name));
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

// Waits until a time: those for so long need nothing.

FOREWARP_EXPORT int clock_nanosleep(clockid_t clock, int flags, const timespec* until, timespec* rest) {
  static const auto real = forewarp::program::next(&clock_nanosleep, "clock_nanosleep");
  if ((flags & TIMER_ABSTIME) == 0 || !until)
    return real(clock, flags, until, rest);
  const timespec at = forewarp::program::on_machine(*until, clock);
  return real(clock, flags, &at, rest);
}

FOREWARP_EXPORT int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                           const timespec* until) {
  static const auto real =
      forewarp::program::next(&pthread_cond_timedwait, "pthread_cond_timedwait", "GLIBC_2.3.2");
  const timespec at = forewarp::program::on_machine(*until, CLOCK_REALTIME);
  return real(condition, mutex, &at);
}

FOREWARP_EXPORT int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                                           const timespec* until) {
  static const auto real = forewarp::program::next(&pthread_cond_clockwait, "pthread_cond_clockwait");
  const timespec at = forewarp::program::on_machine(*until, clock);
  return real(condition, mutex, clock, &at);
}

FOREWARP_EXPORT int pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* until) noexcept {
  static const auto real = forewarp::program::next(&pthread_mutex_timedlock, "pthread_mutex_timedlock");
  const timespec at = forewarp::program::on_machine(*until, CLOCK_REALTIME);
  return real(mutex, &at);
}

FOREWARP_EXPORT int sem_timedwait(sem_t* semaphore, const timespec* until) {
  static const auto real = forewarp::program::next(&sem_timedwait, "sem_timedwait");
  const timespec at = forewarp::program::on_machine(*until, CLOCK_REALTIME);
  return real(semaphore, &at);
}

FOREWARP_EXPORT int sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* until) {
  static const auto real = forewarp::program::next(&sem_clockwait, "sem_clockwait");
  const timespec at = forewarp::program::on_machine(*until, clock);
  return real(semaphore, clock, &at);
}
