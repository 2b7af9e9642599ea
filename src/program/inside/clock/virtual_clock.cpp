#include "program/inside/clock/virtual_clock.h"

#include "program/inside/clock/clock_calls.h"

#include <algorithm>
#include <atomic>
#include <ctime>
#include <mutex>

namespace forewarp::program {
namespace {

std::atomic<std::int64_t> offset = 0;      ///< to this machine's clock, while it runs
std::atomic<std::int64_t> still_since = 0; ///< what the clock shows while it stands still
std::atomic<unsigned> calls = 0;           ///< threads inside a StillCall

std::mutex& moving() {
  static auto* mutex = new std::mutex; // outlives the program's own destructors
  return *mutex;
}

} // namespace

std::int64_t machine_now() {
  timespec now{};
  machine_clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
}

bool is_clock_moved() {
  return calls.load() > 0 || offset.load() != 0;
}

std::int64_t virtual_now() {
  return calls.load() > 0 ? still_since.load() : machine_now() + offset.load();
}

void hold_clock() {
  moving().lock();
}

void let_clock_go() {
  moving().unlock();
}

void restart_clock() {
  if (calls.exchange(0) > 0)
    offset = still_since.load() - machine_now();
  moving().unlock();
}

StillCall::StillCall() {
  const std::lock_guard lock(moving());
  if (calls.load() == 0)
    still_since = machine_now() + offset.load();
  ++calls;
  entered_at_ = still_since.load();
}

StillCall::~StillCall() {
  const std::lock_guard lock(moving());
  if (calls.load() == 1)
    offset = still_since.load() - machine_now();
  --calls;
}

void StillCall::leave_at(std::int64_t time) {
  const std::lock_guard lock(moving());
  still_since = std::max(still_since.load(), time);
}

} // namespace forewarp::program
