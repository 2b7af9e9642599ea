#include "measure/run/sm_clock.h"

#include <array>
#include <chrono>
#include <cmath>

namespace forewarp::measure {
namespace {

// One thread waits for the global timer to step, turns until it has moved by 2 ms (or the loop's bound is
// reached) and stores the cycles and nanoseconds that passed. %globaltimer steps every 32 ns on some GPUs,
// every microsecond or slower on others: both readings are taken at a step.
constexpr const char* clock_ptx = R"(
.version 6.0
.target sm_50
.address_size 64
.visible .entry forewarp_sm_clock(.param .u64 result)
{
  .reg .pred %p;
  .reg .u32 %i;
  .reg .u64 %out, %c0, %c1, %t0, %t1, %d;
  ld.param.u64 %out, [result];
  cvta.to.global.u64 %out, %out;
  mov.u32 %i, 0;
  mov.u64 %t1, %globaltimer;
step:
  mov.u64 %t0, %globaltimer;
  mov.u64 %c0, %clock64;
  add.u32 %i, %i, 1;
  setp.ne.u64 %p, %t0, %t1;
  @%p bra again;
  setp.lt.u32 %p, %i, 4000000;
  @%p bra step;
again:
  mov.u64 %t1, %globaltimer;
  mov.u64 %c1, %clock64;
  sub.u64 %d, %t1, %t0;
  add.u32 %i, %i, 1;
  setp.gt.u64 %p, %d, 2000000;
  @%p bra done;
  setp.lt.u32 %p, %i, 4000000;
  @%p bra again;
done:
  sub.u64 %c1, %c1, %c0;
  st.global.u64 [%out], %c1;
  st.global.u64 [%out+8], %d;
  ret;
}
)";

} // namespace

SmClock::SmClock(Device& device) : device_(device) {
  if (device.info().backend != "cuda")
    return;
  auto kernel = device.load(clock_ptx, "forewarp_sm_clock", "");
  const auto buffer = device.allocate(2 * sizeof(std::uint64_t));
  if (!kernel || !buffer)
    return;
  kernel_ = *kernel;
  buffer_ = *buffer;
  launch_.arguments.push_back(buffer_);
  usable_ = true;
}

SmClock::~SmClock() {
  if (!usable_)
    return;
  device_.free(buffer_);
  device_.unload(kernel_);
}

double SmClock::read_mhz() {
  std::array<std::uint64_t, 2> result{};
  if (!usable_ || !device_.prepare(kernel_, launch_) || !device_.run(kernel_, launch_, 1) ||
      !device_.read(result.data(), buffer_, sizeof result) || result[1] == 0)
    return 0;
  return static_cast<double>(result[0]) / static_cast<double>(result[1]) * 1e3;
}

void SmClock::warm_up(double seconds) {
  const auto begin = std::chrono::steady_clock::now();
  double before = 0;
  while (usable_ &&
         std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() < seconds) {
    for (int i = 0; i < 20; ++i)
      (void)read_mhz();
    const double now = read_mhz();
    if (now == 0 || std::fabs(now - before) < 0.005 * now)
      return;
    before = now;
  }
}

} // namespace forewarp::measure
