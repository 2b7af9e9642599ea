// Adds two vectors, checks the sum, times the kernel by events, and halves a vector until its sum is small: the host's
// loop ends by what it reads back.
#include <cstdio>
#include <vector>

__global__ void add(const float* a, const float* b, float* sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    sum[i] = a[i] + b[i];
}

__global__ void halve(float* values, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    values[i] *= 0.5f;
}

__global__ void total(const float* values, float* sums, int n) {
  __shared__ float part[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  part[threadIdx.x] = i < n ? values[i] : 0;
  __syncthreads();
  for (int step = blockDim.x / 2; step > 0; step /= 2) {
    if (threadIdx.x < step)
      part[threadIdx.x] += part[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    sums[blockIdx.x] = part[0];
}

int main() {
  const int n = 1 << 20, blocks = n / 256;
  std::vector<float> a(n, 1), b(n, 2), c(n), sums(blocks);
  float *da, *db, *dc, *ds;
  cudaMalloc(&da, n * sizeof(float));
  cudaMalloc(&db, n * sizeof(float));
  cudaMalloc(&dc, n * sizeof(float));
  cudaMalloc(&ds, blocks * sizeof(float));
  cudaMemcpy(da, a.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(db, b.data(), n * sizeof(float), cudaMemcpyHostToDevice);

  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  for (int repeat = 0; repeat < 100; ++repeat)
    add<<<blocks, 256>>>(da, db, dc, n);
  cudaEventRecord(start);
  add<<<blocks, 256>>>(da, db, dc, n);
  cudaEventRecord(stop);
  cudaEventSynchronize(stop);
  float ms = 0;
  cudaEventElapsedTime(&ms, start, stop);
  cudaMemcpy(c.data(), dc, n * sizeof(float), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (float value : c)
    wrong += value != 3;
  printf("add: %.3f us, %d wrong\n", ms * 1e3, wrong);

  float sum = n * 3.f;
  int rounds = 0;
  for (; sum > 1000; ++rounds) {
    halve<<<blocks, 256>>>(dc, n);
    total<<<blocks, 256>>>(dc, ds, n);
    cudaMemcpy(sums.data(), ds, blocks * sizeof(float), cudaMemcpyDeviceToHost);
    sum = 0;
    for (float each : sums)
      sum += each;
  }
  printf("halved %d times: sum %g\n", rounds, sum);
  return wrong > 0 || cudaGetLastError() != cudaSuccess;
}
