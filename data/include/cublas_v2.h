// cuBLAS: its words, and for host code that is read for its launches functions that take anything. It
// brings along what the toolkit's header does: half, bfloat16 and complex numbers.
#pragma once
#pragma clang system_header
#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

typedef struct cublasContext* cublasHandle_t;
enum cublasStatus_t { CUBLAS_STATUS_SUCCESS, CUBLAS_STATUS_NOT_INITIALIZED, CUBLAS_STATUS_ALLOC_FAILED,
  CUBLAS_STATUS_INVALID_VALUE, CUBLAS_STATUS_ARCH_MISMATCH, CUBLAS_STATUS_MAPPING_ERROR,
  CUBLAS_STATUS_EXECUTION_FAILED, CUBLAS_STATUS_INTERNAL_ERROR, CUBLAS_STATUS_NOT_SUPPORTED,
  CUBLAS_STATUS_LICENSE_ERROR };
enum cublasOperation_t { CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C };
enum cublasFillMode_t { CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER };
enum cublasDiagType_t { CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT };
enum cublasSideMode_t { CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT };
enum cublasPointerMode_t { CUBLAS_POINTER_MODE_HOST, CUBLAS_POINTER_MODE_DEVICE };
enum cublasMath_t { CUBLAS_DEFAULT_MATH, CUBLAS_TENSOR_OP_MATH, CUBLAS_PEDANTIC_MATH, CUBLAS_TF32_TENSOR_OP_MATH };
enum cublasGemmAlgo_t { CUBLAS_GEMM_DEFAULT = -1, CUBLAS_GEMM_DFALT = -1, CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
  CUBLAS_GEMM_DFALT_TENSOR_OP = 99 };
enum cublasComputeType_t { CUBLAS_COMPUTE_16F = 64, CUBLAS_COMPUTE_32F = 68, CUBLAS_COMPUTE_64F = 70,
  CUBLAS_COMPUTE_32I = 72, CUBLAS_COMPUTE_32F_FAST_16F = 74, CUBLAS_COMPUTE_32F_FAST_TF32 = 77 };
#ifndef FW_DATA_TYPE
#define FW_DATA_TYPE
enum cudaDataType { CUDA_R_32F, CUDA_R_64F, CUDA_R_16F, CUDA_R_8I, CUDA_C_32F, CUDA_C_64F, CUDA_C_16F, CUDA_R_8U = 8,
  CUDA_R_32I = 10, CUDA_R_16BF = 14, CUDA_R_8F_E4M3 = 28, CUDA_R_8F_E5M2 = 29 };
typedef cudaDataType cudaDataType_t;
#endif
#ifdef FOREWARP_RUN
#include <forewarp_run/cublas.h>
#else
extern "C" {
cublasStatus_t cublasCreate(...);
cublasStatus_t cublasDestroy(...);
cublasStatus_t cublasSetStream(...);
cublasStatus_t cublasSetMathMode(...);
cublasStatus_t cublasSetPointerMode(...);
cublasStatus_t cublasSetWorkspace(...);
cublasStatus_t cublasSetMatrix(...);
cublasStatus_t cublasGetMatrix(...);
cublasStatus_t cublasSetVector(...);
cublasStatus_t cublasGetVector(...);
cublasStatus_t cublasGemmEx(...);
cublasStatus_t cublasGemmStridedBatchedEx(...);
cublasStatus_t cublasGemmBatchedEx(...);
cublasStatus_t cublasSgemm(...);
cublasStatus_t cublasSgemv(...);
cublasStatus_t cublasSaxpy(...);
cublasStatus_t cublasSdot(...);
cublasStatus_t cublasSscal(...);
cublasStatus_t cublasScopy(...);
cublasStatus_t cublasSnrm2(...);
cublasStatus_t cublasSasum(...);
cublasStatus_t cublasSger(...);
cublasStatus_t cublasSsymm(...);
cublasStatus_t cublasSsyrk(...);
cublasStatus_t cublasStrsm(...);
cublasStatus_t cublasStrmm(...);
cublasStatus_t cublasSswap(...);
cublasStatus_t cublasSgeam(...);
cublasStatus_t cublasSgemmBatched(...);
cublasStatus_t cublasSgemmStridedBatched(...);
cublasStatus_t cublasSdgmm(...);
cublasStatus_t cublasDgemm(...);
cublasStatus_t cublasDgemv(...);
cublasStatus_t cublasDaxpy(...);
cublasStatus_t cublasDdot(...);
cublasStatus_t cublasDscal(...);
cublasStatus_t cublasDcopy(...);
cublasStatus_t cublasDnrm2(...);
cublasStatus_t cublasDasum(...);
cublasStatus_t cublasDger(...);
cublasStatus_t cublasDsymm(...);
cublasStatus_t cublasDsyrk(...);
cublasStatus_t cublasDtrsm(...);
cublasStatus_t cublasDtrmm(...);
cublasStatus_t cublasDswap(...);
cublasStatus_t cublasDgeam(...);
cublasStatus_t cublasDgemmBatched(...);
cublasStatus_t cublasDgemmStridedBatched(...);
cublasStatus_t cublasDdgmm(...);
cublasStatus_t cublasCgemm(...);
cublasStatus_t cublasCgemv(...);
cublasStatus_t cublasCaxpy(...);
cublasStatus_t cublasCdot(...);
cublasStatus_t cublasCscal(...);
cublasStatus_t cublasCcopy(...);
cublasStatus_t cublasCnrm2(...);
cublasStatus_t cublasCasum(...);
cublasStatus_t cublasCger(...);
cublasStatus_t cublasCsymm(...);
cublasStatus_t cublasCsyrk(...);
cublasStatus_t cublasCtrsm(...);
cublasStatus_t cublasCtrmm(...);
cublasStatus_t cublasCswap(...);
cublasStatus_t cublasCgeam(...);
cublasStatus_t cublasCgemmBatched(...);
cublasStatus_t cublasCgemmStridedBatched(...);
cublasStatus_t cublasCdgmm(...);
cublasStatus_t cublasZgemm(...);
cublasStatus_t cublasZgemv(...);
cublasStatus_t cublasZaxpy(...);
cublasStatus_t cublasZdot(...);
cublasStatus_t cublasZscal(...);
cublasStatus_t cublasZcopy(...);
cublasStatus_t cublasZnrm2(...);
cublasStatus_t cublasZasum(...);
cublasStatus_t cublasZger(...);
cublasStatus_t cublasZsymm(...);
cublasStatus_t cublasZsyrk(...);
cublasStatus_t cublasZtrsm(...);
cublasStatus_t cublasZtrmm(...);
cublasStatus_t cublasZswap(...);
cublasStatus_t cublasZgeam(...);
cublasStatus_t cublasZgemmBatched(...);
cublasStatus_t cublasZgemmStridedBatched(...);
cublasStatus_t cublasZdgmm(...);
cublasStatus_t cublasHgemm(...);
cublasStatus_t cublasHgemmStridedBatched(...);
cublasStatus_t cublasHgemmBatched(...);
cublasStatus_t cublasSgemmEx(...);
cublasStatus_t cublasIsamax(...);
cublasStatus_t cublasIdamax(...);
cublasStatus_t cublasIsamin(...);
cublasStatus_t cublasSgetrfBatched(...);
cublasStatus_t cublasSgetriBatched(...);
const char* cublasGetStatusString(cublasStatus_t);
}
#endif
