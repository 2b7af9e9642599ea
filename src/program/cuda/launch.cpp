// Launches: predicted by the process beside, and executed here.
#include "program/cuda/beside/beside.h"
#include "program/cuda/beside/question.h"
#include "program/cuda/execute.h"
#include "program/cuda/state.h"
#include "program/cuda/vendor/library.h"

#include <cstdio>
#include <cstring>

using namespace forewarp::program;
namespace native = forewarp::native;

namespace {

struct Configuration {
  dim3 groups, size;
  std::size_t shared = 0;
  cudaStream_t stream = nullptr;
};

std::vector<Configuration>& pushed() {
  static thread_local std::vector<Configuration> stack;
  return stack;
}

std::uint64_t count(const dim3& size) {
  return std::uint64_t{size.x} * size.y * size.z;
}

cudaError_t check_shape(const Configuration& how) {
  const std::uint64_t most = state().device.value("max_group_size", std::uint64_t{1024});
  if (count(how.groups) == 0 || count(how.size) == 0 || count(how.size) > most || how.size.z > 64 ||
      how.groups.y > 65535 || how.groups.z > 65535)
    return cudaErrorInvalidConfiguration;
  return cudaSuccess;
}

void find_spans(NativeLaunch& launch) {
  const native::KernelFacts& kernel = *launch.kernel;
  launch.spans.resize(kernel.parameter_count);
  for (std::uint32_t k = 0; k < kernel.parameter_count; ++k) {
    if (kernel.parameters[k].is_pointer == 0)
      continue;
    const void* pointer = nullptr;
    std::memcpy(&pointer, launch.arguments[k], sizeof(pointer));
    if (const Allocation* found = allocation_at(pointer))
      launch.spans[k] = {found->begin, found->bytes};
  }
}

/// Buffers' versions that a launch began with and left (State::versions).
struct Before {
  std::vector<std::uint64_t> read, left;
};

std::map<std::string, Before>& executed() {
  static auto* only = new std::map<std::string, Before>;
  return *only;
}

std::vector<std::uint64_t> versions(const NativeLaunch& launch, bool written) {
  std::vector<std::uint64_t> out;
  const native::KernelFacts& kernel = *launch.kernel;
  for (std::uint32_t k = 0; k < kernel.parameter_count; ++k) {
    const bool wanted = written ? kernel.parameters[k].is_written != 0 : kernel.parameters[k].is_read != 0;
    const auto found = state().memory.find(launch.spans[k].begin);
    if (kernel.parameters[k].is_pointer != 0 && wanted && found != state().memory.end())
      out.push_back(found->second.version);
  }
  return out;
}

/// Whether a second launch of the kind leaves everything as it is: what it reads it does not write, and the
/// host sees none of it but through calls.
bool is_repeatable(const NativeLaunch& launch) {
  const native::KernelFacts& kernel = *launch.kernel;
  if (kernel.is_repeatable == 0)
    return false;
  for (std::uint32_t k = 0; k < kernel.parameter_count; ++k) {
    if (kernel.parameters[k].is_pointer == 0)
      continue;
    const auto found = state().memory.find(launch.spans[k].begin);
    if (found == state().memory.end() || found->second.kind != MemoryKind::device)
      return false;
    for (std::uint32_t other = 0; other < kernel.parameter_count; ++other)
      if (kernel.parameters[k].is_written != 0 && kernel.parameters[other].is_read != 0 &&
          kernel.parameters[other].is_pointer != 0 && launch.spans[k].begin == launch.spans[other].begin)
        return false;
  }
  return true;
}

void mark_written(const NativeLaunch& launch) {
  State& s = state();
  if (launch.kernel->is_repeatable == 0)
    return wrote_everywhere();
  for (std::uint32_t k = 0; k < launch.kernel->parameter_count; ++k)
    if (const auto found = s.memory.find(launch.spans[k].begin);
        launch.kernel->parameters[k].is_written != 0 && found != s.memory.end())
      found->second.version = ++s.versions;
}

void tell_faults(const NativeLaunch& launch, const NativeEnd& end) {
  for (const std::string& fault : end.faults) {
    std::fprintf(stderr, "forewarp: %s\n", fault.c_str());
    tell({{"op", "fault"}, {"kernel", launch.kernel->symbol}, {"what", fault}});
  }
}

/// A kernel without code for this processor.
cudaError_t run_beside(const KernelEntry& entry, const NativeLaunch& launch) {
  const std::string why = execute_beside(entry, launch);
  if (!why.empty()) {
    tell({{"op", "not_executed"},
          {"kernel", launch.kernel->symbol},
          {"why", std::string(launch.kernel->problem) + "; " + why.substr(0, why.find('\n'))}});
    return cudaErrorNotSupported;
  }
  wrote_everywhere();
  tell({{"op", "executed"}, {"launches", 1}});
  return cudaSuccess;
}

cudaError_t run(const KernelEntry& entry, NativeLaunch& launch, const std::string& key) {
  State& s = state();
  if (s.execute == "none")
    return cudaSuccess;
  if (launch.kernel->kind == static_cast<std::uint32_t>(native::KernelKind::refused))
    return run_beside(entry, launch);
  const bool repeatable = !key.empty() && is_repeatable(launch);
  if (const auto before = executed().find(key);
      repeatable && s.execute == "needed" && before != executed().end() &&
      before->second.read == versions(launch, false) && before->second.left == versions(launch, true))
    return cudaSuccess;
  Before kept{versions(launch, false), {}};
  const NativeEnd end = execute(launch);
  mark_written(launch);
  tell_faults(launch, end);
  if (end.error != cudaSuccess)
    return s.sticky = end.error;
  if (repeatable) {
    kept.left = versions(launch, true);
    executed()[key] = std::move(kept);
  }
  tell({{"op", "executed"}, {"launches", 1}});
  return cudaSuccess;
}

cudaError_t launch_now(Call& call, Stream& stream, const KernelEntry& entry, const Configuration& how,
                       void** arguments) {
  State& s = state();
  if (const cudaError_t error = check_shape(how))
    return error;
  NativeLaunch launch{entry.facts, how.groups, how.size, how.shared, arguments, {}};
  find_spans(launch);
  if (is_in_library_call())
    return run(entry, launch, "");
  const LaunchAnswer answer = ask_about(entry, launch);
  if (answer.error != cudaSuccess)
    return answer.error;
  const std::int64_t called_at = call.entered_at();
  Given given{CommandKind::kernel, "kernel", called_at, s.launch_delay_ns, answer.duration_ns};
  given.detail = {{"launch", answer.number}};
  keep(stream, std::move(given));
  const cudaError_t error = run(entry, launch, answer.key);
  call.leave_at(called_at + s.launch_call_ns);
  return error;
}

/// Arguments live on after the call: a graph launches them again.
struct OwnArguments {
  OwnArguments(const native::KernelFacts& kernel, void** arguments) {
    for (std::uint32_t k = 0; k < kernel.parameter_count; ++k) {
      const auto* from = static_cast<unsigned char*>(arguments[k]);
      bytes.emplace_back(from, from + kernel.parameters[k].bytes);
    }
  }
  std::vector<void*> pointers() {
    std::vector<void*> out;
    for (auto& each : bytes)
      out.push_back(each.data());
    return out;
  }
  std::vector<std::vector<unsigned char>> bytes;
};

} // namespace

