// When commands run on devices that are not there: queues, what commands wait for, and three engines of each
// device (kernels, copies to it, copies from it). Used inside the user's program for the GPU that it sees,
// and beside it for the other GPUs that were asked for, so that both give the same times.
// Not modelled: kernels of different queues that share the GPU (they take turns), copies that slow each
// other.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace forewarp::program {

enum class CommandKind : std::uint8_t { kernel, to_device, from_device, on_device, marker };

/// Times are nanoseconds of the virtual clock.
struct Command {
  std::uint64_t id = 0;    ///< grows by 1 from 1
  std::uint64_t queue = 0; ///< of the program
  bool in_order = true;    ///< the queue runs its commands one after the other
  bool barrier = false;    ///< later commands of the queue wait for it
  CommandKind kind = CommandKind::marker;
  std::int64_t called_at = 0;            ///< when the host asked for it
  std::int64_t delay = 0;                ///< host call to start, on an idle device
  std::int64_t duration = 0;             ///< on its engine
  std::vector<std::uint64_t> after = {}; ///< commands that it waits for
  unsigned device = 0;                   ///< of the platform, from 0
};

struct CommandTimes {
  std::int64_t queued = 0, start = 0, end = 0;
};

class DeviceClock {
public:
  /// Commands come in the order in which the host gave them.
  CommandTimes run(const Command& command) {
    Queue& queue = queues_[command.queue];
    std::int64_t ready = std::max(command.called_at + command.delay, queue.barrier_end);
    const bool waits_for_all = command.in_order || (is_marker(command) && command.after.empty());
    if (waits_for_all)
      ready = std::max(ready, queue.last_end);
    for (const std::uint64_t id : command.after)
      ready = std::max(ready, end_of(id));
    std::int64_t& engine = engines_free_[command.device][engine_of(command.kind)];
    const std::int64_t start = is_marker(command) ? ready : std::max(ready, engine);
    const std::int64_t end = start + command.duration;
    if (!is_marker(command))
      engine = end;
    queue.last_end = std::max(queue.last_end, end);
    if (command.barrier)
      queue.barrier_end = std::max(queue.barrier_end, end);
    ends_[command.id] = end;
    return {command.called_at, start, end};
  }

  /// 0 for a command that never ran here (a user event).
  std::int64_t end_of(std::uint64_t id) const {
    const auto found = ends_.find(id);
    return found == ends_.end() ? 0 : found->second;
  }
  std::int64_t queue_end(std::uint64_t queue) const {
    const auto found = queues_.find(queue);
    return found == queues_.end() ? 0 : found->second.last_end;
  }

private:
  struct Queue {
    std::int64_t last_end = 0, barrier_end = 0;
  };
  static bool is_marker(const Command& command) { return command.kind == CommandKind::marker; }
  static std::size_t engine_of(CommandKind kind) {
    if (kind == CommandKind::to_device)
      return 1;
    return kind == CommandKind::from_device ? 2 : 0;
  }
  std::unordered_map<std::uint64_t, Queue> queues_;
  std::unordered_map<std::uint64_t, std::int64_t> ends_;
  std::unordered_map<unsigned, std::array<std::int64_t, 3>> engines_free_; ///< by device
};

} // namespace forewarp::program
