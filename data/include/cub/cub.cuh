// Own versions of CUB's primitives of a warp and of a block. Device-wide calls are host code, and passed over.
#pragma once
#pragma clang system_header
#include <cub/block/block_adjacent_difference.cuh>
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_shuffle.cuh>
#include <cub/block/block_store.cuh>
#include <cub/thread/thread_load.cuh>
#ifdef FOREWARP_RUN
#include <forewarp_run/cub_device.h>
#include <forewarp_run/cub_iterators.h>
#endif
