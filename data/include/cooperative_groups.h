// Cooperative groups: the grid, the block, tiles of a warp, the threads that are together.
#pragma once
#pragma clang system_header
#include "forewarp_cuda/exchange_words.h"

extern "C" __attribute__((device)) void fw_grid_barrier(void);
static __attribute__((device)) unsigned fw_grid_arrivals;

/// A counter of arrivals in global memory: one thread of a block counts the block in and asks L2 for the count until all
/// have come; the others wait at the block's barrier. Where groups arrive together that is a round trip until the block's
/// writes are seen, half a one (on average) until the next poll, and one for that poll: three in all.
__device__ inline void fw_grid_sync() {
  __syncthreads();
  if ((threadIdx.x | threadIdx.y | threadIdx.z) == 0) {
    __threadfence();
    unsigned arrived = atomicAdd(&fw_grid_arrivals, 1u);
    for (int poll = 0; poll < 3 && arrived != ~0u; ++poll)
      arrived = atomicOr(&fw_grid_arrivals, 0u);
    __threadfence();
  }
  fw_grid_barrier();
}

namespace cooperative_groups {

struct thread_block {
  __device__ static void sync() { __syncthreads(); }
  __device__ static unsigned thread_rank() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  }
  __device__ static unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
  __device__ static unsigned num_threads() { return size(); }
  __device__ static dim3 group_index() { return blockIdx; }
  __device__ static dim3 thread_index() { return threadIdx; }
  __device__ static dim3 group_dim() { return blockDim; }
  __device__ static dim3 dim_threads() { return blockDim; }
};
/// Its barrier is the block's: the dynamic storage that the library asks for has nothing to hold.
template <unsigned> struct block_tile_memory {};

