// What a loop carries from one iteration to the next, in closed form.
#include "statictrace/values.h"

#include <llvm/Analysis/ScalarEvolutionExpressions.h>

#include <algorithm>

namespace forewarp::statictrace {

using llvm::Instruction;

Lanes Values::header_phi(const llvm::PHINode& phi, const llvm::Loop& loop) {
  if (bits_of(phi.getType()) == 0)
    return Lanes::unknown();
  if (analyses_.evolution.isSCEVable(phi.getType())) {
    const llvm::SCEV* scev = analyses_.evolution.getSCEV(const_cast<llvm::PHINode*>(&phi));
    if (const auto* unknown = llvm::dyn_cast<llvm::SCEVUnknown>(scev);
        unknown == nullptr || unknown->getValue() != &phi)
      if (const Lanes lanes = value(scev); lanes.known)
        return lanes;
  }
  const auto induction = ir::induction_of(phi, loop);
  if (!induction)
    return Lanes::unknown();
  const Lanes start = value(induction->start), step = value(induction->step);
  return apply(*induction, start, step, iteration_lanes(loop));
}

Lanes Values::after(const Induction& induction, std::uint64_t updates) {
  const Lanes start = value(induction.start), step = value(induction.step);
  return apply(induction, start, step, Lanes::all(updates));
}

/// The closed form: linear for sums and differences, geometric for products, quotients and shifts.
Lanes Values::apply(const Induction& induction, const Lanes& start, const Lanes& step, const Lanes& times) {
  const unsigned bits = bits_of(induction.update->getType());
  const unsigned opcode = induction.update->getOpcode();
  if (bits == 0 || !start.known || !step.known)
    return Lanes::unknown();
  if (opcode == Instruction::Add || (opcode == Instruction::Sub && !induction.step_first)) {
    const Lanes moved = binary(Instruction::Mul, step, times, bits);
    return binary(opcode, start, moved, bits);
  }
  Lanes out;
  out.known = true;
  out.uniform = start.uniform && step.uniform && times.uniform;
  const auto one = [](std::uint64_t number) { return Lanes::all(number); };
  for (unsigned l = 0; l < (out.uniform ? 1 : width_); ++l) {
    std::uint64_t now = start[l], left = times[l];
    if (opcode == Instruction::Xor || opcode == Instruction::Sub) // to and fro
      left %= 2;
    else if (opcode == Instruction::Shl || opcode == Instruction::LShr || opcode == Instruction::AShr) {
      const std::uint64_t by = std::min<std::uint64_t>(step[l] * std::min<std::uint64_t>(left, 64), 64);
      now = by >= bits && opcode != Instruction::AShr ? 0 : binary(opcode, one(now), one(by), bits).at[0];
      left = 0;
    }
    for (; left > 0; --left) { // powers: beyond 64 factors of 2 or more nothing is left
      const std::uint64_t next = (induction.step_first ? binary(opcode, one(step[l]), one(now), bits)
                                                       : binary(opcode, one(now), one(step[l]), bits))
                                     .at[0];
      if (next == now)
        break;
      now = next;
    }
    out.at[l] = now;
  }
  return out;
}

Lanes Values::value(const llvm::SCEV* scev) {
  const unsigned bits = bits_of(scev->getType());
  const auto fold = [&](const llvm::SCEVNAryExpr& all, const auto& f) {
    Lanes out = value(all.getOperand(0));
    for (unsigned k = 1; k < all.getNumOperands() && out.known; ++k)
      out = f(out, value(all.getOperand(k)));
    return out;
  };
  const auto largest = [&](bool is_signed, bool most) {
    return [this, bits, is_signed, most](const Lanes& a, const Lanes& b) {
      return each_lane(a, b, width_, [&](std::uint64_t x, std::uint64_t y) {
        const bool less =
            is_signed ? as_signed(x, bits) < as_signed(y, bits) : low_bits(x, bits) < low_bits(y, bits);
        return less != most ? x : y;
      });
    };
  };
  switch (scev->getSCEVType()) {
  case llvm::scConstant: {
    const llvm::APInt& number = llvm::cast<llvm::SCEVConstant>(scev)->getAPInt();
    return number.getBitWidth() <= 64 ? Lanes::all(number.getZExtValue()) : Lanes::unknown();
  }
  case llvm::scUnknown:
    return value(llvm::cast<llvm::SCEVUnknown>(scev)->getValue());
  case llvm::scAddExpr:
    return fold(*llvm::cast<llvm::SCEVNAryExpr>(scev),
                [&](const Lanes& a, const Lanes& b) { return binary(Instruction::Add, a, b, bits); });
  case llvm::scMulExpr:
    return fold(*llvm::cast<llvm::SCEVNAryExpr>(scev),
                [&](const Lanes& a, const Lanes& b) { return binary(Instruction::Mul, a, b, bits); });
  case llvm::scUDivExpr:
    return binary(Instruction::UDiv, value(llvm::cast<llvm::SCEVUDivExpr>(scev)->getLHS()),
                  value(llvm::cast<llvm::SCEVUDivExpr>(scev)->getRHS()), bits);
  case llvm::scSMaxExpr:
    return fold(*llvm::cast<llvm::SCEVNAryExpr>(scev), largest(true, true));
  case llvm::scUMaxExpr:
    return fold(*llvm::cast<llvm::SCEVNAryExpr>(scev), largest(false, true));
  case llvm::scSMinExpr:
    return fold(*llvm::cast<llvm::SCEVNAryExpr>(scev), largest(true, false));
  case llvm::scUMinExpr:
  case llvm::scSequentialUMinExpr:
    return fold(*llvm::cast<llvm::SCEVNAryExpr>(scev), largest(false, false));
  case llvm::scTruncate:
  case llvm::scZeroExtend:
  case llvm::scSignExtend:
  case llvm::scPtrToInt: {
    const llvm::SCEV* inner = llvm::cast<llvm::SCEVCastExpr>(scev)->getOperand();
    const unsigned from = bits_of(inner->getType());
    const bool is_signed = scev->getSCEVType() == llvm::scSignExtend;
    const Lanes in = value(inner);
    return each_lane(in, in, width_, [&](std::uint64_t a, std::uint64_t) {
      return low_bits(is_signed ? static_cast<std::uint64_t>(as_signed(a, from)) : low_bits(a, from), bits);
    });
  }
  case llvm::scAddRecExpr: { // sum of operand k times (iteration over k)
    const auto* recurrence = llvm::cast<llvm::SCEVAddRecExpr>(scev);
    const Lanes iteration = iteration_lanes(*recurrence->getLoop());
    Lanes sum = value(recurrence->getOperand(0));
    for (unsigned k = 1; k < recurrence->getNumOperands() && sum.known; ++k) {
      const Lanes choose = each_lane(iteration, iteration, width_, [&](std::uint64_t n, std::uint64_t) {
        unsigned __int128 product = 1;
        for (unsigned j = 0; j < k; ++j)
          product = n < j ? 0 : product * (n - j) / (j + 1);
        return static_cast<std::uint64_t>(product);
      });
      sum = binary(Instruction::Add, sum,
                   binary(Instruction::Mul, value(recurrence->getOperand(k)), choose, bits), bits);
    }
    return sum;
  }
  default:
    return Lanes::unknown();
  }
}

} // namespace forewarp::statictrace
