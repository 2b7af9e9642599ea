// A whole program: `forewarp predict scale.cu --gpu h100` finds sizes and arguments in its host code.
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void scale(float* y, const float* x, float a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i];
}

int main(int argc, char** argv) {
  int n = 1 << 20;
  if (argc > 1)
    n = atoi(argv[1]);
  float *x, *y;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMemset(x, 0, n * sizeof(float));
  const int block = 256;
  scale<<<(n + block - 1) / block, block>>>(y, x, 2.5f, n);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(y);
  return 0;
}
