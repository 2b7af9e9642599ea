// Stores of a block's items: as block_load.cuh loads them.
#pragma once
#pragma clang system_header
#include <cub/block/block_exchange.cuh>

namespace cub {

enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT,
  BLOCK_STORE_STRIPED,
  BLOCK_STORE_VECTORIZE,
  BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};

template <class T, class I, int items> __device__ void StoreDirectBlocked(int thread, I to, T (&from)[items]) {
#pragma unroll
  for (int k = 0; k < items; ++k)
    to[thread * items + k] = from[k];
}
template <int threads, class T, class I, int items>
__device__ void StoreDirectStriped(int thread, I to, T (&from)[items], int valid = threads * items) {
#pragma unroll
  for (int k = 0; k < items; ++k)
    if (thread + k * threads < valid)
      to[thread + k * threads] = from[k];
}

template <class T, int x, int items, BlockStoreAlgorithm algorithm = BLOCK_STORE_DIRECT, int y = 1, int z = 1, int = 0>
struct BlockStore {
  static constexpr int threads = x * y * z;
  static constexpr bool by_stripes = algorithm >= BLOCK_STORE_TRANSPOSE, of_warps = algorithm > BLOCK_STORE_TRANSPOSE;
  typedef fw_exchange_room<T, x, items, y, z, by_stripes> Room;
  typedef typename Room::Exchange Exchange;
  typedef typename Room::TempStorage TempStorage;
  TempStorage& shared;
  __device__ explicit BlockStore(TempStorage& storage) : shared(storage) {}

  template <class I> __device__ void Store(I to, T (&from)[items]) { Store(to, from, threads * items); }
  template <class I> __device__ void Store(I to, T (&from)[items], int valid) {
    const int thread = fw_linear_thread<y, z>();
    T moved[items];
    int first = thread, step = threads;
    if constexpr (of_warps) {
      Exchange(shared).BlockedToWarpStriped(from, moved);
      first = thread / warpSize * warpSize * items + thread % warpSize, step = Exchange::together();
    } else if constexpr (by_stripes) {
      Exchange(shared).BlockedToStriped(from, moved);
    } else {
#pragma unroll
      for (int k = 0; k < items; ++k)
        moved[k] = from[k];
      if constexpr (algorithm != BLOCK_STORE_STRIPED)
        first = thread * items, step = 1;
    }
#pragma unroll
    for (int k = 0; k < items; ++k)
      if (valid >= threads * items || first + k * step < valid)
        to[first + k * step] = moved[k];
  }
};

} // namespace cub
