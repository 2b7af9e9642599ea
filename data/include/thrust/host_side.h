// Thrust on the host's side: containers, iterators and algorithms as far as host code has to be read for its
// launches. Nothing of it is run; algorithms are declared only, so that device code that calls one is refused
// by its name.
#pragma once
#pragma clang system_header
#ifdef FOREWARP_RUN
#include <forewarp_run/thrust.h>
#else
#include <exception>
#include <iterator>
#include <memory>
#include <type_traits>

#include <thrust/functional.h>
#include <thrust/tuple.h>

namespace thrust {

struct execution_policy_tag {
  template <class... A> FW_MEMBER const execution_policy_tag& operator()(A&&...) const { return *this; }
  template <class... A> FW_MEMBER const execution_policy_tag& on(A&&...) const { return *this; }
};
template <class Derived> struct execution_policy : execution_policy_tag {};
template <class Derived> struct device_execution_policy : execution_policy_tag {};
template <class Derived> struct host_execution_policy : execution_policy_tag {};
typedef execution_policy_tag host_tag, device_tag;
struct host_system_tag : execution_policy_tag {};
struct device_system_tag : execution_policy_tag {};
static const execution_policy_tag host{}, device{}, seq{};
namespace cuda {
static const execution_policy_tag par{}, par_nosync{};
template <class D> struct execution_policy : execution_policy_tag {};
} // namespace cuda
namespace hip {
static const execution_policy_tag par{}, par_nosync{};
} // namespace hip
namespace system { namespace cuda { static const execution_policy_tag par{}; } }
namespace omp { static const execution_policy_tag par{}; }

template <class T> using device_reference = T&; ///< real ones copy; nothing of the host's side is run
template <class T> struct device_ptr {
  typedef T value_type;
  typedef long difference_type;
  typedef T& reference;
  typedef device_ptr pointer;
  typedef std::random_access_iterator_tag iterator_category;
  T* at;
  FW_MEMBER device_ptr() : at(nullptr) {}
  template <class U> FW_MEMBER explicit device_ptr(U* p) : at(static_cast<T*>(p)) {}
  template <class U> FW_MEMBER device_ptr(const device_ptr<U>& o) : at(o.at) {}
  FW_MEMBER T* get() const { return at; }
  FW_MEMBER T& operator*() const { return *at; }
  FW_MEMBER T& operator[](long i) const { return at[i]; }
  FW_MEMBER T* operator->() const { return at; }
  FW_MEMBER device_ptr operator+(long n) const { return device_ptr(at + n); }
  FW_MEMBER device_ptr operator-(long n) const { return device_ptr(at - n); }
  FW_MEMBER long operator-(const device_ptr& o) const { return at - o.at; }
  FW_MEMBER device_ptr& operator++() { ++at; return *this; }
  FW_MEMBER device_ptr& operator--() { --at; return *this; }
  FW_MEMBER device_ptr& operator+=(long n) { at += n; return *this; }
  FW_MEMBER bool operator==(const device_ptr& o) const { return at == o.at; }
  FW_MEMBER bool operator!=(const device_ptr& o) const { return at != o.at; }
  FW_MEMBER bool operator<(const device_ptr& o) const { return at < o.at; }
  FW_MEMBER explicit operator bool() const { return at != nullptr; }
};
template <> struct device_ptr<void> {
  typedef void value_type;
  void* at;
  FW_MEMBER device_ptr() : at(nullptr) {}
  FW_MEMBER explicit device_ptr(void* p) : at(p) {}
  template <class U> FW_MEMBER device_ptr(const device_ptr<U>& o) : at(o.at) {}
  FW_MEMBER void* get() const { return at; }
  FW_MEMBER explicit operator bool() const { return at != nullptr; }
};
template <class T> device_ptr<T> device_pointer_cast(T* p) { return device_ptr<T>(p); }
template <class T> device_ptr<T> device_pointer_cast(const device_ptr<T>& p) { return p; }
template <class T> FW_MEMBER T* raw_pointer_cast(T* p) { return p; }
template <class T> FW_MEMBER T* raw_pointer_cast(device_ptr<T> p) { return p.at; }
template <class T> T& raw_reference_cast(T& r) { return r; }
template <class T> device_ptr<T> device_malloc(size_t n);
template <class T> void device_free(device_ptr<T> p);

template <class T> struct device_allocator { typedef T value_type; };
template <class T> struct device_malloc_allocator { typedef T value_type; };
#define FW_VECTOR(name, Pointer, Reference)                                                                            \
  typedef T value_type;                                                                                                \
  typedef Pointer iterator;                                                                                            \
  typedef Pointer const_iterator;                                                                                      \
  typedef Pointer pointer;                                                                                             \
  typedef Reference reference;                                                                                         \
  typedef size_t size_type;                                                                                            \
  typedef long difference_type;                                                                                        \
  name();                                                                                                              \
  explicit name(size_t n);                                                                                             \
  name(size_t n, const T& value);                                                                                      \
  template <class I> name(I first, I last);                                                                            \
  template <class C, class = typename C::value_type> name(const C&);                                                   \
  template <class C> name& operator=(const C&);                                                                        \
  void resize(size_t n);                                                                                               \
  void resize(size_t n, const T& value);                                                                               \
  void reserve(size_t n);                                                                                              \
  void assign(size_t n, const T& value);                                                                               \
  template <class I> void assign(I first, I last);                                                                     \
  void push_back(const T& value);                                                                                      \
  void pop_back();                                                                                                     \
  void clear();                                                                                                        \
  void shrink_to_fit();                                                                                                \
  template <class V> void swap(V& other);                                                                              \
  template <class... B> iterator erase(B&&...);                                                                        \
  template <class... B> iterator insert(B&&...);                                                                       \
  size_t size() const;                                                                                                 \
  size_t capacity() const;                                                                                             \
  bool empty() const;                                                                                                  \
  Pointer data() const;                                                                                                \
  Pointer begin() const;                                                                                               \
  Pointer end() const;                                                                                                 \
  Pointer cbegin() const;                                                                                              \
  Pointer cend() const;                                                                                                \
  Pointer rbegin() const;                                                                                              \
  Pointer rend() const;                                                                                                \
  Reference operator[](size_t i) const;                                                                                \
  Reference front() const;                                                                                             \
  Reference back() const;
template <class T, class A = device_allocator<T>> struct device_vector {
  FW_VECTOR(device_vector, device_ptr<T>, T&)
};
template <class T, class A = std::allocator<T>> struct host_vector {
  FW_VECTOR(host_vector, T*, T&)
};
#undef FW_VECTOR

/// A place of an iterator that is made of others or of none.
template <class T> struct forewarp_iterator {
  typedef T value_type;
  typedef long difference_type;
  typedef T reference;
  typedef T* pointer;
  typedef std::random_access_iterator_tag iterator_category;
  T operator*() const;
  T operator[](long) const;
  forewarp_iterator operator+(long) const;
  forewarp_iterator operator-(long) const;
  long operator-(const forewarp_iterator&) const;
  forewarp_iterator& operator++();
  forewarp_iterator& operator+=(long);
  bool operator!=(const forewarp_iterator&) const;
  bool operator==(const forewarp_iterator&) const;
};
template <class T> struct counting_iterator : forewarp_iterator<T> {
  counting_iterator();
  explicit counting_iterator(T);
};
template <class T> counting_iterator<T> make_counting_iterator(T first);
template <class T> struct constant_iterator : forewarp_iterator<T> {
  explicit constant_iterator(T);
};
template <class T> constant_iterator<T> make_constant_iterator(T value);
struct discard_iterator : forewarp_iterator<int> {};
inline discard_iterator make_discard_iterator() { return {}; }
template <class F, class I, class R = int> struct transform_iterator : forewarp_iterator<R> {
  transform_iterator(I, F);
};
template <class F, class I> transform_iterator<F, I> make_transform_iterator(I first, F function);
template <class Tuple> struct zip_iterator : forewarp_iterator<Tuple> {
  zip_iterator(Tuple);
};
template <class Tuple> zip_iterator<Tuple> make_zip_iterator(Tuple iterators);
template <class... I> zip_iterator<tuple<I...>> make_zip_iterator(I... iterators);
template <class E, class I> struct permutation_iterator : forewarp_iterator<typename E::value_type> {
  permutation_iterator(E, I);
};
template <class E, class I> permutation_iterator<E, I> make_permutation_iterator(E elements, I map);
template <class I, class = void> struct iterator_traits {}; // of a policy: none
template <class I> struct iterator_traits<I, std::void_t<typename I::value_type, typename I::difference_type>> {
  typedef typename I::value_type value_type;
  typedef typename I::difference_type difference_type;
};
template <class T> struct iterator_traits<T*, void> {
  typedef T value_type;
  typedef long difference_type;
};
template <class I> struct iterator_value { typedef typename iterator_traits<I>::value_type type; };
template <class I, class J> long distance(I first, J last);
template <class I> void advance(I& at, long n);

template <class P, class R> using forewarp_with_policy =
    std::enable_if_t<std::is_base_of<execution_policy_tag, std::decay_t<P>>::value, R>;
template <class P, class R> using forewarp_without_policy =
    std::enable_if_t<!std::is_base_of<execution_policy_tag, std::decay_t<P>>::value, R>;
template <class I> using forewarp_value = typename iterator_traits<std::decay_t<I>>::value_type;

// The result is an iterator of the first range, which stands for any.
template <class I, class... A> forewarp_without_policy<I, std::decay_t<I>> unique(I first, A&&... rest);
template <class P, class I, class... A> forewarp_with_policy<P, std::decay_t<I>> unique(P&& policy, I first, A&&... rest);
template <class I, class... A> forewarp_without_policy<I, std::decay_t<I>> remove(I first, A&&... rest);
template <class P, class I, class... A> forewarp_with_policy<P, std::decay_t<I>> remove(P&& policy, I first, A&&... rest);
template <class I, class... A> forewarp_without_policy<I, std::decay_t<I>> remove_if(I first, A&&... rest);
template <class P, class I, class... A> forewarp_with_policy<P, std::decay_t<I>> remove_if(P&& policy, I first, A&&... rest);
template <class I, class... A> forewarp_without_policy<I, std::decay_t<I>> find(I first, A&&... rest);
template <class P, class I, class... A> forewarp_with_policy<P, std::decay_t<I>> find(P&& policy, I first, A&&... rest);
template <class I, class... A> forewarp_without_policy<I, std::decay_t<I>> find_if(I first, A&&... rest);
template <class P, class I, class... A> forewarp_with_policy<P, std::decay_t<I>> find_if(P&& policy, I first, A&&... rest);
template <class I, class... A> forewarp_without_policy<I, std::decay_t<I>> lower_bound(I first, A&&... rest);
template <class P, class I, class... A> forewarp_with_policy<P, std::decay_t<I>> lower_bound(P&& policy, I first, A&&... rest);
template <class I, class... A> forewarp_without_policy<I, std::decay_t<I>> upper_bound(I first, A&&... rest);
template <class P, class I, class... A> forewarp_with_policy<P, std::decay_t<I>> upper_bound(P&& policy, I first, A&&... rest);
template <class I, class... A> forewarp_without_policy<I, std::decay_t<I>> max_element(I first, A&&... rest);
template <class P, class I, class... A> forewarp_with_policy<P, std::decay_t<I>> max_element(P&& policy, I first, A&&... rest);
template <class I, class... A> forewarp_without_policy<I, std::decay_t<I>> min_element(I first, A&&... rest);
template <class P, class I, class... A> forewarp_with_policy<P, std::decay_t<I>> min_element(P&& policy, I first, A&&... rest);
template <class I, class... A> forewarp_without_policy<I, std::decay_t<I>> partition(I first, A&&... rest);
template <class P, class I, class... A> forewarp_with_policy<P, std::decay_t<I>> partition(P&& policy, I first, A&&... rest);
template <class I, class... A> forewarp_without_policy<I, std::decay_t<I>> stable_partition(I first, A&&... rest);
template <class P, class I, class... A> forewarp_with_policy<P, std::decay_t<I>> stable_partition(P&& policy, I first, A&&... rest);
template <class I, class... A> forewarp_without_policy<I, std::decay_t<I>> unique_copy(I first, A&&... rest);
template <class P, class I, class... A> forewarp_with_policy<P, std::decay_t<I>> unique_copy(P&& policy, I first, A&&... rest);
template <class I, class... A> forewarp_without_policy<I, std::decay_t<I>> for_each(I first, A&&... rest);
template <class P, class I, class... A> forewarp_with_policy<P, std::decay_t<I>> for_each(P&& policy, I first, A&&... rest);
template <class I, class... A> forewarp_without_policy<I, std::decay_t<I>> for_each_n(I first, A&&... rest);
template <class P, class I, class... A> forewarp_with_policy<P, std::decay_t<I>> for_each_n(P&& policy, I first, A&&... rest);
template <class I, class... A> forewarp_without_policy<I, std::decay_t<I>> remove_copy(I first, A&&... rest);
template <class P, class I, class... A> forewarp_with_policy<P, std::decay_t<I>> remove_copy(P&& policy, I first, A&&... rest);
template <class I, class... A> forewarp_without_policy<I, std::decay_t<I>> remove_copy_if(I first, A&&... rest);
template <class P, class I, class... A> forewarp_with_policy<P, std::decay_t<I>> remove_copy_if(P&& policy, I first, A&&... rest);
// The result is an iterator of the output's range: the third argument, or the one behind two ranges.
template <class I, class... A> forewarp_without_policy<I, std::decay_t<I>> copy(I first, A&&... rest);
template <class P, class I, class... A> forewarp_with_policy<P, std::decay_t<I>> copy(P&& policy, I first, A&&... rest);
template <class I, class... A> forewarp_without_policy<I, std::decay_t<I>> copy_n(I first, A&&... rest);
template <class P, class I, class... A> forewarp_with_policy<P, std::decay_t<I>> copy_n(P&& policy, I first, A&&... rest);
template <class I, class... A> forewarp_without_policy<I, std::decay_t<I>> copy_if(I first, A&&... rest);
template <class P, class I, class... A> forewarp_with_policy<P, std::decay_t<I>> copy_if(P&& policy, I first, A&&... rest);
template <class I, class... A> forewarp_without_policy<I, std::decay_t<I>> transform(I first, A&&... rest);
template <class P, class I, class... A> forewarp_with_policy<P, std::decay_t<I>> transform(P&& policy, I first, A&&... rest);
template <class I, class... A> forewarp_without_policy<I, std::decay_t<I>> inclusive_scan(I first, A&&... rest);
template <class P, class I, class... A> forewarp_with_policy<P, std::decay_t<I>> inclusive_scan(P&& policy, I first, A&&... rest);
template <class I, class... A> forewarp_without_policy<I, std::decay_t<I>> exclusive_scan(I first, A&&... rest);
template <class P, class I, class... A> forewarp_with_policy<P, std::decay_t<I>> exclusive_scan(P&& policy, I first, A&&... rest);
template <class I, class... A> forewarp_without_policy<I, std::decay_t<I>> transform_inclusive_scan(I first, A&&... rest);
template <class P, class I, class... A> forewarp_with_policy<P, std::decay_t<I>> transform_inclusive_scan(P&& policy, I first, A&&... rest);
template <class I, class... A> forewarp_without_policy<I, std::decay_t<I>> transform_exclusive_scan(I first, A&&... rest);
template <class P, class I, class... A> forewarp_with_policy<P, std::decay_t<I>> transform_exclusive_scan(P&& policy, I first, A&&... rest);
template <class I, class... A> forewarp_without_policy<I, std::decay_t<I>> adjacent_difference(I first, A&&... rest);
template <class P, class I, class... A> forewarp_with_policy<P, std::decay_t<I>> adjacent_difference(P&& policy, I first, A&&... rest);
template <class I, class... A> forewarp_without_policy<I, std::decay_t<I>> gather(I first, A&&... rest);
template <class P, class I, class... A> forewarp_with_policy<P, std::decay_t<I>> gather(P&& policy, I first, A&&... rest);
template <class I, class... A> forewarp_without_policy<I, std::decay_t<I>> set_intersection(I first, A&&... rest);
template <class P, class I, class... A> forewarp_with_policy<P, std::decay_t<I>> set_intersection(P&& policy, I first, A&&... rest);
template <class I, class... A> forewarp_without_policy<I, std::decay_t<I>> set_union(I first, A&&... rest);
template <class P, class I, class... A> forewarp_with_policy<P, std::decay_t<I>> set_union(P&& policy, I first, A&&... rest);
template <class I, class... A> forewarp_without_policy<I, std::decay_t<I>> set_difference(I first, A&&... rest);
template <class P, class I, class... A> forewarp_with_policy<P, std::decay_t<I>> set_difference(P&& policy, I first, A&&... rest);
template <class I, class... A> forewarp_without_policy<I, std::decay_t<I>> merge(I first, A&&... rest);
template <class P, class I, class... A> forewarp_with_policy<P, std::decay_t<I>> merge(P&& policy, I first, A&&... rest);
template <class I, class... A> forewarp_without_policy<I, std::decay_t<I>> fill_n(I first, A&&... rest);
template <class P, class I, class... A> forewarp_with_policy<P, std::decay_t<I>> fill_n(P&& policy, I first, A&&... rest);
template <class I, class... A> forewarp_without_policy<I, std::decay_t<I>> generate_n(I first, A&&... rest);
template <class P, class I, class... A> forewarp_with_policy<P, std::decay_t<I>> generate_n(P&& policy, I first, A&&... rest);
// Nothing is given back.
template <class I, class... A> forewarp_without_policy<I, void> sort(I first, A&&... rest);
template <class P, class I, class... A> forewarp_with_policy<P, void> sort(P&& policy, I first, A&&... rest);
template <class I, class... A> forewarp_without_policy<I, void> sort_by_key(I first, A&&... rest);
template <class P, class I, class... A> forewarp_with_policy<P, void> sort_by_key(P&& policy, I first, A&&... rest);
template <class I, class... A> forewarp_without_policy<I, void> stable_sort(I first, A&&... rest);
template <class P, class I, class... A> forewarp_with_policy<P, void> stable_sort(P&& policy, I first, A&&... rest);
template <class I, class... A> forewarp_without_policy<I, void> stable_sort_by_key(I first, A&&... rest);
template <class P, class I, class... A> forewarp_with_policy<P, void> stable_sort_by_key(P&& policy, I first, A&&... rest);
template <class I, class... A> forewarp_without_policy<I, void> sequence(I first, A&&... rest);
template <class P, class I, class... A> forewarp_with_policy<P, void> sequence(P&& policy, I first, A&&... rest);
template <class I, class... A> forewarp_without_policy<I, void> fill(I first, A&&... rest);
template <class P, class I, class... A> forewarp_with_policy<P, void> fill(P&& policy, I first, A&&... rest);
template <class I, class... A> forewarp_without_policy<I, void> generate(I first, A&&... rest);
template <class P, class I, class... A> forewarp_with_policy<P, void> generate(P&& policy, I first, A&&... rest);
template <class I, class... A> forewarp_without_policy<I, void> tabulate(I first, A&&... rest);
template <class P, class I, class... A> forewarp_with_policy<P, void> tabulate(P&& policy, I first, A&&... rest);
template <class I, class... A> forewarp_without_policy<I, void> scatter(I first, A&&... rest);
template <class P, class I, class... A> forewarp_with_policy<P, void> scatter(P&& policy, I first, A&&... rest);
template <class I, class... A> forewarp_without_policy<I, void> scatter_if(I first, A&&... rest);
template <class P, class I, class... A> forewarp_with_policy<P, void> scatter_if(P&& policy, I first, A&&... rest);
template <class I, class... A> forewarp_without_policy<I, void> gather_if(I first, A&&... rest);
template <class P, class I, class... A> forewarp_with_policy<P, void> gather_if(P&& policy, I first, A&&... rest);
template <class I, class... A> forewarp_without_policy<I, void> replace(I first, A&&... rest);
template <class P, class I, class... A> forewarp_with_policy<P, void> replace(P&& policy, I first, A&&... rest);
template <class I, class... A> forewarp_without_policy<I, void> replace_if(I first, A&&... rest);
template <class P, class I, class... A> forewarp_with_policy<P, void> replace_if(P&& policy, I first, A&&... rest);
template <class I, class... A> forewarp_without_policy<I, void> reverse(I first, A&&... rest);
template <class P, class I, class... A> forewarp_with_policy<P, void> reverse(P&& policy, I first, A&&... rest);
template <class I, class... A> forewarp_without_policy<I, void> iter_swap(I first, A&&... rest);
template <class P, class I, class... A> forewarp_with_policy<P, void> iter_swap(P&& policy, I first, A&&... rest);
template <class I, class... A> forewarp_without_policy<I, void> swap_ranges(I first, A&&... rest);
template <class P, class I, class... A> forewarp_with_policy<P, void> swap_ranges(P&& policy, I first, A&&... rest);
template <class I, class... A> forewarp_without_policy<I, void> inclusive_scan_by_key(I first, A&&... rest);
template <class P, class I, class... A> forewarp_with_policy<P, void> inclusive_scan_by_key(P&& policy, I first, A&&... rest);
template <class I, class... A> forewarp_without_policy<I, void> exclusive_scan_by_key(I first, A&&... rest);
template <class P, class I, class... A> forewarp_with_policy<P, void> exclusive_scan_by_key(P&& policy, I first, A&&... rest);
template <class I, class... A> forewarp_without_policy<I, void> uninitialized_fill(I first, A&&... rest);
template <class P, class I, class... A> forewarp_with_policy<P, void> uninitialized_fill(P&& policy, I first, A&&... rest);
// The result is a value.
template <class I, class... A> forewarp_without_policy<I, forewarp_value<I>> reduce(I first, A&&... rest);
template <class P, class I, class... A> forewarp_with_policy<P, forewarp_value<I>> reduce(P&& policy, I first, A&&... rest);
template <class I, class J, class T, class... A> forewarp_without_policy<I, T> reduce(I first, J last, T init, A&&... rest);
template <class P, class I, class J, class T, class... A>
forewarp_with_policy<P, T> reduce(P&& policy, I first, J last, T init, A&&... rest);
template <class I, class J, class F, class T, class... A>
forewarp_without_policy<I, T> transform_reduce(I first, J last, F function, T init, A&&... rest);
template <class P, class I, class J, class F, class T, class... A>
forewarp_with_policy<P, T> transform_reduce(P&& policy, I first, J last, F function, T init, A&&... rest);
template <class I, class J, class K, class T, class... A>
forewarp_without_policy<I, T> inner_product(I first, J last, K other, T init, A&&... rest);
template <class P, class I, class J, class K, class T, class... A>
forewarp_with_policy<P, T> inner_product(P&& policy, I first, J last, K other, T init, A&&... rest);
template <class... A> long count(A&&...);
template <class... A> long count_if(A&&...);
template <class... A> bool equal(A&&...);
template <class... A> bool all_of(A&&...);
template <class... A> bool any_of(A&&...);
template <class... A> bool none_of(A&&...);
template <class... A> bool is_sorted(A&&...);
template <class I, class J, class K, class L, class... A>
forewarp_without_policy<I, pair<K, L>> reduce_by_key(I first, J last, K keys, L values, A&&... rest);
template <class P, class I, class J, class K, class L, class M, class... A>
forewarp_with_policy<P, pair<L, M>> reduce_by_key(P&& policy, I first, J last, K from, L keys, M values, A&&... rest);
template <class I, class J, class... A> forewarp_without_policy<I, pair<I, J>> unique_by_key(I first, I last, J values, A&&... rest);
template <class P, class I, class J, class... A>
forewarp_with_policy<P, pair<I, J>> unique_by_key(P&& policy, I first, I last, J values, A&&... rest);
template <class I, class... A> forewarp_without_policy<I, pair<I, I>> minmax_element(I first, I last, A&&... rest);

struct system_error : std::exception {};

} // namespace thrust
#endif
