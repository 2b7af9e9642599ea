// Loads of a block's items: each thread its own in a row, or by stripes that an exchange puts in order. NOT modelled: the
// wide loads of BLOCK_LOAD_VECTORIZE (they are what the compiler makes of the others).
#pragma once
#pragma clang system_header
#include <cub/block/block_exchange.cuh>

namespace cub {

enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT,
  BLOCK_LOAD_STRIPED,
  BLOCK_LOAD_VECTORIZE,
  BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};

template <class T, class I, int items> __device__ void LoadDirectBlocked(int thread, I from, T (&to)[items]) {
#pragma unroll
  for (int k = 0; k < items; ++k)
    to[k] = from[thread * items + k];
}
template <class T, class I, int items>
__device__ void LoadDirectBlocked(int thread, I from, T (&to)[items], int valid) {
#pragma unroll
  for (int k = 0; k < items; ++k)
    if (thread * items + k < valid)
      to[k] = from[thread * items + k];
}
template <int threads, class T, class I, int items>
__device__ void LoadDirectStriped(int thread, I from, T (&to)[items]) {
#pragma unroll
  for (int k = 0; k < items; ++k)
    to[k] = from[thread + k * threads];
}
template <int threads, class T, class I, int items>
__device__ void LoadDirectStriped(int thread, I from, T (&to)[items], int valid) {
#pragma unroll
  for (int k = 0; k < items; ++k)
    if (thread + k * threads < valid)
      to[k] = from[thread + k * threads];
}

template <class T, int x, int items, BlockLoadAlgorithm algorithm = BLOCK_LOAD_DIRECT, int y = 1, int z = 1, int = 0>
struct BlockLoad {
  static constexpr int threads = x * y * z;
  static constexpr bool by_stripes = algorithm >= BLOCK_LOAD_TRANSPOSE, of_warps = algorithm > BLOCK_LOAD_TRANSPOSE;
  typedef fw_exchange_room<T, x, items, y, z, by_stripes> Room;
  typedef typename Room::Exchange Exchange;
  typedef typename Room::TempStorage TempStorage;
  TempStorage& shared;
  __device__ explicit BlockLoad(TempStorage& storage) : shared(storage) {}

  template <class I> __device__ void Load(I from, T (&to)[items]) { Load(from, to, threads * items); }
  template <class I, class D> __device__ void Load(I from, T (&to)[items], int valid, D otherwise) {
#pragma unroll
    for (int k = 0; k < items; ++k)
      to[k] = otherwise;
    Load(from, to, valid);
  }
  template <class I> __device__ void Load(I from, T (&to)[items], int valid) {
    const int thread = fw_linear_thread<y, z>();
    const bool whole = valid >= threads * items;
    if constexpr (algorithm == BLOCK_LOAD_STRIPED) {
      whole ? LoadDirectStriped<threads>(thread, from, to) : LoadDirectStriped<threads>(thread, from, to, valid);
    } else if constexpr (!by_stripes) {
      whole ? LoadDirectBlocked(thread, from, to) : LoadDirectBlocked(thread, from, to, valid);
    } else if constexpr (of_warps) {
      const int first = thread / warpSize * warpSize * items, lane = thread % warpSize;
#pragma unroll
      for (int k = 0; k < items; ++k)
        if (whole || first + lane + k * Exchange::together() < valid)
          to[k] = from[first + lane + k * Exchange::together()];
      Exchange(shared).WarpStripedToBlocked(to, to);
    } else {
      whole ? LoadDirectStriped<threads>(thread, from, to) : LoadDirectStriped<threads>(thread, from, to, valid);
      Exchange(shared).StripedToBlocked(to, to);
    }
  }
};

} // namespace cub
