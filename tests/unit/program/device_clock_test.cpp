#include "program/wire/device_clock.h"

#include <gtest/gtest.h>

namespace forewarp::program {
namespace {

Command kernel(std::uint64_t id, std::int64_t called_at, std::int64_t duration, std::uint64_t queue = 1) {
  Command command;
  command.id = id;
  command.queue = queue;
  command.kind = CommandKind::kernel;
  command.called_at = called_at;
  command.delay = 10;
  command.duration = duration;
  return command;
}

TEST(DeviceClock, StartsAfterTheDelayOnAnIdleDevice) {
  DeviceClock clock;
  const CommandTimes times = clock.run(kernel(1, 100, 50));
  EXPECT_EQ(times.queued, 100);
  EXPECT_EQ(times.start, 110);
  EXPECT_EQ(times.end, 160);
}

TEST(DeviceClock, CommandsOfOneQueueFollowEachOther) {
  DeviceClock clock;
  clock.run(kernel(1, 100, 50));
  EXPECT_EQ(clock.run(kernel(2, 101, 50)).start, 160);
  EXPECT_EQ(clock.queue_end(1), 210);
}

TEST(DeviceClock, KernelsOfTwoQueuesTakeTurns) {
  DeviceClock clock;
  clock.run(kernel(1, 100, 50, 1));
  EXPECT_EQ(clock.run(kernel(2, 100, 50, 2)).start, 160);
}

TEST(DeviceClock, KernelsOfTwoDevicesRunAtOnceAndWaitForEachOther) {
  DeviceClock clock;
  clock.run(kernel(1, 100, 50, 1));
  Command other = kernel(2, 100, 70, 2);
  other.device = 1;
  EXPECT_EQ(clock.run(other).start, 110);
  Command after = kernel(3, 100, 10, 1);
  after.after = {2}; // of the other device
  EXPECT_EQ(clock.run(after).start, 180);
}

TEST(DeviceClock, ACopyOverlapsAKernelOfAnotherQueue) {
  DeviceClock clock;
  clock.run(kernel(1, 100, 50, 1));
  Command copy = kernel(2, 100, 30, 2);
  copy.kind = CommandKind::to_device;
  EXPECT_EQ(clock.run(copy).start, 110);
  copy.id = 3;
  copy.kind = CommandKind::from_device;
  copy.queue = 3;
  EXPECT_EQ(clock.run(copy).start, 110);
}

TEST(DeviceClock, WaitsForCommandsOfOtherQueues) {
  DeviceClock clock;
  Command copy = kernel(1, 100, 500, 2);
  copy.kind = CommandKind::to_device;
  clock.run(copy); // ends at 610
  Command after = kernel(2, 100, 50, 1);
  after.after = {1};
  EXPECT_EQ(clock.run(after).start, 610);
}

TEST(DeviceClock, OutOfOrderCommandsWaitForBarriersOnly) {
  DeviceClock clock;
  Command first = kernel(1, 100, 500);
  first.in_order = false;
  first.kind = CommandKind::to_device;
  clock.run(first); // ends at 610
  Command second = kernel(2, 100, 50);
  second.in_order = false;
  EXPECT_EQ(clock.run(second).start, 110);
  Command barrier;
  barrier.id = 3;
  barrier.queue = 1;
  barrier.in_order = false;
  barrier.barrier = true;
  barrier.called_at = 100;
  EXPECT_EQ(clock.run(barrier).end, 610);
  Command third = kernel(4, 100, 50);
  third.in_order = false;
  EXPECT_EQ(clock.run(third).start, 610);
}

} // namespace
} // namespace forewarp::program
