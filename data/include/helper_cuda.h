// Names of the header of that name in NVIDIA's samples, for sources that come without it. Host code only: declared.
#pragma once
#pragma clang system_header
#include <cstdio>
#include <cstdlib>

#include "helper_string.h"

template <class T> void check(T result, char const* function, const char* file, int line);
inline const char* _cudaGetErrorEnum(cudaError_t error) { return cudaGetErrorName(error); }
#define checkCudaErrors(value) check((value), #value, __FILE__, __LINE__)
#define getLastCudaError(message) __getLastCudaError(message, __FILE__, __LINE__)
#define printLastCudaError(message) __getLastCudaError(message, __FILE__, __LINE__)
void __getLastCudaError(const char* message, const char* file, int line);
#ifndef MAX
#define MAX(a, b) (a > b ? a : b)
#endif
inline int ftoi(float value) { return value >= 0 ? static_cast<int>(value + 0.5) : static_cast<int>(value - 0.5); }
inline int _ConvertSMVer2Cores(int major, int minor) { return major < 8 ? 64 : 128; }
inline const char* _ConvertSMVer2ArchName(int major, int minor) { return "NVIDIA GPU"; }
inline int gpuDeviceInit(int device) { return device; }
inline int gpuGetMaxGflopsDeviceId() { return 0; }
inline int findCudaDevice(int, const char**) { return 0; }
inline int findCudaDevice(int, char**) { return 0; }
inline int findIntegratedGPU() { return -1; }
inline bool checkCudaCapabilities(int major, int minor) { return true; }
