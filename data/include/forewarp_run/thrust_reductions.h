// Thrust's algorithms that join elements: sums, scans, counts, searches.
#pragma once
#pragma clang system_header
#include <forewarp_run/thrust_transforms.h>

namespace thrust {

template <bool on_device> struct fw_reductions {
  template <class I> static FW_HOST fw_value<I> reduce(I first, I last) { return reduce(first, last, fw_value<I>(0)); }
  template <class I, class T> static FW_HOST T reduce(I first, I last, T init) { return reduce(first, last, init, plus<T>()); }
  template <class I, class T, class F> static FW_HOST T reduce(I first, I last, T init, F f) {
    const long n = last - first;
    return fw_go<on_device>("thrust::reduce", n, sizeof(fw_value<I>),
                            [at = fw_raw(first), n, init, f] __host__ __device__() mutable { return static_cast<T>(fw_seq::reduce(at, n, init, f)); });
  }
  template <class I, class F, class T, class J> static FW_HOST T transform_reduce(I first, I last, F f, T init, J join) {
    const long n = last - first;
    return fw_go<on_device>("thrust::transform_reduce", n, sizeof(fw_value<I>), [at = fw_raw(first), n, f, init, join] __host__ __device__() mutable {
      T sum = init;
      for (long k = 0; k < n; ++k)
        sum = join(sum, f(at[k]));
      return sum;
    });
  }
  template <class I, class J, class T> static FW_HOST T inner_product(I first, I last, J second, T init) {
    return inner_product(first, last, second, init, plus<T>(), multiplies<T>());
  }
  template <class I, class J, class T, class F, class G> static FW_HOST T inner_product(I first, I last, J second, T init, F join, G both) {
    const long n = last - first;
    return fw_go<on_device>("thrust::inner_product", n, sizeof(fw_value<I>),
                            [at = fw_raw(first), n, other = fw_raw(second), init, join, both] __host__ __device__() mutable {
                              T sum = init;
                              for (long k = 0; k < n; ++k)
                                sum = join(sum, both(at[k], other[k]));
                              return sum;
                            });
  }
  template <class I, class O> static FW_HOST O inclusive_scan(I first, I last, O out) { return inclusive_scan(first, last, out, plus<fw_value<I>>()); }
  template <class I, class O, class F> static FW_HOST O inclusive_scan(I first, I last, O out, F f) {
    const long n = last - first;
    fw_go<on_device>("thrust::inclusive_scan", n, sizeof(fw_value<I>),
                     [at = fw_raw(first), n, to = fw_raw(out), f] __host__ __device__() mutable { fw_seq::inclusive_scan(at, n, to, f); });
    return out + n;
  }
  template <class I, class O> static FW_HOST O exclusive_scan(I first, I last, O out) { return exclusive_scan(first, last, out, fw_value<I>(0)); }
  template <class I, class O, class T> static FW_HOST O exclusive_scan(I first, I last, O out, T init) {
    return exclusive_scan(first, last, out, init, plus<T>());
  }
  template <class I, class O, class T, class F> static FW_HOST O exclusive_scan(I first, I last, O out, T init, F f) {
    const long n = last - first;
    fw_go<on_device>("thrust::exclusive_scan", n, sizeof(fw_value<I>),
                     [at = fw_raw(first), n, to = fw_raw(out), init, f] __host__ __device__() mutable { fw_seq::exclusive_scan(at, n, to, init, f); });
    return out + n;
  }
  template <class I, class O, class G, class F> static FW_HOST O transform_inclusive_scan(I first, I last, O out, G g, F f) {
    return inclusive_scan(make_transform_iterator(first, g), make_transform_iterator(last, g), out, f);
  }
  template <class I, class O, class G, class T, class F> static FW_HOST O transform_exclusive_scan(I first, I last, O out, G g, T init, F f) {
    return exclusive_scan(make_transform_iterator(first, g), make_transform_iterator(last, g), out, init, f);
  }
  template <class K, class V, class O> static FW_HOST O inclusive_scan_by_key(K keys, K last, V values, O out) {
    return inclusive_scan_by_key(keys, last, values, out, equal_to<fw_value<K>>());
  }
  template <class K, class V, class O, class E> static FW_HOST O inclusive_scan_by_key(K keys, K last, V values, O out, E equal) {
    return inclusive_scan_by_key(keys, last, values, out, equal, plus<fw_value<V>>());
  }
  template <class K, class V, class O, class E, class F>
  static FW_HOST O inclusive_scan_by_key(K keys, K last, V values, O out, E equal, F f) {
    const long n = last - keys;
    fw_go<on_device>("thrust::inclusive_scan_by_key", n, sizeof(fw_value<V>),
                     [keys = fw_raw(keys), n, at = fw_raw(values), to = fw_raw(out), equal, f] __host__ __device__() mutable {
                       fw_value<V> sum{};
                       for (long k = 0; k < n; ++k) {
                         const fw_value<V> value = at[k];
                         sum = k > 0 && equal(keys[k - 1], keys[k]) ? static_cast<fw_value<V>>(f(sum, value)) : value;
                         to[k] = sum;
                       }
                     });
    return out + n;
  }
  template <class K, class V, class O> static FW_HOST O exclusive_scan_by_key(K keys, K last, V values, O out) {
    return exclusive_scan_by_key(keys, last, values, out, fw_value<V>(0));
  }
  template <class K, class V, class O, class T> static FW_HOST O exclusive_scan_by_key(K keys, K last, V values, O out, T init) {
    const long n = last - keys;
    fw_go<on_device>("thrust::exclusive_scan_by_key", n, sizeof(fw_value<V>),
                     [keys = fw_raw(keys), n, at = fw_raw(values), to = fw_raw(out), init] __host__ __device__() mutable {
                       T sum = init;
                       for (long k = 0; k < n; ++k) {
                         if (k > 0 && !(keys[k - 1] == keys[k]))
                           sum = init;
                         const T value = at[k];
                         to[k] = sum;
                         sum = sum + value;
                       }
                     });
    return out + n;
  }
  template <class K, class V, class L, class W> static FW_HOST pair<L, W> reduce_by_key(K keys, K last, V values, L keys_out, W out) {
    return reduce_by_key(keys, last, values, keys_out, out, equal_to<fw_value<K>>());
  }
  template <class K, class V, class L, class W, class E>
  static FW_HOST pair<L, W> reduce_by_key(K keys, K last, V values, L keys_out, W out, E equal) {
    return reduce_by_key(keys, last, values, keys_out, out, equal, plus<fw_value<V>>());
  }
  template <class K, class V, class L, class W, class E, class F>
  static FW_HOST pair<L, W> reduce_by_key(K keys, K last, V values, L keys_out, W out, E equal, F f) {
    const long n = last - keys;
    const long runs = fw_go<on_device>("thrust::reduce_by_key", n, sizeof(fw_value<K>) + sizeof(fw_value<V>),
                                       [keys = fw_raw(keys), n, values = fw_raw(values), to_keys = fw_raw(keys_out), to = fw_raw(out), equal,
                                        f] __host__ __device__() mutable { return fw_seq::reduce_by_key(keys, n, values, to_keys, to, equal, f); });
    return pair<L, W>(keys_out + runs, out + runs);
  }

  /// The first place where `here` of an element holds; n: nowhere.
  template <class I, class Here> static FW_HOST long place(const char* name, I first, long n, Here here) {
    return fw_go<on_device>(name, n, sizeof(fw_value<I>), [at = fw_raw(first), n, here] __host__ __device__() mutable {
      for (long k = 0; k < n; ++k)
        if (here(at[k]))
          return k;
      return n;
    });
  }
  template <class I, class P> static FW_HOST I find_if(I first, I last, P wanted) { return first + place("thrust::find_if", first, last - first, wanted); }
  template <class I, class P> static FW_HOST I find_if_not(I first, I last, P wanted) {
    return first + place("thrust::find_if_not", first, last - first, [wanted] __host__ __device__(const fw_value<I>& v) mutable { return !wanted(v); });
  }
  template <class I, class T> static FW_HOST I find(I first, I last, T value) {
    return first + place("thrust::find", first, last - first, [value] __host__ __device__(const fw_value<I>& v) { return v == value; });
  }
  template <class I, class P> static FW_HOST bool any_of(I first, I last, P wanted) { return place("thrust::any_of", first, last - first, wanted) < last - first; }
  template <class I, class P> static FW_HOST bool none_of(I first, I last, P wanted) { return place("thrust::none_of", first, last - first, wanted) == last - first; }
  template <class I, class P> static FW_HOST bool all_of(I first, I last, P wanted) { return find_if_not(first, last, wanted) == last; }
  template <class I, class P> static FW_HOST long count_if(I first, I last, P wanted) {
    const long n = last - first;
    return fw_go<on_device>("thrust::count_if", n, sizeof(fw_value<I>), [at = fw_raw(first), n, wanted] __host__ __device__() mutable {
      long count = 0;
      for (long k = 0; k < n; ++k)
        count += wanted(at[k]) ? 1 : 0;
      return count;
    });
  }
  template <class I, class T> static FW_HOST long count(I first, I last, T value) {
    return count_if(first, last, [value] __host__ __device__(const fw_value<I>& v) { return v == value; });
  }
  template <class I, class J> static FW_HOST bool equal(I first, I last, J second) { return equal(first, last, second, equal_to<fw_value<I>>()); }
  template <class I, class J, class E> static FW_HOST bool equal(I first, I last, J second, E same) {
    const long n = last - first;
    return fw_go<on_device>("thrust::equal", n, sizeof(fw_value<I>), [at = fw_raw(first), n, other = fw_raw(second), same] __host__ __device__() mutable {
      for (long k = 0; k < n; ++k)
        if (!same(at[k], other[k]))
          return false;
      return true;
    });
  }
  template <class I, class B> static FW_HOST long best(const char* name, I first, long n, B better) {
    return fw_go<on_device>(name, n, sizeof(fw_value<I>), [at = fw_raw(first), n, better] __host__ __device__() mutable { return fw_seq::best(at, n, better); });
  }
  template <class I> static FW_HOST I max_element(I first, I last) { return max_element(first, last, less<fw_value<I>>()); }
  template <class I, class F> static FW_HOST I max_element(I first, I last, F before) {
    return first + best("thrust::max_element", first, last - first,
                        [before] __host__ __device__(const fw_value<I>& a, const fw_value<I>& b) mutable { return before(b, a); });
  }
  template <class I> static FW_HOST I min_element(I first, I last) { return min_element(first, last, less<fw_value<I>>()); }
  template <class I, class F> static FW_HOST I min_element(I first, I last, F before) {
    return first + best("thrust::min_element", first, last - first, before);
  }
  template <class I> static FW_HOST pair<I, I> minmax_element(I first, I last) { return pair<I, I>(min_element(first, last), max_element(first, last)); }
  template <class I, class F> static FW_HOST pair<I, I> minmax_element(I first, I last, F before) {
    return pair<I, I>(min_element(first, last, before), max_element(first, last, before));
  }
};

} // namespace thrust
