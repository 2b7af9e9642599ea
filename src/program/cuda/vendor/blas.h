// cuBLAS' handle and its words.
#pragma once

#include "program/cuda/api.h"

namespace forewarp::program {

/// As data/include/cublas_v2.h has them.
enum class BlasStatus {
  success = 0,
  not_initialized = 1,
  invalid_value = 3,
  execution_failed = 6,
  not_supported = 8
};

struct BlasHandle {
  cudaStream_t stream = nullptr;
  int pointer_mode = 0; ///< 0: scalars lie on the host
};

} // namespace forewarp::program
