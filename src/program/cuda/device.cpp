// The GPU asked for, as the program asks for it.
#include "program/cuda/state.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

using namespace forewarp::program;

namespace {

constexpr int headers_version = 12000; // as data/include/forewarp_cuda/keywords.h says

int fact(const char* name, int otherwise) {
  const auto found = state().device.find(name);
  return found == state().device.end() || !found->is_number() ? otherwise
                                                              : static_cast<int>(found->get<double>());
}

void marked(const char* property) {
  static auto* told = new std::map<std::string, bool>;
  if (!std::exchange((*told)[property], true))
    tell({{"op", "property"}, {"name", property}});
}

void capability(int& major, int& minor) {
  const auto found = state().device.find("compute_capability");
  const double value = found == state().device.end() ? 0
                       : found->is_string()          ? std::atof(found->get<std::string>().c_str())
                                                     : found->get<double>();
  const int tenths = static_cast<int>(std::lround(value > 0 ? value * 10 : 90));
  major = tenths / 10;
  minor = tenths % 10;
}

std::size_t memory_bytes() {
  return static_cast<std::size_t>(state().device.value("memory_bytes", 4.0 * (1U << 30)));
}

void fill(cudaDeviceProp& p) {
  std::memset(&p, 0, sizeof(p));
  std::snprintf(p.name, sizeof(p.name), "%s", state().device.value("name", std::string("GPU")).c_str());
  capability(p.major, p.minor);
  p.totalGlobalMem = memory_bytes();
  p.sharedMemPerBlock = static_cast<std::size_t>(fact("local_bytes", 49152));
  p.sharedMemPerBlockOptin = static_cast<std::size_t>(fact("most_local_bytes", 49152));
  p.sharedMemPerMultiprocessor = static_cast<std::size_t>(fact("local_bytes_per_unit", 65536));
  p.regsPerBlock = p.regsPerMultiprocessor = fact("registers_per_sm", 65536);
  p.warpSize = fact("warp_width", 32);
  p.memPitch = 0x7fffffff;
  p.maxThreadsPerBlock = p.maxThreadsDim[0] = p.maxThreadsDim[1] = fact("max_group_size", 1024);
  p.maxThreadsDim[2] = 64;
  p.maxGridSize[0] = 0x7fffffff;
  p.maxGridSize[1] = p.maxGridSize[2] = 65535;
  p.clockRate = static_cast<int>(state().device.value("clock_mhz", 1000.0) * 1000);
  p.totalConstMem = 65536;
  p.textureAlignment = 512;
  p.texturePitchAlignment = 32;
  p.deviceOverlap = p.canMapHostMemory = p.concurrentKernels = p.unifiedAddressing = p.managedMemory = 1;
  p.asyncEngineCount = 2;
  p.multiProcessorCount = fact("compute_units", 1);
  p.memoryClockRate = static_cast<int>(state().device.value("memory_clock_mhz", 0.0) * 1000);
  p.memoryBusWidth = fact("memory_bus_bits", 0);
  p.l2CacheSize = fact("l2_bytes", 0);
  p.maxThreadsPerMultiProcessor = fact("threads_per_unit", 2048);
  p.maxBlocksPerMultiProcessor = fact("groups_per_unit", 16);
  p.maxTexture1D = 131072;
  p.maxTexture1DLinear = 1 << 27;
  p.maxTexture2D[0] = 131072, p.maxTexture2D[1] = 65536;
  p.globalL1CacheSupported = p.localL1CacheSupported = p.concurrentManagedAccess = p.cooperativeLaunch = 1;
  p.streamPrioritiesSupported = p.computePreemptionSupported = 1;
}

} // namespace

