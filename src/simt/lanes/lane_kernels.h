// Lane kernels: one operation on all lanes of a warp. Compiled for several instruction sets from
// lane_kernels.inc; `lane_kernel` picks the best that this processor has. All give the same bits.
#pragma once

#include <cstdint>

namespace forewarp::simt {

/// Registers of a warp as a lane kernel sees them; bank 0: of the warp, bank 1: shared by all warps.
struct LaneContext {
  std::uint8_t* data[2];
  std::uint64_t* known[2]; ///< one mask per slot: lanes whose value is known
  std::uint32_t chunks;    ///< of 32 lanes
};

struct LaneArguments {
  std::int32_t destination = 0, a = 0, b = 0, c = 0;
  std::uint32_t immediate = 0;
  bool uniform = false;   ///< operands are uniform: compute lane 0
  bool broadcast = false; ///< of a uniform result: fill all lanes, a later operation reads them
};

using LaneKernel = void (*)(const LaneContext&, const LaneArguments&);

inline constexpr std::uint32_t slot_bytes_per_chunk = 256;

/// Suffix 32/64: lane width; f/d: float/double; b: bit masks. In groups: integers, their comparisons, masks
/// and copies, floating point, its comparisons, functions, conversions.
// clang-format off
#define FOREWARP_LANE_OPS(X)                                                                                \
  X(add32) X(add64) X(sub32) X(sub64) X(mul32) X(mul64) X(udiv32) X(udiv64) X(sdiv32) X(sdiv64) X(urem32)   \
  X(urem64) X(srem32) X(srem64) X(shl32) X(shl64) X(lshr32) X(lshr64) X(ashr32) X(ashr64) X(and32)          \
  X(and64) X(or32) X(or64) X(xor32) X(xor64) X(umin32) X(umin64) X(umax32) X(umax64) X(smin32) X(smin64)    \
  X(smax32) X(smax64) X(umulh32) X(umulh64) X(smulh32) X(smulh64) X(uaddsat32) X(uaddsat64) X(usubsat32)    \
  X(usubsat64) X(saddsat32) X(saddsat64) X(ssubsat32) X(ssubsat64) X(fshl32) X(fshl64) X(fshr32)            \
  X(fshr64) X(mad64) X(ctpop32) X(ctpop64) X(ctlz32) X(ctlz64) X(cttz32) X(cttz64) X(bswap32) X(bswap64)    \
  X(bitreverse32) X(bitreverse64) X(abs32) X(abs64) X(prmt) X(dp4a_s) X(dp4a_u)                             \
  X(eq32) X(eq64) X(ne32) X(ne64) X(ult32) X(ult64) X(ule32) X(ule64) X(slt32) X(slt64) X(sle32) X(sle64)   \
  X(andb) X(orb) X(xorb) X(selectb) X(select32) X(select64) X(copyb) X(copy32) X(copy64) X(sextin32)        \
  X(sextin64) X(trunc64to32) X(zext32to64) X(sext32to64) X(zextb32) X(zextb64) X(sextb32) X(sextb64)        \
  X(truncb32) X(truncb64) X(pack64) X(hi64)                                                                 \
  X(faddf) X(faddd) X(fsubf) X(fsubd) X(fmulf) X(fmuld) X(fdivf) X(fdivd) X(fremf) X(fremd) X(fminf_)       \
  X(fmind) X(fmaxf_) X(fmaxd) X(fminimumf) X(fminimumd) X(fmaximumf) X(fmaximumd) X(copysignf_)             \
  X(copysignd) X(fnegf) X(fnegd) X(fabsf_) X(fabsd) X(fmaf_) X(fmad)                                        \
  X(foeqf) X(foeqd) X(foltf) X(foltd) X(folef) X(foled) X(fonef) X(foned) X(fordf) X(fordd) X(fueqf)        \
  X(fueqd) X(fultf) X(fultd) X(fulef) X(fuled) X(funef) X(funed) X(funof) X(funod)                          \
  X(sqrtf_) X(sqrtd) X(rsqrtf) X(rsqrtd) X(rcpf) X(rcpd) X(sinf_) X(sind) X(cosf_) X(cosd) X(tanf_)         \
  X(tand) X(asinf_) X(asind) X(acosf_) X(acosd) X(atanf_) X(atand) X(sinhf_) X(sinhd) X(coshf_) X(coshd)    \
  X(tanhf_) X(tanhd) X(asinhf_) X(asinhd) X(acoshf_) X(acoshd) X(atanhf_) X(atanhd) X(expf_) X(expd)        \
  X(exp2f_) X(exp2d) X(exp10f_) X(exp10d) X(expm1f_) X(expm1d) X(logf_) X(logd) X(log2f_) X(log2d)          \
  X(log10f_) X(log10d) X(log1pf_) X(log1pd) X(cbrtf_) X(cbrtd) X(erff_) X(erfd) X(erfcf_) X(erfcd)          \
  X(lgammaf_) X(lgammad) X(tgammaf_) X(tgammad) X(floorf_) X(floord) X(ceilf_) X(ceild) X(truncf_)          \
  X(truncd) X(rintf_) X(rintd) X(roundf_) X(roundd) X(powf_) X(powd) X(powif) X(powid) X(atan2f_)           \
  X(atan2d) X(hypotf_) X(hypotd) X(ldexpf_) X(ldexpd) X(saturatef) X(saturated) X(frexpmf) X(frexpmd)       \
  X(frexpef) X(frexped)                                                                                     \
  X(ftod) X(dtof) X(htof) X(ftoh) X(bftof) X(ftobf) X(fto_e4m3) X(fto_e5m2)                            \
  X(hto_e4m3) X(hto_e5m2) X(e4m3toh) X(e5m2toh) X(s32tof) X(u32tof) X(s32tod) X(u32tod) X(s64tof)       \
  X(u64tof) X(s64tod) X(u64tod) X(ftos32) X(ftou32) X(ftos64) X(ftou64) X(dtos32) X(dtou32) X(dtos64)       \
  X(dtou64) X(dtoh) X(fmah) X(isfpclassf) X(isfpclassd)                                                      \
  X(flushf) X(fmaupf) X(fmadownf) X(fmazerof) X(fmaupd) X(fmadownd) X(fmazerod) X(dtofup) X(dtofdown) X(dtofzero) X(divcheckf) X(sinrevf)     \
  X(cosrevf) X(rcphigh) X(rsqrthigh)
// clang-format on

enum class LaneOp : std::uint16_t {
#define FOREWARP_LANE_OP(name) name,
  FOREWARP_LANE_OPS(FOREWARP_LANE_OP)
#undef FOREWARP_LANE_OP
      count
};

/// The operation for this processor's instruction set.
LaneKernel lane_kernel(LaneOp op);

} // namespace forewarp::simt
