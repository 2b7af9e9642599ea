// Atomic functions: relaxed read-modify-writes. Scopes (_block, _system) are not told apart.
#pragma once
#pragma clang system_header

#define FW_ATOMIC(type, name, expression)                                                                    \
  FW_DEVICE type name(type* p, type v) { return expression; }                                                \
  FW_DEVICE type name##_block(type* p, type v) { return expression; }                                        \
  FW_DEVICE type name##_system(type* p, type v) { return expression; }
#define FW_ATOMIC_INTEGER(type)                                                                              \
  FW_ATOMIC(type, atomicAdd, __atomic_fetch_add(p, v, __ATOMIC_RELAXED))                                     \
  FW_ATOMIC(type, atomicSub, __atomic_fetch_sub(p, v, __ATOMIC_RELAXED))                                     \
  FW_ATOMIC(type, atomicMin, __atomic_fetch_min(p, v, __ATOMIC_RELAXED))                                     \
  FW_ATOMIC(type, atomicMax, __atomic_fetch_max(p, v, __ATOMIC_RELAXED))                                     \
  FW_ATOMIC(type, atomicAnd, __atomic_fetch_and(p, v, __ATOMIC_RELAXED))                                     \
  FW_ATOMIC(type, atomicOr, __atomic_fetch_or(p, v, __ATOMIC_RELAXED))                                       \
  FW_ATOMIC(type, atomicXor, __atomic_fetch_xor(p, v, __ATOMIC_RELAXED))                                     \
  FW_ATOMIC(type, atomicExch, __atomic_exchange_n(p, v, __ATOMIC_RELAXED))                                   \
  FW_ATOMIC_CAS(type, atomicCAS)                                                                             \
  FW_ATOMIC_CAS(type, atomicCAS_block)                                                                       \
  FW_ATOMIC_CAS(type, atomicCAS_system)
#define FW_ATOMIC_CAS(type, name)                                                                            \
  FW_DEVICE type name(type* p, type expected, type v) {                                                      \
    __atomic_compare_exchange_n(p, &expected, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);                 \
    return expected;                                                                                         \
  }
FW_ATOMIC_INTEGER(int)
FW_ATOMIC_INTEGER(unsigned)
FW_ATOMIC_INTEGER(unsigned long)
FW_ATOMIC_INTEGER(unsigned long long)
FW_ATOMIC(long long, atomicMin, __atomic_fetch_min(p, v, __ATOMIC_RELAXED))
FW_ATOMIC(long long, atomicMax, __atomic_fetch_max(p, v, __ATOMIC_RELAXED))
#if FOREWARP_ARCH >= 700
FW_ATOMIC_CAS(unsigned short, atomicCAS)
#endif
FW_ATOMIC(float, atomicAdd, __atomic_fetch_add(p, v, __ATOMIC_RELAXED))
#if FOREWARP_ARCH >= 600
FW_ATOMIC(double, atomicAdd, __atomic_fetch_add(p, v, __ATOMIC_RELAXED))
#endif
#if FOREWARP_ARCH >= 900
FW_DEVICE float2 atomicAdd(float2* p, float2 v) { return {atomicAdd(&p->x, v.x), atomicAdd(&p->y, v.y)}; }
FW_DEVICE float4 atomicAdd(float4* p, float4 v) {
  return {atomicAdd(&p->x, v.x), atomicAdd(&p->y, v.y), atomicAdd(&p->z, v.z), atomicAdd(&p->w, v.w)};
}
#endif
FW_DEVICE float atomicExch(float* p, float v) {
  return __builtin_bit_cast(float, atomicExch(reinterpret_cast<unsigned*>(p), __builtin_bit_cast(unsigned, v)));
}
FW_DEVICE float atomicExch_block(float* p, float v) { return atomicExch(p, v); }
FW_DEVICE float atomicExch_system(float* p, float v) { return atomicExch(p, v); }

// Wrapping increment and decrement: atomicrmw uinc_wrap and udec_wrap.
__attribute__((device, nothrow)) unsigned fw_atomic_inc(unsigned*, unsigned);
__attribute__((device, nothrow)) unsigned fw_atomic_dec(unsigned*, unsigned);
FW_ATOMIC(unsigned, atomicInc, fw_atomic_inc(p, v))
FW_ATOMIC(unsigned, atomicDec, fw_atomic_dec(p, v))
#undef FW_ATOMIC
#undef FW_ATOMIC_INTEGER
#undef FW_ATOMIC_CAS
