// Pointers that lie inside of arguments.
#include <cstdio>

struct Matrix {
  int rows;
  float* values;
  const float* factors;
};
struct Node {
  int value;
  Node* next;
};
__constant__ int steps;
__device__ float* behind;

__global__ void fill(Matrix m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    m.values[i] = m.factors[i % m.rows] + i;
}
__global__ void rows(float** of, int columns) {
  for (int k = 0; k < columns; ++k)
    of[threadIdx.x][k] += 1;
}
__global__ void walk(const Node* first, int* sum) {
  int total = 0;
  for (const Node* at = first; at; at = at->next)
    total += at->value;
  sum[threadIdx.x] = total;
}
__global__ void repeated(float* out) {
  float value = threadIdx.x;
  for (int k = 0; k < steps; ++k)
    value += 2;
  out[threadIdx.x] = value;
}
__global__ void hidden(int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    behind[i] *= 2;
}

int main() {
  constexpr int n = 4096, count = 64, nodes = 100, times = 50;
  float *values, *factors, *list[count], **on_device, *small;
  int* sum;
  Node host[nodes], *first;
  cudaMalloc(&values, n * sizeof(float));
  cudaMalloc(&factors, count * sizeof(float));
  cudaMalloc(&on_device, sizeof(list));
  cudaMalloc(&first, sizeof(host));
  cudaMalloc(&sum, 32 * sizeof(int));
  cudaMalloc(&small, 32 * sizeof(float));
  cudaMemset(factors, 0, count * sizeof(float));
  fill<<<n / 256, 256>>>(Matrix{count, values, factors}, n);
  for (int k = 0; k < count; ++k)
    list[k] = values + k * count;
  cudaMemcpy(on_device, list, sizeof(list), cudaMemcpyHostToDevice);
  rows<<<1, count>>>(on_device, count);
  for (int k = 0; k < nodes; ++k)
    host[k] = {k, k + 1 < nodes ? first + k + 1 : nullptr};
  cudaMemcpy(first, host, sizeof(host), cudaMemcpyHostToDevice);
  walk<<<1, 32>>>(first, sum);
  cudaMemcpyToSymbol(steps, &times, sizeof(times));
  repeated<<<1, 32>>>(small);
  cudaMemcpyToSymbol(behind, &values, sizeof(values));
  hidden<<<n / 256, 256>>>(n);
  float last = 0, looped = 0;
  int total = 0;
  cudaMemcpy(&last, values + n - 1, sizeof(last), cudaMemcpyDeviceToHost);
  cudaMemcpy(&looped, small + 5, sizeof(looped), cudaMemcpyDeviceToHost);
  cudaMemcpy(&total, sum, sizeof(total), cudaMemcpyDeviceToHost);
  const bool right = last == 2 * n && looped == 5 + 2 * times && total == nodes * (nodes - 1) / 2;
  std::printf("pointers %s\n", right ? "right" : "wrong");
  return right ? 0 : 1;
}
