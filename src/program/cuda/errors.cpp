// Error codes and their words.
#include "program/cuda/state.h"

#include <array>

using namespace forewarp::program;

namespace {

struct Words {
  cudaError_t error;
  const char *name, *text;
};
constexpr std::array words = {
    Words{cudaSuccess, "cudaSuccess", "no error"},
    Words{cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    Words{cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    Words{cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    Words{cudaErrorInvalidSymbol, "cudaErrorInvalidSymbol", "invalid device symbol"},
    Words{cudaErrorMissingConfiguration, "cudaErrorMissingConfiguration",
          "__global__ function call is not configured"},
    Words{cudaErrorInvalidDeviceFunction, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    Words{cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
    Words{cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    Words{cudaErrorNotReady, "cudaErrorNotReady", "device not ready"},
    Words{cudaErrorIllegalAddress, "cudaErrorIllegalAddress", "an illegal memory access was encountered"},
    Words{cudaErrorLaunchOutOfResources, "cudaErrorLaunchOutOfResources",
          "too many resources requested for launch"},
    Words{cudaErrorAssert, "cudaErrorAssert", "device-side assert triggered"},
    Words{cudaErrorPeerAccessUnsupported, "cudaErrorPeerAccessUnsupported",
          "peer access is not supported between these two devices"},
    Words{cudaErrorNotSupported, "cudaErrorNotSupported", "operation not supported"},
    Words{cudaErrorUnknown, "cudaErrorUnknown", "unknown error"},
};

} // namespace

FOREWARP_API cudaError_t cudaGetLastError() {
  Call call;
  State& s = state();
  const cudaError_t error = s.sticky != cudaSuccess ? s.sticky : s.last_error;
  s.last_error = cudaSuccess;
  return error;
}

FOREWARP_API cudaError_t cudaPeekAtLastError() {
  Call call;
  return state().sticky != cudaSuccess ? state().sticky : state().last_error;
}

FOREWARP_API const char* cudaGetErrorString(cudaError_t error) {
  for (const Words& each : words)
    if (each.error == error)
      return each.text;
  return "unrecognized error code";
}

FOREWARP_API const char* cudaGetErrorName(cudaError_t error) {
  for (const Words& each : words)
    if (each.error == error)
      return each.name;
  return "unrecognized error code";
}
