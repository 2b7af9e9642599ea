// Launches: predicted, and executed when their results are needed.
#include "program/inside/clock/virtual_clock.h"
#include "program/opencl/entries.h"
#include "program/opencl/own_engine.h"
#include "program/opencl/question.h"
#include "program/opencl/several/devices.h"
#include "program/opencl/several/placement.h"

#include <algorithm>

namespace forewarp::program {
namespace {

bool has_all_arguments(const PendingLaunch& launch) {
  return std::all_of(launch.arguments.begin(), launch.arguments.end(),
                     [](const KernelArgument& argument) { return argument.is_set; });
}

/// Of all that it uses, to its GPU.
Move moves_of(const PendingLaunch& launch) {
  Move all;
  for (const KernelArgument& argument : launch.arguments)
    if (const cl_mem memory = buffer_of(argument))
      all += move_to(launch.queue, memory);
  return all;
}

struct Waits {
  cl_uint count = 0;
  const cl_event* list = nullptr;
};

/// The implementation's own launch, or a marker that takes its place among the commands.
cl_int start(const PendingLaunch& launch, cl_kernel kernel, Waits waits, cl_event* event) {
  const cl_icd_dispatch& target = *state().target;
  const Execute wanted = state().execute;
  const bool now = wanted == Execute::all || (wanted == Execute::needed && uses_svm(launch));
  if (now)
    run_pending();
  const bool is_ours = launch.source && launch.source->own_engine;
  if (now && !is_ours)
    return target.clEnqueueNDRangeKernel(
        launch.queue, kernel, launch.dimensions, launch.offset.data(), launch.global.data(),
        launch.has_local ? launch.local.data() : nullptr, waits.count, waits.list, event);
  if (!has_all_arguments(launch))
    return CL_INVALID_KERNEL_ARGS;
  if (now) {
    if (waits.count > 0)
      target.clWaitForEvents(waits.count, waits.list);
    if (execute(launch))
      tell({{"op", "executed"}, {"launches", 1}});
  }
  const cl_int status = target.clEnqueueMarkerWithWaitList(launch.queue, waits.count, waits.list, event);
  if (status == CL_SUCCESS && !now && wanted == Execute::needed)
    add_pending(launch);
  return status;
}

cl_int enqueue(const PendingLaunch& launch, const KernelFacts& facts, cl_kernel kernel, Waits waits,
               cl_event* event) {
  StillCall call;
  const LaunchAnswer answer = ask_about(launch, facts);
  if (answer.status != CL_SUCCESS)
    return answer.status;
  const cl_int status = start(launch, kernel, waits, event);
  if (status != CL_SUCCESS)
    return status;
  const DeviceFacts& device = device_of(launch.queue);
  Given given = {CommandKind::kernel, "kernel", call.entered_at(),          device.launch_delay_ns,
                 answer.duration_ns,  false,    {{"launch", answer.number}}};
  if (const Move move = moves_of(launch); move.bytes > 0) {
    Given brought = as_command(move, launch.queue);
    brought.called_at = call.entered_at();
    given.after.push_back(keep(launch.queue, brought, waits.count, waits.list, nullptr).command);
  }
  keep(launch.queue, given, waits.count, waits.list, event);
  call.leave_at(call.entered_at() + device.launch_call_ns);
  return CL_SUCCESS;
}

cl_int CL_API_CALL nd_range(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                            const size_t* offset, const size_t* global, const size_t* local, cl_uint waits,
                            const cl_event* wait_list, cl_event* event) {
  State& s = state();
  KernelFacts facts;
  {
    const std::lock_guard lock(s.lock);
    if (const auto found = s.kernels.find(kernel); found != s.kernels.end())
      facts = found->second;
  }
  if (!facts.program || !global || dimensions < 1 || dimensions > 3)
    return s.target->clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, waits,
                                            wait_list, event);
  // The program may have let go of its own handle: kernels hold what they are made of.
  PendingLaunch launch{queue,           executable_of(facts.program, facts.source),
                       facts.source,    facts.name,
                       facts.arguments, dimensions};
  launch.global = launch.local = {1, 1, 1};
  launch.has_local = local != nullptr;
  for (cl_uint k = 0; k < dimensions; ++k) {
    launch.global[k] = global[k];
    launch.offset[k] = offset ? offset[k] : 0;
    launch.local[k] = local ? local[k] : 1;
  }
  return enqueue(launch, facts, kernel, {waits, wait_list}, event);
}

cl_int CL_API_CALL task(cl_command_queue queue, cl_kernel kernel, cl_uint waits, const cl_event* wait_list,
                        cl_event* event) {
  const size_t one = 1;
  return nd_range(queue, kernel, 1, nullptr, &one, &one, waits, wait_list, event);
}

} // namespace

void override_launches(cl_icd_dispatch& table) {
  table.clEnqueueNDRangeKernel = nd_range;
  table.clEnqueueTask = task;
}

} // namespace forewarp::program
