#include "program/timeline.h"

#include <algorithm>
#include <cmath>

namespace forewarp::program {
namespace {

class Replay {
public:
  Replay(const RunLog& log, std::size_t gpu) : log_(log), gpu_(gpu) {}

  void wait(const LoggedWait& wait) {
    const std::int64_t entered = wait.entered_at + shift_of(wait.thread);
    std::int64_t left = entered;
    for (const std::uint64_t id : wait.commands)
      left = std::max(left, clock_.end_of(id));
    if (wait.queue > 0)
      left = std::max(left, clock_.queue_end(wait.queue));
    shift_[wait.thread] = latest_ = left - wait.left_at;
  }

  PlacedCommand place(const LoggedCommand& logged) {
    Command command = logged.command;
    command.called_at += shift_of(logged.thread);
    command.duration = duration_of(logged);
    command.delay = delay_of(device_of(command), command.kind, logged.name);
    return {&logged, clock_.run(command)};
  }

private:
  std::int64_t shift_of(long thread) {
    // A thread that has not waited yet was started by one that has.
    return shift_.emplace(thread, latest_).first->second;
  }

  const Device& device_of(const Command& command) const {
    return log_.devices[log_.as_devices && command.device < log_.devices.size() ? command.device : gpu_];
  }

  std::int64_t duration_of(const LoggedCommand& logged) const {
    if (log_.as_devices) // each command has the time that the program saw
      return logged.command.duration;
    const Device& device = device_of(logged.command);
    const auto over = [&](double gbps, double bytes) { return gbps > 0 ? std::llround(bytes / gbps) : 0; };
    switch (logged.command.kind) {
    case CommandKind::kernel: {
      const LaunchKind* kind = log_.kind(logged.launch);
      return kind ? std::llround(kind->on[gpu_].time_ns()) : logged.command.duration;
    }
    case CommandKind::to_device:
      return over(device.to_device_gbps, logged.bytes);
    case CommandKind::from_device:
      return over(device.from_device_gbps, logged.bytes);
    case CommandKind::on_device:
      return over(device.on_device_gbps, logged.name == "fill" ? logged.bytes : 2 * logged.bytes);
    case CommandKind::marker:
      return 0;
    }
    return 0;
  }

  /// CUDA's events go through the stream as launches do.
  static std::int64_t delay_of(const Device& device, CommandKind kind, const std::string& name) {
    if (kind == CommandKind::marker && name != "event")
      return 0;
    const bool copy = kind == CommandKind::to_device || kind == CommandKind::from_device;
    return static_cast<std::int64_t>(copy ? device.copy_delay_ns : device.launch_delay_ns);
  }

  const RunLog& log_;
  std::size_t gpu_;
  DeviceClock clock_;
  std::map<long, std::int64_t> shift_;
  std::int64_t latest_ = 0;
};

/// Length of the union.
double covered(std::vector<std::pair<std::int64_t, std::int64_t>> intervals) {
  std::sort(intervals.begin(), intervals.end());
  double total = 0;
  std::int64_t end = INT64_MIN;
  for (const auto& [from, to] : intervals) {
    if (to <= end)
      continue;
    total += static_cast<double>(to - std::max(from, end));
    end = to;
  }
  return total;
}

} // namespace

Timeline timeline_of(const RunLog& log, const ProcessLog& process, std::size_t gpu) {
  Timeline out;
  Replay replay(log, gpu);
  std::vector<std::pair<std::int64_t, std::int64_t>> busy;
  auto wait = process.waits.begin();
  for (std::size_t k = 0; k < process.commands.size(); ++k) {
    for (; wait != process.waits.end() && wait->first <= k; ++wait)
      replay.wait(wait->second);
    const PlacedCommand placed = replay.place(process.commands[k]);
    if (k == 0)
      out.began_at = placed.times.queued;
    const bool is_elsewhere = log.as_devices && placed.command->command.device != gpu;
    if (!is_elsewhere)
      out.commands.push_back(placed);
    if (placed.command->command.kind == CommandKind::marker)
      continue;
    out.ended_at = std::max(out.ended_at, placed.times.end);
    if (is_elsewhere)
      continue;
    const auto length = static_cast<double>(placed.times.end - placed.times.start);
    (placed.command->command.kind == CommandKind::kernel ? out.kernels_ns : out.copies_ns) += length;
    busy.emplace_back(placed.times.start, placed.times.end);
  }
  out.ended_at = std::max(out.ended_at, out.began_at);
  out.busy_ns = covered(std::move(busy));
  return out;
}

} // namespace forewarp::program
