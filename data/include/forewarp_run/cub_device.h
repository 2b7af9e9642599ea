// CUB's device-wide functions in a program that `forewarp run` builds. Their temporary storage is a byte: the
// algorithms bring their own.
#pragma once
#pragma clang system_header
#include <iterator>
#include <type_traits>
#include <utility>

#include <cub/thread/thread_operators.cuh>
#include <cub/util_type.cuh>
#include <forewarp_run/sequences.h>

namespace cub {

namespace fw_seq = ::fw_sequences;
template <class I> using fw_value = fw_seq::value_of<I>;

/// The two calls of each function: how much storage, and then the work. `body` is given rooms of its own.
template <class Body> FW_HOST cudaError_t fw_device(const char* name, void* storage, size_t& bytes, long n, size_t item_bytes, cudaStream_t stream, Body body) {
  if (storage == nullptr) {
    bytes = 1;
    return cudaSuccess;
  }
  fw_library_call(name, static_cast<size_t>(n < 0 ? 0 : n), item_bytes, stream).run(body);
  return cudaGetLastError();
}

struct DeviceReduce {
  template <class I, class O, class F, class T>
  static FW_HOST cudaError_t Reduce(void* storage, size_t& bytes, I in, O out, long n, F join, T init, cudaStream_t stream = 0, bool = false) {
    return fw_device("cub::DeviceReduce::Reduce", storage, bytes, n, sizeof(fw_value<I>), stream,
                     [=] __host__ __device__() mutable { *out = fw_seq::reduce(in, n, init, join); });
  }
  template <class I, class O> static FW_HOST cudaError_t Sum(void* storage, size_t& bytes, I in, O out, long n, cudaStream_t stream = 0, bool = false) {
    typedef std::conditional_t<std::is_void<fw_value<O>>::value, fw_value<I>, fw_value<O>> T;
    return fw_device("cub::DeviceReduce::Sum", storage, bytes, n, sizeof(fw_value<I>), stream,
                     [=] __host__ __device__() mutable { *out = fw_seq::reduce(in, n, T{}, cub::Sum()); });
  }
  template <class I, class O, class F>
  static FW_HOST cudaError_t fw_best(const char* name, void* storage, size_t& bytes, I in, O out, long n, cudaStream_t stream, F better) {
    return fw_device(name, storage, bytes, n, sizeof(fw_value<I>), stream, [=] __host__ __device__() mutable {
      if (n > 0)
        *out = in[fw_seq::best(in, n, better)];
    });
  }
  template <class I, class O> static FW_HOST cudaError_t Min(void* storage, size_t& bytes, I in, O out, long n, cudaStream_t stream = 0, bool = false) {
    return fw_best("cub::DeviceReduce::Min", storage, bytes, in, out, n, stream, [] __host__ __device__(const fw_value<I>& a, const fw_value<I>& b) { return a < b; });
  }
  template <class I, class O> static FW_HOST cudaError_t Max(void* storage, size_t& bytes, I in, O out, long n, cudaStream_t stream = 0, bool = false) {
    return fw_best("cub::DeviceReduce::Max", storage, bytes, in, out, n, stream, [] __host__ __device__(const fw_value<I>& a, const fw_value<I>& b) { return b < a; });
  }
  template <class I, class O, class F>
  static FW_HOST cudaError_t fw_place(const char* name, void* storage, size_t& bytes, I in, O out, long n, cudaStream_t stream, F better) {
    return fw_device(name, storage, bytes, n, sizeof(fw_value<I>), stream, [=] __host__ __device__() mutable {
      const long at = n > 0 ? fw_seq::best(in, n, better) : 0;
      (*out).key = static_cast<int>(at);
      (*out).value = in[at];
    });
  }
  template <class I, class O> static FW_HOST cudaError_t ArgMin(void* storage, size_t& bytes, I in, O out, long n, cudaStream_t stream = 0, bool = false) {
    return fw_place("cub::DeviceReduce::ArgMin", storage, bytes, in, out, n, stream, [] __host__ __device__(const fw_value<I>& a, const fw_value<I>& b) { return a < b; });
  }
  template <class I, class O> static FW_HOST cudaError_t ArgMax(void* storage, size_t& bytes, I in, O out, long n, cudaStream_t stream = 0, bool = false) {
    return fw_place("cub::DeviceReduce::ArgMax", storage, bytes, in, out, n, stream, [] __host__ __device__(const fw_value<I>& a, const fw_value<I>& b) { return b < a; });
  }
  template <class K, class L, class V, class W, class N, class F>
  static FW_HOST cudaError_t ReduceByKey(void* storage, size_t& bytes, K keys, L unique, V values, W sums, N runs, F join, long n, cudaStream_t stream = 0, bool = false) {
    return fw_device("cub::DeviceReduce::ReduceByKey", storage, bytes, n, sizeof(fw_value<K>) + sizeof(fw_value<V>), stream, [=] __host__ __device__() mutable {
      *runs = fw_seq::reduce_by_key(keys, n, values, unique, sums, [](const fw_value<K>& a, const fw_value<K>& b) { return a == b; }, join);
    });
  }
};

struct DeviceSegmentedReduce {
  template <class I, class O, class B, class E>
  static FW_HOST cudaError_t Sum(void* storage, size_t& bytes, I in, O out, long segments, B begins, E ends, cudaStream_t stream = 0, bool = false) {
    return fw_device("cub::DeviceSegmentedReduce::Sum", storage, bytes, segments, sizeof(fw_value<I>), stream, [=] __host__ __device__() mutable {
      for (long k = 0; k < segments; ++k)
        out[k] = fw_seq::reduce(in + begins[k], static_cast<long>(ends[k]) - static_cast<long>(begins[k]), fw_value<O>{}, cub::Sum());
    });
  }
};

struct DeviceScan {
  template <class I, class O, class F> static FW_HOST cudaError_t InclusiveScan(void* storage, size_t& bytes, I in, O out, F join, long n, cudaStream_t stream = 0, bool = false) {
    return fw_device("cub::DeviceScan::InclusiveScan", storage, bytes, n, sizeof(fw_value<I>), stream,
                     [=] __host__ __device__() mutable { fw_seq::inclusive_scan(in, n, out, join); });
  }
  template <class I, class O> static FW_HOST cudaError_t InclusiveSum(void* storage, size_t& bytes, I in, O out, long n, cudaStream_t stream = 0, bool = false) {
    return InclusiveScan(storage, bytes, in, out, cub::Sum(), n, stream);
  }
  template <class I, class O, class F, class T>
  static FW_HOST cudaError_t ExclusiveScan(void* storage, size_t& bytes, I in, O out, F join, T init, long n, cudaStream_t stream = 0, bool = false) {
    return fw_device("cub::DeviceScan::ExclusiveScan", storage, bytes, n, sizeof(fw_value<I>), stream,
                     [=] __host__ __device__() mutable { fw_seq::exclusive_scan(in, n, out, init, join); });
  }
  template <class I, class O> static FW_HOST cudaError_t ExclusiveSum(void* storage, size_t& bytes, I in, O out, long n, cudaStream_t stream = 0, bool = false) {
    return ExclusiveScan(storage, bytes, in, out, cub::Sum(), fw_value<I>{}, n, stream);
  }
};

struct DeviceSelect {
  template <class I, class S, class O, class N>
  static FW_HOST cudaError_t Flagged(void* storage, size_t& bytes, I in, S flags, O out, N count, long n, cudaStream_t stream = 0, bool = false) {
    return fw_device("cub::DeviceSelect::Flagged", storage, bytes, n, sizeof(fw_value<I>), stream, [=] __host__ __device__() mutable {
      *count = fw_seq::copy_where(in, n, out, [&](long k) { return static_cast<bool>(flags[k]); });
    });
  }
  template <class I, class O, class N, class F>
  static FW_HOST cudaError_t If(void* storage, size_t& bytes, I in, O out, N count, long n, F wanted, cudaStream_t stream = 0, bool = false) {
    return fw_device("cub::DeviceSelect::If", storage, bytes, n, sizeof(fw_value<I>), stream, [=] __host__ __device__() mutable {
      *count = fw_seq::copy_where(in, n, out, [&](long k) { return static_cast<bool>(wanted(in[k])); });
    });
  }
  template <class I, class O, class N> static FW_HOST cudaError_t Unique(void* storage, size_t& bytes, I in, O out, N count, long n, cudaStream_t stream = 0, bool = false) {
    return fw_device("cub::DeviceSelect::Unique", storage, bytes, n, sizeof(fw_value<I>), stream, [=] __host__ __device__() mutable {
      *count = fw_seq::copy_where(in, n, out, [&](long k) { return k == 0 || !(in[k] == in[k - 1]); });
    });
  }
};

struct DeviceRunLengthEncode {
  template <class I, class O, class L, class N>
  static FW_HOST cudaError_t Encode(void* storage, size_t& bytes, I in, O unique, L lengths, N runs, long n, cudaStream_t stream = 0, bool = false) {
    return fw_device("cub::DeviceRunLengthEncode::Encode", storage, bytes, n, sizeof(fw_value<I>), stream, [=] __host__ __device__() mutable {
      long count = 0;
      for (long k = 0; k < n;) {
        const long first = k;
        while (k < n && in[k] == in[first])
          ++k;
        unique[count] = in[first];
        lengths[count++] = k - first;
      }
      *runs = count;
    });
  }
};

template <class T> struct DoubleBuffer {
  T* d_buffers[2] = {};
  int selector = 0;
  FW_CORE DoubleBuffer() {}
  FW_CORE DoubleBuffer(T* current, T* other) : d_buffers{current, other} {}
  FW_CORE T* Current() { return d_buffers[selector]; }
  FW_CORE T* Alternate() { return d_buffers[selector ^ 1]; }
};

/// Stable; by some of the keys' bits.
struct DeviceRadixSort {
  template <class K, class V> static FW_HOST cudaError_t SortPairs(void* s, size_t& b, const K* in, K* out, const V* vin, V* vout, long n, int first = 0, int last = 8 * sizeof(K), cudaStream_t stream = 0, bool = false) {
    return sort<false>("cub::DeviceRadixSort::SortPairs", s, b, in, out, vin, vout, n, first, last, stream);
  }
  template <class K, class V> static FW_HOST cudaError_t SortPairsDescending(void* s, size_t& b, const K* in, K* out, const V* vin, V* vout, long n, int first = 0, int last = 8 * sizeof(K), cudaStream_t stream = 0, bool = false) {
    return sort<true>("cub::DeviceRadixSort::SortPairsDescending", s, b, in, out, vin, vout, n, first, last, stream);
  }
  template <class K> static FW_HOST cudaError_t SortKeys(void* s, size_t& b, const K* in, K* out, long n, int first = 0, int last = 8 * sizeof(K), cudaStream_t stream = 0, bool = false) {
    return sort<false, K, char>("cub::DeviceRadixSort::SortKeys", s, b, in, out, nullptr, nullptr, n, first, last, stream);
  }
  template <class K> static FW_HOST cudaError_t SortKeysDescending(void* s, size_t& b, const K* in, K* out, long n, int first = 0, int last = 8 * sizeof(K), cudaStream_t stream = 0, bool = false) {
    return sort<true, K, char>("cub::DeviceRadixSort::SortKeysDescending", s, b, in, out, nullptr, nullptr, n, first, last, stream);
  }
  template <class K, class V> static FW_HOST cudaError_t SortPairs(void* s, size_t& b, DoubleBuffer<K>& keys, DoubleBuffer<V>& values, long n, int first = 0, int last = 8 * sizeof(K), cudaStream_t stream = 0, bool = false) {
    const cudaError_t error = SortPairs(s, b, keys.Current(), keys.Alternate(), values.Current(), values.Alternate(), n, first, last, stream);
    if (s != nullptr) {
      keys.selector ^= 1;
      values.selector ^= 1;
    }
    return error;
  }
  template <class K> static FW_HOST cudaError_t SortKeys(void* s, size_t& b, DoubleBuffer<K>& keys, long n, int first = 0, int last = 8 * sizeof(K), cudaStream_t stream = 0, bool = false) {
    const cudaError_t error = SortKeys(s, b, keys.Current(), keys.Alternate(), n, first, last, stream);
    if (s != nullptr)
      keys.selector ^= 1;
    return error;
  }

private:
  /// Only the bits from `first` to before `last` of a whole number.
  template <class K> struct part {
    int first, bits;
    FW_CORE auto operator()(const K& key) const {
      if constexpr (std::is_integral<K>::value)
        return bits >= static_cast<int>(8 * sizeof(K)) ? key : static_cast<K>((key >> first) & ((K(1) << bits) - 1));
      else
        return key;
    }
  };
  template <bool descending, class K, class V>
  static FW_HOST cudaError_t sort(const char* name, void* storage, size_t& bytes, const K* in, K* out, const V* vin, V* vout, long n, int first, int last, cudaStream_t stream) {
    if (storage == nullptr) {
      bytes = 1;
      return cudaSuccess;
    }
    fw_library_call call(name, static_cast<size_t>(n), sizeof(K) + (vin ? sizeof(V) : 0), stream);
    K* room = call.room<K>(n);
    V* value_room = call.room<V>(n);
    const part<K> digits{first, last - first};
    call.run([=] __host__ __device__() mutable {
      for (long k = 0; k < n; ++k) {
        out[k] = in[k];
        if (vin)
          vout[k] = vin[k];
      }
      fw_seq::merge_sort(out, vout, n, room, value_room,
                         [&](const K& a, const K& b) { return descending ? digits(b) < digits(a) : digits(a) < digits(b); });
    });
    return cudaGetLastError();
  }
};

} // namespace cub
