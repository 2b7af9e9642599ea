// Kernels that have no code for the processor are executed by the interpreter: clusters, named barriers,
// matrix units.
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda_fp16.h>
#include <mma.h>
namespace cg = cooperative_groups;
/// Each group of a cluster of two reads the other one's shared memory.
__global__ void __cluster_dims__(2, 1, 1) swap(int* a) {
  __shared__ int own[32];
  auto cluster = cg::this_cluster();
  own[threadIdx.x] = a[blockIdx.x * 32 + threadIdx.x];
  cluster.sync();
  const int* other = cluster.map_shared_rank(own, cluster.block_rank() ^ 1);
  a[blockIdx.x * 32 + threadIdx.x] = other[31 - threadIdx.x];
  cluster.sync();
}
__global__ void half_group(int* a) {
  __shared__ int t[64];
  t[threadIdx.x] = a[threadIdx.x];
  if (threadIdx.x < 64)
    asm volatile("bar.sync 1, 64;");
  a[threadIdx.x] = t[63 - threadIdx.x];
}
__global__ void wm(const half* a, const half* b, float* c) {
  using namespace nvcuda::wmma;
  fragment<matrix_a, 16, 16, 16, half, row_major> x;
  fragment<matrix_b, 16, 16, 16, half, col_major> y;
  fragment<accumulator, 16, 16, 16, float> z;
  fill_fragment(z, 0.f);
  load_matrix_sync(x, a, 16);
  load_matrix_sync(y, b, 16);
  mma_sync(z, x, y, z);
  store_matrix_sync(c, z, 16, mem_row_major);
}
/// Its products have no value in the interpreter: what it writes is refused, not made up.
__global__ void warp_group(float* c) {
  float d0 = 0, d1 = 0, d2 = 0, d3 = 0;
  unsigned long long a = 0, b = 0;
  asm volatile("wgmma.fence.sync.aligned;");
  asm volatile("{ .reg .pred p; setp.ne.b32 p, 1, 0; wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16"
               " {%0, %1, %2, %3}, %4, %5, p, 1, 1, 0, 0; }"
               : "+f"(d0), "+f"(d1), "+f"(d2), "+f"(d3)
               : "l"(a), "l"(b));
  asm volatile("wgmma.commit_group.sync.aligned;");
  asm volatile("wgmma.wait_group.sync.aligned 0;");
  c[threadIdx.x] = d0 + d1 + d2 + d3;
}

int main() {
  int h[64];
  for (int k = 0; k < 64; ++k)
    h[k] = k;
  int* d;
  cudaMalloc(&d, 256);
  cudaMemcpy(d, h, 256, cudaMemcpyHostToDevice);
  swap<<<2, 32>>>(d);
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  cudaMemcpy(h, d, 256, cudaMemcpyDeviceToHost);
  printf("%d %d %d %d\n", h[0], h[31], h[32], h[63]);
  half_group<<<1, 64>>>(d);
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  cudaMemcpy(h, d, 256, cudaMemcpyDeviceToHost);
  printf("%d %d\n", h[0], h[63]);
  half ha[256], hb[256];
  float hc[256];
  for (int k = 0; k < 256; ++k)
    ha[k] = __float2half(k % 7), hb[k] = __float2half(k % 5);
  half *a, *b;
  float* c;
  cudaMalloc(&a, 512);
  cudaMalloc(&b, 512);
  cudaMalloc(&c, 1024);
  cudaMemcpy(a, ha, 512, cudaMemcpyHostToDevice);
  cudaMemcpy(b, hb, 512, cudaMemcpyHostToDevice);
  wm<<<1, 32>>>(a, b, c);
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  cudaMemcpy(hc, c, 1024, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 16; ++j) {
      float s = 0;
      for (int k = 0; k < 16; ++k)
        s += ((i * 16 + k) % 7) * ((j * 16 + k) % 5);
      wrong += s != hc[i * 16 + j];
    }
  printf("wmma %d wrong\n", wrong);
  warp_group<<<1, 128>>>(c);
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
