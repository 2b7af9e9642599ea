// cuSPARSE: products of a sparse matrix in CSR or COO form with dense vectors and matrices.
#pragma once
#pragma clang system_header
#include <cuComplex.h>

typedef struct cusparseContext* cusparseHandle_t;
typedef struct cusparseSpMatDescr* cusparseSpMatDescr_t;
typedef const struct cusparseSpMatDescr* cusparseConstSpMatDescr_t;
typedef struct cusparseDnVecDescr* cusparseDnVecDescr_t;
typedef const struct cusparseDnVecDescr* cusparseConstDnVecDescr_t;
typedef struct cusparseDnMatDescr* cusparseDnMatDescr_t;
typedef const struct cusparseDnMatDescr* cusparseConstDnMatDescr_t;
enum cusparseStatus_t { CUSPARSE_STATUS_SUCCESS, CUSPARSE_STATUS_NOT_INITIALIZED, CUSPARSE_STATUS_ALLOC_FAILED, CUSPARSE_STATUS_INVALID_VALUE,
  CUSPARSE_STATUS_ARCH_MISMATCH, CUSPARSE_STATUS_MAPPING_ERROR, CUSPARSE_STATUS_EXECUTION_FAILED, CUSPARSE_STATUS_INTERNAL_ERROR,
  CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED, CUSPARSE_STATUS_ZERO_PIVOT, CUSPARSE_STATUS_NOT_SUPPORTED, CUSPARSE_STATUS_INSUFFICIENT_RESOURCES };
enum cusparseOperation_t { CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_TRANSPOSE, CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE };
enum cusparseIndexBase_t { CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_INDEX_BASE_ONE };
enum cusparseIndexType_t { CUSPARSE_INDEX_16U = 1, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_64I };
enum cusparseOrder_t { CUSPARSE_ORDER_COL = 1, CUSPARSE_ORDER_ROW = 2 };
enum cusparsePointerMode_t { CUSPARSE_POINTER_MODE_HOST, CUSPARSE_POINTER_MODE_DEVICE };
enum cusparseSpMVAlg_t { CUSPARSE_SPMV_ALG_DEFAULT, CUSPARSE_SPMV_COO_ALG1, CUSPARSE_SPMV_CSR_ALG1, CUSPARSE_SPMV_CSR_ALG2, CUSPARSE_SPMV_COO_ALG2,
  CUSPARSE_MV_ALG_DEFAULT = 0 };
enum cusparseSpMMAlg_t { CUSPARSE_SPMM_ALG_DEFAULT, CUSPARSE_SPMM_COO_ALG1, CUSPARSE_SPMM_COO_ALG2, CUSPARSE_SPMM_COO_ALG3, CUSPARSE_SPMM_CSR_ALG1,
  CUSPARSE_SPMM_COO_ALG4, CUSPARSE_SPMM_CSR_ALG2, CUSPARSE_SPMM_CSR_ALG3 = 12 };
#ifndef FW_DATA_TYPE
#define FW_DATA_TYPE
enum cudaDataType { CUDA_R_32F, CUDA_R_64F, CUDA_R_16F, CUDA_R_8I, CUDA_C_32F, CUDA_C_64F, CUDA_C_16F, CUDA_R_8U = 8,
  CUDA_R_32I = 10, CUDA_R_16BF = 14, CUDA_R_8F_E4M3 = 28, CUDA_R_8F_E5M2 = 29 };
typedef cudaDataType cudaDataType_t;
#endif
extern "C" {
cusparseStatus_t cusparseCreate(cusparseHandle_t*);
cusparseStatus_t cusparseDestroy(cusparseHandle_t);
cusparseStatus_t cusparseSetStream(cusparseHandle_t, cudaStream_t);
cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t, cusparsePointerMode_t);
const char* cusparseGetErrorName(cusparseStatus_t);
const char* cusparseGetErrorString(cusparseStatus_t);
cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t*, long rows, long columns, long entries, void* row_begins, void* column_of, void* values,
                                   cusparseIndexType_t, cusparseIndexType_t, cusparseIndexBase_t, cudaDataType);
cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t*, long rows, long columns, long entries, void* row_of, void* column_of, void* values,
                                   cusparseIndexType_t, cusparseIndexBase_t, cudaDataType);
cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t);
cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t, long*, long*, long*);
cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t*, long size, void* values, cudaDataType);
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t);
cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t, void*);
cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t*, long rows, long columns, long leading, void* values, cudaDataType, cusparseOrder_t);
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t);
cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t, cusparseOperation_t, const void* alpha, cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t,
                                         const void* beta, cusparseDnVecDescr_t, cudaDataType, cusparseSpMVAlg_t, size_t*);
cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t, cusparseOperation_t, const void* alpha, cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t,
                                         const void* beta, cusparseDnVecDescr_t, cudaDataType, cusparseSpMVAlg_t, void*);
cusparseStatus_t cusparseSpMV(cusparseHandle_t, cusparseOperation_t, const void* alpha, cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t,
                              const void* beta, cusparseDnVecDescr_t, cudaDataType, cusparseSpMVAlg_t, void*);
cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t, const void* alpha, cusparseConstSpMatDescr_t,
                                         cusparseConstDnMatDescr_t, const void* beta, cusparseDnMatDescr_t, cudaDataType, cusparseSpMMAlg_t, size_t*);
cusparseStatus_t cusparseSpMM_preprocess(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t, const void* alpha, cusparseConstSpMatDescr_t,
                                         cusparseConstDnMatDescr_t, const void* beta, cusparseDnMatDescr_t, cudaDataType, cusparseSpMMAlg_t, void*);
cusparseStatus_t cusparseSpMM(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t, const void* alpha, cusparseConstSpMatDescr_t,
                              cusparseConstDnMatDescr_t, const void* beta, cusparseDnMatDescr_t, cudaDataType, cusparseSpMMAlg_t, void*);
}
