// The runtime's interface as the program's code calls it. Types are those that CUDA sources are compiled
// with (data/include/forewarp_cuda).
#pragma once

#include <cstddef>

#include "host_types.h" // NOLINT: of data/include/forewarp_cuda

struct dim3 {
  unsigned x = 1, y = 1, z = 1;
};

#define FOREWARP_API extern "C" __attribute__((visibility("default")))
