// Asynchronous copies to shared memory by groups.
#pragma once
#pragma clang system_header
#include "forewarp_cuda/async_copy.h"

FW_DEVICE void __pipeline_memcpy_async(void* to, const void* from, __SIZE_TYPE__ bytes, __SIZE_TYPE__ filled = 0) {
  fw_copy_async(to, from, bytes, filled);
}
FW_DEVICE void __pipeline_commit() { fw_copies_end_group(); }
/// More than seven groups on their way are taken for seven.
FW_DEVICE void __pipeline_wait_prior(__SIZE_TYPE__ groups) {
  switch (groups) {
  case 0:
    return fw_copies_wait<0>();
  case 1:
    return fw_copies_wait<1>();
  case 2:
    return fw_copies_wait<2>();
  case 3:
    return fw_copies_wait<3>();
  case 4:
    return fw_copies_wait<4>();
  case 5:
    return fw_copies_wait<5>();
  case 6:
    return fw_copies_wait<6>();
  default:
    return fw_copies_wait<7>();
  }
}
