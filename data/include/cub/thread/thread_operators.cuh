// Operators of CUB's reductions and scans, and its pair of a key and a value.
#pragma once
#pragma clang system_header
#include "forewarp_cuda/exchange_words.h"

namespace cub {

struct Sum {
  template <class T> FW_MEMBER T operator()(const T& a, const T& b) const { return a + b; }
};
struct Difference {
  template <class T> FW_MEMBER T operator()(const T& a, const T& b) const { return a - b; }
};
struct Max {
  template <class T> FW_MEMBER T operator()(const T& a, const T& b) const { return a < b ? b : a; }
};
struct Min {
  template <class T> FW_MEMBER T operator()(const T& a, const T& b) const { return b < a ? b : a; }
};
struct Inequality {
  template <class T> FW_MEMBER bool operator()(const T& a, const T& b) const { return !(a == b); }
};
struct Equality {
  template <class T> FW_MEMBER bool operator()(const T& a, const T& b) const { return a == b; }
};

template <class K, class V> struct KeyValuePair {
  typedef K Key;
  typedef V Value;
  Key key;
  Value value;
  FW_MEMBER KeyValuePair() = default;
  FW_MEMBER KeyValuePair(const Key& k, const Value& v) : key(k), value(v) {}
};

/// The pair with the larger (smaller) value; the smaller key where values are equal.
struct ArgMax {
  template <class Pair> FW_MEMBER Pair operator()(const Pair& a, const Pair& b) const {
    return b.value > a.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};
struct ArgMin {
  template <class Pair> FW_MEMBER Pair operator()(const Pair& a, const Pair& b) const {
    return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};

template <int width, class T> FW_DEVICE T fw_shuffle_down(const T& value, unsigned by) {
  return fw_by_words(value, [by](unsigned word) { return __shfl_down_sync(~fw_lanes(0), word, by, width); });
}
template <int width, class T> FW_DEVICE T fw_shuffle_up(const T& value, unsigned by) {
  return fw_by_words(value, [by](unsigned word) { return __shfl_up_sync(~fw_lanes(0), word, by, width); });
}
template <int width, class T> FW_DEVICE T fw_shuffle_index(const T& value, int lane) {
  return fw_by_words(value, [lane](unsigned word) { return __shfl_sync(~fw_lanes(0), word, lane, width); });
}

template <int y, int z> FW_DEVICE int fw_linear_thread() {
  if constexpr (y == 1 && z == 1)
    return static_cast<int>(threadIdx.x);
  return static_cast<int>((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x);
}

} // namespace cub
