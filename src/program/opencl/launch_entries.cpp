// Launches: predicted, and executed when their results are needed.
#include "program/inside/clock/virtual_clock.h"
#include "program/opencl/entries.h"
#include "program/opencl/question.h"
#include "program/opencl/timing.h"

#include <algorithm>

namespace forewarp::program {
namespace {

bool uses_svm(const PendingLaunch& launch) {
  return std::any_of(launch.arguments.begin(), launch.arguments.end(),
                     [](const KernelArgument& argument) { return argument.is_svm; });
}

bool has_all_arguments(const PendingLaunch& launch) {
  return std::all_of(launch.arguments.begin(), launch.arguments.end(),
                     [](const KernelArgument& argument) { return argument.is_set; });
}

struct Waits {
  cl_uint count = 0;
  const cl_event* list = nullptr;
};

/// The implementation's own launch, or a marker that takes its place among the commands.
cl_int start(const PendingLaunch& launch, cl_kernel kernel, Waits waits, cl_event* event) {
  const cl_icd_dispatch& target = *state().target;
  const Execute execute = state().execute;
  const bool now = execute == Execute::all || (execute == Execute::needed && uses_svm(launch));
  if (now) {
    run_pending();
    return target.clEnqueueNDRangeKernel(
        launch.queue, kernel, launch.dimensions, launch.offset.data(), launch.global.data(),
        launch.has_local ? launch.local.data() : nullptr, waits.count, waits.list, event);
  }
  if (!has_all_arguments(launch))
    return CL_INVALID_KERNEL_ARGS;
  const cl_int status = target.clEnqueueMarkerWithWaitList(launch.queue, waits.count, waits.list, event);
  if (status == CL_SUCCESS && execute == Execute::needed)
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
  State& s = state();
  keep(launch.queue,
       {CommandKind::kernel,
        "kernel",
        call.entered_at(),
        s.launch_delay_ns,
        answer.duration_ns,
        false,
        {{"launch", answer.number}}},
       waits.count, waits.list, event);
  call.leave_at(call.entered_at() + s.launch_call_ns);
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
  PendingLaunch launch{queue, facts.program, facts.name, facts.arguments, dimensions};
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
