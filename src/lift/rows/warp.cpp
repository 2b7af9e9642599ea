// What lanes see of each other and of themselves: exchanges, votes, barriers, special registers; and what
// leaves no trace in values (fences, hints, the convergence barriers).
#include "ir/builtins.h"
#include "lift/rows/addresses.h"
#include "lift/rows/rows.h"

#include <fmt/format.h>
#include <llvm/IR/Constants.h>

namespace forewarp::lift {
namespace {

using M = Modifier;

Value* whole_warp(Lifter& l) {
  return l.word(~0U);
}

void shuffle(Lifter& l) {
  auto& b = l.b;
  const char* mode = l.has(M::idx) ? "idx" : l.has(M::up) ? "up" : l.has(M::down) ? "down" : "bfly";
  llvm::Type* type = llvm::StructType::get(b.getInt32Ty(), b.getInt1Ty());
  Value* made = l.call(fmt::format("llvm.nvvm.shfl.sync.{}.i32p", mode), type,
                       {whole_warp(l), l.raw(l.source(0)), l.u32(l.source(1)), l.u32(l.source(2))});
  l.set(l.result(0), b.CreateExtractValue(made, 0));
  l.set_predicate(l.result_predicate(0), b.CreateExtractValue(made, 1));
}

/// Lanes without the guard do not vote.
void vote(Lifter& l) {
  auto& b = l.b;
  Value* mine = l.predicate(l.source_predicate(0), true);
  Value* counted = l.guard() == nullptr ? mine : b.CreateAnd(mine, l.guard());
  if (l.result(0) != nullptr)
    l.set(l.result(0), l.call("llvm.nvvm.vote.ballot.sync", b.getInt32Ty(), {whole_warp(l), counted}));
  if (l.result_predicate(0) == nullptr)
    return;
  if (l.has(M::eq))
    return l.refuse("a vote of equality");
  if (l.has(M::all) && l.guard() != nullptr)
    counted = b.CreateOr(mine, b.CreateNot(l.guard()));
  l.set_predicate(l.result_predicate(0),
                  l.call(l.has(M::all) ? "llvm.nvvm.vote.all.sync" : "llvm.nvvm.vote.any.sync", b.getInt1Ty(),
                         {whole_warp(l), counted}));
}

void reduce(Lifter& l) {
  static constexpr std::pair<M, const char*> operations[] = {
      {M::add, "add"}, {M::and_, "and"}, {M::or_, "or"}, {M::xor_, "xor"}};
  auto& b = l.b;
  const auto give = [&](const char* name) {
    l.set(l.result(0), l.call(fmt::format("llvm.nvvm.redux.sync.{}", name), b.getInt32Ty(),
                              {l.u32(l.source(0)), whole_warp(l)}));
  };
  for (const auto& [modifier, name] : operations)
    if (l.has(modifier))
      return give(name);
  if (l.has(M::min))
    return give(l.has(M::s32) ? "min" : "umin");
  if (l.has(M::max))
    return give(l.has(M::s32) ? "max" : "umax");
  give("add");
}

void match(Lifter& l) {
  auto& b = l.b;
  if (l.has(M::u64) || l.has(M::w64))
    return l.refuse("64-bit values");
  if (l.has(M::any))
    return l.set(l.result(0),
                 l.call("llvm.nvvm.match.any.sync.i32", b.getInt32Ty(), {whole_warp(l), l.u32(l.source(0))}));
  llvm::Type* type = llvm::StructType::get(b.getInt32Ty(), b.getInt1Ty());
  Value* made = l.call("llvm.nvvm.match.all.sync.i32p", type, {whole_warp(l), l.u32(l.source(0))});
  l.set(l.result(0), b.CreateExtractValue(made, 0));
  l.set_predicate(l.result_predicate(0), b.CreateExtractValue(made, 1));
}

struct SpecialRegister {
  unsigned code;
  const char* name;
};
/// Codes as the listing of compiled kernels names them (docs/reference/machine_code.md).
constexpr SpecialRegister special_registers[] = {
    {0x00, "laneid"},      {0x21, "tid.x"},       {0x22, "tid.y"},       {0x23, "tid.z"},
    {0x25, "ctaid.x"},     {0x26, "ctaid.y"},     {0x27, "ctaid.z"},     {0x38, "lanemask.eq"},
    {0x39, "lanemask.lt"}, {0x3a, "lanemask.le"}, {0x3b, "lanemask.gt"}, {0x3c, "lanemask.ge"},
};
constexpr unsigned packed_thread = 0x20, clock_low = 0x50, clock_high = 0x51, timer_low = 0x52,
                   timer_high = 0x53, cluster_rank = 0x88, shared_window_code = 0x2f, zero = 0xff;

void special_register(Lifter& l) {
  auto& b = l.b;
  const Operand* from = nullptr;
  for (const Operand& operand : l.at().sources())
    if (operand.kind == OperandKind::special)
      from = &operand;
  if (from == nullptr)
    return l.refuse("its operand");
  const bool pair = l.at().opcode == Opcode::cs2r && !l.has(M::w32);
  const unsigned code = from->number;
  const auto sreg = [&](const char* name) {
    return l.call(fmt::format("llvm.nvvm.read.ptx.sreg.{}", name), b.getInt32Ty(), {});
  };
  const auto give = [&](Value* value) {
    if (pair)
      l.set(l.result(0), l.word(0), 1);
    l.set(l.result(0), value);
  };
  for (const SpecialRegister& known : special_registers)
    if (known.code == code)
      return give(sreg(known.name));
  switch (code) {
  case packed_thread:
    return give(b.CreateOr(sreg("tid.x"),
                           b.CreateOr(b.CreateShl(sreg("tid.y"), 16), b.CreateShl(sreg("tid.z"), 26))));
  case clock_low:
  case timer_low:
    if (pair)
      return l.set64(l.result(0), l.call("llvm.nvvm.read.ptx.sreg.clock64", b.getInt64Ty(), {}));
    return l.set(l.result(0), sreg("clock"));
  case clock_high:
  case timer_high:
    return l.set(l.result(0), sreg("clock"));
  case cluster_rank:
    return give(l.in_cluster ? sreg("cluster.ctarank") : l.word(0));
  case shared_window_code:
    return l.in_cluster ? give(shared_window(l)) : l.refuse("generic addresses of shared memory");
  case zero:
    return give(l.word(0));
  default:
    l.refuse("this special register");
  }
}

/// The value of one lane becomes the warp's, also for lanes without the guard.
void to_uniform(Lifter& l) {
  auto& b = l.b;
  Value* mine = l.u32(l.source(0));
  if (l.guard() == nullptr)
    return l.set(l.result(0), mine);
  const Elected one = elected(l, l.guard());
  Value* theirs =
      l.call("llvm.nvvm.shfl.sync.idx.i32", b.getInt32Ty(), {whole_warp(l), mine, one.lane, l.word(31)});
  l.set_whole(l.result(0), b.CreateSelect(one.any, theirs, l.raw(l.result(0))));
}

constexpr unsigned barrier_answer = 1000; ///< number of a register of ours

/// A barrier by name, or of some of the group's threads. Name and threads in one register: the latter in its
/// upper half.
void gather(Lifter& l, Value* name, Value* threads) {
  const auto meet = [&](const char* what, Value* number) {
    Value* made =
        l.call(fmt::format("{}{}", ir::builtins::meeting_prefix, what), l.b.getVoidTy(), {name, number});
    l.mark(llvm::cast<llvm::Instruction>(made));
  };
  meet("gather", threads);
  if (!l.has(M::arv))
    meet("leave", l.word(0));
}

void barrier(Lifter& l) {
  auto& b = l.b;
  const Operand *which = l.source(0), *threads = l.source(1);
  if (which == nullptr)
    return l.refuse("its operands");
  const bool some = threads != nullptr && (threads->kind != OperandKind::immediate || threads->value != 0);
  const bool plain = which->kind == OperandKind::immediate && which->value == 0 && !some && !l.has(M::arv);
  if (!plain && l.has(M::red))
    return l.refuse("a vote at a barrier other than 0");
  if (!plain && which->kind != OperandKind::immediate && threads != nullptr &&
      threads->kind != OperandKind::immediate)
    return gather(l, b.CreateAnd(l.raw(which), l.word(15)), b.CreateLShr(l.raw(threads), 16));
  if (!plain)
    return gather(l, l.raw(which), threads == nullptr ? l.word(0) : l.raw(threads));
  Operand answer;
  answer.number = barrier_answer;
  if (l.has(M::red)) {
    Value* mine = b.CreateZExt(l.predicate(l.source_predicate(0), true), b.getInt32Ty());
    const char* how = l.has(M::popc) ? "popc" : l.has(M::and_) ? "and" : "or";
    return l.set(&answer, l.call(fmt::format("llvm.nvvm.barrier0.{}", how), b.getInt32Ty(), {mine}));
  }
  l.call("llvm.nvvm.barrier0", b.getVoidTy(), {});
}

void barrier_result(Lifter& l) {
  Operand answer;
  answer.number = barrier_answer;
  Value* value = l.raw(&answer);
  l.set(l.result(0), value);
  l.set_predicate(l.result_predicate(0), l.b.CreateICmpNE(value, l.word(0)));
}

void fence(Lifter& l) {
  l.call("llvm.nvvm.membar.gl", l.b.getVoidTy(), {});
}

/// Where the caller goes on; no call that is run asks for it.
void place_of_code(Lifter& l) {
  l.set64(l.result(0), l.b.getInt64(0));
}

void nothing(Lifter&) {}

constexpr OpcodeRow warp_row_list[] = {
    {Opcode::shfl, shuffle},
    {Opcode::vote, vote},
    {Opcode::voteu, vote},
    {Opcode::redux, reduce},
    {Opcode::match, match},
    {Opcode::s2r, special_register},
    {Opcode::s2ur, special_register},
    {Opcode::r2ur, to_uniform},
    {Opcode::cs2r, special_register},
    {Opcode::bar, barrier},
    {Opcode::b2r, barrier_result},
    {Opcode::membar, fence},
    {Opcode::fence, fence},
    {Opcode::nop, nothing},
    {Opcode::bra, nothing}, // BRA.DIV alone comes here (flow.cpp): its other way does the exchange in pieces
    {Opcode::bssy, nothing},
    {Opcode::bsync, nothing},
    {Opcode::break_, nothing},
    {Opcode::bmov, nothing},
    {Opcode::warpsync, nothing},
    {Opcode::endcollective, nothing},
    {Opcode::yield, nothing},
    {Opcode::nanosleep, nothing},
    {Opcode::depbar, nothing},
    {Opcode::ldgdepbar, nothing},
    {Opcode::errbar, nothing},
    {Opcode::cgaerrbar, nothing},
    {Opcode::cctl, nothing},
    {Opcode::cctll, nothing},
    {Opcode::preexit, nothing},
    {Opcode::acqbulk, nothing},
    {Opcode::usetmaxreg, nothing},
    {Opcode::lepc, place_of_code},
};

} // namespace

std::span<const OpcodeRow> warp_rows() {
  return warp_row_list;
}

} // namespace forewarp::lift
