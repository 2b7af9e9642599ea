#include "port/features/mix.h"

#include "port/static/describe.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <array>

namespace forewarp::port {
namespace {

using facts::RegionOp;

/// Several conditions may lead out of it.
bool decides(const llvm::Instruction& instruction) {
  if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&instruction))
    return branch->isConditional();
  return llvm::isa<llvm::SwitchInst, llvm::IndirectBrInst>(instruction);
}

/// "sinf" and "llvm.sin.f32" are "sin".
llvm::StringRef plain_name(llvm::StringRef name) {
  if (name.consume_front("llvm."))
    return name.split('.').first;
  return name;
}

template <std::size_t count>
bool is_one_of(llvm::StringRef name, const std::array<const char*, count>& names) {
  for (const char* known : names)
    if (name == known || (name.ends_with("f") && name.drop_back() == known))
      return true;
  return false;
}

constexpr std::array trigonometric = {"sin", "cos", "tan", "sincos"};
/// A power is an exponential of a logarithm.
constexpr std::array logarithmic = {"exp",  "exp2",  "exp10", "expm1", "log",
                                    "log2", "log10", "log1p", "pow",   "powi"};

struct Special {
  bool sin_cos = false, log_exp = false;
};
Special special_of(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
  if (!callee)
    return {};
  const llvm::StringRef name = plain_name(callee->getName());
  return {is_one_of(name, trigonometric), is_one_of(name, logarithmic)};
}

bool is_long(const llvm::Instruction& instruction) {
  const llvm::Type* type =
      llvm::isa<llvm::CmpInst>(instruction) ? instruction.getOperand(0)->getType() : instruction.getType();
  return type->getScalarSizeInBits() > 32;
}

void add_floating(const llvm::Instruction& instruction, RegionOp op, InstructionMix& mix) {
  const Special special = special_of(instruction);
  const bool fma = op == RegionOp::fp32_fma || op == RegionOp::fp64_fma;
  const bool multiplies = fma || op == RegionOp::fp32_mul || op == RegionOp::fp64_mul;
  const bool divides = op == RegionOp::fp32_div || op == RegionOp::fp64_div;
  const bool root = op == RegionOp::fp32_sqrt || op == RegionOp::fp64_sqrt;
  const double count = fma ? 2 : 1;
  mix.mul_div = multiplies || divides ? 1 : 0;
  mix.division = divides ? 1 : 0;
  mix.square_root = root ? 1 : 0;
  mix.sin_cos = special.sin_cos ? 1 : 0;
  mix.log_exp = special.log_exp ? 1 : 0;
  if (is_long(instruction)) {
    mix.twice = count;
    return;
  }
  mix.single = count;
  mix.mulf = multiplies ? 1 : 0;
  mix.divf = mix.division;
  mix.sqrtf = mix.square_root;
  mix.expf = mix.log_exp;
  mix.sincosf = mix.sin_cos;
}

} // namespace

void InstructionMix::add(const InstructionMix& other, double times) {
  instructions += times * other.instructions;
  memory += times * other.memory;
  control += times * other.control;
  integer += times * other.integer;
  single += times * other.single;
  twice += times * other.twice;
  division += times * other.division;
  mulf += times * other.mulf;
  divf += times * other.divf;
  sqrtf += times * other.sqrtf;
  expf += times * other.expf;
  sincosf += times * other.sincosf;
  mul_div += times * other.mul_div;
  sin_cos += times * other.sin_cos;
  log_exp += times * other.log_exp;
  square_root += times * other.square_root;
}

unsigned instruction_weight(const llvm::Instruction& instruction) {
  if (!is_operation(instruction))
    return 0;
  switch (op_of(instruction)) {
  case RegionOp::address:
    return 0;
  case RegionOp::branch:
    return decides(instruction) ? 1 : 0;
  case RegionOp::fp32_fma:
  case RegionOp::fp64_fma:
    return 2;
  case RegionOp::convert:
    return llvm::isa<llvm::TruncInst, llvm::ZExtInst, llvm::BitCastInst, llvm::PtrToIntInst,
                     llvm::IntToPtrInst>(instruction)
               ? 0
               : 1;
  default:
    return llvm::isa<llvm::FreezeInst, llvm::UnreachableInst>(instruction) ? 0 : 1;
  }
}

InstructionMix mix_of(const llvm::Instruction& instruction) {
  InstructionMix mix;
  mix.instructions = instruction_weight(instruction);
  if (mix.instructions == 0)
    return mix;
  const RegionOp op = op_of(instruction);
  if (op <= RegionOp::fp64_compare) {
    add_floating(instruction, op, mix);
    return mix;
  }
  switch (op) {
  case RegionOp::load:
  case RegionOp::store:
    mix.memory = 1;
    break;
  case RegionOp::branch:
  case RegionOp::call:
    mix.control = 1;
    break;
  case RegionOp::int_div:
    mix.division = 1;
    mix.integer = 1;
    break;
  case RegionOp::int_add:
  case RegionOp::int_mul:
  case RegionOp::int_logic:
  case RegionOp::int_shift:
  case RegionOp::int_compare:
  case RegionOp::select:
    mix.integer = 1;
    break;
  default: // conversions, returns, what has no kind
    break;
  }
  return mix;
}

InstructionMix mix_of(const llvm::BasicBlock& block) {
  InstructionMix mix;
  for (const llvm::Instruction& instruction : block)
    mix.add(mix_of(instruction), 1);
  return mix;
}

} // namespace forewarp::port
