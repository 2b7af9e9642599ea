// cuBLAS in a program that `forewarp run` builds: what the library beside the program computes here. Other
// functions of cuBLAS are declared nowhere, so that the compiler names them.
#pragma once
#pragma clang system_header

enum cublasAtomicsMode_t { CUBLAS_ATOMICS_NOT_ALLOWED, CUBLAS_ATOMICS_ALLOWED };

extern "C" {
cublasStatus_t cublasCreate(cublasHandle_t*);
cublasStatus_t cublasDestroy(cublasHandle_t);
cublasStatus_t cublasSetStream(cublasHandle_t, cudaStream_t);
cublasStatus_t cublasGetStream(cublasHandle_t, cudaStream_t*);
cublasStatus_t cublasSetPointerMode(cublasHandle_t, cublasPointerMode_t);
cublasStatus_t cublasGetPointerMode(cublasHandle_t, cublasPointerMode_t*);
cublasStatus_t cublasSetMathMode(cublasHandle_t, cublasMath_t);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t, cublasAtomicsMode_t);
cublasStatus_t cublasSetWorkspace(cublasHandle_t, void*, size_t);
cublasStatus_t cublasGetVersion(cublasHandle_t, int*);
cublasStatus_t cublasSetVector(int, int, const void*, int, void*, int);
cublasStatus_t cublasGetVector(int, int, const void*, int, void*, int);
cublasStatus_t cublasSetMatrix(int, int, int, const void*, int, void*, int);
cublasStatus_t cublasGetMatrix(int, int, int, const void*, int, void*, int);
const char* cublasGetStatusString(cublasStatus_t);
const char* cublasGetStatusName(cublasStatus_t);

#define FW_BLAS(letter, T)                                                                                             \
  cublasStatus_t cublas##letter##gemm(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const T*, const T*, int, const T*, int, \
                                      const T*, T*, int);                                                              \
  cublasStatus_t cublas##letter##gemmStridedBatched(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const T*, const T*, int,  \
                                                    long long, const T*, int, long long, const T*, T*, int, long long, int);                       \
  cublasStatus_t cublas##letter##gemmBatched(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const T*, const T* const*, int,  \
                                             const T* const*, int, const T*, T* const*, int, int);                     \
  cublasStatus_t cublas##letter##gemv(cublasHandle_t, cublasOperation_t, int, int, const T*, const T*, int, const T*, int, const T*, T*, int);     \
  cublasStatus_t cublas##letter##ger(cublasHandle_t, int, int, const T*, const T*, int, const T*, int, T*, int);       \
  cublasStatus_t cublas##letter##geam(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, const T*, const T*, int, const T*, const T*, \
                                      int, T*, int);                                                                   \
  cublasStatus_t cublas##letter##axpy(cublasHandle_t, int, const T*, const T*, int, T*, int);                          \
  cublasStatus_t cublas##letter##scal(cublasHandle_t, int, const T*, T*, int);                                         \
  cublasStatus_t cublas##letter##copy(cublasHandle_t, int, const T*, int, T*, int);                                    \
  cublasStatus_t cublas##letter##swap(cublasHandle_t, int, T*, int, T*, int);                                          \
  cublasStatus_t cublas##letter##dot(cublasHandle_t, int, const T*, int, const T*, int, T*);                           \
  cublasStatus_t cublas##letter##nrm2(cublasHandle_t, int, const T*, int, T*);                                         \
  cublasStatus_t cublas##letter##asum(cublasHandle_t, int, const T*, int, T*);                                         \
  cublasStatus_t cublasI##letter##amax(cublasHandle_t, int, const T*, int, int*);                                      \
  cublasStatus_t cublasI##letter##amin(cublasHandle_t, int, const T*, int, int*);
FW_BLAS(S, float)
FW_BLAS(D, double)
#undef FW_BLAS
#define cublasIdamax cublasIDamax
#define cublasIdamin cublasIDamin
#define cublasIsamax cublasISamax
#define cublasIsamin cublasISamin
cublasStatus_t cublasGemmEx(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const void*, const void*, cudaDataType, int, const void*,
                            cudaDataType, int, const void*, void*, cudaDataType, int, cublasComputeType_t, cublasGemmAlgo_t);
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const void*, const void*, cudaDataType, int,
                                          long long, const void*, cudaDataType, int, long long, const void*, void*, cudaDataType, int, long long, int,
                                          cublasComputeType_t, cublasGemmAlgo_t);
}
#define cublasCreate_v2 cublasCreate
#define cublasDestroy_v2 cublasDestroy
#define cublasSetStream_v2 cublasSetStream
inline cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t a_is, cublasOperation_t b_is, int m, int n, int k, const __half* alpha,
                                  const __half* a, int lda, const __half* b, int ldb, const __half* beta, __half* c, int ldc) {
  return cublasGemmEx(handle, a_is, b_is, m, n, k, alpha, a, CUDA_R_16F, lda, b, CUDA_R_16F, ldb, beta, c, CUDA_R_16F, ldc, CUBLAS_COMPUTE_16F,
                      CUBLAS_GEMM_DEFAULT);
}
inline cublasStatus_t cublasSgemmEx(cublasHandle_t handle, cublasOperation_t a_is, cublasOperation_t b_is, int m, int n, int k, const float* alpha,
                                    const void* a, cudaDataType a_type, int lda, const void* b, cudaDataType b_type, int ldb, const float* beta, void* c,
                                    cudaDataType c_type, int ldc) {
  return cublasGemmEx(handle, a_is, b_is, m, n, k, alpha, a, a_type, lda, b, b_type, ldb, beta, c, c_type, ldc, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
}
