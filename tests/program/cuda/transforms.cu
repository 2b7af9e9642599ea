// Calls of cuFFT, cuRAND's host library and cuSPARSE, each checked against what it means.
#include <cmath>
#include <cstdio>
#include <cufft.h>
#include <curand.h>
#include <cusparse.h>
#include <vector>

namespace {

void say(const char* what, bool right) {
  std::printf("%s %s\n", what, right ? "right" : "wrong");
}

template <class T> T* device(const std::vector<T>& from) {
  T* at = nullptr;
  cudaMalloc(&at, from.size() * sizeof(T));
  cudaMemcpy(at, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice);
  return at;
}

template <class T> std::vector<T> host(const T* from, std::size_t count) {
  std::vector<T> out(count);
  cudaMemcpy(out.data(), from, count * sizeof(T), cudaMemcpyDeviceToHost);
  return out;
}

bool is_near(double a, double b) { return std::fabs(a - b) < 1e-3; }

/// A wave of 5 periods has all of its weight at 5; there and back is the length times what it was.
void one_axis() {
  constexpr int n = 360, waves = 5;
  std::vector<cufftComplex> wave(2 * n);
  for (int k = 0; k < 2 * n; ++k) {
    const double angle = 2 * M_PI * waves * k / n;
    wave[k] = {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))};
  }
  cufftComplex* at = device(wave);
  cufftHandle plan;
  cufftPlan1d(&plan, n, CUFFT_C2C, 2);
  cufftExecC2C(plan, at, at, CUFFT_FORWARD);
  const auto weights = host(at, 2 * n);
  bool right = true;
  for (int k = 0; k < 2 * n; ++k)
    right = right && is_near(weights[k].x, k % n == waves ? n : 0) && is_near(weights[k].y, 0);
  cufftExecC2C(plan, at, at, CUFFT_INVERSE);
  const auto back = host(at, 2 * n);
  for (int k = 0; k < 2 * n; ++k)
    right = right && is_near(back[k].x / n, wave[k].x) && is_near(back[k].y / n, wave[k].y);
  say("waves", right && cufftDestroy(plan) == CUFFT_SUCCESS && cufftDestroy(plan) == CUFFT_INVALID_PLAN);
}

/// Real numbers on two axes, there and back, and the sum at the origin.
void two_axes() {
  constexpr int rows = 6, columns = 7, half = columns / 2 + 1;
  std::vector<double> data(rows * columns);
  double sum = 0;
  for (int k = 0; k < rows * columns; ++k)
    sum += data[k] = (k * 37 % 11) - 5;
  double* in = device(data);
  cufftDoubleComplex* middle = device(std::vector<cufftDoubleComplex>(rows * half));
  cufftHandle there, back;
  cufftPlan2d(&there, rows, columns, CUFFT_D2Z);
  cufftPlan2d(&back, rows, columns, CUFFT_Z2D);
  cufftExecD2Z(there, in, middle);
  bool right = is_near(host(middle, 1)[0].x, sum);
  cufftExecZ2D(back, middle, in);
  const auto out = host(in, rows * columns);
  for (int k = 0; k < rows * columns; ++k)
    right = right && is_near(out[k] / (rows * columns), data[k]);
  say("planes", right && cufftExecC2R(there, nullptr, nullptr) == CUFFT_INVALID_PLAN);
}

/// Mean and variance of what was drawn.
void numbers() {
  constexpr std::size_t n = 20000;
  curandGenerator_t generator, again;
  curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT);
  curandCreateGenerator(&again, CURAND_RNG_PSEUDO_PHILOX4_32_10);
  curandSetPseudoRandomGeneratorSeed(generator, 1234);
  curandSetPseudoRandomGeneratorSeed(again, 1234);
  float* at = device(std::vector<float>(n));
  curandGenerateNormal(generator, at, n, 3, 2);
  const auto drawn = host(at, n);
  curandGenerateNormal(again, at, n, 3, 2);
  const bool same = drawn == host(at, n);
  double mean = 0, variance = 0;
  for (const float x : drawn)
    mean += x / n;
  for (const float x : drawn)
    variance += (x - mean) * (x - mean) / n;
  curandGenerateUniform(generator, at, n);
  bool in_range = true;
  for (const float x : host(at, n))
    in_range = in_range && x > 0 && x <= 1;
  curandGenerator_t quasi;
  say("numbers", same && in_range && std::fabs(mean - 3) < 0.1 && std::fabs(variance - 4) < 0.2 &&
                     curandCreateGenerator(&quasi, CURAND_RNG_QUASI_SOBOL32) == CURAND_STATUS_TYPE_ERROR);
}

/// (1 0 2; 0 3 0) times (1, 10, 100), and turned times (1, 10); the same entries in any order; then two columns.
void products() {
  const std::vector<int> begins = {0, 2, 3}, columns = {0, 2, 1}, rows_of = {1, 0, 0}, columns_of = {1, 0, 2};
  cusparseHandle_t handle;
  cusparseCreate(&handle);
  cusparseSpMatDescr_t csr, coo;
  cusparseCreateCsr(&csr, 2, 3, 3, device(begins), device(columns), device(std::vector<float>{1, 2, 3}), CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                    CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
  cusparseCreateCoo(&coo, 2, 3, 3, device(rows_of), device(columns_of), device(std::vector<float>{3, 1, 2}), CUSPARSE_INDEX_32I,
                    CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
  float *x = device(std::vector<float>{1, 10, 100}), *y = device(std::vector<float>{5, 7, 0, 0, 0, 0}), alpha = 1, beta = 2;
  cusparseDnVecDescr_t in, out, turned;
  cusparseCreateDnVec(&in, 3, x, CUDA_R_32F);
  cusparseCreateDnVec(&out, 2, y, CUDA_R_32F);
  cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, csr, in, &beta, out, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, nullptr);
  bool right = host(y, 2) == std::vector<float>{211, 44};
  beta = 0;
  cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, coo, in, &beta, out, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, nullptr);
  right = right && host(y, 2) == std::vector<float>{201, 30};
  cusparseCreateDnVec(&turned, 3, y, CUDA_R_32F);
  cusparseCreateDnVec(&in, 2, x, CUDA_R_32F);
  cusparseSpMV(handle, CUSPARSE_OPERATION_TRANSPOSE, &alpha, csr, in, &beta, turned, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, nullptr);
  right = right && host(y, 3) == std::vector<float>{1, 30, 2};
  cusparseDnMatDescr_t two, four;
  cusparseCreateDnMat(&two, 3, 2, 2, device(std::vector<float>{1, 2, 3, 4, 5, 6}), CUDA_R_32F, CUSPARSE_ORDER_ROW);
  cusparseCreateDnMat(&four, 2, 2, 2, y, CUDA_R_32F, CUSPARSE_ORDER_COL);
  cusparseSpMM(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, csr, two, &beta, four, CUDA_R_32F,
               CUSPARSE_SPMM_ALG_DEFAULT, nullptr);
  right = right && host(y, 4) == std::vector<float>{11, 9, 14, 12};
  say("products", right && cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, csr, in, &beta, out, CUDA_R_32F,
                                        CUSPARSE_SPMV_ALG_DEFAULT, nullptr) == CUSPARSE_STATUS_INVALID_VALUE);
}

} // namespace

int main() {
  one_axis();
  two_axes();
  numbers();
  products();
}
