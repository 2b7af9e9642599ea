// What samples of CUDA's toolkit check errors with, for host code that is compiled to be run.
#pragma once
#include <stdio.h>
#include <stdlib.h>

inline void fw_check(cudaError_t error, const char* call, const char* file, int line) {
  if (error == cudaSuccess)
    return;
  fprintf(stderr, "CUDA error at %s:%d code=%d(%s) \"%s\"\n", file, line, static_cast<int>(error),
          cudaGetErrorName(error), call);
  exit(EXIT_FAILURE);
}
#define checkCudaErrors(call) fw_check((call), #call, __FILE__, __LINE__)
#define getLastCudaError(text) fw_check(cudaGetLastError(), text, __FILE__, __LINE__)
inline int findCudaDevice(int, const char**) {
  return 0;
}
inline int gpuGetMaxGflopsDeviceId() {
  return 0;
}
