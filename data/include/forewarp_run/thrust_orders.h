// Thrust's algorithms that move elements: copies, choices, sorts, and those over sorted ranges.
#pragma once
#pragma clang system_header
#include <forewarp_run/thrust_reductions.h>

namespace thrust {

template <bool on_device> struct fw_orders {
  template <class T> using host_room = std::vector<T>;

  template <class I, class O> static FW_HOST O copy(I first, I last, O out) { return copy_n(first, last - first, out); }
  template <class I, class N, class O> static FW_HOST O copy_n(I first, N n, O out) {
    if constexpr (fw_is_plain<O>::value && fw_is_plain<I>::value)
      fw_copy_into(first, static_cast<long>(n), fw_address(out), fw_on_device<O>::value || (on_device && !fw_on_device<I>::value));
    else
      fw_go<on_device>("thrust::copy", n, sizeof(fw_value<I>), [at = fw_raw(first), n, to = fw_raw(out)] __host__ __device__() mutable {
        for (long k = 0; k < static_cast<long>(n); ++k)
          to[k] = at[k];
      });
    return out + n;
  }
  template <class I, class O, class P> static FW_HOST O copy_if(I first, I last, O out, P wanted) {
    const long n = last - first;
    return out + fw_go<on_device>("thrust::copy_if", n, sizeof(fw_value<I>), [at = fw_raw(first), n, to = fw_raw(out), wanted] __host__ __device__() mutable {
             return fw_seq::copy_where(at, n, to, [&](long k) { return static_cast<bool>(wanted(at[k])); });
           });
  }
  template <class I, class S, class O, class P> static FW_HOST O copy_if(I first, I last, S stencil, O out, P wanted) {
    const long n = last - first;
    return out + fw_go<on_device>("thrust::copy_if", n, sizeof(fw_value<I>),
                                  [at = fw_raw(first), n, stencil = fw_raw(stencil), to = fw_raw(out), wanted] __host__ __device__() mutable {
                                    return fw_seq::copy_where(at, n, to, [&](long k) { return static_cast<bool>(wanted(stencil[k])); });
                                  });
  }
  template <class I, class O, class P> static FW_HOST O remove_copy_if(I first, I last, O out, P wanted) {
    return copy_if(first, last, out, [wanted] __host__ __device__(const fw_value<I>& v) mutable { return !wanted(v); });
  }
  template <class I, class P> static FW_HOST I remove_if(I first, I last, P wanted) { return remove_copy_if(first, last, first, wanted); }
  template <class I, class S, class P> static FW_HOST I remove_if(I first, I last, S stencil, P wanted) {
    return copy_if(first, last, stencil, first, [wanted] __host__ __device__(const fw_value<S>& v) mutable { return !wanted(v); });
  }
  template <class I, class T> static FW_HOST I remove(I first, I last, T value) {
    return remove_if(first, last, [value] __host__ __device__(const fw_value<I>& v) { return v == value; });
  }
  template <class I> static FW_HOST I unique(I first, I last) { return unique(first, last, equal_to<fw_value<I>>()); }
  template <class I, class E> static FW_HOST I unique(I first, I last, E same) { return unique_copy(first, last, first, same); }
  template <class I, class O> static FW_HOST O unique_copy(I first, I last, O out) { return unique_copy(first, last, out, equal_to<fw_value<I>>()); }
  template <class I, class O, class E> static FW_HOST O unique_copy(I first, I last, O out, E same) {
    const long n = last - first;
    return out + fw_go<on_device>("thrust::unique", n, sizeof(fw_value<I>), [at = fw_raw(first), n, to = fw_raw(out), same] __host__ __device__() mutable {
             fw_value<I> before{};
             return fw_seq::copy_where(at, n, to, [&](long k) {
               const fw_value<I> now = at[k];
               const bool is_new = k == 0 || !same(before, now);
               before = now;
               return is_new;
             });
           });
  }
  template <class K, class V> static FW_HOST pair<K, V> unique_by_key(K first, K last, V values) {
    return fw_reductions<on_device>::reduce_by_key(first, last, values, first, values, equal_to<fw_value<K>>(),
                                                   [] __host__ __device__(const fw_value<V>& a, const fw_value<V>&) { return a; });
  }
  template <class I, class P> static FW_HOST I partition(I first, I last, P wanted) { return stable_partition(first, last, wanted); }
  template <class I, class P> static FW_HOST I stable_partition(I first, I last, P wanted) {
    const long n = last - first;
    const auto body = [at = fw_raw(first), n, wanted] __host__ __device__(fw_value<I> * others) mutable {
      long kept = 0, rest = 0;
      for (long k = 0; k < n; ++k) {
        const fw_value<I> value = at[k];
        if (wanted(value))
          at[kept++] = value;
        else
          others[rest++] = value;
      }
      for (long k = 0; k < rest; ++k)
        at[kept + k] = others[k];
      return kept;
    };
    return first + with_room<fw_value<I>>("thrust::partition", n, sizeof(fw_value<I>), n, body);
  }

  template <class I> static FW_HOST void sort(I first, I last) { sort(first, last, less<fw_value<I>>()); }
  template <class I, class F> static FW_HOST void sort(I first, I last, F before) {
    const long n = last - first;
    const auto body = [at = fw_raw(first), n, before] __host__ __device__(fw_value<I> * room) mutable {
      for (long k = 0; k < n; ++k)
        room[k] = at[k];
      fw_seq::merge_sort(room, static_cast<char*>(nullptr), n, room + n, static_cast<char*>(nullptr), before);
      for (long k = 0; k < n; ++k)
        at[k] = room[k];
      return 0;
    };
    with_room<fw_value<I>>("thrust::sort", n, sizeof(fw_value<I>), 2 * n, body);
  }
  template <class I, class... F> static FW_HOST void stable_sort(I first, I last, F... before) { sort(first, last, before...); }
  template <class K, class V> static FW_HOST void sort_by_key(K keys, K last, V values) { sort_by_key(keys, last, values, less<fw_value<K>>()); }
  template <class K, class V, class F> static FW_HOST void sort_by_key(K keys, K last, V values, F before) {
    typedef pair<fw_value<K>, fw_value<V>> both;
    const long n = last - keys;
    const auto body = [keys = fw_raw(keys), n, values = fw_raw(values), before] __host__ __device__(both * room) mutable {
      for (long k = 0; k < n; ++k)
        room[k] = both(keys[k], values[k]);
      fw_seq::merge_sort(room, static_cast<char*>(nullptr), n, room + n, static_cast<char*>(nullptr),
                         [&](const both& a, const both& b) { return before(a.first, b.first); });
      for (long k = 0; k < n; ++k) {
        keys[k] = room[k].first;
        values[k] = room[k].second;
      }
      return 0;
    };
    with_room<both>("thrust::sort_by_key", n, sizeof(both), 2 * n, body);
  }
  template <class K, class V, class... F> static FW_HOST void stable_sort_by_key(K keys, K last, V values, F... before) {
    sort_by_key(keys, last, values, before...);
  }
  template <class I> static FW_HOST bool is_sorted(I first, I last) { return is_sorted(first, last, less<fw_value<I>>()); }
  template <class I, class F> static FW_HOST bool is_sorted(I first, I last, F before) {
    const long n = last - first;
    return fw_go<on_device>("thrust::is_sorted", n, sizeof(fw_value<I>), [at = fw_raw(first), n, before] __host__ __device__() mutable {
      for (long k = 1; k < n; ++k)
        if (before(at[k], at[k - 1]))
          return false;
      return true;
    });
  }
  template <class I, class T> static FW_HOST I lower_bound(I first, I last, T value) {
    const long n = last - first;
    return first + fw_go<on_device>("thrust::lower_bound", n, sizeof(fw_value<I>), [at = fw_raw(first), n, value] __host__ __device__() mutable {
             return fw_seq::lower_bound(at, n, value, less<fw_value<I>>());
           });
  }
  template <class I, class T> static FW_HOST I upper_bound(I first, I last, T value) {
    const long n = last - first;
    return first + fw_go<on_device>("thrust::upper_bound", n, sizeof(fw_value<I>), [at = fw_raw(first), n, value] __host__ __device__() mutable {
             return fw_seq::upper_bound(at, n, value, less<fw_value<I>>());
           });
  }
  /// Of each of the values, its place.
  template <class I, class J, class O> static FW_HOST O lower_bound(I first, I last, J values, J values_last, O out) {
    const long n = last - first, m = values_last - values;
    fw_go<on_device>("thrust::lower_bound", m, sizeof(fw_value<I>),
                     [at = fw_raw(first), n, values = fw_raw(values), m, to = fw_raw(out)] __host__ __device__() mutable {
                       for (long k = 0; k < m; ++k)
                         to[k] = fw_seq::lower_bound(at, n, fw_value<I>(values[k]), less<fw_value<I>>());
                     });
    return out + m;
  }
  template <class I, class J, class O> static FW_HOST O upper_bound(I first, I last, J values, J values_last, O out) {
    const long n = last - first, m = values_last - values;
    fw_go<on_device>("thrust::upper_bound", m, sizeof(fw_value<I>),
                     [at = fw_raw(first), n, values = fw_raw(values), m, to = fw_raw(out)] __host__ __device__() mutable {
                       for (long k = 0; k < m; ++k)
                         to[k] = fw_seq::upper_bound(at, n, fw_value<I>(values[k]), less<fw_value<I>>());
                     });
    return out + m;
  }
#define FW_JOIN(name, first_only, second_only, of_both, twice)                                                         \
  template <class I, class J, class O> static FW_HOST O name(I a, I a_last, J b, J b_last, O out) {                    \
    const long n = a_last - a, m = b_last - b;                                                                         \
    return out + fw_go<on_device>("thrust::" #name, n + m, sizeof(fw_value<I>),                                        \
                                  [a = fw_raw(a), n, b = fw_raw(b), m, to = fw_raw(out)] __host__ __device__() mutable { \
                                    return fw_seq::join_sorted(a, n, b, m, to, less<fw_value<I>>(), first_only, second_only, of_both, twice); \
                                  });                                                                                  \
  }
  FW_JOIN(merge, true, true, true, true)
  FW_JOIN(set_union, true, true, true, false)
  FW_JOIN(set_intersection, false, false, true, false)
  FW_JOIN(set_difference, true, false, false, false)
#undef FW_JOIN

private:
  /// `body` is given room for `count` values, and gives a number back.
  template <class T, class Body> static FW_HOST long with_room(const char* name, long n, size_t item_bytes, long count, Body body) {
    if constexpr (on_device) {
      fw_library_call call(name, static_cast<size_t>(n), item_bytes);
      T* room = call.room<T>(static_cast<size_t>(count));
      return call.answer<long>([body, room] __host__ __device__() mutable { return static_cast<long>(body(room)); });
    } else {
      host_room<T> room(static_cast<size_t>(count));
      return body(room.data());
    }
  }
};

} // namespace thrust
