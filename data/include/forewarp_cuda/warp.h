// Exchange inside a warp. The mask of the _sync forms is not looked at: the lanes that take part are those that are
// there. Widths below the warp's are computed as lane arithmetic around a full-width shuffle.
#pragma once
#pragma clang system_header

#ifdef FOREWARP_AMD
typedef unsigned long long fw_lanes;
#else
typedef unsigned fw_lanes;
#endif

template <class T> FW_DEVICE T fw_shuffled(T value, unsigned lane, int width) {
  unsigned segment = fw_lane() & ~static_cast<unsigned>(width - 1);
  return fw_shuffle(value, width == warpSize ? lane & (width - 1) : segment | (lane & (width - 1)));
}
template <class T> FW_DEVICE T fw_shuffled_up(T value, unsigned delta, int width) {
  if (width == warpSize)
    return fw_shuffle_up(value, delta);
  unsigned lane = fw_lane();
  return fw_shuffle(value, (lane & (width - 1)) < delta ? lane : lane - delta);
}
template <class T> FW_DEVICE T fw_shuffled_down(T value, unsigned delta, int width) {
  if (width == warpSize)
    return fw_shuffle_down(value, delta);
  unsigned lane = fw_lane();
  return fw_shuffle(value, (lane & (width - 1)) + delta >= static_cast<unsigned>(width) ? lane : lane + delta);
}
template <class T> FW_DEVICE T fw_shuffled_xor(T value, unsigned mask, int width) {
  if (width == warpSize)
    return fw_shuffle_xor(value, mask);
  // A partner beyond the own segment and its predecessors leaves the value as it is.
  unsigned lane = fw_lane(), partner = lane ^ mask, end = (lane & ~static_cast<unsigned>(width - 1)) + width;
  return fw_shuffle(value, partner < end ? partner : lane);
}

// The types that CUDA shuffles, each as the type of its size.
#define FW_SHUFFLE_AS(type, carrier, old_name, name, operation, operand)                                     \
  FW_DEVICE type name(fw_lanes, type value, operand by, int width = warpSize) {                              \
    return static_cast<type>(operation(static_cast<carrier>(value), static_cast<unsigned>(by), width));      \
  }                                                                                                          \
  FW_DEVICE type old_name(type value, operand by, int width = warpSize) {                                    \
    return static_cast<type>(operation(static_cast<carrier>(value), static_cast<unsigned>(by), width));      \
  }
#define FW_SHUFFLE_ALL(type, carrier)                                                                        \
  FW_SHUFFLE_AS(type, carrier, __shfl, __shfl_sync, fw_shuffled, int)                                        \
  FW_SHUFFLE_AS(type, carrier, __shfl_up, __shfl_up_sync, fw_shuffled_up, unsigned)                          \
  FW_SHUFFLE_AS(type, carrier, __shfl_down, __shfl_down_sync, fw_shuffled_down, unsigned)                    \
  FW_SHUFFLE_AS(type, carrier, __shfl_xor, __shfl_xor_sync, fw_shuffled_xor, int)
FW_SHUFFLE_ALL(int, int)
FW_SHUFFLE_ALL(unsigned, int)
FW_SHUFFLE_ALL(long, long)
FW_SHUFFLE_ALL(unsigned long, long)
FW_SHUFFLE_ALL(long long, long)
FW_SHUFFLE_ALL(unsigned long long, long)
FW_SHUFFLE_ALL(float, float)
FW_SHUFFLE_ALL(double, double)
#undef FW_SHUFFLE_ALL
#undef FW_SHUFFLE_AS

FW_DEVICE fw_lanes __ballot(int predicate) { return static_cast<fw_lanes>(fw_ballot(predicate != 0)); }
FW_DEVICE int __any(int predicate) { return fw_any(predicate != 0); }
FW_DEVICE int __all(int predicate) { return fw_all(predicate != 0); }
FW_DEVICE fw_lanes __ballot_sync(fw_lanes mask, int predicate) { return __ballot(predicate) & mask; }
FW_DEVICE int __any_sync(fw_lanes, int predicate) { return fw_any(predicate != 0); }
FW_DEVICE int __all_sync(fw_lanes, int predicate) { return fw_all(predicate != 0); }
FW_DEVICE int __uni_sync(fw_lanes, int predicate) { return fw_all(predicate != 0) | !fw_any(predicate != 0); }
FW_DEVICE fw_lanes __activemask(void) { return static_cast<fw_lanes>(fw_ballot(true)); }
FW_DEVICE unsigned __laneid(void) { return fw_lane(); }
FW_DEVICE unsigned __fns(unsigned mask, unsigned base, int offset) {
  for (unsigned lane = base; lane < 32; ++lane)
    if ((mask >> lane & 1) && --offset <= 0)
      return lane;
  return 0xffffffffu;
}

// One lane's value after the other is shown to all. NOT modelled: the single instruction on Volta and later.
template <class T> FW_DEVICE fw_lanes __match_any_sync(fw_lanes mask, T value) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "__match_any_sync takes values of 4 or 8 bytes");
  fw_lanes same = mask;
  auto bits = [&] {
    if constexpr (sizeof(T) == 4)
      return __builtin_bit_cast(unsigned, value);
    else
      return __builtin_bit_cast(unsigned long long, value);
  }();
#pragma unroll
  for (unsigned bit = 0; bit < 8 * sizeof(T); ++bit) {
    bool set = bits >> bit & 1;
    fw_lanes with = static_cast<fw_lanes>(fw_ballot(set));
    same &= set ? with : ~with;
  }
  return same;
}
template <class T> FW_DEVICE fw_lanes __match_all_sync(fw_lanes mask, T value, int* all) {
  fw_lanes same = __match_any_sync(mask, value);
  *all = same == mask;
  return *all ? mask : 0;
}

#if FOREWARP_ARCH >= 800
FW_DEVICE unsigned __reduce_add_sync(fw_lanes, unsigned x) { return fw_reduce_add(x); }
FW_DEVICE int __reduce_add_sync(fw_lanes, int x) { return fw_reduce_add(x); }
FW_DEVICE unsigned __reduce_min_sync(fw_lanes, unsigned x) { return fw_reduce_umin(x); }
FW_DEVICE int __reduce_min_sync(fw_lanes, int x) { return fw_reduce_min(x); }
FW_DEVICE unsigned __reduce_max_sync(fw_lanes, unsigned x) { return fw_reduce_umax(x); }
FW_DEVICE int __reduce_max_sync(fw_lanes, int x) { return fw_reduce_max(x); }
FW_DEVICE unsigned __reduce_and_sync(fw_lanes, unsigned x) { return fw_reduce_and(x); }
FW_DEVICE unsigned __reduce_or_sync(fw_lanes, unsigned x) { return fw_reduce_or(x); }
FW_DEVICE unsigned __reduce_xor_sync(fw_lanes, unsigned x) { return fw_reduce_xor(x); }
#endif
