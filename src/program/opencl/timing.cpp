#include "program/opencl/timing.h"

#include "program/inside/clock/virtual_clock.h"
#include "program/inside/log.h"

#include <algorithm>

namespace forewarp::program {
Kept keep(cl_command_queue queue_handle, const Given& given, cl_uint waits, const cl_event* wait_list,
          const cl_event* event) {
  State& s = state();
  Command command;
  CommandTimes times;
  {
    const std::lock_guard lock(s.lock);
    const QueueFacts queue = s.queue(queue_handle);
    command = {++s.commands,    queue.id,    queue.in_order, given.barrier, given.kind,
               given.called_at, given.delay, given.duration, given.after,   queue.device};
    for (cl_uint k = 0; wait_list && k < waits; ++k) {
      const auto found = s.events.find(wait_list[k]);
      if (found == s.events.end())
        continue;
      if (found->second.command == 0) // a user event: when the program set it
        command.called_at = std::max(command.called_at, found->second.times.end);
      else
        command.after.push_back(found->second.command);
    }
    times = s.clock.run(command);
    times.queued = given.called_at;
    if (event && *event)
      s.events[*event] = {command.id, times, queue.profiled};
  }
  tell_command(command, given.name, given.detail);
  return {command.id, times};
}

std::int64_t wait_for(const std::vector<std::uint64_t>& commands, std::int64_t entered_at) {
  State& s = state();
  std::int64_t left_at = entered_at;
  {
    const std::lock_guard lock(s.lock);
    for (const std::uint64_t id : commands)
      left_at = std::max(left_at, s.clock.end_of(id));
  }
  tell_wait(commands, entered_at, left_at);
  return left_at;
}

std::int64_t wait_for_queue(cl_command_queue queue, std::int64_t entered_at) {
  State& s = state();
  std::uint64_t number = 0;
  std::int64_t left_at = entered_at;
  {
    const std::lock_guard lock(s.lock);
    number = s.queue(queue).id;
    left_at = std::max(left_at, s.clock.queue_end(number));
  }
  tell_queue_wait(number, entered_at, left_at);
  return left_at;
}

} // namespace forewarp::program
