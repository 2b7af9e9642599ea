#include "program/report/summary.h"
#include "program/timeline.h"

#include <gtest/gtest.h>

namespace forewarp::program {
namespace {

Device device(double delay_ns) {
  Device device;
  device.machine.name = "a GPU";
  device.launch_delay_ns = device.copy_delay_ns = delay_ns;
  device.to_device_gbps = device.from_device_gbps = 10;
  return device;
}

LaunchOnGpu takes(double ms) {
  LaunchOnGpu on;
  on.prediction.emplace();
  on.prediction->time_ms = ms;
  return on;
}

LoggedCommand command(std::uint64_t id, CommandKind kind, std::int64_t called_at) {
  LoggedCommand logged;
  logged.command.id = id;
  logged.command.queue = 1;
  logged.command.kind = kind;
  logged.command.called_at = called_at;
  logged.name = kind == CommandKind::kernel ? "kernel" : "read";
  logged.launch = kind == CommandKind::kernel ? 1 : 0;
  logged.thread = 7;
  return logged;
}

/// A launch of 1000 ns that the host waits for, 500 ns of the host's own, and the same launch again.
RunLog two_launches() {
  RunLog log;
  log.devices = {device(100), device(200)};
  LaunchKind kind;
  kind.number = 1;
  kind.kernel = "k";
  kind.on = {takes(0.001), takes(0.004)};
  log.launches = {kind};
  ProcessLog process;
  process.commands = {command(1, CommandKind::kernel, 0), command(2, CommandKind::kernel, 1600)};
  LoggedWait wait;
  wait.commands = {1};
  wait.entered_at = 0;
  wait.left_at = 1100;
  wait.thread = 7;
  process.waits.emplace_back(1, wait);
  log.processes = {process};
  return log;
}

TEST(Timeline, OfSeveralDevicesEachHasItsOwnCommands) {
  RunLog log = two_launches();
  log.as_devices = true;
  LoggedCommand& second = log.processes[0].commands[1];
  second.command.device = 1;
  second.command.queue = 2;
  for (LoggedCommand& logged : log.processes[0].commands)
    logged.command.duration = 1000;
  const Timeline first = timeline_of(log, log.processes[0], 0), other = timeline_of(log, log.processes[0], 1);
  ASSERT_EQ(first.commands.size(), 1U);
  ASSERT_EQ(other.commands.size(), 1U);
  EXPECT_EQ(other.commands[0].times.start, 1800); // its own launch delay
  EXPECT_EQ(first.kernels_ns, 1000);
  EXPECT_EQ(first.span_ns(), 2800); // the whole run's
  EXPECT_EQ(other.idle_ns(), 1800);
}

TEST(Timeline, TheFirstGpuIsWhatTheProgramSaw) {
  const RunLog log = two_launches();
  const Timeline timeline = timeline_of(log, log.processes[0], 0);
  ASSERT_EQ(timeline.commands.size(), 2U);
  EXPECT_EQ(timeline.commands[0].times.end, 1100);
  EXPECT_EQ(timeline.commands[1].times.start, 1700);
  EXPECT_EQ(timeline.ended_at, 2700);
  EXPECT_EQ(timeline.idle_ns(), 700);
}

// The slower GPU ends the first launch at 4200; the host goes on 500 ns later; the second one begins 200 ns
// after that.
TEST(Timeline, AnotherGpuMovesWhatTheHostDoesAfterItsWait) {
  const RunLog log = two_launches();
  const Timeline timeline = timeline_of(log, log.processes[0], 1);
  EXPECT_EQ(timeline.commands[0].times.end, 4200);
  EXPECT_EQ(timeline.commands[1].times.start, 4200 + 500 + 200);
}

TEST(Summary, CountsCallsAndNamesWhatHasNoTime) {
  RunLog log = two_launches();
  LaunchKind unknown;
  unknown.number = 2;
  unknown.kernel = "secret";
  unknown.on = {{std::nullopt, false, "its program was not made of source"},
                {std::nullopt, false, "the same"}};
  log.launches.push_back(unknown);
  log.processes[0].commands.push_back(command(3, CommandKind::kernel, 3000));
  log.processes[0].commands.back().launch = 2;
  log.processes[0].commands.push_back(command(4, CommandKind::from_device, 3000));
  log.processes[0].commands.back().bytes = 1000;
  const GpuSummary summary = summarise(log, 0);
  ASSERT_EQ(summary.kernels.size(), 2U);
  EXPECT_EQ(summary.kernels[0].calls, 2U);
  EXPECT_DOUBLE_EQ(summary.kernels[0].total_ns, 2000);
  EXPECT_EQ(summary.kernels[1].unknown_calls, 1U);
  ASSERT_EQ(summary.copies.size(), 1U);
  EXPECT_DOUBLE_EQ(summary.copies[0].total_ns, 100); // 1000 bytes at 10e9 a second
  EXPECT_NE(text_report(log).find("secret: 1 of 1 calls have no time: its program was not made of source"),
            std::string::npos);
}

} // namespace
} // namespace forewarp::program
