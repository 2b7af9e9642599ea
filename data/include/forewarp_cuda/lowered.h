// Functions without a body that the lowering pass puts IR in the place of: OpenCL's names, so that one table serves both
// languages (asm labels carry OpenCL's mangled names where CUDA has none of the kind), and fw_* of the CUDA table.
#pragma once
#pragma clang system_header

#define FW_LOWERED __attribute__((device, const, nothrow))
#define FW_EXCHANGE __attribute__((device, nothrow))

// Real functions that CUDA names as OpenCL does: float and double overloads.
#define FW_UNARY(name)                                                                                       \
  FW_LOWERED float name(float);                                                                              \
  FW_LOWERED double name(double);
#define FW_BINARY(name)                                                                                      \
  FW_LOWERED float name(float, float);                                                                       \
  FW_LOWERED double name(double, double);
FW_UNARY(acosh)
FW_UNARY(asinh)
FW_UNARY(atanh)
FW_UNARY(cbrt)
FW_UNARY(cospi)
FW_UNARY(sinpi)
FW_UNARY(erf)
FW_UNARY(erfc)
FW_UNARY(expm1)
FW_UNARY(lgamma)
FW_UNARY(log1p)
FW_UNARY(logb)
FW_UNARY(tgamma)
FW_UNARY(rsqrt)
FW_UNARY(tan)
FW_UNARY(asin)
FW_UNARY(acos)
FW_UNARY(atan)
FW_UNARY(sinh)
FW_UNARY(cosh)
FW_UNARY(tanh)
FW_BINARY(atan2)
FW_BINARY(fdim)
FW_BINARY(hypot)
FW_BINARY(nextafter)
FW_BINARY(remainder)
FW_LOWERED int ilogb(float);
FW_LOWERED int ilogb(double);
FW_LOWERED float ldexp(float, int);
FW_LOWERED double ldexp(double, int);
__attribute__((device, nothrow)) float frexp(float, int*);
__attribute__((device, nothrow)) double frexp(double, int*);
__attribute__((device, nothrow)) float modf(float, float*);
__attribute__((device, nothrow)) double modf(double, double*);

// Not lowered: a kernel that calls one is refused by this name.
FW_UNARY(erfcx)
FW_UNARY(normcdf)
FW_UNARY(j0)
FW_UNARY(j1)
FW_UNARY(y0)
FW_UNARY(y1)
FW_UNARY(cyl_bessel_i0)
FW_UNARY(cyl_bessel_i1)
#undef FW_UNARY
#undef FW_BINARY

FW_LOWERED float fw_native_sin(float) __asm__("_Z10native_sinf");
FW_LOWERED float fw_native_cos(float) __asm__("_Z10native_cosf");
FW_LOWERED float fw_native_tan(float) __asm__("_Z10native_tanf");
FW_LOWERED float fw_native_exp(float) __asm__("_Z10native_expf");
FW_LOWERED float fw_native_exp2(float) __asm__("_Z11native_exp2f");
FW_LOWERED float fw_native_exp10(float) __asm__("_Z12native_exp10f");
FW_LOWERED float fw_native_log(float) __asm__("_Z10native_logf");
FW_LOWERED float fw_native_log2(float) __asm__("_Z11native_log2f");
FW_LOWERED float fw_native_log10(float) __asm__("_Z12native_log10f");
FW_LOWERED float fw_native_powr(float, float) __asm__("_Z11native_powrff");
// As the vendor's library has it: compilers do not make products or roots of it.
FW_LOWERED float fw_library_pow(float, float) __asm__("_Z11library_powff");
FW_LOWERED double fw_library_pow(double, double) __asm__("_Z11library_powdd");
FW_LOWERED float fw_native_divide(float, float) __asm__("_Z13native_divideff");
FW_LOWERED float fw_native_recip(float) __asm__("_Z12native_recipf");
FW_LOWERED float fw_native_sqrt(float) __asm__("_Z11native_sqrtf");
FW_LOWERED float fw_native_rsqrt(float) __asm__("_Z12native_rsqrtf");

