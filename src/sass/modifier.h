// Words behind the dots of an opcode or operand, by the name that the vendor's listing gives them: `.E`,
// `.64`, `.GE`. An enumerator is the word in lower case, `w` before a digit, `_` behind a C++ word.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

// clang-format off
#define FOREWARP_SASS_MODIFIERS(X) \
  X(e, "E") X(w64, "64") X(w128, "128") X(w32, "32") X(w8, "8") X(w16, "16") \
  X(u8, "U8") X(s8, "S8") X(u16, "U16") X(s16, "S16") X(u32, "U32") X(s32, "S32") \
  X(u64, "U64") X(s64, "S64") X(f16, "F16") X(f32, "F32") X(f64, "F64") X(bf16, "BF16") \
  X(tf32, "TF32") X(constant, "CONSTANT") X(sys, "SYS") X(gpu, "GPU") X(sm, "SM") X(cta, "CTA") \
  X(vc, "VC") X(private_, "PRIVATE") X(strong, "STRONG") X(weak, "WEAK") X(mmio, "MMIO") X(ef, "EF") \
  X(el, "EL") X(lu, "LU") X(eu, "EU") X(na, "NA") X(u, "U") X(ltc64b, "LTC64B") \
  X(ltc128b, "LTC128B") X(ltc256b, "LTC256B") X(f16x2, "F16x2") X(f32x2, "F32x2") X(ftz, "FTZ") X(sat, "SAT") \
  X(rm, "RM") X(rp, "RP") X(rz, "RZ") X(d2, "D2") X(d4, "D4") X(d8, "D8") \
  X(m2, "M2") X(m4, "M4") X(m8, "M8") X(fmz, "FMZ") X(f, "F") X(lt, "LT") \
  X(eq, "EQ") X(le, "LE") X(gt, "GT") X(ne, "NE") X(ge, "GE") X(num, "NUM") \
  X(nan, "NAN") X(ltu, "LTU") X(equ, "EQU") X(leu, "LEU") X(gtu, "GTU") X(neu, "NEU") \
  X(geu, "GEU") X(t, "T") X(and_, "AND") X(or_, "OR") X(xor_, "XOR") X(ex, "EX") \
  X(x, "X") X(wide, "WIDE") X(hi, "HI") X(mov, "MOV") X(iadd, "IADD") X(shl, "SHL") \
  X(shr, "SHR") X(lut, "LUT") X(l, "L") X(r, "R") X(w, "W") X(sx32, "SX32") \
  X(rcp, "RCP") X(rsq, "RSQ") X(sqrt, "SQRT") X(ex2, "EX2") X(lg2, "LG2") X(sin, "SIN") \
  X(cos, "COS") X(tanh, "TANH") X(rcp64h, "RCP64H") X(rsq64h, "RSQ64H") X(f4e, "F4E") X(b4e, "B4E") \
  X(rc8, "RC8") X(ecl, "ECL") X(ecr, "ECR") X(rc16, "RC16") X(relu, "RELU") X(trunc, "TRUNC") \
  X(floor, "FLOOR") X(ceil, "CEIL") X(ntz, "NTZ") X(pack_ab, "PACK_AB") X(unpack_b, "UNPACK_B") X(merge_c, "MERGE_C") \
  X(idx, "IDX") X(up, "UP") X(down, "DOWN") X(bfly, "BFLY") X(any, "ANY") X(all, "ALL") \
  X(sync, "SYNC") X(arv, "ARV") X(red, "RED") X(popc, "POPC") X(defer_blocking, "DEFER_BLOCKING") X(inc, "INC") \
  X(dec, "DEC") X(min, "MIN") X(max, "MAX") X(add, "ADD") X(exch, "EXCH") X(cas, "CAS") \
  X(spin, "SPIN") X(rel, "REL") X(noinc, "NOINC") X(nodec, "NODEC") X(reconvergent, "RECONVERGENT") X(reliable, "RELIABLE") \
  X(collective, "COLLECTIVE") X(div, "DIV") X(conv, "CONV") X(clear, "CLEAR") X(mma, "MMA") X(sh, "SH") \
  X(w4a, "4A") X(w2a, "2A") X(lo, "LO") X(h0_h0, "H0_H0") X(h1_h1, "H1_H1") X(b0, "B0") \
  X(b1, "B1") X(b2, "B2") X(b3, "B3") X(b32, "B32") X(row, "ROW") X(col, "COL") \
  X(m88, "M88") X(mt88, "MT88") X(w2, "2") X(w4, "4") X(w1688, "1688") X(w16816, "16816") \
  X(w16832, "16832") X(w8816, "8816") X(w8832, "8832") X(access, "ACCESS") X(zfill, "ZFILL") X(bypass, "BYPASS") \
  X(sp, "SP") X(cg, "CG") X(sc, "SC") X(ivall, "IVALL") X(async, "ASYNC") X(view, "VIEW") \
  X(s, "S") X(g, "G") X(hi_lo, "HI_LO") X(arrive, "ARRIVE") X(depbar, "DEPBAR") X(ltc128, "LTC128") \
  X(ivallp, "IVALLP") X(ctaall, "CTAALL") X(w256, "256") \
  X(xorsign, "XORSIGN") X(pand, "PAND") X(il, "IL") X(is, "IS") X(isl, "ISL") X(syncall, "SYNCALL") \
  X(satfinite, "SATFINITE") X(keeprefcount, "KEEPREFCOUNT") X(preempted, "PREEMPTED") X(no_atexit, "NO_ATEXIT") X(safeadd, "SAFEADD") X(rn, "RN") \
  X(abs, "ABS") X(inv, "INV") X(bf16_v2, "BF16_V2") X(wb, "WB") X(wball, "WBALL") X(wballp, "WBALLP") \
  X(pf1, "PF1") X(pf2, "PF2") X(iv, "IV") X(rs, "RS") X(pml2, "PML2") X(dml2, "DML2") \
  X(rml2, "RML2") X(c, "C") X(w1684, "1684") X(pack_b, "PACK_B") X(serialize, "SERIALIZE") X(s4, "S4") \
  X(u4, "U4") \
  X(w884, "884") X(w16864, "16864") X(result, "RESULT") X(trap, "TRAP") X(bf, "BF") X(sum, "SUM") X(cast, "CAST") X(acc, "ACC") X(bf16x2, "BF16x2") X(w8x8x4, "8x8x4") X(w16x2, "16x2") X(u16x2, "U16x2") X(s16x2, "S16x2") \
  X(phasechk, "PHASECHK") X(trans64, "TRANS64") X(trywait, "TRYWAIT") X(tmask, "TMASK") \
  X(optout, "OPTOUT") X(a1t0, "A1T0") X(a0t1, "A0T1") X(a0tr, "A0TR") X(a0tx, "A0TX") \
  X(art0, "ART0") X(multicast, "MULTICAST") X(w1d, "1D") X(w2d, "2D") X(w3d, "3D") X(w4d, "4D") \
  X(w5d, "5D") X(tnspa, "tnspA") X(tnspb, "tnspB") X(nega, "negA") X(negb, "negB") \
  X(w64x8x16, "64x8x16") X(w64x16x16, "64x16x16") X(w64x24x16, "64x24x16") X(w64x32x16, "64x32x16") \
  X(w64x40x16, "64x40x16") X(w64x48x16, "64x48x16") X(w64x56x16, "64x56x16") \
  X(w64x64x16, "64x64x16") X(w64x72x16, "64x72x16") X(w64x80x16, "64x80x16") \
  X(w64x88x16, "64x88x16") X(w64x96x16, "64x96x16") X(w64x104x16, "64x104x16") \
  X(w64x112x16, "64x112x16") X(w64x120x16, "64x120x16") X(w64x128x16, "64x128x16") \
  X(w64x136x16, "64x136x16") X(w64x144x16, "64x144x16") X(w64x152x16, "64x152x16") \
  X(w64x160x16, "64x160x16") X(w64x168x16, "64x168x16") X(w64x176x16, "64x176x16") \
  X(w64x184x16, "64x184x16") X(w64x192x16, "64x192x16") X(w64x200x16, "64x200x16") \
  X(w64x208x16, "64x208x16") X(w64x216x16, "64x216x16") X(w64x224x16, "64x224x16") \
  X(w64x232x16, "64x232x16") X(w64x240x16, "64x240x16") X(w64x248x16, "64x248x16") \
  X(w64x256x16, "64x256x16") X(w64x8x8, "64x8x8") X(w64x16x8, "64x16x8") X(w64x24x8, "64x24x8") \
  X(w64x32x8, "64x32x8") X(w64x40x8, "64x40x8") X(w64x48x8, "64x48x8") X(w64x56x8, "64x56x8") \
  X(w64x64x8, "64x64x8") X(w64x72x8, "64x72x8") X(w64x80x8, "64x80x8") X(w64x88x8, "64x88x8") \
  X(w64x96x8, "64x96x8") X(w64x104x8, "64x104x8") X(w64x112x8, "64x112x8") X(w64x120x8, "64x120x8") \
  X(w64x128x8, "64x128x8") X(w64x136x8, "64x136x8") X(w64x144x8, "64x144x8") \
  X(w64x152x8, "64x152x8") X(w64x160x8, "64x160x8") X(w64x168x8, "64x168x8") \
  X(w64x176x8, "64x176x8") X(w64x184x8, "64x184x8") X(w64x192x8, "64x192x8") \
  X(w64x200x8, "64x200x8") X(w64x208x8, "64x208x8") X(w64x216x8, "64x216x8") \
  X(w64x224x8, "64x224x8") X(w64x232x8, "64x232x8") X(w64x240x8, "64x240x8") \
  X(w64x248x8, "64x248x8") X(w64x256x8, "64x256x8") \
  X(w64x8x32, "64x8x32") X(w64x16x32, "64x16x32") X(w64x24x32, "64x24x32") X(w64x32x32, "64x32x32") \
  X(w64x40x32, "64x40x32") X(w64x48x32, "64x48x32") X(w64x56x32, "64x56x32") X(w64x64x32, "64x64x32") \
  X(w64x72x32, "64x72x32") X(w64x80x32, "64x80x32") X(w64x88x32, "64x88x32") X(w64x96x32, "64x96x32") \
  X(w64x104x32, "64x104x32") X(w64x112x32, "64x112x32") X(w64x120x32, "64x120x32") \
  X(w64x128x32, "64x128x32") X(w64x136x32, "64x136x32") X(w64x144x32, "64x144x32") \
  X(w64x152x32, "64x152x32") X(w64x160x32, "64x160x32") X(w64x168x32, "64x168x32") \
  X(w64x176x32, "64x176x32") X(w64x184x32, "64x184x32") X(w64x192x32, "64x192x32") \
  X(w64x200x32, "64x200x32") X(w64x208x32, "64x208x32") X(w64x216x32, "64x216x32") \
  X(w64x224x32, "64x224x32") X(w64x232x32, "64x232x32") X(w64x240x32, "64x240x32") \
  X(w64x248x32, "64x248x32") X(w64x256x32, "64x256x32") \
  X(e4m3, "E4M3") X(e5m2, "E5M2") X(ldgstsbar, "LDGSTSBAR") X(arvcnt, "ARVCNT") X(transcnt, "TRANSCNT") \
  X(l2, "L2") X(pf, "PF") X(cctl, "CCTL") X(syncs, "SYNCS") X(f32x4, "F32x4")
// clang-format on

namespace forewarp::sass {

enum class Modifier : std::uint16_t {
#define FOREWARP_SASS_ROW(enumerator, name) enumerator,
  FOREWARP_SASS_MODIFIERS(FOREWARP_SASS_ROW)
#undef FOREWARP_SASS_ROW
};

std::string_view to_string(Modifier modifier);
std::optional<Modifier> modifier_from_string(std::string_view name);

} // namespace forewarp::sass
