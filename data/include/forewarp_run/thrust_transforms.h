// Thrust's algorithms that look at each element by itself. Those over the device's memory are calls of a library;
// those over the host's run there, as they are.
#pragma once
#pragma clang system_header
#include <forewarp_run/thrust_policies.h>
#include <forewarp_run/thrust_vectors.h>

namespace thrust {

namespace fw_seq = ::fw_sequences;
template <class I> using fw_value = fw_seq::value_of<I>;

/// `body` gives nothing, or what the host asks for.
template <bool on_device, class Body> FW_HOST auto fw_go(const char* name, long n, size_t item_bytes, Body body) {
  using Result = decltype(body());
  if constexpr (!on_device) {
    return body();
  } else {
    fw_library_call call(name, static_cast<size_t>(n < 0 ? 0 : n), item_bytes);
    if constexpr (std::is_void<Result>::value)
      call.run(body);
    else
      return call.template answer<Result>(body);
  }
}
template <bool on_device> struct fw_transforms {
  template <class I, class F> static FW_HOST I for_each(I first, I last, F f) {
    return for_each_n(first, last - first, f);
  }
  template <class I, class N, class F> static FW_HOST I for_each_n(I first, N n, F f) {
    fw_go<on_device>("thrust::for_each", n, sizeof(fw_value<I>), [at = fw_raw(first), n, f] __host__ __device__() mutable {
      for (long k = 0; k < static_cast<long>(n); ++k)
        f(at[k]);
    });
    return first + n;
  }
  template <class I, class O, class F> static FW_HOST O transform(I first, I last, O out, F f) {
    const long n = last - first;
    fw_go<on_device>("thrust::transform", n, sizeof(fw_value<I>), [at = fw_raw(first), n, to = fw_raw(out), f] __host__ __device__() mutable {
      for (long k = 0; k < n; ++k)
        to[k] = f(at[k]);
    });
    return out + n;
  }
  template <class I, class J, class O, class F> static FW_HOST O transform(I first, I last, J second, O out, F f) {
    const long n = last - first;
    fw_go<on_device>("thrust::transform", n, sizeof(fw_value<I>),
                     [at = fw_raw(first), n, other = fw_raw(second), to = fw_raw(out), f] __host__ __device__() mutable {
                       for (long k = 0; k < n; ++k)
                         to[k] = f(at[k], other[k]);
                     });
    return out + n;
  }
  template <class I, class O, class F, class P> static FW_HOST O transform_if(I first, I last, O out, F f, P wanted) {
    const long n = last - first;
    fw_go<on_device>("thrust::transform_if", n, sizeof(fw_value<I>), [at = fw_raw(first), n, to = fw_raw(out), f, wanted] __host__ __device__() mutable {
      for (long k = 0; k < n; ++k)
        if (wanted(at[k]))
          to[k] = f(at[k]);
    });
    return out + n;
  }
  template <class I, class T> static FW_HOST void fill(I first, I last, T value) { fill_n(first, last - first, value); }
  template <class I, class N, class T> static FW_HOST I fill_n(I first, N n, T value) {
    fw_go<on_device>("thrust::fill", n, sizeof(fw_value<I>), [at = fw_raw(first), n, value] __host__ __device__() mutable {
      for (long k = 0; k < static_cast<long>(n); ++k)
        at[k] = value;
    });
    return first + n;
  }
  template <class I> static FW_HOST void sequence(I first, I last) { sequence(first, last, fw_value<I>(0), fw_value<I>(1)); }
  template <class I, class T> static FW_HOST void sequence(I first, I last, T from) { sequence(first, last, from, T(1)); }
  template <class I, class T> static FW_HOST void sequence(I first, I last, T from, T step) {
    const long n = last - first;
    fw_go<on_device>("thrust::sequence", n, sizeof(fw_value<I>), [at = fw_raw(first), n, from, step] __host__ __device__() mutable {
      for (long k = 0; k < n; ++k)
        at[k] = static_cast<fw_value<I>>(from + step * static_cast<T>(k));
    });
  }
  template <class I, class F> static FW_HOST void generate(I first, I last, F f) {
    const long n = last - first;
    fw_go<on_device>("thrust::generate", n, sizeof(fw_value<I>), [at = fw_raw(first), n, f] __host__ __device__() mutable {
      for (long k = 0; k < n; ++k)
        at[k] = f();
    });
  }
  template <class I, class F> static FW_HOST void tabulate(I first, I last, F f) {
    const long n = last - first;
    fw_go<on_device>("thrust::tabulate", n, sizeof(fw_value<I>), [at = fw_raw(first), n, f] __host__ __device__() mutable {
      for (long k = 0; k < n; ++k)
        at[k] = f(k);
    });
  }
  template <class I, class M, class O> static FW_HOST O gather(M map, M last, I from, O out) {
    const long n = last - map;
    fw_go<on_device>("thrust::gather", n, sizeof(fw_value<I>), [map = fw_raw(map), n, from = fw_raw(from), to = fw_raw(out)] __host__ __device__() mutable {
      for (long k = 0; k < n; ++k)
        to[k] = from[map[k]];
    });
    return out + n;
  }
  template <class I, class M, class O> static FW_HOST void scatter(I first, I last, M map, O out) {
    const long n = last - first;
    fw_go<on_device>("thrust::scatter", n, sizeof(fw_value<I>), [at = fw_raw(first), n, map = fw_raw(map), to = fw_raw(out)] __host__ __device__() mutable {
      for (long k = 0; k < n; ++k)
        to[map[k]] = at[k];
    });
  }
  template <class I, class M, class S, class O> static FW_HOST void scatter_if(I first, I last, M map, S stencil, O out) {
    const long n = last - first;
    fw_go<on_device>("thrust::scatter_if", n, sizeof(fw_value<I>),
                     [at = fw_raw(first), n, map = fw_raw(map), stencil = fw_raw(stencil), to = fw_raw(out)] __host__ __device__() mutable {
                       for (long k = 0; k < n; ++k)
                         if (stencil[k])
                           to[map[k]] = at[k];
                     });
  }
  template <class I, class T> static FW_HOST void replace(I first, I last, T old, T with) {
    const long n = last - first;
    fw_go<on_device>("thrust::replace", n, sizeof(fw_value<I>), [at = fw_raw(first), n, old, with] __host__ __device__() mutable {
      for (long k = 0; k < n; ++k)
        if (at[k] == old)
          at[k] = with;
    });
  }
  template <class I, class P, class T> static FW_HOST void replace_if(I first, I last, P wanted, T with) {
    const long n = last - first;
    fw_go<on_device>("thrust::replace_if", n, sizeof(fw_value<I>), [at = fw_raw(first), n, wanted, with] __host__ __device__() mutable {
      for (long k = 0; k < n; ++k)
        if (wanted(at[k]))
          at[k] = with;
    });
  }
  template <class I> static FW_HOST void reverse(I first, I last) {
    const long n = last - first;
    fw_go<on_device>("thrust::reverse", n, sizeof(fw_value<I>), [at = fw_raw(first), n] __host__ __device__() mutable {
      for (long k = 0; k < n / 2; ++k) {
        const fw_value<I> kept = at[k];
        at[k] = at[n - 1 - k];
        at[n - 1 - k] = kept;
      }
    });
  }
  template <class I, class O> static FW_HOST O adjacent_difference(I first, I last, O out) {
    return adjacent_difference(first, last, out, minus<fw_value<I>>());
  }
  template <class I, class O, class F> static FW_HOST O adjacent_difference(I first, I last, O out, F f) {
    const long n = last - first;
    fw_go<on_device>("thrust::adjacent_difference", n, sizeof(fw_value<I>), [at = fw_raw(first), n, to = fw_raw(out), f] __host__ __device__() mutable {
      for (long k = n - 1; k > 0; --k)
        to[k] = f(at[k], at[k - 1]);
      if (n > 0)
        to[0] = at[0];
    });
    return out + n;
  }
};

} // namespace thrust
