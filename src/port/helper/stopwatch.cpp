#include "port/helper/stopwatch.h"

#include <algorithm>
#include <ctime>

namespace forewarp::port {
namespace {

constexpr std::uint64_t launches_to_judge = 4;
constexpr double brief_ns = 20e3; ///< mean launch from which on the wall clock will do
constexpr double interrupted_ns =
    2e5; ///< a brief region's launch of this length: another program ran, most likely

double now_ns(clockid_t clock) {
  timespec at{};
  clock_gettime(clock, &at);
  return 1e9 * static_cast<double>(at.tv_sec) + static_cast<double>(at.tv_nsec);
}
double now_ns(bool brief) {
  return now_ns(brief ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID);
}

/// Least of several.
double cost_of_reading_ns(bool brief) {
  double least = 1e6;
  for (int i = 0; i < 64; ++i) {
    const double before = now_ns(brief);
    least = std::min(least, now_ns(brief) - before);
  }
  return least;
}

} // namespace

Stopwatch::Stopwatch(std::size_t regions)
    : cpu_reading_ns_(cost_of_reading_ns(false)), wall_reading_ns_(cost_of_reading_ns(true)),
      states_(regions) {}

void Stopwatch::start() {
  spent_ns_ = 0;
  started_ns_ = now_ns(false);
}

double Stopwatch::seconds() const {
  return (now_ns(false) - started_ns_) * 1e-9;
}
double Stopwatch::program_ms() const {
  return std::max(0.0, now_ns(false) - started_ns_ - spent_ns_) * 1e-6;
}

void Stopwatch::begin(std::uint32_t region) {
  State& state = states_[region];
  if (state.depth++ > 0)
    return;
  spent_ns_ += 2 * reading_ns(state.brief);
  state.inner_from_ns = spent_ns_;
  state.begun_ns = now_ns(state.brief);
}

void Stopwatch::end(std::uint32_t region) {
  State& state = states_[region];
  if (state.depth == 0)
    return;
  if (--state.depth > 0)
    return;
  const double own_ns = reading_ns(state.brief), inner_ns = spent_ns_ - state.inner_from_ns;
  double elapsed_ns = std::max(0.0, now_ns(state.brief) - state.begun_ns - inner_ns - own_ns);
  if (state.brief && elapsed_ns > interrupted_ns) {
    elapsed_ns = state.total_ns / static_cast<double>(state.launches);
    state.brief = false;
    state.long_ones = true;
  }
  state.total_ns += elapsed_ns;
  state.own_readings_ns += own_ns;
  ++state.launches;
  if (state.launches == launches_to_judge && !state.long_ones)
    state.brief = state.total_ns < brief_ns * static_cast<double>(launches_to_judge);
}

std::vector<RegionTimes> Stopwatch::times() const {
  std::vector<RegionTimes> times;
  for (const State& state : states_)
    times.push_back({state.total_ns * 1e-6, state.launches, state.own_readings_ns * 1e-6});
  return times;
}

} // namespace forewarp::port