struct grid_group {
  __device__ static void sync() { fw_grid_sync(); }
  __device__ static bool is_valid() { return true; }
  __device__ static unsigned long long size() {
    return static_cast<unsigned long long>(thread_block::size()) * gridDim.x * gridDim.y * gridDim.z;
  }
  __device__ static unsigned long long num_threads() { return size(); }
  __device__ static unsigned long long block_rank() {
    return (static_cast<unsigned long long>(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  __device__ static unsigned long long thread_rank() {
    return block_rank() * thread_block::size() + thread_block::thread_rank();
  }
  __device__ static dim3 group_dim() { return gridDim; }
  __device__ static dim3 dim_blocks() { return gridDim; }
};

#ifdef __NVPTX__
#define FW_CLUSTER_REGISTER(name) ({ unsigned fw_value; asm volatile("mov.u32 %0, %%" name ";" : "=r"(fw_value)); fw_value; })
/// The groups of a cluster, and where variables of their shared memory lie.
struct cluster_group {
  struct arrival_token {};
  __device__ static arrival_token barrier_arrive() {
    asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");
    return {};
  }
  __device__ static void barrier_wait() { asm volatile("barrier.cluster.wait.aligned;" ::: "memory"); }
  __device__ static void barrier_wait(arrival_token&&) { barrier_wait(); }
  __device__ static void sync() {
    barrier_arrive();
    barrier_wait();
  }
  __device__ static unsigned block_rank() { return FW_CLUSTER_REGISTER("cluster_ctarank"); }
  __device__ static unsigned num_blocks() { return FW_CLUSTER_REGISTER("cluster_nctarank"); }
  __device__ static dim3 block_index() {
    return {FW_CLUSTER_REGISTER("cluster_ctaid.x"), FW_CLUSTER_REGISTER("cluster_ctaid.y"), FW_CLUSTER_REGISTER("cluster_ctaid.z")};
  }
  __device__ static dim3 dim_blocks() {
    return {FW_CLUSTER_REGISTER("cluster_nctaid.x"), FW_CLUSTER_REGISTER("cluster_nctaid.y"), FW_CLUSTER_REGISTER("cluster_nctaid.z")};
  }
  __device__ static unsigned thread_rank() { return block_rank() * thread_block::size() + thread_block::thread_rank(); }
  __device__ static unsigned num_threads() { return num_blocks() * thread_block::size(); }
  __device__ static unsigned size() { return num_threads(); }
  template <class T> __device__ static T* map_shared_rank(T* here, int rank) {
    T* there;
    asm volatile("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(here), "r"(rank));
    return there;
  }
  __device__ static unsigned query_shared_rank(const void* address) {
    unsigned rank;
    asm volatile("getctarank.u64 %0, %1;" : "=r"(rank) : "l"(address));
    return rank;
  }
};
#undef FW_CLUSTER_REGISTER
__device__ inline cluster_group this_cluster() { return {}; }
#endif

/// Threads of a tile of `width` lanes, a power of two no larger than a warp.
template <unsigned width, class Parent = thread_block> struct thread_block_tile {
  static_assert((width & (width - 1)) == 0, "a tile's size is a power of two");
  __device__ static void sync() { __syncwarp(); }
  __device__ static unsigned thread_rank() { return fw_lane() & (width - 1); }
  __device__ static constexpr unsigned size() { return width; }
  __device__ static constexpr unsigned num_threads() { return width; }
  __device__ static unsigned meta_group_rank() { return thread_block::thread_rank() / width; }
  __device__ static unsigned meta_group_size() { return (thread_block::size() + width - 1) / width; }
  template <class T> __device__ static T shfl(T v, int lane) {
    return moved(v, [lane](auto word) { return __shfl_sync(~fw_lanes(0), word, lane, width); });
  }
  template <class T> __device__ static T shfl_up(T v, unsigned by) {
    return moved(v, [by](auto word) { return __shfl_up_sync(~fw_lanes(0), word, by, width); });
  }
  template <class T> __device__ static T shfl_down(T v, unsigned by) {
    return moved(v, [by](auto word) { return __shfl_down_sync(~fw_lanes(0), word, by, width); });
  }
  template <class T> __device__ static T shfl_xor(T v, int mask) {
    return moved(v, [mask](auto word) { return __shfl_xor_sync(~fw_lanes(0), word, mask, width); });
  }
  __device__ static fw_lanes ballot(int predicate) {
    fw_lanes lanes = __ballot(predicate);
    if constexpr (width < 8 * sizeof(fw_lanes))
      return lanes >> (fw_lane() & ~(width - 1)) & ((fw_lanes(1) << width) - 1);
    return lanes;
  }
  __device__ static int any(int predicate) { return ballot(predicate) != 0; }
  __device__ static int all(int predicate) { return ballot(!predicate) == 0; }

private:
  /// What the warp functions take as it is, everything else by words.
  template <class T, class Exchange> __device__ static T moved(T value, Exchange exchange) {
    if constexpr (__is_arithmetic(T) && sizeof(T) >= 4)
      return exchange(value);
    else
      return fw_by_words(value, exchange);
  }
};

struct coalesced_group {
  fw_lanes lanes;
  __device__ void sync() const { __syncwarp(); }
  __device__ unsigned size() const { return __popcll(lanes); }
  __device__ unsigned num_threads() const { return __popcll(lanes); }
  __device__ unsigned thread_rank() const { return __popcll(lanes & ((fw_lanes(1) << fw_lane()) - 1)); }
  template <class T> __device__ T shfl(T v, int rank) const {
    fw_lanes rest = lanes;
    for (int i = 0; i < rank; ++i)
      rest &= rest - 1;
    return __shfl_sync(lanes, v, __ffsll(rest) - 1);
  }
  __device__ int any(int predicate) const { return __any(predicate); }
  __device__ int all(int predicate) const { return __all(predicate); }
  __device__ fw_lanes ballot(int predicate) const { return __ballot(predicate) & lanes; }
};

__device__ inline thread_block this_thread_block() { return {}; }
template <unsigned size> __device__ thread_block this_thread_block(block_tile_memory<size>&) { return {}; }
__device__ inline grid_group this_grid() { return {}; }
__device__ inline coalesced_group coalesced_threads() { return {__activemask()}; }
template <unsigned width, class Parent> __device__ thread_block_tile<width, Parent> tiled_partition(const Parent&) {
  return {};
}

/// Any group that a function takes without naming its kind: lanes of one warp, or the block.
struct thread_group {
  fw_lanes lanes;
  unsigned threads, rank;
  bool is_block;
  __device__ thread_group(const thread_block& block)
      : lanes(~fw_lanes(0)), threads(block.size()), rank(block.thread_rank()), is_block(true) {}
  template <unsigned width, class Parent>
  __device__ thread_group(const thread_block_tile<width, Parent>& tile)
      : lanes(~fw_lanes(0)), threads(width), rank(tile.thread_rank()), is_block(false) {}
  __device__ thread_group(const coalesced_group& group)
      : lanes(group.lanes), threads(group.size()), rank(group.thread_rank()), is_block(false) {}
  __device__ thread_group(unsigned width)
      : lanes(~fw_lanes(0)), threads(width), rank(thread_block::thread_rank() % width), is_block(false) {}
  __device__ unsigned size() const { return threads; }
  __device__ unsigned num_threads() const { return threads; }
  __device__ unsigned thread_rank() const { return rank; }
  __device__ void sync() const {
    if (is_block)
      __syncthreads();
    else
      __syncwarp();
  }
};
__device__ inline thread_group tiled_partition(const thread_block&, unsigned width) { return {width}; }

/// The lanes of a group that agree on a predicate, or on a label.
template <class Group> __device__ coalesced_group binary_partition(const Group&, bool predicate) {
  const fw_lanes yes = __ballot(predicate);
  return {(predicate ? yes : ~yes) & __activemask()};
}
template <class Group, class Label> __device__ coalesced_group labeled_partition(const Group&, Label label) {
  return {__match_any_sync(__activemask(), label)};
}

template <class Group> __device__ void sync(const Group& group) { group.sync(); }

template <class T> struct plus {
  __device__ T operator()(T a, T b) const { return a + b; }
};
template <class T> struct less {
  __device__ T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T> struct greater {
  __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};
/// Butterfly over the tile, as the library does for what the hardware does not reduce.
template <unsigned width, class Parent, class T, class Op>
__device__ T reduce(const thread_block_tile<width, Parent>& tile, T value, Op op) {
#pragma unroll
  for (unsigned by = width / 2; by > 0; by /= 2)
    value = op(value, tile.shfl_xor(value, static_cast<int>(by)));
  return value;
}

/// By ranks, log2(size) steps, and the result to all lanes.
template <class T, class Op> __device__ T reduce(const coalesced_group& group, T value, Op op) {
  const unsigned size = group.size(), rank = group.thread_rank();
  for (unsigned by = 1; by < size; by *= 2) {
    const T other = group.shfl(value, static_cast<int>(rank + by < size ? rank + by : rank));
    if (rank + by < size && rank % (2 * by) == 0)
      value = op(value, other);
  }
  return group.shfl(value, 0);
}

} // namespace cooperative_groups
