#include "program/opencl/pending.h"

#include <algorithm>
#include <cstring>
#include <set>

namespace forewarp::program {
namespace {

struct Pending {
  std::mutex lock;    ///< of `launches`
  std::mutex running; ///< one thread executes
  std::vector<PendingLaunch> launches;
};

Pending& pending() {
  static auto* only = new Pending;
  return *only;
}

cl_mem root_of(cl_mem memory) {
  State& s = state();
  const std::lock_guard lock(s.lock);
  auto found = s.memory.find(memory);
  while (found != s.memory.end() && found->second.parent) {
    memory = found->second.parent;
    found = s.memory.find(memory);
  }
  return memory;
}

/// By the program itself.
bool is_held(cl_mem memory) {
  State& s = state();
  const std::lock_guard lock(s.lock);
  const auto found = s.memory.find(memory);
  return found == s.memory.end() || found->second.references > 0;
}

template <class Visit> void each_buffer(const PendingLaunch& launch, const Visit& visit) {
  for (const KernelArgument& argument : launch.arguments)
    if (const cl_mem memory = buffer_of(argument))
      visit(memory);
}

void hold(const PendingLaunch& launch) {
  const cl_icd_dispatch& target = *state().target;
  target.clRetainCommandQueue(launch.queue);
  target.clRetainProgram(launch.program);
  each_buffer(launch, [&](cl_mem memory) { target.clRetainMemObject(memory); });
}

void let_go(const PendingLaunch& launch) {
  const cl_icd_dispatch& target = *state().target;
  each_buffer(launch, [&](cl_mem memory) { target.clReleaseMemObject(memory); });
  target.clReleaseProgram(launch.program);
  target.clReleaseCommandQueue(launch.queue);
}

cl_int execute(const PendingLaunch& launch) {
  const cl_icd_dispatch& target = *state().target;
  cl_int status = CL_SUCCESS;
  const cl_kernel kernel = target.clCreateKernel(launch.program, launch.kernel.c_str(), &status);
  for (cl_uint k = 0; status == CL_SUCCESS && k < launch.arguments.size(); ++k) {
    const KernelArgument& argument = launch.arguments[k];
    const bool is_local = argument.local_bytes > 0;
    status = target.clSetKernelArg(kernel, k, is_local ? argument.local_bytes : argument.bytes.size(),
                                   is_local || argument.bytes.empty() ? nullptr : argument.bytes.data());
  }
  if (status == CL_SUCCESS)
    status = target.clEnqueueNDRangeKernel(
        launch.queue, kernel, launch.dimensions, launch.offset.data(), launch.global.data(),
        launch.has_local ? launch.local.data() : nullptr, 0, nullptr, nullptr);
  if (status == CL_SUCCESS)
    status = target.clFinish(launch.queue);
  if (kernel)
    target.clReleaseKernel(kernel);
  return status;
}

} // namespace

cl_mem buffer_of(const KernelArgument& argument) {
  if (argument.is_svm || argument.bytes.size() != sizeof(cl_mem))
    return nullptr;
  cl_mem memory = nullptr;
  std::memcpy(&memory, argument.bytes.data(), sizeof(memory));
  State& s = state();
  const std::lock_guard lock(s.lock);
  return s.memory.contains(memory) ? memory : nullptr;
}

void add_pending(PendingLaunch launch) {
  hold(launch);
  const std::lock_guard lock(pending().lock);
  pending().launches.push_back(std::move(launch));
}

void run_pending() {
  const std::lock_guard one(pending().running);
  std::vector<PendingLaunch> launches;
  {
    const std::lock_guard lock(pending().lock);
    launches.swap(pending().launches);
  }
  std::size_t refused = 0;
  for (const PendingLaunch& launch : launches) {
    const cl_int status = execute(launch);
    if (status != CL_SUCCESS && refused++ == 0)
      tell({{"op", "not_executed"}, {"kernel", launch.kernel}, {"status", status}});
    let_go(launch);
  }
  if (!launches.empty())
    tell({{"op", "executed"}, {"launches", launches.size() - refused}});
}

void run_pending_on(cl_mem memory) {
  const cl_mem root = root_of(memory);
  bool used = false;
  {
    const std::lock_guard lock(pending().lock);
    for (const PendingLaunch& launch : pending().launches)
      each_buffer(launch, [&](cl_mem other) { used = used || root_of(other) == root; });
  }
  if (used)
    run_pending();
}

void forget_launches_without_readers() {
  std::vector<PendingLaunch> dead, kept;
  const std::lock_guard lock(pending().lock);
  auto& launches = pending().launches;
  // From the last to the first: what a launch that is still needed uses, earlier launches may have made.
  std::set<cl_mem> needed;
  for (auto launch = launches.rbegin(); launch != launches.rend(); ++launch) {
    bool is_needed = false;
    each_buffer(*launch, [&](cl_mem memory) {
      const cl_mem root = root_of(memory);
      is_needed = is_needed || needed.contains(root) || is_held(memory) || is_held(root);
    });
    if (is_needed)
      each_buffer(*launch, [&](cl_mem memory) { needed.insert(root_of(memory)); });
    (is_needed ? kept : dead).push_back(std::move(*launch));
  }
  std::reverse(kept.begin(), kept.end());
  launches = std::move(kept);
  for (const PendingLaunch& launch : dead)
    let_go(launch);
}

} // namespace forewarp::program
