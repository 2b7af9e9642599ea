// bfloat16: stored in 16 bits, computed in single precision. NOT modelled: the packed bfloat16 operations of compute
// capability 8.0 and later.
#pragma once
#pragma clang system_header

struct __nv_bfloat16 {
  unsigned short bits;
  FW_MEMBER __nv_bfloat16() = default;
  FW_MEMBER __nv_bfloat16(float v) {
    unsigned word = __builtin_bit_cast(unsigned, v);
    bits = static_cast<unsigned short>((word + 0x7fffu + (word >> 16 & 1)) >> 16);
  }
  FW_MEMBER __nv_bfloat16(double v) : __nv_bfloat16(static_cast<float>(v)) {}
  FW_MEMBER __nv_bfloat16(int v) : __nv_bfloat16(static_cast<float>(v)) {}
  FW_MEMBER operator float() const { return __builtin_bit_cast(float, static_cast<unsigned>(bits) << 16); }
};
struct __attribute__((aligned(4))) __nv_bfloat162 {
  __nv_bfloat16 x, y;
};
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#define FW_BFLOAT_OPERATOR(op, name)                                                                         \
  FW_BOTH __nv_bfloat16 operator op(__nv_bfloat16 a, __nv_bfloat16 b) {                                      \
    return static_cast<float>(a) op static_cast<float>(b);                                                   \
  }                                                                                                          \
  FW_BOTH __nv_bfloat162 operator op(__nv_bfloat162 a, __nv_bfloat162 b) { return {a.x op b.x, a.y op b.y}; } \
  FW_BOTH __nv_bfloat16 name(__nv_bfloat16 a, __nv_bfloat16 b) { return a op b; }                            \
  FW_BOTH __nv_bfloat162 name##2(__nv_bfloat162 a, __nv_bfloat162 b) { return a op b; }
FW_BFLOAT_OPERATOR(+, __hadd)
FW_BFLOAT_OPERATOR(-, __hsub)
FW_BFLOAT_OPERATOR(*, __hmul)
FW_BFLOAT_OPERATOR(/, __hdiv)
#undef FW_BFLOAT_OPERATOR
FW_DEVICE __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) {
  return __builtin_fmaf(a, b, c);
}
FW_DEVICE __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c) {
  return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}
FW_BOTH __nv_bfloat16 __float2bfloat16(float a) { return a; }
FW_BOTH __nv_bfloat16 __float2bfloat16_rn(float a) { return a; }
FW_BOTH float __bfloat162float(__nv_bfloat16 a) { return a; }
FW_BOTH __nv_bfloat162 __floats2bfloat162_rn(float a, float b) { return {a, b}; }
FW_BOTH __nv_bfloat162 __float2bfloat162_rn(float a) { return {a, a}; }
FW_BOTH __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return {a, b}; }
FW_BOTH float2 __bfloat1622float2(__nv_bfloat162 a) { return {a.x, a.y}; }
FW_BOTH float __low2float(__nv_bfloat162 a) { return a.x; }
FW_BOTH float __high2float(__nv_bfloat162 a) { return a.y; }
