// rocPRIM's primitives of a block and of a warp, over what is here of CUB. Device-wide calls are host code, and passed
// over. NOT modelled: the algorithms to choose from (CUB's default is taken), and AMD's data-parallel primitives.
#pragma once
#pragma clang system_header
#include "cub/cub.cuh"
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>

namespace rocprim {

// Operations.
template <class T = void> struct plus {
  FW_MEMBER T operator()(const T& a, const T& b) const { return a + b; }
};
template <class T = void> struct minus {
  FW_MEMBER T operator()(const T& a, const T& b) const { return a - b; }
};
template <class T = void> struct multiplies {
  FW_MEMBER T operator()(const T& a, const T& b) const { return a * b; }
};
template <class T = void> struct maximum {
  FW_MEMBER T operator()(const T& a, const T& b) const { return a < b ? b : a; }
};
template <class T = void> struct minimum {
  FW_MEMBER T operator()(const T& a, const T& b) const { return b < a ? b : a; }
};

enum class block_load_method {
  block_load_direct,
  block_load_striped,
  block_load_vectorize,
  block_load_transpose,
  block_load_warp_transpose,
  default_method = block_load_direct
};
enum class block_store_method {
  block_store_direct,
  block_store_striped,
  block_store_vectorize,
  block_store_transpose,
  block_store_warp_transpose,
  default_method = block_store_direct
};
enum class block_reduce_algorithm { using_warp_reduce, raking_reduce, raking_reduce_commutative_only, default_algorithm };
enum class block_scan_algorithm { using_warp_scan, reduce_then_scan, default_algorithm };

/// CUB has them in the same order.
constexpr cub::BlockLoadAlgorithm fw_method(block_load_method method) {
  return static_cast<cub::BlockLoadAlgorithm>(method);
}
constexpr cub::BlockStoreAlgorithm fw_method(block_store_method method) {
  return static_cast<cub::BlockStoreAlgorithm>(method);
}

// Without a storage a call has shared memory of its own.
#define FW_OWN_STORAGE __shared__ storage_type storage

template <class T, unsigned x, unsigned items, block_load_method method = block_load_method::default_method,
          unsigned y = 1, unsigned z = 1>
struct block_load {
  typedef cub::BlockLoad<T, x, items, fw_method(method), y, z> Load;
  typedef typename Load::TempStorage storage_type;
  template <class I> __device__ void load(I from, T (&to)[items], storage_type& storage) { Load(storage).Load(from, to); }
  template <class I> __device__ void load(I from, T (&to)[items], unsigned valid, storage_type& storage) {
    Load(storage).Load(from, to, valid);
  }
  template <class I, class D> __device__ void load(I from, T (&to)[items], unsigned valid, D otherwise, storage_type& storage) {
    Load(storage).Load(from, to, valid, otherwise);
  }
  template <class I> __device__ void load(I from, T (&to)[items]) {
    FW_OWN_STORAGE;
    load(from, to, storage);
  }
  template <class I> __device__ void load(I from, T (&to)[items], unsigned valid) {
    FW_OWN_STORAGE;
    load(from, to, valid, storage);
  }
  template <class I, class D> __device__ void load(I from, T (&to)[items], unsigned valid, D otherwise) {
    FW_OWN_STORAGE;
    load(from, to, valid, otherwise, storage);
  }
};

template <class T, unsigned x, unsigned items, block_store_method method = block_store_method::default_method,
          unsigned y = 1, unsigned z = 1>
struct block_store {
  typedef cub::BlockStore<T, x, items, fw_method(method), y, z> Store;
  typedef typename Store::TempStorage storage_type;
  template <class I> __device__ void store(I to, T (&from)[items], storage_type& storage) { Store(storage).Store(to, from); }
  template <class I> __device__ void store(I to, T (&from)[items], unsigned valid, storage_type& storage) {
    Store(storage).Store(to, from, valid);
  }
  template <class I> __device__ void store(I to, T (&from)[items]) {
    FW_OWN_STORAGE;
    store(to, from, storage);
  }
  template <class I> __device__ void store(I to, T (&from)[items], unsigned valid) {
    FW_OWN_STORAGE;
    store(to, from, valid, storage);
  }
};

template <class T, unsigned x, block_reduce_algorithm = block_reduce_algorithm::default_algorithm, unsigned y = 1,
          unsigned z = 1>
struct block_reduce {
  typedef cub::BlockReduce<T, x, cub::BLOCK_REDUCE_WARP_REDUCTIONS, y, z> Reduce;
  typedef typename Reduce::TempStorage storage_type;
  template <class Op = plus<T>> __device__ void reduce(T value, T& result, storage_type& storage, Op op = Op()) {
    result = Reduce(storage).Reduce(value, op);
  }
  template <unsigned items, class Op = plus<T>>
  __device__ void reduce(T (&values)[items], T& result, storage_type& storage, Op op = Op()) {
    result = Reduce(storage).Reduce(values, op);
  }
  template <class Op = plus<T>>
  __device__ void reduce(T value, T& result, unsigned valid, storage_type& storage, Op op = Op()) {
    result = Reduce(storage).Reduce(value, op, valid);
  }
  template <class Op = plus<T>> __device__ void reduce(T value, T& result, Op op = Op()) {
    FW_OWN_STORAGE;
    reduce(value, result, storage, op);
  }
  template <unsigned items, class Op = plus<T>> __device__ void reduce(T (&values)[items], T& result, Op op = Op()) {
    FW_OWN_STORAGE;
    reduce(values, result, storage, op);
  }
};

template <class T, unsigned x, block_scan_algorithm = block_scan_algorithm::default_algorithm, unsigned y = 1,
          unsigned z = 1>
struct block_scan {
  typedef cub::BlockScan<T, x, cub::BLOCK_SCAN_RAKING, y, z> Scan;
  typedef typename Scan::TempStorage storage_type;
  template <class Op = plus<T>> __device__ void inclusive_scan(T value, T& result, storage_type& storage, Op op = Op()) {
    Scan(storage).InclusiveScan(value, result, op);
  }
  template <class Op = plus<T>>
  __device__ void inclusive_scan(T value, T& result, T& total, storage_type& storage, Op op = Op()) {
    Scan(storage).InclusiveScan(value, result, op, total);
  }
  template <class Op = plus<T>> __device__ void inclusive_scan(T value, T& result, Op op = Op()) {
    FW_OWN_STORAGE;
    inclusive_scan(value, result, storage, op);
  }
  template <class Op = plus<T>>
  __device__ void exclusive_scan(T value, T& result, T initial, storage_type& storage, Op op = Op()) {
    Scan(storage).ExclusiveScan(value, result, initial, op);
  }
  template <class Op = plus<T>>
  __device__ void exclusive_scan(T value, T& result, T initial, T& total, storage_type& storage, Op op = Op()) {
    Scan(storage).ExclusiveScan(value, result, initial, op, total);
  }
  template <unsigned items, class Op = plus<T>>
  __device__ void exclusive_scan(T (&values)[items], T (&results)[items], T initial, storage_type& storage, Op op = Op()) {
    T total;
    Scan(storage).ExclusiveScan(values, results, initial, op, total);
  }
  template <class Op = plus<T>> __device__ void exclusive_scan(T value, T& result, T initial, Op op = Op()) {
    FW_OWN_STORAGE;
    exclusive_scan(value, result, initial, storage, op);
  }
};

template <class T, unsigned x, unsigned items, unsigned y = 1, unsigned z = 1> struct block_exchange {
  typedef cub::BlockExchange<T, x, items, false, y, z> Exchange;
  typedef typename Exchange::TempStorage storage_type;
  __device__ void blocked_to_striped(const T (&from)[items], T (&to)[items], storage_type& storage) {
    Exchange(storage).BlockedToStriped(from, to);
  }
  __device__ void striped_to_blocked(const T (&from)[items], T (&to)[items], storage_type& storage) {
    Exchange(storage).StripedToBlocked(from, to);
  }
};

template <class Key, unsigned x, unsigned items, class Value = cub::NullType> struct block_radix_sort {
  typedef cub::BlockRadixSort<Key, x, items, Value> Sort;
  typedef typename Sort::TempStorage storage_type;
  __device__ void sort(Key (&keys)[items], storage_type& storage, unsigned begin = 0, unsigned end = 8 * sizeof(Key)) {
    Sort(storage).Sort(keys, begin, end);
  }
  template <class V>
  __device__ void sort(Key (&keys)[items], V (&values)[items], storage_type& storage, unsigned begin = 0,
                       unsigned end = 8 * sizeof(Key)) {
    Sort(storage).Sort(keys, values, begin, end);
  }
};

template <class T, unsigned width = 32> struct warp_reduce {
  typedef cub::WarpReduce<T, width> Reduce;
  typedef typename Reduce::TempStorage storage_type;
  template <class Op = plus<T>> __device__ void reduce(T value, T& result, storage_type& storage, Op op = Op()) {
    result = Reduce(storage).Reduce(value, op);
  }
};
template <class T, unsigned width = 32> struct warp_scan {
  typedef cub::WarpScan<T, width> Scan;
  typedef typename Scan::TempStorage storage_type;
  template <class Op = plus<T>> __device__ void inclusive_scan(T value, T& result, storage_type& storage, Op op = Op()) {
    Scan(storage).InclusiveScan(value, result, op);
  }
  template <class Op = plus<T>>
  __device__ void exclusive_scan(T value, T& result, T initial, storage_type& storage, Op op = Op()) {
    Scan(storage).ExclusiveScan(value, result, initial, op);
  }
};
#undef FW_OWN_STORAGE

template <unsigned x = 0, unsigned y = 1, unsigned z = 1> __device__ unsigned flat_block_thread_id() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
__device__ inline unsigned lane_id() { return flat_block_thread_id() % warpSize; }
__device__ inline unsigned warp_id() { return flat_block_thread_id() / warpSize; }
__device__ inline void syncthreads() { __syncthreads(); }

} // namespace rocprim