FOREWARP_API unsigned __cudaPushCallConfiguration(dim3 groups, dim3 size, std::size_t shared, void* stream) {
  pushed().push_back({groups, size, shared, static_cast<cudaStream_t>(stream)});
  return 0;
}

FOREWARP_API cudaError_t __cudaPopCallConfiguration(dim3* groups, dim3* size, std::size_t* shared,
                                                    void** stream) {
  if (pushed().empty())
    return cudaErrorMissingConfiguration;
  const Configuration how = pushed().back();
  pushed().pop_back();
  *groups = how.groups, *size = how.size, *shared = how.shared, *stream = how.stream;
  return cudaSuccess;
}

FOREWARP_API cudaError_t cudaLaunchKernel(const void* stub, dim3 groups, dim3 size, void** arguments,
                                          std::size_t shared, cudaStream_t handle) {
  Call call;
  State& s = state();
  if (s.sticky != cudaSuccess)
    return s.sticky;
  const auto found = s.kernels.find(stub);
  if (found == s.kernels.end())
    return give(cudaErrorInvalidDeviceFunction);
  Stream& stream = stream_of(handle);
  const Configuration how{groups, size, shared, handle};
  if (!stream.capture)
    return give(launch_now(call, stream, found->second, how, arguments));
  const auto own = std::make_shared<OwnArguments>(*found->second.facts, arguments);
  stream.capture->steps.emplace_back([entry = found->second, how, own](Stream& at) {
    Call again;
    give(launch_now(again, at, entry, how, own->pointers().data()));
  });
  return cudaSuccess;
}