FOREWARP_API cudaError_t cudaGetDeviceCount(int* out) {
  Call call;
  *out = 1;
  return cudaSuccess;
}
FOREWARP_API cudaError_t cudaSetDevice(int device) {
  Call call;
  return device == 0 ? cudaSuccess : give(cudaErrorInvalidDevice);
}
FOREWARP_API cudaError_t cudaGetDevice(int* out) {
  Call call;
  *out = 0;
  return cudaSuccess;
}
FOREWARP_API cudaError_t cudaChooseDevice(int* out, const cudaDeviceProp*) {
  return cudaGetDevice(out);
}
FOREWARP_API cudaError_t cudaGetDeviceProperties(cudaDeviceProp* out, int device) {
  Call call;
  if (device != 0)
    return give(cudaErrorInvalidDevice);
  marked("cudaGetDeviceProperties");
  fill(*out);
  return cudaSuccess;
}
FOREWARP_API cudaError_t cudaDeviceGetAttribute(int* out, cudaDeviceAttr attribute, int device) {
  Call call;
  if (device != 0)
    return give(cudaErrorInvalidDevice);
  marked("cudaDeviceGetAttribute");
  cudaDeviceProp p;
  fill(p);
  switch (static_cast<int>(attribute)) {
  case cudaDevAttrMaxThreadsPerBlock:
  case cudaDevAttrMaxBlockDimX:
  case 3:
    return *out = p.maxThreadsPerBlock, cudaSuccess;
  case 4:
    return *out = p.maxThreadsDim[2], cudaSuccess;
  case cudaDevAttrMaxGridDimX:
    return *out = p.maxGridSize[0], cudaSuccess;
  case 6:
  case 7:
    return *out = p.maxGridSize[1], cudaSuccess;
  case cudaDevAttrMaxSharedMemoryPerBlock:
    return *out = static_cast<int>(p.sharedMemPerBlock), cudaSuccess;
  case cudaDevAttrWarpSize:
    return *out = p.warpSize, cudaSuccess;
  case 12:
    return *out = p.regsPerBlock, cudaSuccess;
  case cudaDevAttrClockRate:
    return *out = p.clockRate, cudaSuccess;
  case cudaDevAttrMultiProcessorCount:
    return *out = p.multiProcessorCount, cudaSuccess;
  case cudaDevAttrMemoryClockRate:
    return *out = p.memoryClockRate, cudaSuccess;
  case cudaDevAttrGlobalMemoryBusWidth:
    return *out = p.memoryBusWidth, cudaSuccess;
  case cudaDevAttrL2CacheSize:
    return *out = p.l2CacheSize, cudaSuccess;
  case cudaDevAttrMaxThreadsPerMultiProcessor:
    return *out = p.maxThreadsPerMultiProcessor, cudaSuccess;
  case cudaDevAttrComputeCapabilityMajor:
    return *out = p.major, cudaSuccess;
  case cudaDevAttrComputeCapabilityMinor:
    return *out = p.minor, cudaSuccess;
  case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
    return *out = static_cast<int>(p.sharedMemPerMultiprocessor), cudaSuccess;
  case 83: // managed memory
  case 89: // concurrent managed access
  case 31: // concurrent kernels
  case 41: // unified addressing
  case cudaDevAttrCooperativeLaunch:
  case cudaDevAttrMemoryPoolsSupported:
    return *out = 1, cudaSuccess;
  case cudaDevAttrMaxSharedMemoryPerBlockOptin:
    return *out = static_cast<int>(p.sharedMemPerBlockOptin), cudaSuccess;
  default:
    *out = 0;
    return cudaSuccess;
  }
}
FOREWARP_API cudaError_t cudaDeviceReset() {
  return cudaSuccess;
}
FOREWARP_API cudaError_t cudaThreadExit() {
  return cudaSuccess;
}
FOREWARP_API cudaError_t cudaDeviceSetLimit(cudaLimit, std::size_t) {
  return cudaSuccess;
}
FOREWARP_API cudaError_t cudaThreadSetLimit(cudaLimit, std::size_t) {
  return cudaSuccess;
}
FOREWARP_API cudaError_t cudaDeviceGetLimit(std::size_t* out, cudaLimit limit) {
  *out = limit == cudaLimitMallocHeapSize ? std::size_t{1} << 32 : 1024;
  return cudaSuccess;
}
FOREWARP_API cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) {
  return cudaSuccess;
}
FOREWARP_API cudaError_t cudaThreadSetCacheConfig(cudaFuncCache) {
  return cudaSuccess;
}
FOREWARP_API cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) {
  return cudaSuccess;
}
FOREWARP_API cudaError_t cudaDeviceCanAccessPeer(int* out, int, int) {
  *out = 0;
  return cudaSuccess;
}
FOREWARP_API cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) {
  return give(cudaErrorInvalidDevice);
}
FOREWARP_API cudaError_t cudaDeviceDisablePeerAccess(int) {
  return give(cudaErrorInvalidDevice); // nobody has enabled it: there is one device
}
FOREWARP_API cudaError_t cudaDeviceGetP2PAttribute(int* out, cudaDeviceP2PAttr, int, int) {
  *out = 0;
  return give(cudaErrorInvalidDevice);
}
FOREWARP_API cudaError_t cudaDeviceGetPCIBusId(char* out, int bytes, int device) {
  if (device != 0)
    return give(cudaErrorInvalidDevice);
  std::snprintf(out, static_cast<std::size_t>(bytes), "0000:01:00.0");
  return cudaSuccess;
}
FOREWARP_API cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* most) {
  *least = 0;
  *most = -5;
  return cudaSuccess;
}
FOREWARP_API cudaError_t cudaSetDeviceFlags(unsigned) {
  return cudaSuccess;
}
FOREWARP_API cudaError_t cudaDriverGetVersion(int* out) {
  *out = headers_version;
  return cudaSuccess;
}
FOREWARP_API cudaError_t cudaRuntimeGetVersion(int* out) {
  *out = headers_version;
  return cudaSuccess;
}
FOREWARP_API cudaError_t cudaProfilerStart() {
  return cudaSuccess;
}
FOREWARP_API cudaError_t cudaProfilerStop() {
  return cudaSuccess;
}
FOREWARP_API cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                         cudaChannelFormatKind f) {
  return {x, y, z, w, f};
}