FW_LOWERED int fw_mul_hi(int, int) __asm__("_Z6mul_hiii");
FW_LOWERED unsigned fw_mul_hi(unsigned, unsigned) __asm__("_Z6mul_hijj");
FW_LOWERED long fw_mul_hi(long, long) __asm__("_Z6mul_hill");
FW_LOWERED unsigned long fw_mul_hi(unsigned long, unsigned long) __asm__("_Z6mul_himm");
FW_LOWERED int fw_mul24(int, int) __asm__("_Z5mul24ii");
FW_LOWERED unsigned fw_mul24(unsigned, unsigned) __asm__("_Z5mul24jj");
FW_LOWERED int fw_hadd(int, int) __asm__("_Z4haddii");
FW_LOWERED unsigned fw_hadd(unsigned, unsigned) __asm__("_Z4haddjj");
FW_LOWERED int fw_rhadd(int, int) __asm__("_Z5rhaddii");
FW_LOWERED unsigned fw_rhadd(unsigned, unsigned) __asm__("_Z5rhaddjj");
FW_LOWERED unsigned fw_abs_diff(int, int) __asm__("_Z8abs_diffii");
FW_LOWERED unsigned fw_abs_diff(unsigned, unsigned) __asm__("_Z8abs_diffjj");

#define FW_CONVERT(to, from, to_name, from_code)                                                             \
  FW_LOWERED to fw_##to_name##_rn(from) __asm__("_Z" FW_CONVERT_LENGTH_##to_name "convert_" #to_name "_rte" from_code); \
  FW_LOWERED to fw_##to_name##_rd(from) __asm__("_Z" FW_CONVERT_LENGTH_##to_name "convert_" #to_name "_rtn" from_code); \
  FW_LOWERED to fw_##to_name##_ru(from) __asm__("_Z" FW_CONVERT_LENGTH_##to_name "convert_" #to_name "_rtp" from_code);
#define FW_CONVERT_LENGTH_int "15"
#define FW_CONVERT_LENGTH_uint "16"
#define FW_CONVERT_LENGTH_long "16"
#define FW_CONVERT_LENGTH_ulong "17"
FW_CONVERT(int, float, int, "f")
FW_CONVERT(int, double, int, "d")
FW_CONVERT(unsigned, float, uint, "f")
FW_CONVERT(unsigned, double, uint, "d")
FW_CONVERT(long long, float, long, "f")
FW_CONVERT(long long, double, long, "d")
FW_CONVERT(unsigned long long, float, ulong, "f")
FW_CONVERT(unsigned long long, double, ulong, "d")
#undef FW_CONVERT

// Exchange inside a warp; the type behind the name is the value's.
#define FW_SHUFFLES(type)                                                                                    \
  FW_EXCHANGE type fw_shuffle(type, unsigned);                                                               \
  FW_EXCHANGE type fw_shuffle_up(type, unsigned);                                                            \
  FW_EXCHANGE type fw_shuffle_down(type, unsigned);                                                          \
  FW_EXCHANGE type fw_shuffle_xor(type, unsigned);
FW_SHUFFLES(int)
FW_SHUFFLES(long)
FW_SHUFFLES(float)
FW_SHUFFLES(double)
#undef FW_SHUFFLES
FW_EXCHANGE unsigned long fw_ballot(bool);
FW_EXCHANGE int fw_any(int);
FW_EXCHANGE int fw_all(int);
FW_EXCHANGE int fw_reduce_add(int);
FW_EXCHANGE int fw_reduce_min(int);
FW_EXCHANGE int fw_reduce_max(int);
FW_EXCHANGE int fw_reduce_umin(int);
FW_EXCHANGE int fw_reduce_umax(int);
FW_EXCHANGE int fw_reduce_and(int);
FW_EXCHANGE int fw_reduce_or(int);
FW_EXCHANGE int fw_reduce_xor(int);
FW_EXCHANGE int fw_group_count(int);
FW_EXCHANGE int fw_group_any(int);
FW_EXCHANGE int fw_group_all(int);
FW_EXCHANGE void fw_barrier(void);
FW_EXCHANGE void fw_warp_barrier(void);
FW_LOWERED unsigned fw_lane(void);
FW_LOWERED unsigned fw_warp(void);