FOREWARP_API cudaError_t cudaLaunchCooperativeKernel(const void* stub, dim3 groups, dim3 size,
                                                     void** arguments, std::size_t shared,
                                                     cudaStream_t stream) {
  return cudaLaunchKernel(stub, groups, size, arguments, shared, stream);
}

FOREWARP_API cudaError_t forewarp_func_set_attribute(const void* stub, cudaFuncAttribute attribute,
                                                     int value) {
  Call call;
  const auto found = state().kernels.find(stub);
  if (found == state().kernels.end())
    return give(cudaErrorInvalidDeviceFunction);
  if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize) {
    if (static_cast<std::uint64_t>(value) + found->second.facts->shared_bytes >
        state().device.value("most_local_bytes", std::uint64_t{49152}))
      return give(cudaErrorInvalidValue);
    found->second.shared_limit = static_cast<std::uint64_t>(value);
  }
  return cudaSuccess;
}

FOREWARP_API cudaError_t forewarp_func_get_attributes(cudaFuncAttributes* out, const void* stub) {
  Call call;
  const auto found = state().kernels.find(stub);
  if (found == state().kernels.end())
    return give(cudaErrorInvalidDeviceFunction);
  const KernelResources resources = ask_resources(found->second);
  *out = {};
  out->sharedSizeBytes = found->second.facts->shared_bytes;
  out->maxThreadsPerBlock = state().device.value("max_group_size", 1024);
  out->numRegs = resources.registers;
  out->maxDynamicSharedSizeBytes = static_cast<int>(std::max<std::uint64_t>(
      found->second.shared_limit, state().device.value("local_bytes", std::uint64_t{49152})));
  const auto capability = state().device.value("compute_capability", std::string("7.0"));
  out->ptxVersion = out->binaryVersion = static_cast<int>(std::stod(capability) * 10 + 0.5);
  return cudaSuccess;
}

FOREWARP_API cudaError_t forewarp_occupancy_blocks(int* out, const void* stub, int size, std::size_t shared) {
  Call call;
  const auto found = state().kernels.find(stub);
  if (found == state().kernels.end())
    return give(cudaErrorInvalidDeviceFunction);
  *out = ask_occupancy(found->second, static_cast<std::uint64_t>(size), shared);
  return cudaSuccess;
}

FOREWARP_API cudaError_t forewarp_occupancy_size(int* groups, int* size, const void* stub, std::size_t shared,
                                                 int most) {
  Call call;
  const auto found = state().kernels.find(stub);
  if (found == state().kernels.end())
    return give(cudaErrorInvalidDeviceFunction);
  const int limit = state().device.value("max_group_size", 1024);
  const int largest = most > 0 && most < limit ? most : limit;
  int best = 0;
  for (int candidate = largest; candidate >= 32; candidate -= 32) {
    const int blocks = ask_occupancy(found->second, static_cast<std::uint64_t>(candidate), shared);
    if (blocks * candidate > best) {
      best = blocks * candidate;
      *size = candidate;
      *groups = blocks * state().device.value("compute_units", 1);
    }
  }
  return best > 0 ? cudaSuccess : give(cudaErrorLaunchOutOfResources);
}
