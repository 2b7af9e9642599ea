// Items of a block put in another order through shared memory, with a word of padding in every 32 where a thread's items
// would lie in one bank.
#pragma once
#pragma clang system_header
#include <cub/warp/warp_scan.cuh>

namespace cub {

template <class T, int x, int items, bool = false, int y = 1, int z = 1, int = 0> struct BlockExchange {
  static constexpr int threads = x * y * z, all = threads * items;
  static constexpr bool pads = items > 4 && (items & (items - 1)) == 0; // otherwise the items' number keeps banks apart
  struct TempStorage {
    T of_item[all + (pads ? all / 32 : 0)];
  };
  TempStorage& shared;
  __device__ explicit BlockExchange(TempStorage& storage) : shared(storage) {}

  __device__ static int place(int item) { return pads ? item + item / 32 : item; }
  template <class F> __device__ void put(const T (&from)[items], F where) {
#pragma unroll
    for (int k = 0; k < items; ++k)
      shared.of_item[place(where(k))] = from[k];
  }
  template <class F> __device__ void take(T (&to)[items], F where) {
#pragma unroll
    for (int k = 0; k < items; ++k)
      to[k] = shared.of_item[place(where(k))];
  }
  __device__ static int thread() { return fw_linear_thread<y, z>(); }
  struct Blocked {
    __device__ int operator()(int k) const { return thread() * items + k; }
  };
  struct Striped {
    __device__ int operator()(int k) const { return thread() + k * threads; }
  };
  /// Threads of the calling thread's warp; the last one may be smaller.
  __device__ static int together() {
    const int first = thread() / warpSize * warpSize;
    return threads % warpSize == 0 || threads - first >= warpSize ? warpSize : threads - first;
  }
  struct WarpStriped {
    __device__ int operator()(int k) const {
      return thread() / warpSize * warpSize * items + thread() % warpSize + k * together();
    }
  };
  __device__ void BlockedToStriped(const T (&from)[items], T (&to)[items]) {
    put(from, Blocked());
    __syncthreads();
    take(to, Striped());
  }
  __device__ void StripedToBlocked(const T (&from)[items], T (&to)[items]) {
    put(from, Striped());
    __syncthreads();
    take(to, Blocked());
  }
  __device__ void BlockedToWarpStriped(const T (&from)[items], T (&to)[items]) {
    put(from, Blocked());
    __syncwarp();
    take(to, WarpStriped());
  }
  __device__ void WarpStripedToBlocked(const T (&from)[items], T (&to)[items]) {
    put(from, WarpStriped());
    __syncwarp();
    take(to, Blocked());
  }
  template <class Rank> __device__ void ScatterToBlocked(const T (&from)[items], T (&to)[items], const Rank (&rank)[items]) {
    put(from, [&](int k) { return static_cast<int>(rank[k]); });
    __syncthreads();
    take(to, Blocked());
  }
  template <class Rank> __device__ void ScatterToStriped(const T (&from)[items], T (&to)[items], const Rank (&rank)[items]) {
    put(from, [&](int k) { return static_cast<int>(rank[k]); });
    __syncthreads();
    take(to, Striped());
  }
  template <class Rank> __device__ void ScatterToBlocked(T (&of)[items], const Rank (&rank)[items]) {
    ScatterToBlocked(of, of, rank);
  }
  template <class Rank> __device__ void ScatterToStriped(T (&of)[items], const Rank (&rank)[items]) {
    ScatterToStriped(of, of, rank);
  }
  __device__ void BlockedToStriped(T (&of)[items]) { BlockedToStriped(of, of); }
  __device__ void StripedToBlocked(T (&of)[items]) { StripedToBlocked(of, of); }
};

/// Of a block's loads and stores: an exchange, and room for it where their algorithm goes by stripes.
template <class T, int x, int items, int y, int z, bool by_stripes> struct fw_exchange_room {
  typedef BlockExchange<T, x, items, false, y, z> Exchange;
  typedef typename Exchange::TempStorage TempStorage;
};
template <class T, int x, int items, int y, int z> struct fw_exchange_room<T, x, items, y, z, false> {
  typedef BlockExchange<T, x, items, false, y, z> Exchange;
  struct TempStorage {};
};

} // namespace cub
