// From sm_90 on: barriers in shared memory, copies that an engine makes beside the warps, products of a warp
// group: as the markers that PTX's own forms of them become (ir/builtins.h). A barrier's word is not kept: of
// its contents only a phase's parity (the uppermost bit) and the count that it begins with are known.
#include "ir/address_spaces.h"
#include "ir/builtins.h"
#include "lift/rows/addresses.h"
#include "lift/rows/rows.h"

#include <fmt/format.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

#include <optional>

namespace forewarp::lift {
namespace {

using M = Modifier;

constexpr unsigned parity_bit = 31;

Value* call_meeting(Lifter& l, const char* name, llvm::Type* type, Value* place, Value* number) {
  Value* made = l.call(fmt::format("{}{}", ir::builtins::meeting_prefix, name), type, {place, number});
  l.mark(llvm::cast<llvm::Instruction>(made));
  return made;
}

/// SYNCS.EXCH: 2^20 less the count stands twice in the pair that is written; here from bit 1 on.
void begin_barrier(Lifter& l) {
  auto& b = l.b;
  if (l.result(0) != nullptr)
    return l.refuse("what the barrier held before");
  Value* missing = b.CreateSub(l.word(1U << 20), b.CreateLShr(l.raw(l.source(0)), 1));
  call_meeting(l, "begin", b.getVoidTy(), shared_pointer(l), b.CreateAnd(missing, l.word((1U << 20) - 1)));
}

void wait_at_barrier(Lifter& l) {
  auto& b = l.b;
  Value* parity = b.CreateLShr(l.raw(l.source(0)), parity_bit);
  l.set_predicate(l.result_predicate(0),
                  call_meeting(l, "wait_parity", b.getInt1Ty(), shared_pointer(l), parity));
}

/// A: arrivals, T: bytes that are to come, each 0, 1 or the register's (R); TX: bytes that came. Without a
/// word the lane arrives once and the register has its bytes.
void arrive_at_barrier(Lifter& l) {
  auto& b = l.b;
  Value* address = narrow_address(l, address_operand(l)->address);
  Value* place = l.has(M::red) ? cluster_pointer(l, address) : shared_pointer(l, address);
  Value* number = l.raw(l.source(0));
  if (l.has(M::a0tx))
    return (void)call_meeting(l, "bytes_come", b.getVoidTy(), place, number);
  if (l.has(M::a0t1)) // ARRIVES takes it back
    return;
  const bool only_expects = l.has(M::a0tr), counts = l.has(M::art0), once = l.has(M::a1t0);
  if (!counts && !once)
    call_meeting(l, "expect", b.getVoidTy(), place, number);
  if (only_expects)
    return;
  Value* phase = call_meeting(l, l.has(M::optout) ? "drop" : "arrive", b.getInt64Ty(), place,
                              counts ? number : l.word(1));
  l.set(l.result(0), l.word(0), 0);
  if (l.result(0) != nullptr)
    l.set(l.result(0), b.CreateShl(l.low(phase), parity_bit), 1);
}

void barrier_in_memory(Lifter& l) {
  if (l.has(M::exch))
    return begin_barrier(l);
  if (l.has(M::phasechk))
    return wait_at_barrier(l);
  if (l.has(M::arrive))
    return arrive_at_barrier(l);
  if (!l.has(M::cctl)) // the barrier ends
    l.refuse("this use of a barrier");
}

/// The barrier hears of the lane's copies to shared memory (LDGSTS) when they have come.
void hear_of_copies(Lifter& l) {
  call_meeting(l, l.has(M::arvcnt) ? "arrive_copied" : "copied", l.b.getVoidTy(), shared_pointer(l),
               l.word(1));
}

/// The n-th address of a copy: the uniform registers from its first one on.
Operand registers_at(const Lifter& l, unsigned n, unsigned first, std::uint8_t width) {
  Operand found;
  for (const Operand& operand : l.at().sources())
    if (operand.kind == OperandKind::address && n-- == 0) {
      found.kind = OperandKind::uniform;
      found.number = static_cast<std::uint16_t>(operand.address.uniform + first);
      found.width = width;
    }
  return found;
}

Value* shared_at(Lifter& l, unsigned n, unsigned first) {
  sass::Address address;
  address.uniform = registers_at(l, n, first, 1).number;
  return shared_pointer(l, address);
}

Value* pointer_at(Lifter& l, unsigned n, unsigned space) {
  const Operand pair = registers_at(l, n, 0, 2);
  Value* address = l.u64(&pair);
  return l.b.CreateIntToPtr(space == 0 ? l.with_parameters(address) : address, l.b.getPtrTy(space));
}

void call_engine(Lifter& l, const std::string& name, llvm::ArrayRef<Value*> operands) {
  Value* made = l.call(fmt::format("{}{}", ir::builtins::engine_prefix, name), l.b.getVoidTy(), operands);
  l.mark(llvm::cast<llvm::Instruction>(made));
}

/// One piece of the copy; `barrier` hears of its bytes where there is one. The last source's upper half has a
/// bit for each group that gets it.
void copy_piece(Lifter& l, const std::string& shape, llvm::ArrayRef<Value*> operands, Value* barrier) {
  if (l.has(M::multicast))
    call_engine(l, "spread", {l.b.CreateLShr(l.raw(l.source(0)), 16)});
  call_engine(l, shape + ".read", operands);
  call_engine(l, shape + ".write", operands);
  if (barrier != nullptr)
    call_engine(l, "arrive", {barrier});
}

/// UBLKCP [to], [from], size in units of 16 bytes; inwards the barrier's address is the register behind `to`.
void copy_bytes(Lifter& l) {
  auto& b = l.b;
  constexpr unsigned unit = 4;
  const bool in = l.at().modifiers.size() > 1 && l.at().modifiers[0] == M::s && l.at().modifiers[1] == M::g;
  if (!in && !(l.has(M::s) && l.has(M::g)))
    return l.refuse("copies between groups of a cluster");
  Value* bytes = b.CreateShl(b.CreateAnd(l.raw(l.source(0)), l.word(0xFFFF)), unit);
  Value* shared = shared_at(l, in ? 0 : 1, 0);
  Value* global = pointer_at(l, in ? 1 : 0, ir::global_space);
  copy_piece(l, in ? "bytes.in" : "bytes.out", {shared, global, bytes}, in ? shared_at(l, 0, 1) : nullptr);
}

/// UTMALDG, UTMASTG [shared address, barrier (inwards), coordinates], [tensor map].
void copy_tile(Lifter& l) {
  constexpr M counts[] = {M::w1d, M::w2d, M::w3d, M::w4d, M::w5d};
  const bool in = l.at().opcode == Opcode::utmaldg;
  unsigned dimensions = 0;
  for (unsigned d = 0; d < std::size(counts); ++d)
    dimensions = l.has(counts[d]) ? d + 1 : dimensions;
  std::vector<Value*> operands = {shared_at(l, 0, 0), pointer_at(l, 1, 0)};
  for (unsigned d = 0; d < dimensions; ++d) {
    const Operand coordinate = registers_at(l, 0, d + (in ? 2 : 1), 1);
    operands.push_back(l.raw(&coordinate));
  }
  copy_piece(l, fmt::format("tile.{}.{}d", in ? "in" : "out", dimensions), operands,
             in ? shared_at(l, 0, 1) : nullptr);
}

/// "m64n32k16" of "64x32x16".
std::string group_shape(const Lifter& l) {
  std::string text(sass::to_string(l.at().modifiers.front()));
  text.replace(text.find('x'), 1, "n");
  text.replace(text.find('x'), 1, "k");
  return "m" + text;
}

const char* factor_of(const Lifter& l) {
  switch (l.at().opcode) {
  case Opcode::hgmma:
    return l.has(M::bf16) ? "bf16" : l.has(M::tf32) ? "tf32" : "f16";
  case Opcode::igmma:
    return l.has(M::u8) ? "u8" : "s8";
  default:
    return l.has(M::e5m2) ? "e5m2" : "e4m3";
  }
}

/// The product's values are unknown.
void group_product(Lifter& l) {
  auto& b = l.b;
  const Operand* sums = l.result(0);
  if (sums == nullptr)
    return;
  const Operand* factor = l.source(0); // A, or the sums where A is behind the descriptor
  const Operand* descriptor = nullptr;
  for (const Operand& operand : l.at().sources())
    if (operand.kind == OperandKind::matrix_descriptor)
      descriptor = &operand;
  if (factor == nullptr || descriptor == nullptr)
    return l.refuse("its operands");
  const bool in_registers = descriptor->width == 2;
  std::vector<Value*> factors;
  if (in_registers)
    for (unsigned k = 0; k < factor->width; ++k)
      factors.push_back(l.raw(factor, k));
  for (unsigned k = 0; k < descriptor->width; k += 2) {
    Operand pair = *descriptor;
    pair.kind = OperandKind::uniform;
    factors.push_back(l.pair(l.raw(&pair, k), l.raw(&pair, k + 1)));
  }
  const std::string marker = fmt::format("forewarp.wgmma.{}.{}.{}{}.i32x{}", group_shape(l), factor_of(l),
                                         in_registers ? "registers" : "memory", factors.size(), sums->width);
  const Operand* before = l.source(in_registers ? 1 : 0);
  for (unsigned k = 0; k < sums->width; ++k)
    factors.push_back(l.raw(before, k));
  const std::vector<llvm::Type*> types(sums->width, b.getInt32Ty());
  Value* made = l.call(marker, llvm::StructType::get(b.getContext(), types), factors);
  l.mark(llvm::cast<llvm::Instruction>(made));
  for (unsigned k = 0; k < sums->width; ++k)
    l.set(sums, b.CreateExtractValue(made, k), k);
}

void elect(Lifter& l) {
  auto& b = l.b;
  Value* stands = l.predicate(l.source_predicate(0), true);
  const Elected one = elected(l, l.guard() == nullptr ? stands : b.CreateAnd(l.guard(), stands));
  l.set_predicate(l.result_predicate(0), one.is_this);
  if (l.result(0) != nullptr)
    l.set(l.result(0), one.lane);
}

void cluster_arrive(Lifter& l) {
  call_meeting(l, "cluster_arrive", l.b.getVoidTy(), l.b.getInt64(0), l.word(0));
}
void cluster_wait(Lifter& l) {
  call_meeting(l, "cluster_leave", l.b.getVoidTy(), l.b.getInt64(0), l.word(0));
}

void leaves_nothing(Lifter&) {}

constexpr OpcodeRow asynchronous_row_list[] = {
    {Opcode::syncs, barrier_in_memory},    {Opcode::arrives, hear_of_copies},
    {Opcode::ublkcp, copy_bytes},          {Opcode::utmaldg, copy_tile},
    {Opcode::utmastg, copy_tile},          {Opcode::utmacmdflush, leaves_nothing},
    {Opcode::utmapf, leaves_nothing},      {Opcode::ublkpf, leaves_nothing},
    {Opcode::utmacctl, leaves_nothing},    {Opcode::elect, elect},
    {Opcode::warpgroup, leaves_nothing},   {Opcode::hgmma, group_product},
    {Opcode::igmma, group_product},        {Opcode::qgmma, group_product},
    {Opcode::ucgabar_arv, cluster_arrive}, {Opcode::ucgabar_wait, cluster_wait},
};

} // namespace

std::span<const OpcodeRow> asynchronous_rows() {
  return asynchronous_row_list;
}

Elected elected(Lifter& l, Value* standing) {
  auto& b = l.b;
  Value* lanes = l.call("llvm.nvvm.vote.ballot.sync", b.getInt32Ty(), {l.word(~0U), standing});
  Value* lane = b.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, lanes, b.getFalse());
  Value* own = l.call("llvm.nvvm.read.ptx.sreg.laneid", b.getInt32Ty(), {});
  return {lane, b.CreateICmpEQ(own, lane), b.CreateICmpNE(lanes, l.word(0))};
}

bool is_engine_copy(const Instruction& instruction) {
  return instruction.opcode == Opcode::ublkcp || instruction.opcode == Opcode::utmaldg ||
         instruction.opcode == Opcode::utmastg;
}

} // namespace forewarp::lift
