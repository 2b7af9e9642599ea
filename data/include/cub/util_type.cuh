#pragma once
#include <cub/thread/thread_operators.cuh>

namespace cub {

struct NullType {};
template <class T> inline constexpr bool is_null_type = false;
template <> inline constexpr bool is_null_type<NullType> = true;
/// What stands for a value in shared memory; of none, a byte.
template <class T> struct fw_stored {
  typedef T type;
};
template <> struct fw_stored<NullType> {
  typedef unsigned char type;
};

} // namespace cub
