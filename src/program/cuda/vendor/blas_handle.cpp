// cuBLAS' handles, and its copies of vectors and matrices.
#include "program/cuda/state.h"
#include "program/cuda/vendor/blas.h"

using namespace forewarp::program;
using enum BlasStatus;

FOREWARP_API BlasStatus cublasCreate(BlasHandle** out) {
  Call call;
  *out = new BlasHandle;
  return success;
}
FOREWARP_API BlasStatus cublasDestroy(BlasHandle* handle) {
  delete handle;
  return success;
}
FOREWARP_API BlasStatus cublasSetStream(BlasHandle* handle, cudaStream_t stream) {
  handle->stream = stream;
  return success;
}
FOREWARP_API BlasStatus cublasGetStream(BlasHandle* handle, cudaStream_t* out) {
  *out = handle->stream;
  return success;
}
FOREWARP_API BlasStatus cublasSetPointerMode(BlasHandle* handle, int mode) {
  handle->pointer_mode = mode;
  return success;
}
FOREWARP_API BlasStatus cublasGetPointerMode(BlasHandle* handle, int* out) {
  *out = handle->pointer_mode;
  return success;
}
FOREWARP_API BlasStatus cublasSetMathMode(BlasHandle*, int) {
  return success;
}
FOREWARP_API BlasStatus cublasSetAtomicsMode(BlasHandle*, int) {
  return success;
}
FOREWARP_API BlasStatus cublasSetWorkspace(BlasHandle*, void*, std::size_t) {
  return success;
}
FOREWARP_API BlasStatus cublasGetVersion(BlasHandle*, int* out) {
  *out = 120000;
  return success;
}
FOREWARP_API const char* cublasGetStatusName(BlasStatus status) {
  switch (status) {
  case success:
    return "CUBLAS_STATUS_SUCCESS";
  case not_initialized:
    return "CUBLAS_STATUS_NOT_INITIALIZED";
  case invalid_value:
    return "CUBLAS_STATUS_INVALID_VALUE";
  case execution_failed:
    return "CUBLAS_STATUS_EXECUTION_FAILED";
  default:
    return "CUBLAS_STATUS_NOT_SUPPORTED";
  }
}
FOREWARP_API const char* cublasGetStatusString(BlasStatus status) {
  return cublasGetStatusName(status);
}

FOREWARP_API cudaError_t cudaMemcpy2D(void*, std::size_t, const void*, std::size_t, std::size_t, std::size_t,
                                      cudaMemcpyKind);

FOREWARP_API BlasStatus cublasSetMatrix(int rows, int columns, int bytes, const void* from, int lda, void* to,
                                        int ldb) {
  const auto size = static_cast<std::size_t>(bytes);
  const cudaError_t error = cudaMemcpy2D(
      to, static_cast<std::size_t>(ldb) * size, from, static_cast<std::size_t>(lda) * size,
      static_cast<std::size_t>(rows) * size, static_cast<std::size_t>(columns), cudaMemcpyHostToDevice);
  return error == cudaSuccess ? success : execution_failed;
}
FOREWARP_API BlasStatus cublasGetMatrix(int rows, int columns, int bytes, const void* from, int lda, void* to,
                                        int ldb) {
  const auto size = static_cast<std::size_t>(bytes);
  const cudaError_t error = cudaMemcpy2D(
      to, static_cast<std::size_t>(ldb) * size, from, static_cast<std::size_t>(lda) * size,
      static_cast<std::size_t>(rows) * size, static_cast<std::size_t>(columns), cudaMemcpyDeviceToHost);
  return error == cudaSuccess ? success : execution_failed;
}
FOREWARP_API BlasStatus cublasSetVector(int n, int bytes, const void* from, int from_step, void* to,
                                        int to_step) {
  return cublasSetMatrix(1, n, bytes, from, from_step, to, to_step);
}
FOREWARP_API BlasStatus cublasGetVector(int n, int bytes, const void* from, int from_step, void* to,
                                        int to_step) {
  return cublasGetMatrix(1, n, bytes, from, from_step, to, to_step);
}
