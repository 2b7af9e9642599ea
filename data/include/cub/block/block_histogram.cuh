// Counts of a block's items by atomics on the histogram. NOT modelled: CUB's way by sorting, which this one answers too.
#pragma once
#pragma clang system_header
#include <cub/warp/warp_scan.cuh>

namespace cub {

enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };

template <class T, int x, int items, int bins, BlockHistogramAlgorithm = BLOCK_HISTO_SORT, int y = 1, int z = 1, int = 0>
struct BlockHistogram {
  static constexpr int threads = x * y * z;
  struct TempStorage {
    unsigned char unused;
  };
  __device__ explicit BlockHistogram(TempStorage&) {}

  template <class Count> __device__ void InitHistogram(Count (&histogram)[bins]) {
    for (int bin = fw_linear_thread<y, z>(); bin < bins; bin += threads)
      histogram[bin] = 0;
  }
  template <class Count> __device__ void Composite(T (&of)[items], Count (&histogram)[bins]) {
#pragma unroll
    for (int k = 0; k < items; ++k)
      atomicAdd(&histogram[static_cast<int>(of[k])], static_cast<Count>(1));
  }
  template <class Count> __device__ void Histogram(T (&of)[items], Count (&histogram)[bins]) {
    InitHistogram(histogram);
    __syncthreads();
    Composite(of, histogram);
  }
};

} // namespace cub
