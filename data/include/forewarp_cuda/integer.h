// Integer intrinsics.
#pragma once
#pragma clang system_header

FW_DEVICE int __popc(unsigned x) { return __builtin_popcount(x); }
FW_DEVICE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
FW_DEVICE int __clz(int x) { return x ? __builtin_clz(x) : 32; }
FW_DEVICE int __clzll(long long x) { return x ? __builtin_clzll(x) : 64; }
FW_DEVICE int __ffs(int x) { return __builtin_ffs(x); }
FW_DEVICE int __ffsll(long long x) { return __builtin_ffsll(x); }
FW_DEVICE unsigned __brev(unsigned x) { return __builtin_bitreverse32(x); }
FW_DEVICE unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }
FW_DEVICE int __mulhi(int x, int y) { return fw_mul_hi(x, y); }
FW_DEVICE unsigned __umulhi(unsigned x, unsigned y) { return fw_mul_hi(x, y); }
FW_DEVICE long long __mul64hi(long long x, long long y) {
  return fw_mul_hi(static_cast<long>(x), static_cast<long>(y));
}
FW_DEVICE unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
  return fw_mul_hi(static_cast<unsigned long>(x), static_cast<unsigned long>(y));
}
FW_DEVICE int __mul24(int x, int y) { return fw_mul24(x, y); }
FW_DEVICE unsigned __umul24(unsigned x, unsigned y) { return fw_mul24(x, y); }
FW_DEVICE int mul24(int x, int y) { return fw_mul24(x, y); }
FW_DEVICE unsigned umul24(unsigned x, unsigned y) { return fw_mul24(x, y); }
FW_DEVICE int __hadd(int x, int y) { return fw_hadd(x, y); }
FW_DEVICE unsigned __uhadd(unsigned x, unsigned y) { return fw_hadd(x, y); }
FW_DEVICE int __rhadd(int x, int y) { return fw_rhadd(x, y); }
FW_DEVICE unsigned __urhadd(unsigned x, unsigned y) { return fw_rhadd(x, y); }
FW_DEVICE unsigned __sad(int x, int y, unsigned z) { return fw_abs_diff(x, y) + z; }
FW_DEVICE unsigned __usad(unsigned x, unsigned y, unsigned z) { return fw_abs_diff(x, y) + z; }

// Bytes of y:x named by the four low digits of `selector`; digit bit 3 replicates the byte's sign.
#ifdef __NVPTX__
FW_DEVICE unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) { return __nvvm_prmt(x, y, selector); }
#else
FW_DEVICE unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
  unsigned long long bytes = static_cast<unsigned long long>(y) << 32 | x;
  unsigned result = 0;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    unsigned digit = selector >> (4 * i);
    unsigned byte = static_cast<unsigned>(bytes >> (8 * (digit & 7))) & 0xff;
    if (digit & 8)
      byte = byte & 0x80 ? 0xff : 0;
    result |= byte << (8 * i);
  }
  return result;
}
#endif
FW_DEVICE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>(((static_cast<unsigned long long>(high) << 32 | low) << (shift & 31)) >> 32);
}
FW_DEVICE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((static_cast<unsigned long long>(high) << 32 | low) >> (shift & 31));
}
FW_DEVICE unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
  return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
FW_DEVICE unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
  return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}

// Four-way byte products.
#if !defined(FOREWARP_AMD) && FOREWARP_ARCH >= 610
FW_DEVICE int __dp4a(int a, int b, int c) {
  int sum;
  asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(sum) : "r"(a), "r"(b), "r"(c));
  return sum;
}
FW_DEVICE unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
  unsigned sum;
  asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(sum) : "r"(a), "r"(b), "r"(c));
  return sum;
}
#elif defined(FOREWARP_AMD)
FW_DEVICE int __dp4a(int a, int b, int c) {
#pragma unroll
  for (int i = 0; i < 4; ++i)
    c += static_cast<signed char>(a >> (8 * i)) * static_cast<signed char>(b >> (8 * i));
  return c;
}
FW_DEVICE unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
#pragma unroll
  for (int i = 0; i < 4; ++i)
    c += static_cast<unsigned char>(a >> (8 * i)) * static_cast<unsigned char>(b >> (8 * i));
  return c;
}
#endif

FW_DEVICE long long clock64(void) { return static_cast<long long>(__builtin_readcyclecounter()); }
#ifndef __clock_t_defined
typedef long clock_t;
#endif
FW_DEVICE clock_t clock(void) { return static_cast<clock_t>(static_cast<int>(__builtin_readcyclecounter())); }
