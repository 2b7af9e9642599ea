// Copies from global to shared memory that pass no register (cp.async, compute capability 8.0 and later). Elsewhere: a
// load and a store that waits for it.
#pragma once
#pragma clang system_header

#if FOREWARP_ARCH >= 800 && !defined(FOREWARP_AMD)
#define FW_COPY_ASYNC(bytes)                                                                                 \
  asm volatile("cp.async.ca.shared.global [%0], [%1], " #bytes ", %2;"                                       \
               :                                                                                             \
               : "l"(__cvta_generic_to_shared(to)), "l"(from), "r"(filled == 0 ? bytes : 0)                  \
               : "memory")
/// 4, 8 or 16 bytes; only zeros where `filled` is not 0 (a part of the bytes is not modelled).
FW_DEVICE void fw_copy_async(void* to, const void* from, __SIZE_TYPE__ bytes, __SIZE_TYPE__ filled = 0) {
  if (bytes == 16)
    FW_COPY_ASYNC(16);
  else if (bytes == 8)
    FW_COPY_ASYNC(8);
  else
    FW_COPY_ASYNC(4);
}
#undef FW_COPY_ASYNC
FW_DEVICE void fw_copies_end_group() { asm volatile("cp.async.commit_group;" ::: "memory"); }
/// Until at most the newest `Groups` groups are still on their way.
template <unsigned Groups> FW_DEVICE void fw_copies_wait() {
  asm volatile("cp.async.wait_group %0;" : : "n"(Groups) : "memory");
}
#else
FW_DEVICE void fw_copy_async(void* to, const void* from, __SIZE_TYPE__ bytes, __SIZE_TYPE__ filled = 0) {
  if (bytes == 16)
    *static_cast<int4*>(to) = filled ? int4{} : *static_cast<const int4*>(from);
  else if (bytes == 8)
    *static_cast<int2*>(to) = filled ? int2{} : *static_cast<const int2*>(from);
  else
    *static_cast<int*>(to) = filled ? 0 : *static_cast<const int*>(from);
}
FW_DEVICE void fw_copies_end_group() {}
template <unsigned Groups> FW_DEVICE void fw_copies_wait() {}
#endif
/// A thread's own copy, by the type's alignment.
template <class To> FW_DEVICE void fw_copy_one(To* to, const To* from, __SIZE_TYPE__ bytes) {
  constexpr unsigned piece = alignof(To) >= 16 ? 16 : alignof(To) >= 8 ? 8 : 4;
  for (__SIZE_TYPE__ at = 0; at < bytes; at += piece)
    fw_copy_async(reinterpret_cast<char*>(to) + at, reinterpret_cast<const char*>(from) + at, piece);
}
