#include "program/opencl/pending.h"

#include "program/opencl/own_engine.h"

#include <algorithm>
#include <cstring>
#include <set>

namespace forewarp::program {
namespace {

struct Pending {
  std::mutex lock;    ///< of the other members
  std::mutex running; ///< one thread executes
  std::vector<PendingLaunch> launches;
  std::size_t begun = 0; ///< that a thread executes now
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

template <class Visit> void each_memory(const PendingLaunch& launch, const Visit& visit) {
  for (const KernelArgument& argument : launch.arguments)
    if (const cl_mem memory = memory_of(argument))
      visit(memory);
}

void hold(const PendingLaunch& launch) {
  const cl_icd_dispatch& target = *state().target;
  target.clRetainCommandQueue(launch.queue);
  target.clRetainProgram(launch.program);
  each_memory(launch, [&](cl_mem memory) { target.clRetainMemObject(memory); });
}

void let_go(const PendingLaunch& launch) {
  const cl_icd_dispatch& target = *state().target;
  each_memory(launch, [&](cl_mem memory) { target.clReleaseMemObject(memory); });
  target.clReleaseProgram(launch.program);
  target.clReleaseCommandQueue(launch.queue);
}

/// By the implementation. What it refuses has not begun.
cl_int execute_there(const PendingLaunch& launch) {
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

bool execute(const PendingLaunch& launch) {
  const bool is_ours = launch.source && launch.source->own_engine;
  const cl_int status = is_ours ? CL_INVALID_PROGRAM_EXECUTABLE : execute_there(launch);
  if (status == CL_SUCCESS)
    return true;
  const std::string problem = execute_ourselves(launch);
  if (problem.empty())
    return true;
  if (is_ours)
    tell({{"op", "not_executed"}, {"kernel", launch.kernel}, {"why", problem}});
  else
    tell({{"op", "not_executed"}, {"kernel", launch.kernel}, {"status", status}});
  return false;
}

cl_mem memory_of(const KernelArgument& argument) {
  if (argument.is_svm || argument.bytes.size() != sizeof(cl_mem))
    return nullptr;
  cl_mem memory = nullptr;
  std::memcpy(&memory, argument.bytes.data(), sizeof(memory));
  State& s = state();
  const std::lock_guard lock(s.lock);
  return s.memory.contains(memory) ? memory : nullptr;
}

cl_mem buffer_of(const KernelArgument& argument) {
  const cl_mem memory = memory_of(argument);
  State& s = state();
  const std::lock_guard lock(s.lock);
  return memory && !s.memory.at(memory).image ? memory : nullptr;
}

Stretch svm_at(std::uint64_t address) {
  State& s = state();
  const std::lock_guard lock(s.lock);
  auto above = s.svm.upper_bound(reinterpret_cast<void*>(address));
  if (above == s.svm.begin())
    return {};
  const auto& [pointer, bytes] = *--above;
  const auto begin = reinterpret_cast<std::uint64_t>(pointer);
  return address - begin < bytes ? Stretch{begin, bytes} : Stretch{};
}

namespace {

/// A buffer that shared virtual memory is behind.
bool is_on_svm(const KernelArgument& argument) {
  const cl_mem memory = root_of(memory_of(argument));
  void* host = nullptr;
  {
    State& s = state();
    const std::lock_guard lock(s.lock);
    if (const auto found = s.memory.find(memory); found != s.memory.end())
      host = found->second.host;
  }
  return host && svm_at(reinterpret_cast<std::uint64_t>(host)).bytes > 0;
}

} // namespace

bool uses_svm(const PendingLaunch& launch) {
  return std::any_of(launch.arguments.begin(), launch.arguments.end(), [](const KernelArgument& argument) {
    std::vector<unsigned char> bytes(argument.bytes.begin(), argument.bytes.end());
    return argument.is_svm || is_on_svm(argument) || !pointers_in_struct(0, bytes, svm_at).empty();
  });
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
    pending().begun = launches.size();
  }
  std::size_t refused = 0;
  for (const PendingLaunch& launch : launches) {
    refused += execute(launch) ? 0 : 1;
    let_go(launch);
  }
  {
    const std::lock_guard lock(pending().lock);
    pending().begun = 0;
  }
  if (!launches.empty())
    tell({{"op", "executed"}, {"launches", launches.size() - refused}});
}

void run_pending_on(cl_mem memory) {
  const cl_mem root = root_of(memory);
  bool used = false;
  {
    const std::lock_guard lock(pending().lock);
    used = pending().begun > 0; // by another thread: what they write is there when they have ended
    for (const PendingLaunch& launch : pending().launches)
      each_memory(launch, [&](cl_mem other) { used = used || root_of(other) == root; });
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
    each_memory(*launch, [&](cl_mem memory) {
      const cl_mem root = root_of(memory);
      is_needed = is_needed || needed.contains(root) || is_held(memory) || is_held(root);
    });
    if (is_needed)
      each_memory(*launch, [&](cl_mem memory) { needed.insert(root_of(memory)); });
    (is_needed ? kept : dead).push_back(std::move(*launch));
  }
  std::reverse(kept.begin(), kept.end());
  launches = std::move(kept);
  for (const PendingLaunch& launch : dead)
    let_go(launch);
}

} // namespace forewarp::program
