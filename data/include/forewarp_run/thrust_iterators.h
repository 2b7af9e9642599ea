// Thrust's pointers and iterators in a program that `forewarp run` builds.
#pragma once
#pragma clang system_header
#include <exception>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>

#include <forewarp_run/sequences.h>
#include <thrust/functional.h>
#include <thrust/tuple.h>

namespace thrust {

template <class T> FW_HOST T fw_load(const T* at) {
  alignas(T) char bytes[sizeof(T)];
  cudaMemcpy(bytes, at, sizeof(T), cudaMemcpyDeviceToHost);
  return *reinterpret_cast<T*>(bytes);
}
template <class T> FW_HOST void fw_store(T* at, const T& value) { cudaMemcpy(at, &value, sizeof(T), cudaMemcpyHostToDevice); }
template <class T> __device__ inline T fw_load(const T* at) { return *at; }
template <class T> __device__ inline void fw_store(T* at, const T& value) { *at = value; }

/// An element of the device's memory: the host copies it over the link.
template <class T> struct device_reference {
  typedef std::remove_const_t<T> value_type;
  T* at;
  FW_CORE explicit device_reference(T* p) : at(p) {}
  FW_CORE operator value_type() const { return fw_load(at); }
  FW_CORE device_reference& operator=(const value_type& value) { fw_store(at, value); return *this; }
  FW_CORE device_reference& operator=(const device_reference& other) { fw_store(at, fw_load(other.at)); return *this; }
  device_reference(const device_reference&) = default;
  FW_CORE T* operator&() const { return at; }
#define FW_CHANGE(op)                                                                                                  \
  template <class V> FW_CORE device_reference& operator op##=(const V& v) {                                            \
    fw_store(at, static_cast<value_type>(fw_load(at) op v));                                                           \
    return *this;                                                                                                      \
  }
  FW_CHANGE(+) FW_CHANGE(-) FW_CHANGE(*) FW_CHANGE(/) FW_CHANGE(|) FW_CHANGE(&) FW_CHANGE(^)
#undef FW_CHANGE
  FW_CORE device_reference& operator++() { return *this += value_type(1); }
  FW_CORE device_reference& operator--() { return *this -= value_type(1); }
};

#define FW_MOVES(Self, place)                                                                                          \
  FW_CORE Self& operator+=(long n) { place += n; return *this; }                                                       \
  FW_CORE Self& operator-=(long n) { place -= n; return *this; }                                                       \
  FW_CORE Self& operator++() { return *this += 1; }                                                                    \
  FW_CORE Self& operator--() { return *this -= 1; }                                                                    \
  FW_CORE Self operator++(int) { Self before = *this; *this += 1; return before; }                                     \
  FW_CORE Self operator--(int) { Self before = *this; *this -= 1; return before; }                                     \
  FW_CORE Self operator+(long n) const { Self moved = *this; moved += n; return moved; }                               \
  FW_CORE Self operator-(long n) const { Self moved = *this; moved -= n; return moved; }                               \
  FW_CORE long operator-(const Self& o) const { return static_cast<long>(place - o.place); }                           \
  FW_CORE bool operator==(const Self& o) const { return place == o.place; }                                            \
  FW_CORE bool operator!=(const Self& o) const { return !(*this == o); }                                               \
  FW_CORE bool operator<(const Self& o) const { return place < o.place; }
#define FW_ITERATOR(Value, Reference)                                                                                  \
  typedef Value value_type;                                                                                            \
  typedef Reference reference;                                                                                         \
  typedef void pointer;                                                                                                \
  typedef long difference_type;                                                                                        \
  typedef std::random_access_iterator_tag iterator_category;

template <class T> struct device_ptr {
  FW_ITERATOR(std::remove_const_t<T>, device_reference<T>)
  T* at = nullptr;
  device_ptr() = default;
  FW_CORE explicit device_ptr(T* p) : at(p) {}
  FW_CORE device_ptr(std::nullptr_t) : at(nullptr) {}
  template <class U, class = std::enable_if_t<std::is_convertible<U*, T*>::value>> FW_CORE device_ptr(const device_ptr<U>& o) : at(o.at) {}
  FW_CORE T* get() const { return at; }
  FW_CORE device_reference<T> operator*() const { return device_reference<T>(at); }
  FW_CORE device_reference<T> operator[](long i) const { return device_reference<T>(at + i); }
  FW_CORE explicit operator bool() const { return at != nullptr; }
  FW_MOVES(device_ptr, at)
};
template <> struct device_ptr<void> {
  void* at = nullptr;
  device_ptr() = default;
  FW_CORE explicit device_ptr(void* p) : at(p) {}
  template <class U> FW_CORE device_ptr(const device_ptr<U>& o) : at(o.at) {}
  FW_CORE void* get() const { return at; }
};
template <class T> FW_CORE device_ptr<T> device_pointer_cast(T* p) { return device_ptr<T>(p); }
template <class T> FW_CORE device_ptr<T> device_pointer_cast(const device_ptr<T>& p) { return p; }
template <class T> FW_CORE T* raw_pointer_cast(T* p) { return p; }
template <class T> FW_CORE T* raw_pointer_cast(device_ptr<T> p) { return p.at; }
template <class T> FW_CORE T& raw_reference_cast(T& r) { return r; }
template <class T> FW_CORE T& raw_reference_cast(device_reference<T> r) { return *r.at; }
template <class T> FW_HOST device_ptr<T> device_malloc(size_t n) {
  T* at = nullptr;
  cudaMalloc(&at, n * sizeof(T));
  return device_ptr<T>(at);
}
template <class T> FW_HOST void device_free(device_ptr<T> p) { cudaFree(p.at); }

