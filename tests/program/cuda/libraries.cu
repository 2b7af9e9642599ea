// Calls of libraries, each checked against what it means.
#include <cstdio>
#include <cstring>

#include <cub/cub.cuh>
#include <cublas_v2.h>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <vector>

namespace {

constexpr int n = 1000;

void say(const char* what, bool right) {
  std::printf("%s %s\n", what, right ? "right" : "wrong");
}

struct Square { // of the device alone
  __device__ float operator()(float x) const { return x * x; }
};
struct AddTwice {
  template <class Tuple> __host__ __device__ void operator()(Tuple t) const { thrust::get<0>(t) += 2 * thrust::get<1>(t); }
};
struct IsOdd {
  __host__ __device__ bool operator()(int x) const { return x % 2 != 0; }
};

__global__ void halve(float* a, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    a[i] /= 2;
}

void thrust_calls() {
  thrust::device_vector<float> a(n, 3.0f), b;
  b.resize(n);
  thrust::transform(a.begin(), a.end(), b.begin(), Square());
  say("transform", thrust::reduce(b.begin(), b.end()) == 9.0f * n);
  halve<<<4, 256>>>(thrust::raw_pointer_cast(b.data()), n);
  say("policy", thrust::reduce(thrust::device, b.begin(), b.end(), 0.0f, thrust::plus<float>()) == 4.5f * n);
  thrust::device_vector<int> keys(n), order(n), odd(n);
  thrust::sequence(order.begin(), order.end());
  thrust::host_vector<int> mixed(n);
  for (int k = 0; k < n; ++k)
    mixed[k] = k * 7919 % 1009;
  keys = mixed;
  thrust::sort_by_key(keys.begin(), keys.end(), order.begin());
  const thrust::host_vector<int> sorted = keys, from = order;
  bool right = true;
  for (int k = 0; k < n; ++k)
    right = right && mixed[from[k]] == sorted[k] && (k == 0 || sorted[k - 1] <= sorted[k]);
  say("sort", right);
  const auto zipped = thrust::make_zip_iterator(thrust::make_tuple(a.begin(), order.begin()));
  thrust::for_each(zipped, zipped + n, AddTwice());
  say("zip", a[5] == 3 + 2 * from[5]);
  const auto end = thrust::copy_if(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(n), odd.begin(), IsOdd());
  say("copy_if", end - odd.begin() == n / 2 && odd[1] == 3);
  thrust::inclusive_scan(odd.begin(), end, odd.begin());
  say("scan", odd[9] == 100);
  thrust::sort(mixed.begin(), mixed.end(), thrust::greater<int>()); // on the host
  say("host", mixed[0] >= mixed[1]);
}

int* on_device(const std::vector<int>& values) {
  int* at = nullptr;
  cudaMalloc(&at, values.size() * sizeof(int));
  cudaMemcpy(at, values.data(), values.size() * sizeof(int), cudaMemcpyHostToDevice);
  return at;
}

int read(const int* at) {
  int value = 0;
  cudaMemcpy(&value, at, sizeof(value), cudaMemcpyDeviceToHost);
  return value;
}

void cub_calls() {
  std::vector<int> values(n);
  for (int k = 0; k < n; ++k)
    values[k] = (n - k) * 7919 % 1009;
  int *in = on_device(values), *out = on_device(values), sum = 0;
  for (const int value : values)
    sum += value;
  void* room = nullptr;
  size_t bytes = 0;
  cub::DeviceReduce::Sum(room, bytes, in, out, n);
  cudaMalloc(&room, bytes);
  cub::DeviceReduce::Sum(room, bytes, in, out, n);
  say("cub sum", bytes > 0 && read(out) == sum);
  cub::DeviceScan::ExclusiveSum(room, bytes, in, out, n);
  say("cub scan", read(out + n - 1) == sum - values[n - 1]);
  cub::DeviceRadixSort::SortKeys(room, bytes, in, out, n);
  say("cub sort", read(out) <= read(out + 1) && read(out + n / 2) <= read(out + n - 1));
}

void cublas_calls() {
  cublasHandle_t handle;
  cublasCreate(&handle);
  const float a[] = {1, 2, 3, 4, 5, 6}, b[] = {1, 0, 1, 0, 1, 1}; // 2 x 3 and 3 x 2, by columns
  float *at, *bt, *ct, c[4], alpha = 2, beta = 0, length = 0;
  cudaMalloc(&at, sizeof(a));
  cudaMalloc(&bt, sizeof(b));
  cudaMalloc(&ct, sizeof(c));
  cublasSetVector(6, sizeof(float), a, 1, at, 1);
  cublasSetVector(6, sizeof(float), b, 1, bt, 1);
  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 3, &alpha, at, 2, bt, 3, &beta, ct, 2);
  cublasGetVector(4, sizeof(float), ct, 1, c, 1);
  say("gemm", c[0] == 12 && c[1] == 16 && c[2] == 16 && c[3] == 20);
  cublasSgemm(handle, CUBLAS_OP_T, CUBLAS_OP_T, 2, 2, 3, &alpha, at, 3, bt, 2, &beta, ct, 2);
  cublasGetVector(4, sizeof(float), ct, 1, c, 1);
  say("gemm, turned", c[0] == 12 && c[1] == 30 && c[2] == 6 && c[3] == 12);
  cublasSgemv(handle, CUBLAS_OP_N, 2, 3, &alpha, at, 2, at, -1, &beta, ct, 1); // the vector 3, 2, 1
  cublasGetVector(2, sizeof(float), ct, 1, c, 1);
  say("gemv, backwards", c[0] == 28 && c[1] == 40);
  say("columns that overlap", cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 3, &alpha, at, 1, bt, 3, &beta, ct, 2) ==
                                  CUBLAS_STATUS_INVALID_VALUE);
  cublasSnrm2(handle, 2, at + 2, 1, &length);
  say("nrm2", length == 5);
  say("beyond", cublasSscal(handle, 7, &alpha, at, 1) == CUBLAS_STATUS_EXECUTION_FAILED);
}

} // namespace

int main(int, char** words) {
  std::strcmp(words[1], "thrust") == 0 ? thrust_calls() : std::strcmp(words[1], "cub") == 0 ? cub_calls() : cublas_calls();
}
