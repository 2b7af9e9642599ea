// Opcodes of machine code of sm_75 to sm_121, by the name that the vendor's listing gives them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

// clang-format off
#define FOREWARP_SASS_OPCODES(X) \
  X(ffma, "FFMA") X(fadd, "FADD") X(fmul, "FMUL") X(fsetp, "FSETP") X(fsel, "FSEL") \
  X(fmnmx, "FMNMX") X(fmnmx3, "FMNMX3") X(fchk, "FCHK") X(fset, "FSET") X(fswzadd, "FSWZADD") \
  X(fadd2, "FADD2") X(fmul2, "FMUL2") X(ffma2, "FFMA2") X(mufu, "MUFU") X(dadd, "DADD") \
  X(dmul, "DMUL") X(dfma, "DFMA") X(dsetp, "DSETP") X(dmnmx, "DMNMX") X(hadd2, "HADD2") \
  X(hmul2, "HMUL2") X(hfma2, "HFMA2") X(hset2, "HSET2") X(hsetp2, "HSETP2") X(hmnmx2, "HMNMX2") \
  X(imad, "IMAD") X(iadd3, "IADD3") X(iadd, "IADD") X(viadd, "VIADD") X(isetp, "ISETP") \
  X(lea, "LEA") X(lop3, "LOP3") X(shf, "SHF") X(sel, "SEL") X(prmt, "PRMT") \
  X(mov, "MOV") X(imnmx, "IMNMX") X(vimnmx, "VIMNMX") X(vimnmx3, "VIMNMX3") X(viaddmnmx, "VIADDMNMX") \
  X(iabs, "IABS") X(idp, "IDP") X(popc, "POPC") X(flo, "FLO") X(brev, "BREV") \
  X(sgxt, "SGXT") X(bmsk, "BMSK") X(vabsdiff, "VABSDIFF") X(vabsdiff4, "VABSDIFF4") X(plop3, "PLOP3") \
  X(p2r, "P2R") X(r2p, "R2P") X(psetp, "PSETP") X(i2f, "I2F") X(i2fp, "I2FP") \
  X(ui2fp, "UI2FP") X(f2i, "F2I") X(f2f, "F2F") X(f2fp, "F2FP") X(frnd, "FRND") \
  X(s2r, "S2R") X(s2ur, "S2UR") X(cs2r, "CS2R") X(r2ur, "R2UR") X(movm, "MOVM") \
  X(r2b, "R2B") X(b2r, "B2R") X(umov, "UMOV") X(uiadd3, "UIADD3") X(uimad, "UIMAD") \
  X(ulea, "ULEA") X(ulop3, "ULOP3") X(ushf, "USHF") X(usel, "USEL") X(uisetp, "UISETP") \
  X(uplop3, "UPLOP3") X(uflo, "UFLO") X(upopc, "UPOPC") X(ubrev, "UBREV") X(uprmt, "UPRMT") \
  X(usgxt, "USGXT") X(ubmsk, "UBMSK") X(up2ur, "UP2UR") X(r2up, "R2UP") X(uldc, "ULDC") \
  X(ldcu, "LDCU") X(uffma, "UFFMA") X(ufmul, "UFMUL") X(ufadd, "UFADD") X(ufsetp, "UFSETP") \
  X(ufsel, "UFSEL") X(ufmnmx, "UFMNMX") X(uviadd, "UVIADD") X(uvimnmx, "UVIMNMX") X(uimnmx, "UIMNMX") X(uiabs, "UIABS") \
  X(ui2f, "UI2F") X(uf2i, "UF2I") X(uf2f, "UF2F") X(ur2up, "UR2UP") X(ldg, "LDG") \
  X(stg, "STG") X(lds, "LDS") X(sts, "STS") X(ldl, "LDL") X(stl, "STL") \
  X(ld, "LD") X(st, "ST") X(ldc, "LDC") X(atom, "ATOM") X(atomg, "ATOMG") \
  X(atoms, "ATOMS") X(red, "RED") X(redg, "REDG") X(ldgsts, "LDGSTS") X(ldgdepbar, "LDGDEPBAR") \
  X(ldsm, "LDSM") X(stsm, "STSM") X(ldtm, "LDTM") X(sttm, "STTM") X(match, "MATCH") \
  X(cctl, "CCTL") X(cctll, "CCTLL") X(membar, "MEMBAR") X(errbar, "ERRBAR") X(qspc, "QSPC") X(fence, "FENCE") \
  X(cgaerrbar, "CGAERRBAR") X(tex, "TEX") X(tld, "TLD") X(tld4, "TLD4") X(txd, "TXD") \
  X(txq, "TXQ") X(suld, "SULD") X(sust, "SUST") X(suatom, "SUATOM") X(sured, "SURED") \
  X(shfl, "SHFL") X(vote, "VOTE") X(voteu, "VOTEU") X(redux, "REDUX") X(credux, "CREDUX") \
  X(elect, "ELECT") X(bar, "BAR") X(depbar, "DEPBAR") X(bra, "BRA") X(brx, "BRX") \
  X(brxu, "BRXU") X(jmp, "JMP") X(jmx, "JMX") X(call, "CALL") X(ret, "RET") \
  X(exit, "EXIT") X(bssy, "BSSY") X(bsync, "BSYNC") X(break_, "BREAK") X(bmov, "BMOV") \
  X(warpsync, "WARPSYNC") X(endcollective, "ENDCOLLECTIVE") X(yield, "YIELD") X(nanosleep, "NANOSLEEP") X(nop, "NOP") \
  X(kill, "KILL") X(bpt, "BPT") X(preexit, "PREEXIT") X(acqbulk, "ACQBULK") X(lepc, "LEPC") \
  X(rpcmov, "RPCMOV") X(setctaid, "SETCTAID") X(usetmaxreg, "USETMAXREG") X(hmma, "HMMA") X(imma, "IMMA") \
  X(dmma, "DMMA") X(bmma, "BMMA") X(qmma, "QMMA") X(omma, "OMMA") X(hgmma, "HGMMA") \
  X(igmma, "IGMMA") X(qgmma, "QGMMA") X(warpgroup, "WARPGROUP") X(warpgroupset, "WARPGROUPSET") X(arrives, "ARRIVES") \
  X(syncs, "SYNCS") X(utmaldg, "UTMALDG") X(utmastg, "UTMASTG") X(utmaredg, "UTMAREDG") X(utmapf, "UTMAPF") \
  X(utmacctl, "UTMACCTL") X(utmacmdflush, "UTMACMDFLUSH") X(ublkcp, "UBLKCP") X(ublkred, "UBLKRED") X(ublkpf, "UBLKPF") \
  X(ucgabar_arv, "UCGABAR_ARV") X(ucgabar_wait, "UCGABAR_WAIT") X(utchmma, "UTCHMMA") X(utcimma, "UTCIMMA") X(utcqmma, "UTCQMMA") \
  X(utcomma, "UTCOMMA") X(utcbar, "UTCBAR") X(utcatomsws, "UTCATOMSWS") X(utccp, "UTCCP") X(utcshift, "UTCSHIFT") \
  X(uvirtcount, "UVIRTCOUNT")
// clang-format on

namespace forewarp::sass {

enum class Opcode : std::uint16_t {
#define FOREWARP_SASS_ROW(enumerator, name) enumerator,
  FOREWARP_SASS_OPCODES(FOREWARP_SASS_ROW)
#undef FOREWARP_SASS_ROW
};

std::string_view to_string(Opcode opcode);
std::optional<Opcode> opcode_from_string(std::string_view name);

} // namespace forewarp::sass