template <class T> struct counting_iterator {
  FW_ITERATOR(T, T)
  T at;
  FW_CORE counting_iterator() : at() {}
  FW_CORE explicit counting_iterator(T first) : at(first) {}
  FW_CORE T operator*() const { return at; }
  FW_CORE T operator[](long i) const { return at + static_cast<T>(i); }
  FW_MOVES(counting_iterator, at)
};
template <class T> FW_CORE counting_iterator<T> make_counting_iterator(T first) { return counting_iterator<T>(first); }

template <class T> struct constant_iterator {
  FW_ITERATOR(T, T)
  T value;
  long at = 0;
  FW_CORE explicit constant_iterator(T v, long n = 0) : value(v), at(n) {}
  FW_CORE T operator*() const { return value; }
  FW_CORE T operator[](long) const { return value; }
  FW_MOVES(constant_iterator, at)
};
template <class T> FW_CORE constant_iterator<T> make_constant_iterator(T value) { return constant_iterator<T>(value); }

struct fw_nowhere {
  template <class V> FW_CORE const fw_nowhere& operator=(const V&) const { return *this; }
};
template <class = void> struct discard_iterator {
  FW_ITERATOR(fw_nowhere, fw_nowhere)
  long at = 0;
  FW_CORE explicit discard_iterator(long n = 0) : at(n) {}
  FW_CORE fw_nowhere operator*() const { return {}; }
  FW_CORE fw_nowhere operator[](long) const { return {}; }
  FW_MOVES(discard_iterator, at)
};
FW_CORE discard_iterator<> make_discard_iterator(long n = 0) { return discard_iterator<>(n); }

template <class F, class I, class R = void> struct transform_iterator {
  typedef decltype(std::declval<F>()(std::declval<typename std::iterator_traits<I>::value_type>())) fw_given;
  typedef std::conditional_t<std::is_void<R>::value, fw_given, R> fw_result;
  FW_ITERATOR(std::decay_t<fw_result>, fw_result)
  I at;
  F function;
  FW_CORE transform_iterator(I first, F f) : at(first), function(f) {}
  FW_CORE fw_result operator*() const { return function(*at); }
  FW_CORE fw_result operator[](long i) const { return function(at[i]); }
  FW_MOVES(transform_iterator, at)
};
template <class F, class I> FW_CORE transform_iterator<F, I> make_transform_iterator(I first, F function) { return {first, function}; }

template <class E, class I> struct permutation_iterator {
  FW_ITERATOR(typename std::iterator_traits<E>::value_type, typename std::iterator_traits<E>::reference)
  E elements;
  I at;
  FW_CORE permutation_iterator(E e, I map) : elements(e), at(map) {}
  FW_CORE reference operator*() const { return elements[*at]; }
  FW_CORE reference operator[](long i) const { return elements[at[i]]; }
  FW_MOVES(permutation_iterator, at)
};
template <class E, class I> FW_CORE permutation_iterator<E, I> make_permutation_iterator(E elements, I map) { return {elements, map}; }

template <class I> struct reverse_iterator {
  FW_ITERATOR(typename std::iterator_traits<I>::value_type, typename std::iterator_traits<I>::reference)
  I base_;
  long at = 0;
  FW_CORE explicit reverse_iterator(I i) : base_(i) {}
  FW_CORE I base() const { return base_ - at; }
  FW_CORE reference operator*() const { return base_[-1 - at]; }
  FW_CORE reference operator[](long i) const { return base_[-1 - at - i]; }
  FW_MOVES(reverse_iterator, at)
};
template <class I> FW_CORE reverse_iterator<I> make_reverse_iterator(I i) { return reverse_iterator<I>(i); }

