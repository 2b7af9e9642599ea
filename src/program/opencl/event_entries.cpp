// Queues, events and what the host waits for.
#include "program/inside/clock/virtual_clock.h"
#include "program/opencl/answer.h"
#include "program/opencl/entries.h"
#include "program/opencl/several/devices.h"
#include "program/opencl/timing.h"

namespace forewarp::program {
namespace {

const cl_icd_dispatch& target() {
  return *state().target;
}

void remember(cl_command_queue queue, cl_device_id device, cl_command_queue_properties properties) {
  if (!queue)
    return;
  const unsigned number = device_number(device);
  State& s = state();
  const std::lock_guard lock(s.lock);
  s.queue_of[queue] = {++s.queues, number, (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0,
                       (properties & CL_QUEUE_PROFILING_ENABLE) != 0};
}

cl_command_queue CL_API_CALL queue(cl_context context, cl_device_id device,
                                   cl_command_queue_properties properties, cl_int* status) {
  const cl_command_queue made = target().clCreateCommandQueue(context, device, properties, status);
  remember(made, device, properties);
  return made;
}

cl_command_queue CL_API_CALL queue_with_properties(cl_context context, cl_device_id device,
                                                   const cl_queue_properties* properties, cl_int* status) {
  const cl_command_queue made =
      target().clCreateCommandQueueWithProperties(context, device, properties, status);
  cl_command_queue_properties flags = 0;
  for (const cl_queue_properties* at = properties; at && at[0] != 0; at += 2)
    if (at[0] == CL_QUEUE_PROPERTIES)
      flags = at[1];
  remember(made, device, flags);
  return made;
}

cl_int CL_API_CALL finish(cl_command_queue queue_handle) {
  StillCall call;
  const cl_int status = target().clFinish(queue_handle);
  call.leave_at(wait_for_queue(queue_handle, call.entered_at()));
  return status;
}

cl_event CL_API_CALL user_event(cl_context context, cl_int* status) {
  const cl_event event = target().clCreateUserEvent(context, status);
  State& s = state();
  const std::lock_guard lock(s.lock);
  if (event)
    s.events[event] = {};
  return event;
}

cl_int CL_API_CALL set_user_event(cl_event event, cl_int status) {
  {
    State& s = state();
    const std::int64_t now = virtual_now();
    const std::lock_guard lock(s.lock);
    if (const auto found = s.events.find(event); found != s.events.end())
      found->second.times = {now, now, now};
  }
  return target().clSetUserEventStatus(event, status);
}

bool has_user_event(cl_uint count, const cl_event* list) {
  State& s = state();
  const std::lock_guard lock(s.lock);
  for (cl_uint k = 0; list && k < count; ++k)
    if (const auto found = s.events.find(list[k]); found != s.events.end() && found->second.command == 0)
      return true;
  return false;
}

cl_int CL_API_CALL wait(cl_uint count, const cl_event* list) {
  // What another thread of the program does until it sets its event takes time.
  const bool waits_for_program = has_user_event(count, list);
  cl_int status = waits_for_program ? target().clWaitForEvents(count, list) : CL_SUCCESS;
  StillCall call;
  if (!waits_for_program)
    status = target().clWaitForEvents(count, list);
  State& s = state();
  std::vector<std::uint64_t> commands;
  std::int64_t set_at = call.entered_at();
  {
    const std::lock_guard lock(s.lock);
    for (cl_uint k = 0; list && k < count; ++k) {
      const auto found = s.events.find(list[k]);
      if (found != s.events.end() && found->second.command > 0)
        commands.push_back(found->second.command);
      else if (found != s.events.end())
        set_at = std::max(set_at, found->second.times.end);
    }
  }
  call.leave_at(std::max(set_at, wait_for(commands, call.entered_at())));
  return status;
}

/// An address may be given to the next event.
cl_int CL_API_CALL release(cl_event event) {
  cl_uint references = 0;
  if (target().clGetEventInfo(event, CL_EVENT_REFERENCE_COUNT, sizeof(references), &references, nullptr) ==
          CL_SUCCESS &&
      references <= 1) {
    State& s = state();
    const std::lock_guard lock(s.lock);
    s.events.erase(event);
  }
  return target().clReleaseEvent(event);
}

std::optional<EventFacts> facts_of(cl_event event) {
  State& s = state();
  const std::lock_guard lock(s.lock);
  const auto found = s.events.find(event);
  if (found == s.events.end() || found->second.command == 0)
    return std::nullopt;
  return found->second;
}

cl_int CL_API_CALL profiling(cl_event event, cl_profiling_info name, size_t size, void* value,
                             size_t* size_out) {
  const auto facts = facts_of(event);
  if (!facts)
    return target().clGetEventProfilingInfo(event, name, size, value, size_out);
  if (!facts->profiled)
    return CL_PROFILING_INFO_NOT_AVAILABLE;
  switch (name) {
  case CL_PROFILING_COMMAND_QUEUED:
  case CL_PROFILING_COMMAND_SUBMIT:
    return give(static_cast<cl_ulong>(facts->times.queued), size, value, size_out);
  case CL_PROFILING_COMMAND_START:
    return give(static_cast<cl_ulong>(facts->times.start), size, value, size_out);
  case CL_PROFILING_COMMAND_END:
  case CL_PROFILING_COMMAND_COMPLETE:
    return give(static_cast<cl_ulong>(facts->times.end), size, value, size_out);
  default:
    return CL_INVALID_VALUE;
  }
}

/// A program that looks again and again sees the command end when its own clock says so.
cl_int CL_API_CALL info(cl_event event, cl_event_info name, size_t size, void* value, size_t* size_out) {
  if (name == CL_EVENT_COMMAND_EXECUTION_STATUS)
    if (const auto facts = facts_of(event); facts && virtual_now() < facts->times.end)
      return give(cl_int{virtual_now() < facts->times.start ? CL_SUBMITTED : CL_RUNNING}, size, value,
                  size_out);
  return target().clGetEventInfo(event, name, size, value, size_out);
}

} // namespace

void override_events(cl_icd_dispatch& table) {
  table.clCreateCommandQueue = queue;
  table.clCreateCommandQueueWithProperties = queue_with_properties;
  table.clFinish = finish;
  table.clCreateUserEvent = user_event;
  table.clSetUserEventStatus = set_user_event;
  table.clWaitForEvents = wait;
  table.clReleaseEvent = release;
  table.clGetEventProfilingInfo = profiling;
  table.clGetEventInfo = info;
}

} // namespace forewarp::program
