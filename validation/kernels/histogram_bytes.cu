// Counts of the 256 values of n bytes: added up in global memory, or in shared memory first and then once a block; a byte or sixteen at a time.
#define BINS 256

#define EACH_BIN for (int bin = threadIdx.x; bin < BINS; bin += blockDim.x)
#define EACH(count) for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (count); i += gridDim.x * blockDim.x)

extern "C" __global__ void histogram_global(unsigned int* counts, const unsigned char* bytes, int n) {
  EACH(n) atomicAdd(&counts[bytes[i]], 1u);
}

static __device__ __forceinline__ void clear(unsigned int* own) {
  EACH_BIN own[bin] = 0;
  __syncthreads();
}

static __device__ __forceinline__ void add_up(unsigned int* counts, const unsigned int* own) {
  __syncthreads();
  EACH_BIN if (own[bin] > 0) atomicAdd(&counts[bin], own[bin]);
}

extern "C" __global__ void histogram_shared(unsigned int* counts, const unsigned char* bytes, int n) {
  __shared__ unsigned int own[BINS];
  clear(own);
  EACH(n) atomicAdd(&own[bytes[i]], 1u);
  add_up(counts, own);
}

extern "C" __global__ void histogram_shared_vectors(unsigned int* counts, const unsigned char* bytes, int n) {
  __shared__ unsigned int own[BINS];
  clear(own);
  EACH(n / 16) {
    uint4 four = ((const uint4*)bytes)[i];
    unsigned int words[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
    for (int j = 0; j < 16; ++j)
      atomicAdd(&own[words[j / 4] >> j % 4 * 8 & 255u], 1u);
  }
  add_up(counts, own);
}
