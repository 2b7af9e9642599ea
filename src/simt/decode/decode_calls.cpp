// Calls: which reader is asked, lane by lane operations, reductions of vectors.
#include "simt/decode/decoder.h"

#include <fmt/format.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InlineAsm.h>

namespace forewarp::simt {

void Decoder::assign(const llvm::Instruction& instruction, std::int32_t slot_of_value) {
  alias(instruction, {slot_of_value});
}

void Decoder::elementwise(const llvm::CallBase& call, LaneOp f, LaneOp d) {
  std::vector<Slots> operands;
  for (unsigned k = 0; k < call.arg_size() && k < 3; ++k)
    operands.push_back(slots(call.getArgOperand(k)));
  const Slots result = define(call);
  auto part = [&](std::size_t operand, std::size_t k) {
    if (operand >= operands.size())
      return no_slot;
    return operands[operand][operands[operand].size() == result.size() ? k : 0];
  };
  for (std::size_t k = 0; k < result.size(); ++k)
    float_op(f, d, call.getType(), result[k], part(0, k), part(1, k), part(2, k));
}

void Decoder::elementwise_int(const llvm::CallBase& call, LaneOp word, LaneOp quad, bool is_signed) {
  const unsigned width = integer_width(call.getType());
  if (width > 64)
    return reject(
        fmt::format("'{}' on 128-bit integers is not supported", call.getCalledFunction()->getName().str()));
  const Slots result = define(call);
  std::vector<Slots> operands;
  for (unsigned k = 0; k < call.arg_size() && k < 3; ++k)
    if (call.getArgOperand(k)->getType() == call.getType())
      operands.push_back(slots(call.getArgOperand(k)));
  for (std::size_t k = 0; k < result.size(); ++k) {
    std::int32_t part[3] = {no_slot, no_slot, no_slot};
    for (std::size_t o = 0; o < operands.size(); ++o)
      part[o] = is_signed ? sign_extended(operands[o][k], width) : operands[o][k];
    const LaneOp op = width <= 32 ? word : quad;
    if (is_signed && width != 32 && width != 64)
      masked(result[k], emit(op, part[0], part[1], part[2]), width);
    else
      put(op, result[k], part[0], part[1], part[2]);
  }
}

bool Decoder::decode_reduction(const llvm::CallBase& call) {
  using I = llvm::Intrinsic::ID;
  const I id = call.getIntrinsicID();
  const bool ordered = id == llvm::Intrinsic::vector_reduce_fadd || id == llvm::Intrinsic::vector_reduce_fmul;
  const Slots v = slots(call.getArgOperand(ordered ? 1 : 0));
  llvm::Type* type = call.getType();
  const std::int32_t d = define(call).front();
  std::int32_t sum = ordered ? slot(call.getArgOperand(0)) : v[0];
  for (std::size_t k = ordered ? 0 : 1; k < v.size(); ++k) {
    const std::int32_t next = k + 1 == v.size() ? d : new_register();
    switch (id) {
    case llvm::Intrinsic::vector_reduce_add:
      integer_binary(llvm::Instruction::Add, integer_width(type), next, sum, v[k]);
      break;
    case llvm::Intrinsic::vector_reduce_mul:
      integer_binary(llvm::Instruction::Mul, integer_width(type), next, sum, v[k]);
      break;
    case llvm::Intrinsic::vector_reduce_and:
      integer_binary(llvm::Instruction::And, integer_width(type), next, sum, v[k]);
      break;
    case llvm::Intrinsic::vector_reduce_or:
      integer_binary(llvm::Instruction::Or, integer_width(type), next, sum, v[k]);
      break;
    case llvm::Intrinsic::vector_reduce_xor:
      integer_binary(llvm::Instruction::Xor, integer_width(type), next, sum, v[k]);
      break;
    case llvm::Intrinsic::vector_reduce_fadd:
      float_binary(llvm::Instruction::FAdd, type, next, sum, v[k]);
      break;
    case llvm::Intrinsic::vector_reduce_fmul:
      float_binary(llvm::Instruction::FMul, type, next, sum, v[k]);
      break;
    case llvm::Intrinsic::vector_reduce_fmax:
      float_op(LaneOp::fmaxf_, LaneOp::fmaxd, type, next, sum, v[k]);
      break;
    case llvm::Intrinsic::vector_reduce_fmin:
      float_op(LaneOp::fminf_, LaneOp::fmind, type, next, sum, v[k]);
      break;
    default: {
      const bool is_max =
          id == llvm::Intrinsic::vector_reduce_smax || id == llvm::Intrinsic::vector_reduce_umax;
      const bool is_signed =
          id == llvm::Intrinsic::vector_reduce_smax || id == llvm::Intrinsic::vector_reduce_smin;
      const unsigned width = integer_width(type);
      const std::int32_t less = new_register();
      integer_compare(is_signed ? llvm::CmpInst::ICMP_SLT : llvm::CmpInst::ICMP_ULT, width, less, sum, v[k]);
      put(width == 1    ? LaneOp::selectb
          : width <= 32 ? LaneOp::select32
                        : LaneOp::select64,
          next, less, is_max ? v[k] : sum, is_max ? sum : v[k]);
    }
    }
    sum = next;
  }
  if (sum != d)
    alias(call, {sum});
  return true;
}

void Decoder::decode_call(const llvm::CallBase& call) {
  if (llvm::isa<llvm::InlineAsm>(call.getCalledOperand())) {
    if (!call.getType()->isVoidTy() || !llvm::isa<llvm::UnreachableInst>(call.getParent()->getTerminator()))
      return reject("inline assembly is not supported");
    return; // the target's own "exit;" before the end of a block that nothing follows
  }
  const llvm::Function* callee = call.getCalledFunction();
  if (!callee)
    return reject("a call through a function pointer is not supported");
  llvm::StringRef name = callee->getName();
  if (callee->isIntrinsic() && decode_generic_intrinsic(call))
    return;
  if (error_)
    return;
  const bool done = name.starts_with("llvm.nvvm.")     ? decode_nvvm(call, name.drop_front(10))
                    : name.starts_with("llvm.amdgcn.") ? decode_amdgcn(call, name.drop_front(12))
                    : name.starts_with("forewarp.")    ? decode_marker(call, name.drop_front(9))
                                                       : false;
  if (!done && !error_)
    reject(fmt::format("the call of '{}' is not supported", name.str()));
}

} // namespace forewarp::simt
