// Items of a block handed to other threads through shared memory.
#pragma once
#pragma clang system_header
#include <cub/warp/warp_scan.cuh>

namespace cub {

template <class T, int x, int y = 1, int z = 1, int = 0> struct BlockShuffle {
  static constexpr int threads = x * y * z;
  struct TempStorage {
    T of_thread[threads];
  };
  TempStorage& shared;
  __device__ explicit BlockShuffle(TempStorage& storage) : shared(storage) {}
  __device__ static int thread() { return fw_linear_thread<y, z>(); }

  __device__ void Offset(T from, T& to, int distance = 1) {
    shared.of_thread[thread()] = from;
    __syncthreads();
    const int other = thread() + distance;
    if (other >= 0 && other < threads)
      to = shared.of_thread[other];
  }
  __device__ void Rotate(T from, T& to, unsigned distance = 1) {
    shared.of_thread[thread()] = from;
    __syncthreads();
    to = shared.of_thread[(static_cast<unsigned>(thread()) + distance) % threads];
  }
  template <int items> __device__ void Up(const T (&from)[items], T (&to)[items]) {
    shared.of_thread[thread()] = from[items - 1];
    __syncthreads();
#pragma unroll
    for (int k = items - 1; k > 0; --k)
      to[k] = from[k - 1];
    if (thread() > 0)
      to[0] = shared.of_thread[thread() - 1];
  }
  template <int items> __device__ void Down(const T (&from)[items], T (&to)[items]) {
    shared.of_thread[thread()] = from[0];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < items - 1; ++k)
      to[k] = from[k + 1];
    if (thread() + 1 < threads)
      to[items - 1] = shared.of_thread[thread() + 1];
  }
};

} // namespace cub