FW_CORE void fw_move(tuple<>&, long) {}
template <class H, class... R> FW_CORE void fw_move(tuple<H, R...>& t, long n) {
  t.head += n;
  fw_move(t.tail, n);
}
template <class Tuple> struct zip_iterator;
template <class... I> struct zip_iterator<tuple<I...>> {
  typedef tuple<typename std::iterator_traits<I>::value_type...> fw_value_tuple;
  typedef tuple<typename std::iterator_traits<I>::reference...> fw_reference_tuple;
  FW_ITERATOR(fw_value_tuple, fw_reference_tuple)
  tuple<I...> at;
  FW_CORE zip_iterator(const tuple<I...>& iterators) : at(iterators) {}
  FW_CORE const tuple<I...>& get_iterator_tuple() const { return at; }
  FW_CORE reference operator*() const { return element(0, std::index_sequence_for<I...>()); }
  FW_CORE reference operator[](long i) const { return element(i, std::index_sequence_for<I...>()); }
  FW_CORE zip_iterator& operator+=(long n) { fw_move(at, n); return *this; }
  FW_CORE zip_iterator& operator-=(long n) { fw_move(at, -n); return *this; }
  FW_CORE zip_iterator& operator++() { return *this += 1; }
  FW_CORE zip_iterator operator+(long n) const { zip_iterator moved = *this; moved += n; return moved; }
  FW_CORE zip_iterator operator-(long n) const { zip_iterator moved = *this; moved -= n; return moved; }
  FW_CORE long operator-(const zip_iterator& o) const { return static_cast<long>(at.head - o.at.head); }
  FW_CORE bool operator==(const zip_iterator& o) const { return at.head == o.at.head; }
  FW_CORE bool operator!=(const zip_iterator& o) const { return !(*this == o); }

private:
  template <size_t... k> FW_CORE reference element(long i, std::index_sequence<k...>) const { return reference(thrust::get<k>(at)[i]...); }
};
template <class... I> FW_CORE zip_iterator<tuple<I...>> make_zip_iterator(tuple<I...> iterators) { return {iterators}; }
template <class I, class... R> FW_CORE zip_iterator<tuple<I, R...>> make_zip_iterator(I first, R... rest) { return {tuple<I, R...>(first, rest...)}; }

template <class I> struct iterator_traits : std::iterator_traits<I> {};
template <class I> struct iterator_value { typedef typename std::iterator_traits<I>::value_type type; };
template <class I> struct iterator_difference { typedef long type; };
template <class I, class J> FW_CORE long distance(I first, J last) { return static_cast<long>(last - first); }
template <class I> FW_CORE void advance(I& at, long n) { at += n; }

// Where a range lies, and the iterators that go over its memory itself.
template <class I> struct fw_on_device : std::false_type {};
template <class T> struct fw_on_device<device_ptr<T>> : std::true_type {};
template <class F, class I, class R> struct fw_on_device<transform_iterator<F, I, R>> : fw_on_device<I> {};
template <class E, class I> struct fw_on_device<permutation_iterator<E, I>> : std::bool_constant<fw_on_device<E>::value || fw_on_device<I>::value> {};
template <class I> struct fw_on_device<reverse_iterator<I>> : fw_on_device<I> {};
template <class... I> struct fw_on_device<zip_iterator<tuple<I...>>> : std::bool_constant<(fw_on_device<I>::value || ...)> {};

template <class V> FW_CORE V fw_raw(V value) { return value; }
template <class T> FW_CORE T* fw_raw(device_ptr<T> p) { return p.at; }
template <class F, class I, class R> FW_CORE auto fw_raw(transform_iterator<F, I, R> t) {
  return transform_iterator<F, decltype(fw_raw(t.at)), R>(fw_raw(t.at), t.function);
}
template <class E, class I> FW_CORE auto fw_raw(permutation_iterator<E, I> p) {
  return permutation_iterator<decltype(fw_raw(p.elements)), decltype(fw_raw(p.at))>(fw_raw(p.elements), fw_raw(p.at));
}
template <class I> FW_CORE auto fw_raw(reverse_iterator<I> r) { return reverse_iterator<decltype(fw_raw(r.base_))>(fw_raw(r.base())); }
template <class... I, size_t... k> FW_CORE auto fw_raw_zip(const tuple<I...>& t, std::index_sequence<k...>) {
  return make_zip_iterator(tuple<decltype(fw_raw(thrust::get<k>(t)))...>(fw_raw(thrust::get<k>(t))...));
}
template <class... I> FW_CORE auto fw_raw(zip_iterator<tuple<I...>> z) { return fw_raw_zip(z.at, std::index_sequence_for<I...>()); }

} // namespace thrust
