// Radix sort of a block's items (Merrill and Grimshaw, 2011): four bits a pass, from the lowest; each thread counts its
// digits in halves of words in shared memory, the counters are scanned, and an exchange puts the items where their ranks
// say. NOT modelled: CUB's other ranking algorithms.
#pragma once
#pragma clang system_header
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/util_type.cuh>

namespace cub {

/// Bits of a key in an order that unsigned numbers have.
template <class T> __device__ inline unsigned long long fw_sort_bits(T key) {
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &key, sizeof(T));
  const unsigned long long top = 1ull << (8 * sizeof(T) - 1);
  if constexpr (T(0.5) != T(0))
    return (bits & top) != 0 ? ~bits & (top | (top - 1)) : bits | top;
  else if constexpr (T(-1) < T(0))
    return bits ^ top;
  else
    return bits;
}

template <class Key, int x, int items, class Value = NullType, int bits_a_pass = 4, bool = true,
          BlockScanAlgorithm = BLOCK_SCAN_WARP_SCANS, int = 0, int y = 1, int z = 1, int = 0>
struct BlockRadixSort {
  static constexpr int threads = x * y * z, digits = 1 << bits_a_pass, lanes_of_word = 2, rows = digits / lanes_of_word;
  static constexpr bool has_values = !is_null_type<Value>;
  typedef BlockExchange<Key, x, items, false, y, z> KeyExchange;
  typedef BlockExchange<typename fw_stored<Value>::type, x, items, false, y, z> ValueExchange;
  typedef BlockScan<unsigned, x, BLOCK_SCAN_WARP_SCANS, y, z> Scan;
  struct TempStorage {
    union {
      struct {
        unsigned short counter[rows + 1][threads][lanes_of_word];
        typename Scan::TempStorage scan;
      };
      typename KeyExchange::TempStorage keys;
      typename ValueExchange::TempStorage values;
    };
  };
  TempStorage& shared;
  __device__ explicit BlockRadixSort(TempStorage& storage) : shared(storage) {}

  template <bool descends> __device__ void rank(const Key (&keys)[items], int (&ranks)[items], int from, int bits) {
    const int thread = fw_linear_thread<y, z>();
    unsigned* words = reinterpret_cast<unsigned*>(&shared.counter[0][0][0]);
#pragma unroll
    for (int row = 0; row <= rows; ++row)
      words[row * threads + thread] = 0;
    __syncthreads();
    unsigned short* place[items];
#pragma unroll
    for (int k = 0; k < items; ++k) {
      unsigned digit = static_cast<unsigned>(fw_sort_bits(keys[k]) >> from) & ((1u << bits) - 1);
      if (descends)
        digit = ((1u << bits) - 1) - digit;
      place[k] = &shared.counter[digit % rows][thread][digit / rows];
      ranks[k] = *place[k];
      *place[k] = static_cast<unsigned short>(ranks[k] + 1);
    }
    __syncthreads();
    unsigned own[rows + 1], sum = 0;
#pragma unroll
    for (int k = 0; k <= rows; ++k) {
      own[k] = words[thread * (rows + 1) + k];
      sum += own[k];
    }
    unsigned before, total;
    Scan(shared.scan).ExclusiveSum(sum, before, total);
    before += total << 16;
#pragma unroll
    for (int k = 0; k <= rows; ++k) {
      words[thread * (rows + 1) + k] = before;
      before += own[k];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < items; ++k)
      ranks[k] += *place[k];
    __syncthreads();
  }

  template <bool descends, bool striped, class V> __device__ void sort(Key (&keys)[items], V& values, int begin, int end) {
    int ranks[items];
#pragma unroll 1
    for (int from = begin; from < end; from += bits_a_pass) {
      rank<descends>(keys, ranks, from, end - from < bits_a_pass ? end - from : bits_a_pass);
      if (striped && from + bits_a_pass >= end)
        KeyExchange(shared.keys).ScatterToStriped(keys, ranks);
      else
        KeyExchange(shared.keys).ScatterToBlocked(keys, ranks);
      if constexpr (has_values) {
        __syncthreads();
        if (striped && from + bits_a_pass >= end)
          ValueExchange(shared.values).ScatterToStriped(values, ranks);
        else
          ValueExchange(shared.values).ScatterToBlocked(values, ranks);
      }
      if (from + bits_a_pass < end)
        __syncthreads();
    }
  }
#define FW_SORT(name, descends, striped)                                                                     \
  __device__ void name(Key (&keys)[items], int begin = 0, int end = 8 * sizeof(Key)) {                       \
    static_assert(!has_values, "sorted with its values");                                                    \
    NullType none;                                                                                           \
    sort<descends, striped>(keys, none, begin, end);                                                         \
  }                                                                                                          \
  template <class V>                                                                                         \
  __device__ void name(Key (&keys)[items], V (&values)[items], int begin = 0, int end = 8 * sizeof(Key)) {   \
    sort<descends, striped>(keys, values, begin, end);                                                       \
  }
  FW_SORT(Sort, false, false)
  FW_SORT(SortDescending, true, false)
  FW_SORT(SortBlockedToStriped, false, true)
  FW_SORT(SortDescendingBlockedToStriped, true, true)
#undef FW_SORT
};

} // namespace cub
