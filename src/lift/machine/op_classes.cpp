// Opcode -> class of the GPU files' operation tables. Pipes as Mesa's NAK has them for Turing to Blackwell;
// the uniform datapath has no table yet, so its instructions count as the vector's.
#include "lift/machine/machine_program.h"

#include <algorithm>

namespace forewarp::lift {
namespace {

using facts::OpClass;
using sass::Modifier;
using sass::Opcode;

struct ClassRow {
  Opcode opcode;
  OpClass op;
};

constexpr ClassRow rows[] = {
    {Opcode::ffma, OpClass::fp32_fma},
    {Opcode::uffma, OpClass::fp32_fma},
    {Opcode::ffma2, OpClass::fp32_fma},
    {Opcode::fadd, OpClass::fp32_add},
    {Opcode::ufadd, OpClass::fp32_add},
    {Opcode::fadd2, OpClass::fp32_add},
    {Opcode::fswzadd, OpClass::fp32_add},
    {Opcode::fmul, OpClass::fp32_mul},
    {Opcode::ufmul, OpClass::fp32_mul},
    {Opcode::fmul2, OpClass::fp32_mul},
    {Opcode::fsetp, OpClass::fp32_minmax_cmp},
    {Opcode::ufsetp, OpClass::fp32_minmax_cmp},
    {Opcode::fset, OpClass::fp32_minmax_cmp},
    {Opcode::fsel, OpClass::fp32_minmax_cmp},
    {Opcode::ufsel, OpClass::fp32_minmax_cmp},
    {Opcode::fmnmx, OpClass::fp32_minmax_cmp},
    {Opcode::ufmnmx, OpClass::fp32_minmax_cmp},
    {Opcode::fmnmx3, OpClass::fp32_minmax_cmp},
    {Opcode::fchk, OpClass::sfu},
    {Opcode::mufu, OpClass::sfu},
    {Opcode::dfma, OpClass::fp64_fma},
    {Opcode::dadd, OpClass::fp64_add},
    {Opcode::dmul, OpClass::fp64_mul},
    {Opcode::dsetp, OpClass::fp64_minmax_cmp},
    {Opcode::dmnmx, OpClass::fp64_minmax_cmp},
    {Opcode::hfma2, OpClass::fp16_fma},
    {Opcode::hadd2, OpClass::fp16_add},
    {Opcode::hmul2, OpClass::fp16_mul},
    {Opcode::hmnmx2, OpClass::fp16_add},
    {Opcode::hset2, OpClass::fp16_add},
    {Opcode::hsetp2, OpClass::fp16_add},
    {Opcode::iadd3, OpClass::int_add},
    {Opcode::iadd, OpClass::int_add},
    {Opcode::viadd, OpClass::int_add},
    {Opcode::uiadd3, OpClass::int_add},
    {Opcode::uviadd, OpClass::int_add},
    {Opcode::lea, OpClass::int_add},
    {Opcode::ulea, OpClass::int_add},
    {Opcode::imad, OpClass::int_mul},
    {Opcode::uimad, OpClass::int_mul},
    {Opcode::idp, OpClass::int_mul},
    {Opcode::lop3, OpClass::int_logic},
    {Opcode::ulop3, OpClass::int_logic},
    {Opcode::plop3, OpClass::int_logic},
    {Opcode::uplop3, OpClass::int_logic},
    {Opcode::psetp, OpClass::int_logic},
    {Opcode::shf, OpClass::int_shift},
    {Opcode::ushf, OpClass::int_shift},
    {Opcode::isetp, OpClass::int_minmax_cmp},
    {Opcode::uisetp, OpClass::int_minmax_cmp},
    {Opcode::imnmx, OpClass::int_minmax_cmp},
    {Opcode::vimnmx, OpClass::int_minmax_cmp},
    {Opcode::uvimnmx, OpClass::int_minmax_cmp},
    {Opcode::vimnmx3, OpClass::int_minmax_cmp},
    {Opcode::viaddmnmx, OpClass::int_minmax_cmp},
    {Opcode::iabs, OpClass::int_minmax_cmp},
    {Opcode::uiabs, OpClass::int_minmax_cmp},
    {Opcode::sel, OpClass::int_minmax_cmp},
    {Opcode::usel, OpClass::int_minmax_cmp},
    {Opcode::i2fp, OpClass::int_minmax_cmp}, // at fixed latency, on the integer pipe
    {Opcode::ui2fp, OpClass::int_minmax_cmp},
    {Opcode::prmt, OpClass::int_bitfield},
    {Opcode::uprmt, OpClass::int_bitfield},
    {Opcode::sgxt, OpClass::int_bitfield},
    {Opcode::usgxt, OpClass::int_bitfield},
    {Opcode::bmsk, OpClass::int_bitfield},
    {Opcode::ubmsk, OpClass::int_bitfield},
    {Opcode::f2fp, OpClass::int_bitfield},
    {Opcode::popc, OpClass::int_bitcount},
    {Opcode::upopc, OpClass::int_bitcount},
    {Opcode::flo, OpClass::int_bitcount},
    {Opcode::uflo, OpClass::int_bitcount},
    {Opcode::brev, OpClass::int_bitcount},
    {Opcode::ubrev, OpClass::int_bitcount},
    {Opcode::mov, OpClass::move},
    {Opcode::umov, OpClass::move},
    {Opcode::r2ur, OpClass::move},
    {Opcode::s2r, OpClass::move},
    {Opcode::s2ur, OpClass::move},
    {Opcode::cs2r, OpClass::move},
    {Opcode::p2r, OpClass::move},
    {Opcode::r2p, OpClass::move},
    {Opcode::uldc, OpClass::move}, // at a fixed latency of two cycles
    {Opcode::hmma, OpClass::tensor_mma},
    {Opcode::imma, OpClass::tensor_mma},
    {Opcode::dmma, OpClass::tensor_mma},
    {Opcode::bmma, OpClass::tensor_mma},
    {Opcode::hgmma, OpClass::tensor_mma},
    {Opcode::igmma, OpClass::tensor_mma},
    {Opcode::qgmma, OpClass::tensor_mma},
    {Opcode::bra, OpClass::branch},
    {Opcode::brx, OpClass::branch},
    {Opcode::call, OpClass::branch},
    {Opcode::ret, OpClass::branch},
    {Opcode::exit, OpClass::branch},
    {Opcode::bar, OpClass::barrier},
    {Opcode::ucgabar_arv, OpClass::barrier},
    {Opcode::membar, OpClass::fence},
    {Opcode::fence, OpClass::fence},
    {Opcode::shfl, OpClass::shuffle},
    {Opcode::vote, OpClass::vote},
    {Opcode::voteu, OpClass::vote},
    {Opcode::match, OpClass::vote},
    {Opcode::redux, OpClass::vote},
    {Opcode::elect, OpClass::vote},
    {Opcode::ldg, OpClass::load_global},
    {Opcode::ld, OpClass::load_global},
    {Opcode::ldgsts, OpClass::load_global},
    {Opcode::utmaldg, OpClass::load_global},
    {Opcode::utmastg, OpClass::store_global},
    {Opcode::stg, OpClass::store_global},
    {Opcode::st, OpClass::store_global},
    {Opcode::lds, OpClass::load_shared},
    {Opcode::ldsm, OpClass::load_shared},
    {Opcode::sts, OpClass::store_shared},
    {Opcode::stsm, OpClass::store_shared},
    {Opcode::ldl, OpClass::load_local},
    {Opcode::stl, OpClass::store_local},
    {Opcode::ldc, OpClass::load_constant},
    {Opcode::ldcu, OpClass::load_constant},
    {Opcode::atom, OpClass::atomic_global},
    {Opcode::atomg, OpClass::atomic_global},
    {Opcode::red, OpClass::atomic_global},
    {Opcode::redg, OpClass::atomic_global},
    {Opcode::atoms, OpClass::atomic_shared},
};

bool has_double(const sass::Instruction& instruction) {
  return instruction.has(Modifier::f64) || instruction.has(Modifier::s64) || instruction.has(Modifier::u64);
}

bool writes_register(const sass::Instruction& instruction) {
  return std::ranges::any_of(instruction.written(), [](const sass::Operand& operand) {
    return operand.kind == sass::OperandKind::general && !operand.is_zero();
  });
}

} // namespace

OpClass op_class_of(const sass::Instruction& instruction) {
  switch (instruction.opcode) {
  case Opcode::i2f:
  case Opcode::f2i:
  case Opcode::f2f:
  case Opcode::frnd:
    return has_double(instruction) ? OpClass::cvt_64 : OpClass::cvt_32;
  case Opcode::imad:
  case Opcode::uimad:
    return instruction.has(Modifier::wide) ? OpClass::int_mul_wide
           : instruction.has(Modifier::hi) ? OpClass::int_mul_hi
                                           : OpClass::int_mul;
  case Opcode::syncs: // a barrier is a word of shared memory
    return instruction.has(Modifier::cctl) || instruction.has(Modifier::a0t1)    ? OpClass::nop
           : instruction.has(Modifier::phasechk) || writes_register(instruction) ? OpClass::load_shared
                                                                                 : OpClass::store_shared;
  case Opcode::ublkcp: // [to], [from]
    return instruction.modifiers.front() == Modifier::s ? OpClass::load_global : OpClass::store_global;
  default:
    break;
  }
  const auto row = std::ranges::find(rows, instruction.opcode, &ClassRow::opcode);
  return row == std::end(rows) ? OpClass::nop : row->op;
}

} // namespace forewarp::lift
