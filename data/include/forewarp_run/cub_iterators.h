// CUB's iterators in a program that `forewarp run` builds.
#pragma once
#pragma clang system_header
#include <forewarp_run/library.h>
#include <iterator>

namespace cub {

#define FW_INPUT_ITERATOR(Self, Value)                                                                                 \
  typedef Value value_type;                                                                                            \
  typedef Value reference;                                                                                             \
  typedef void pointer;                                                                                                \
  typedef long difference_type;                                                                                        \
  typedef std::random_access_iterator_tag iterator_category;                                                           \
  FW_CORE Value operator*() const { return (*this)[0]; }                                                               \
  FW_CORE Self& operator+=(long n) { at += n; return *this; }                                                          \
  FW_CORE Self& operator++() { return *this += 1; }                                                                    \
  FW_CORE Self operator+(long n) const { Self moved = *this; moved += n; return moved; }                               \
  FW_CORE Self operator-(long n) const { return *this + -n; }                                                          \
  FW_CORE long operator-(const Self& o) const { return static_cast<long>(at - o.at); }                                 \
  FW_CORE bool operator==(const Self& o) const { return at == o.at; }                                                  \
  FW_CORE bool operator!=(const Self& o) const { return !(at == o.at); }

template <class V, class Offset = long> struct CountingInputIterator {
  V at;
  FW_CORE explicit CountingInputIterator(V first) : at(first) {}
  FW_CORE V operator[](long i) const { return at + static_cast<V>(i); }
  FW_INPUT_ITERATOR(CountingInputIterator, V)
};
template <class V, class Offset = long> struct ConstantInputIterator {
  V value;
  long at = 0;
  FW_CORE explicit ConstantInputIterator(V v) : value(v) {}
  FW_CORE V operator[](long) const { return value; }
  FW_INPUT_ITERATOR(ConstantInputIterator, V)
};
template <class V, class F, class I, class Offset = long> struct TransformInputIterator {
  I at;
  F function;
  FW_CORE TransformInputIterator(I first, F f) : at(first), function(f) {}
  FW_CORE V operator[](long i) const { return function(at[i]); }
  FW_INPUT_ITERATOR(TransformInputIterator, V)
};
#undef FW_INPUT_ITERATOR

} // namespace cub
