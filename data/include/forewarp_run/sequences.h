// Algorithms over random-access iterators, for one work-item or for the host: what Thrust's algorithms and CUB's
// device-wide functions compute. Places are given back as distances from the beginning of their range.
#pragma once
#pragma clang system_header
#include <chrono> // as the toolkit's headers bring it along
#include <iterator>
#include <type_traits>

#include <forewarp_run/library.h>

namespace fw_sequences {

template <class I> using value_of = std::decay_t<typename std::iterator_traits<I>::value_type>;

/// A stable merge of runs, from `from` to `to`.
template <class T, class P, class Before>
FW_CORE void merge_runs(T* from, P* from_values, T* to, P* to_values, long first, long middle, long last, Before before) {
  long a = first, b = middle;
  for (long at = first; at < last; ++at) {
    const bool second = a >= middle || (b < last && before(from[b], from[a]));
    const long chosen = second ? b++ : a++;
    to[at] = from[chosen];
    if (from_values)
      to_values[at] = from_values[chosen];
  }
}

/// Stable. `room` and `value_room`: as many again; values may be null.
template <class T, class P, class Before> FW_CORE void merge_sort(T* keys, P* values, long n, T* room, P* value_room, Before before) {
  constexpr long run = 16;
  for (long first = 0; first < n; first += run)
    for (long k = first + 1; k < n && k < first + run; ++k) {
      T key = keys[k];
      P value = values ? values[k] : P();
      long at = k;
      for (; at > first && before(key, keys[at - 1]); --at) {
        keys[at] = keys[at - 1];
        if (values)
          values[at] = values[at - 1];
      }
      keys[at] = key;
      if (values)
        values[at] = value;
    }
  T *from = keys, *to = room;
  P *from_values = values, *to_values = values ? value_room : nullptr;
  for (long width = run; width < n; width *= 2) {
    for (long first = 0; first < n; first += 2 * width) {
      const long middle = first + width < n ? first + width : n, last = first + 2 * width < n ? first + 2 * width : n;
      merge_runs(from, from_values, to, to_values, first, middle, last, before);
    }
    T* keys_before = from;
    from = to;
    to = keys_before;
    P* values_before = from_values;
    from_values = to_values;
    to_values = values_before;
  }
  if (from == keys)
    return;
  for (long k = 0; k < n; ++k) {
    keys[k] = from[k];
    if (values)
      values[k] = from_values[k];
  }
}

template <class I, class T, class Join> FW_CORE T reduce(I first, long n, T sum, Join join) {
  for (long k = 0; k < n; ++k)
    sum = join(sum, static_cast<T>(first[k]));
  return sum;
}

/// The output may be the input.
template <class I, class O, class Join> FW_CORE void inclusive_scan(I first, long n, O out, Join join) {
  if (n == 0)
    return;
  value_of<I> sum = first[0];
  out[0] = sum;
  for (long k = 1; k < n; ++k) {
    sum = join(sum, static_cast<value_of<I>>(first[k]));
    out[k] = sum;
  }
}

template <class I, class O, class T, class Join> FW_CORE void exclusive_scan(I first, long n, O out, T sum, Join join) {
  for (long k = 0; k < n; ++k) {
    const T next = join(sum, static_cast<T>(first[k]));
    out[k] = sum;
    sum = next;
  }
}

/// How many keys stay: of each run of equal ones its sum.
template <class K, class V, class L, class W, class Equal, class Join>
FW_CORE long reduce_by_key(K keys, long n, V values, L keys_out, W values_out, Equal equal, Join join) {
  long runs = 0;
  for (long k = 0; k < n;) {
    const value_of<K> key = keys[k];
    value_of<V> sum = values[k];
    for (++k; k < n && equal(key, keys[k]); ++k)
      sum = join(sum, static_cast<value_of<V>>(values[k]));
    keys_out[runs] = key;
    values_out[runs] = sum;
    ++runs;
  }
  return runs;
}

/// How many stay. `kept` is asked for the place.
template <class I, class O, class Kept> FW_CORE long copy_where(I first, long n, O out, Kept kept) {
  long count = 0;
  for (long k = 0; k < n; ++k)
    if (kept(k)) {
      out[count] = first[k];
      ++count;
    }
  return count;
}

/// The first place where `here` holds; n: nowhere.
template <class Here> FW_CORE long find(long n, Here here) {
  for (long k = 0; k < n; ++k)
    if (here(k))
      return k;
  return n;
}

/// The first of the best ones.
template <class I, class Better> FW_CORE long best(I first, long n, Better better) {
  long at = 0;
  for (long k = 1; k < n; ++k)
    if (better(first[k], first[at]))
      at = k;
  return at;
}

template <class I, class T, class Before> FW_CORE long lower_bound(I first, long n, const T& value, Before before) {
  long low = 0;
  while (n > 0) {
    const long half = n / 2;
    if (before(first[low + half], value)) {
      low += half + 1;
      n -= half + 1;
    } else {
      n = half;
    }
  }
  return low;
}

template <class I, class T, class Before> FW_CORE long upper_bound(I first, long n, const T& value, Before before) {
  long low = 0;
  while (n > 0) {
    const long half = n / 2;
    if (!before(value, first[low + half])) {
      low += half + 1;
      n -= half + 1;
    } else {
      n = half;
    }
  }
  return low;
}

/// Both are sorted. Which of the four kinds of elements go out: of the first only, of the second only, of both,
/// and whether both's second copy goes out, too (a merge).
template <class I, class J, class O, class Before>
FW_CORE long join_sorted(I a, long n, J b, long m, O out, Before before, bool only_first, bool only_second, bool both, bool twice) {
  long i = 0, j = 0, count = 0;
  const auto put = [&](const value_of<I>& value) { out[count++] = value; };
  while (i < n || j < m) {
    if (j == m || (i < n && before(a[i], b[j]))) {
      if (only_first)
        put(a[i]);
      ++i;
    } else if (i == n || before(b[j], a[i])) {
      if (only_second)
        put(b[j]);
      ++j;
    } else {
      if (both)
        put(a[i]);
      if (twice)
        put(b[j]);
      ++i;
      ++j;
    }
  }
  return count;
}

} // namespace fw_sequences
