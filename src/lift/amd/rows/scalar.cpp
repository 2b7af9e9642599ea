// The scalar unit: numbers that a wave shares, masks, SCC.
#include "lift/amd/rows/rows.h"
#include "lift/amd/rows/words.h"

#include <llvm/IR/Constants.h>

#include <string>

namespace forewarp::lift::amd {
namespace {

using llvm::Intrinsic::ctpop;
using Two = Value* (*)(Lifter&, Value*, Value*);

void set_nonzero(Lifter& l, Value* value) {
  l.set_scc(l.b.CreateICmpNE(value, llvm::ConstantInt::get(value->getType(), 0)));
}

template <Two compute> void plain32(Lifter& l) {
  l.set(0, compute(l, l.u32(1), l.u32(2)));
}
template <Two compute> void logic32(Lifter& l) {
  Value* made = compute(l, l.u32(1), l.u32(2));
  l.set(0, made);
  set_nonzero(l, made);
}

/// Both as a number and as the lane's own bit.
template <Two compute> void logic64(Lifter& l) {
  if (!l.is_mask(l.operand(0))) {
    Value* made = compute(l, l.u64(1), l.u64(2));
    l.set64(0, made);
    return set_nonzero(l, made);
  }
  Value* bit = compute(l, l.mask(1), l.mask(2));
  l.set_whole_mask(0, bit, compute(l, l.u64(1), l.u64(2)));
  l.set_scc(l.any(bit));
}
template <Two compute> void logic_of_wave32(Lifter& l) {
  if (l.wave == 64 || !l.is_mask(l.operand(0)))
    return logic32<compute>(l);
  Value* bit = compute(l, l.mask(1), l.mask(2));
  l.set_whole_mask(0, bit, l.b.CreateZExt(compute(l, l.u32(1), l.u32(2)), l.b.getInt64Ty()));
  l.set_scc(l.any(bit));
}

Value* without(Lifter& l, Value* a, Value* c) {
  return l.b.CreateAnd(a, l.b.CreateNot(c));
}
Value* or_not(Lifter& l, Value* a, Value* c) {
  return l.b.CreateOr(a, l.b.CreateNot(c));
}
Value* not_and(Lifter& l, Value* a, Value* c) {
  return l.b.CreateNot(l.b.CreateAnd(a, c));
}
Value* not_or(Lifter& l, Value* a, Value* c) {
  return l.b.CreateNot(l.b.CreateOr(a, c));
}

/// D = EXEC; EXEC = S op EXEC.
template <Two compute> void save_exec(Lifter& l) {
  Value *before = l.exec(), *source = l.mask(1);
  l.set_whole_mask(0, before, nullptr);
  Value* after = compute(l, source, before);
  l.set_exec(after);
  l.set_scc(l.any(after));
}

Value* amount(Lifter& l, Value* by, unsigned bits) {
  Value* cut = l.b.CreateAnd(by, l.word(bits - 1));
  return bits == 64 ? l.b.CreateZExt(cut, l.b.getInt64Ty()) : cut;
}
Value* left32(Lifter& l, Value* a, Value* c) {
  return l.b.CreateShl(a, amount(l, c, 32));
}
Value* right32(Lifter& l, Value* a, Value* c) {
  return l.b.CreateLShr(a, amount(l, c, 32));
}
Value* signed_right32(Lifter& l, Value* a, Value* c) {
  return l.b.CreateAShr(a, amount(l, c, 32));
}
Value* product32(Lifter& l, Value* a, Value* c) {
  return l.b.CreateMul(a, c);
}
Value* ones_mask(Lifter& l, Value* a, Value* c) {
  Value* ones = l.b.CreateSub(l.b.CreateShl(l.word(1), amount(l, a, 32)), l.word(1));
  return l.b.CreateShl(ones, amount(l, c, 32));
}
template <unsigned low_half, unsigned high_half> Value* packed(Lifter& l, Value* a, Value* c) {
  Value* lower = low_half == 0 ? l.b.CreateAnd(a, l.word(0xFFFF)) : l.b.CreateLShr(a, 16);
  Value* upper = high_half == 0 ? l.b.CreateShl(c, 16) : l.b.CreateAnd(c, l.word(0xFFFF0000));
  return l.b.CreateOr(lower, upper);
}

template <llvm::Instruction::BinaryOps how> void shift64(Lifter& l) {
  Value* made = l.b.CreateBinOp(how, l.u64(1), amount(l, l.u32(2), 64));
  l.set64(0, made);
  set_nonzero(l, made);
}
template <unsigned by> void left_and_add(Lifter& l) {
  llvm::Type* wide = l.b.getInt64Ty();
  Value* made =
      l.b.CreateAdd(l.b.CreateShl(l.b.CreateZExt(l.u32(1), wide), by), l.b.CreateZExt(l.u32(2), wide));
  l.set(0, l.low(made));
  set_nonzero(l, l.high(made));
}

template <bool with_carry> void add_unsigned(Lifter& l) {
  llvm::Type* wide = l.b.getInt64Ty();
  Value* sum = l.b.CreateAdd(l.b.CreateZExt(l.u32(1), wide), l.b.CreateZExt(l.u32(2), wide));
  if (with_carry)
    sum = l.b.CreateAdd(sum, l.b.CreateZExt(l.scc(), wide));
  l.set(0, l.low(sum));
  set_nonzero(l, l.high(sum));
}
template <bool with_borrow> void subtract_unsigned(Lifter& l) {
  llvm::Type* wide = l.b.getInt64Ty();
  Value* rest = l.b.CreateSub(l.b.CreateZExt(l.u32(1), wide), l.b.CreateZExt(l.u32(2), wide));
  if (with_borrow)
    rest = l.b.CreateSub(rest, l.b.CreateZExt(l.scc(), wide));
  l.set(0, l.low(rest));
  set_nonzero(l, l.high(rest));
}
template <bool adds> void add_signed(Lifter& l) {
  Value *a = l.u32(1), *c = l.u32(2);
  Value* made = adds ? l.b.CreateAdd(a, c) : l.b.CreateSub(a, c);
  Value* other = adds ? l.b.CreateXor(made, c) : l.b.CreateXor(a, c);
  l.set(0, made);
  l.set_scc(l.b.CreateICmpSLT(l.b.CreateAnd(l.b.CreateXor(a, made), other), l.word(0)));
}

/// SCC: the first is taken.
template <llvm::CmpInst::Predicate takes_first> void choose(Lifter& l) {
  Value *a = l.u32(1), *c = l.u32(2);
  Value* first = l.b.CreateICmp(takes_first, a, c);
  l.set(0, l.b.CreateSelect(first, a, c));
  l.set_scc(first);
}

void absolute(Lifter& l) {
  Value* a = l.u32(1);
  Value* made = l.b.CreateSelect(l.b.CreateICmpSLT(a, l.word(0)), l.b.CreateNeg(a), a);
  l.set(0, made);
  set_nonzero(l, made);
}
void absolute_difference(Lifter& l) {
  Value* rest = l.b.CreateSub(l.u32(1), l.u32(2));
  Value* made = l.b.CreateSelect(l.b.CreateICmpSLT(rest, l.word(0)), l.b.CreateNeg(rest), rest);
  l.set(0, made);
  set_nonzero(l, made);
}

void move32(Lifter& l) {
  if (l.wave == 32 && l.is_mask(l.operand(0)))
    return l.set_whole_mask(0, l.mask(1), l.b.CreateZExt(l.u32(1), l.b.getInt64Ty()));
  l.set(0, l.u32(1));
}
void move64(Lifter& l) {
  if (l.is_mask(l.operand(0)))
    return l.set_whole_mask(0, l.mask(1), l.u64(1));
  l.set64(0, l.u64(1));
}
/// Constants of 16 bits stand in the wording as they are in the encoding.
Value* short_constant(Lifter& l, std::size_t n) {
  return l.word(static_cast<std::uint64_t>(std::int64_t{static_cast<std::int16_t>(l.operand(n).value)}));
}
void move_short(Lifter& l) {
  l.set(0, short_constant(l, 1));
}
void add_short(Lifter& l) {
  Value *a = l.u32(0), *c = short_constant(l, 1);
  Value* made = l.b.CreateAdd(a, c);
  l.set(0, made);
  l.set_scc(l.b.CreateICmpSLT(l.b.CreateAnd(l.b.CreateXor(a, made), l.b.CreateXor(made, c)), l.word(0)));
}
void multiply_short(Lifter& l) {
  l.set(0, l.b.CreateMul(l.u32(0), short_constant(l, 1)));
}

void invert32(Lifter& l) {
  if (l.wave == 32 && l.is_mask(l.operand(0))) {
    Value* bit = l.b.CreateNot(l.mask(1));
    l.set_whole_mask(0, bit, l.b.CreateZExt(l.b.CreateNot(l.u32(1)), l.b.getInt64Ty()));
    return l.set_scc(l.any(bit));
  }
  Value* made = l.b.CreateNot(l.u32(1));
  l.set(0, made);
  set_nonzero(l, made);
}
void invert64(Lifter& l) {
  Value* number = l.b.CreateNot(l.u64(1));
  if (l.is_mask(l.operand(0))) {
    Value* bit = l.b.CreateNot(l.mask(1));
    l.set_whole_mask(0, bit, number);
    return l.set_scc(l.any(bit));
  }
  l.set64(0, number);
  set_nonzero(l, number);
}

void select32(Lifter& l) {
  if (l.wave == 32 && l.is_mask(l.operand(0)))
    return l.set_whole_mask(0, l.b.CreateSelect(l.scc(), l.mask(1), l.mask(2)),
                            l.b.CreateZExt(l.b.CreateSelect(l.scc(), l.u32(1), l.u32(2)), l.b.getInt64Ty()));
  l.set(0, l.b.CreateSelect(l.scc(), l.u32(1), l.u32(2)));
}
void select64(Lifter& l) {
  Value* number = l.b.CreateSelect(l.scc(), l.u64(1), l.u64(2));
  if (l.is_mask(l.operand(0)))
    return l.set_whole_mask(0, l.b.CreateSelect(l.scc(), l.mask(1), l.mask(2)), number);
  l.set64(0, number);
}
void move_if32(Lifter& l) {
  l.set(0, l.b.CreateSelect(l.scc(), l.u32(1), l.u32(0)));
}
void move_if64(Lifter& l) {
  if (l.is_mask(l.operand(0)))
    return l.set_whole_mask(0, l.b.CreateSelect(l.scc(), l.mask(1), l.mask(0)),
                            l.b.CreateSelect(l.scc(), l.u64(1), l.u64(0)));
  l.set64(0, l.b.CreateSelect(l.scc(), l.u64(1), l.u64(0)));
}

/// Offset in bits 4:0 (5:0), width in 22:16.
template <bool is_signed, bool wide> void bit_field(Lifter& l) {
  auto& b = l.b;
  llvm::Type* type = wide ? b.getInt64Ty() : b.getInt32Ty();
  Value *from = wide ? l.u64(1) : l.u32(1), *how = l.u32(2);
  Value* offset = b.CreateZExt(b.CreateAnd(how, l.word(wide ? 63 : 31)), type);
  Value* bits = b.CreateZExt(b.CreateAnd(b.CreateLShr(how, 16), l.word(127)), type);
  Value* size = llvm::ConstantInt::get(type, wide ? 64 : 32);
  Value* shifted = b.CreateLShr(from, offset);
  Value* none = b.CreateICmpEQ(bits, llvm::ConstantInt::get(type, 0));
  Value* all = b.CreateICmpUGE(bits, size);
  Value* rest =
      b.CreateSelect(b.CreateOr(none, all), llvm::ConstantInt::get(type, 0), b.CreateSub(size, bits));
  Value* top = b.CreateShl(shifted, rest);
  Value* made = is_signed ? b.CreateAShr(top, rest) : b.CreateLShr(top, rest);
  made = b.CreateSelect(none, llvm::ConstantInt::get(type, 0), made);
  if (wide)
    l.set64(0, made);
  else
    l.set(0, made);
  set_nonzero(l, made);
}

template <bool wide> void count_ones(Lifter& l) {
  Value* from = wide ? l.u64(1) : l.u32(1);
  Value* made = l.b.CreateZExtOrTrunc(l.b.CreateUnaryIntrinsic(ctpop, from), l.b.getInt32Ty());
  l.set(0, made);
  set_nonzero(l, made);
}

/// -1 where there is none.
template <bool wide, bool from_top> void find_one(Lifter& l) {
  Value* from = wide ? l.u64(1) : l.u32(1);
  Value* found = l.b.CreateBinaryIntrinsic(from_top ? llvm::Intrinsic::ctlz : llvm::Intrinsic::cttz, from,
                                           l.b.getFalse());
  Value* none = l.b.CreateICmpEQ(from, llvm::ConstantInt::get(from->getType(), 0));
  l.set(0, l.b.CreateSelect(none, l.word(~0U), l.b.CreateZExtOrTrunc(found, l.b.getInt32Ty())));
}
void reverse_bits(Lifter& l) {
  l.set(0, l.b.CreateUnaryIntrinsic(llvm::Intrinsic::bitreverse, l.u32(1)));
}
template <unsigned bits> void extend_sign(Lifter& l) {
  l.set(0, l.b.CreateSExt(l.b.CreateTrunc(l.u32(1), l.b.getIntNTy(bits)), l.b.getInt32Ty()));
}
template <bool sets, bool wide> void set_bit(Lifter& l) {
  if (wide) {
    Value* bit = l.b.CreateShl(l.b.getInt64(1), amount(l, l.u32(1), 64));
    return l.set64(0, sets ? l.b.CreateOr(l.u64(0), bit) : l.b.CreateAnd(l.u64(0), l.b.CreateNot(bit)));
  }
  Value* bit = l.b.CreateShl(l.word(1), amount(l, l.u32(1), 32));
  l.set(0, sets ? l.b.CreateOr(l.u32(0), bit) : l.b.CreateAnd(l.u32(0), l.b.CreateNot(bit)));
}
template <bool one, bool wide> void test_bit(Lifter& l) {
  Value* bit = wide ? l.b.CreateTrunc(l.b.CreateLShr(l.u64(0), amount(l, l.u32(1), 64)), l.b.getInt1Ty())
                    : l.b.CreateTrunc(l.b.CreateLShr(l.u32(0), amount(l, l.u32(1), 32)), l.b.getInt1Ty());
  l.set_scc(one ? bit : l.b.CreateNot(bit));
}

void program_counter(Lifter& l) {
  if (l.machine_code.image.empty())
    return l.refuse("the file's constants are too large, or the object is not linked");
  const std::uint64_t behind = l.kernel.address + l.at().offset + l.at().bytes;
  l.set64(0, l.b.CreateAdd(l.image_address(), l.b.getInt64(behind)));
}
/// Only rounding of single floats and what becomes of subnormals may be set, back to what they were.
void set_mode(Lifter& l) {
  if (l.operand(0).word.find("HW_REG_MODE") == std::string::npos)
    l.refuse("this hardware register");
}
void barrier(Lifter& l) {
  l.call("llvm.amdgcn.s.barrier", l.b.getVoidTy(), {});
}
void clock(Lifter& l) {
  l.set64(0, l.call("llvm.amdgcn.s.memtime", l.b.getInt64Ty(), {}));
}
void nothing(Lifter&) {}

constexpr MnemonicRow rows[] = {
    {"s_mov_b32", move32},
    {"s_mov_b64", move64},
    {"s_movk_i32", move_short},
    {"s_addk_i32", add_short},
    {"s_mulk_i32", multiply_short},
    {"s_cmov_b32", move_if32},
    {"s_cmov_b64", move_if64},
    {"s_not_b32", invert32},
    {"s_not_b64", invert64},
    {"s_cselect_b32", select32},
    {"s_cselect_b64", select64},
    {"s_and_b32", logic_of_wave32<conjunction>},
    {"s_or_b32", logic_of_wave32<disjunction>},
    {"s_xor_b32", logic_of_wave32<difference>},
    {"s_andn2_b32", logic_of_wave32<without>},
    {"s_and_not1_b32", logic_of_wave32<without>},
    {"s_orn2_b32", logic_of_wave32<or_not>},
    {"s_or_not1_b32", logic_of_wave32<or_not>},
    {"s_nand_b32", logic_of_wave32<not_and>},
    {"s_nor_b32", logic_of_wave32<not_or>},
    {"s_xnor_b32", logic_of_wave32<equal_bits>},
    {"s_and_b64", logic64<conjunction>},
    {"s_or_b64", logic64<disjunction>},
    {"s_xor_b64", logic64<difference>},
    {"s_andn2_b64", logic64<without>},
    {"s_and_not1_b64", logic64<without>},
    {"s_orn2_b64", logic64<or_not>},
    {"s_or_not1_b64", logic64<or_not>},
    {"s_nand_b64", logic64<not_and>},
    {"s_nor_b64", logic64<not_or>},
    {"s_xnor_b64", logic64<equal_bits>},
    {"s_and_saveexec_b64", save_exec<conjunction>},
    {"s_or_saveexec_b64", save_exec<disjunction>},
    {"s_xor_saveexec_b64", save_exec<difference>},
    {"s_andn2_saveexec_b64", save_exec<without>},
    {"s_and_not1_saveexec_b64", save_exec<without>},
    {"s_orn2_saveexec_b64", save_exec<or_not>},
    {"s_and_saveexec_b32", save_exec<conjunction>},
    {"s_or_saveexec_b32", save_exec<disjunction>},
    {"s_xor_saveexec_b32", save_exec<difference>},
    {"s_andn2_saveexec_b32", save_exec<without>},
    {"s_and_not1_saveexec_b32", save_exec<without>},
    {"s_lshl_b32", logic32<left32>},
    {"s_lshr_b32", logic32<right32>},
    {"s_ashr_i32", logic32<signed_right32>},
    {"s_lshl_b64", shift64<llvm::Instruction::Shl>},
    {"s_lshr_b64", shift64<llvm::Instruction::LShr>},
    {"s_ashr_i64", shift64<llvm::Instruction::AShr>},
    {"s_lshl1_add_u32", left_and_add<1>},
    {"s_lshl2_add_u32", left_and_add<2>},
    {"s_lshl3_add_u32", left_and_add<3>},
    {"s_lshl4_add_u32", left_and_add<4>},
    {"s_mul_i32", plain32<product32>},
    {"s_mul_hi_u32", plain32<high_product<false>>},
    {"s_mul_hi_i32", plain32<high_product<true>>},
    {"s_bfm_b32", plain32<ones_mask>},
    {"s_pack_ll_b32_b16", plain32<packed<0, 0>>},
    {"s_pack_lh_b32_b16", plain32<packed<0, 1>>},
    {"s_pack_hh_b32_b16", plain32<packed<1, 1>>},
    {"s_add_u32", add_unsigned<false>},
    {"s_addc_u32", add_unsigned<true>},
    {"s_sub_u32", subtract_unsigned<false>},
    {"s_subb_u32", subtract_unsigned<true>},
    {"s_add_i32", add_signed<true>},
    {"s_sub_i32", add_signed<false>},
    {"s_min_i32", choose<llvm::CmpInst::ICMP_SLT>},
    {"s_max_i32", choose<llvm::CmpInst::ICMP_SGT>},
    {"s_min_u32", choose<llvm::CmpInst::ICMP_ULT>},
    {"s_max_u32", choose<llvm::CmpInst::ICMP_UGT>},
    {"s_abs_i32", absolute},
    {"s_absdiff_i32", absolute_difference},
    {"s_bfe_u32", bit_field<false, false>},
    {"s_bfe_i32", bit_field<true, false>},
    {"s_bfe_u64", bit_field<false, true>},
    {"s_bfe_i64", bit_field<true, true>},
    {"s_bcnt1_i32_b32", count_ones<false>},
    {"s_bcnt1_i32_b64", count_ones<true>},
    {"s_ff1_i32_b32", find_one<false, false>},
    {"s_ff1_i32_b64", find_one<true, false>},
    {"s_ctz_i32_b32", find_one<false, false>},
    {"s_ctz_i32_b64", find_one<true, false>},
    {"s_flbit_i32_b32", find_one<false, true>},
    {"s_flbit_i32_b64", find_one<true, true>},
    {"s_clz_i32_u32", find_one<false, true>},
    {"s_clz_i32_u64", find_one<true, true>},
    {"s_brev_b32", reverse_bits},
    {"s_sext_i32_i8", extend_sign<8>},
    {"s_sext_i32_i16", extend_sign<16>},
    {"s_bitset0_b32", set_bit<false, false>},
    {"s_bitset1_b32", set_bit<true, false>},
    {"s_bitset0_b64", set_bit<false, true>},
    {"s_bitset1_b64", set_bit<true, true>},
    {"s_bitcmp0_b32", test_bit<false, false>},
    {"s_bitcmp1_b32", test_bit<true, false>},
    {"s_bitcmp0_b64", test_bit<false, true>},
    {"s_bitcmp1_b64", test_bit<true, true>},
    {"s_getpc_b64", program_counter},
    {"s_setreg_imm32_b32", set_mode},
    {"s_setreg_b32", set_mode},
    {"s_denorm_mode", nothing},
    {"s_round_mode", nothing},
    {"s_barrier", barrier},
    {"s_memtime", clock},
    {"s_memrealtime", clock},
    {"s_waitcnt", nothing},
    {"s_waitcnt_depctr", nothing},
    {"s_waitcnt_vscnt", nothing},
    {"s_waitcnt_vmcnt", nothing},
    {"s_waitcnt_lgkmcnt", nothing},
    {"s_waitcnt_expcnt", nothing},
    {"s_nop", nothing},
    {"s_clause", nothing},
    {"s_delay_alu", nothing},
    {"s_sleep", nothing},
    {"s_setprio", nothing},
    {"s_inst_prefetch", nothing},
    {"s_set_inst_prefetch_distance", nothing},
    {"s_icache_inv", nothing},
    {"s_sendmsg", nothing},
    {"s_code_end", nothing},
    {"s_dcache_inv", nothing},
    {"s_dcache_wb", nothing},
    {"s_gl1_inv", nothing},
    {"buffer_gl0_inv", nothing},
    {"buffer_gl1_inv", nothing},
    {"buffer_wbl2", nothing},
    {"buffer_invl2", nothing},
    {"buffer_wbinvl1", nothing},
    {"buffer_wbinvl1_vol", nothing},
    {"buffer_inv", nothing},
};

} // namespace

std::span<const MnemonicRow> scalar_rows() {
  return rows;
}

} // namespace forewarp::lift::amd
