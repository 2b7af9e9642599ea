#include "codegen/pruned_ir.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace forewarp::codegen {
namespace {

using facts::OpClass;

bool is_double(const llvm::Instruction& instruction) {
  return instruction.getType()->getScalarType()->isDoubleTy();
}

OpClass arithmetic_class(const llvm::Instruction& instruction) {
  using llvm::Instruction;
  const bool fp64 = is_double(instruction);
  switch (instruction.getOpcode()) {
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FNeg:
    return fp64 ? OpClass::fp64_add : OpClass::fp32_add;
  case Instruction::FMul:
    return fp64 ? OpClass::fp64_mul : OpClass::fp32_mul;
  case Instruction::FDiv:
  case Instruction::FRem:
    return OpClass::sfu;
  case Instruction::Mul:
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
    return OpClass::int_mul;
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
    return OpClass::int_shift;
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
    return OpClass::int_logic;
  case Instruction::FCmp:
    return OpClass::fp32_minmax_cmp;
  case Instruction::ICmp:
  case Instruction::Select:
    return OpClass::int_minmax_cmp;
  default:
    return OpClass::int_add;
  }
}

OpClass call_class(const llvm::CallInst& call) {
  const auto* called = call.getCalledFunction();
  const llvm::StringRef name = called != nullptr ? called->getName() : "";
  if (name.contains("barrier") || name.contains("bar.sync"))
    return OpClass::barrier;
  if (name.starts_with("llvm.fma") || name.starts_with("llvm.fmuladd"))
    return is_double(call) ? OpClass::fp64_fma : OpClass::fp32_fma;
  for (const char* function : {"sin", "cos", "exp", "log", "pow", "sqrt", "tan", "rcp", "ex2", "lg2", "div"})
    if (name.contains(function))
      return OpClass::sfu;
  return OpClass::int_add;
}

OpClass memory_class(facts::MemorySpace space, facts::AccessKind kind) {
  const bool load = kind == facts::AccessKind::load, atomic = kind == facts::AccessKind::atomic;
  switch (space) {
  case facts::MemorySpace::shared:
    return atomic ? OpClass::atomic_shared : load ? OpClass::load_shared : OpClass::store_shared;
  case facts::MemorySpace::constant:
    return OpClass::load_constant;
  case facts::MemorySpace::local: // the paper deems private memory a register access
    return OpClass::move;
  default:
    return atomic ? OpClass::atomic_global : load ? OpClass::load_global : OpClass::store_global;
  }
}

bool is_id_call(const llvm::Value* value) {
  while (const auto* cast = llvm::dyn_cast<llvm::CastInst>(value))
    value = cast->getOperand(0);
  const auto* call = llvm::dyn_cast<llvm::CallInst>(value);
  const auto* called = call != nullptr ? call->getCalledFunction() : nullptr;
  return called != nullptr &&
         (called->getName().contains("read.ptx.sreg") || called->getName().starts_with("llvm.amdgcn.work") ||
          called->getName().starts_with("forewarp.item."));
}

/// What get_global_id became: group * size, and that plus the local id. The paper's bitcode has one call
/// there.
bool is_expanded_id(const llvm::Instruction& instruction) {
  using llvm::Instruction;
  const auto* made = llvm::dyn_cast<llvm::BinaryOperator>(&instruction);
  if (made == nullptr)
    return false;
  const llvm::Value *a = made->getOperand(0), *b = made->getOperand(1);
  const auto is_group_start = [](const llvm::Value* value) {
    const auto* product = llvm::dyn_cast<llvm::BinaryOperator>(value);
    return product != nullptr && product->getOpcode() == Instruction::Mul &&
           is_id_call(product->getOperand(0)) && is_id_call(product->getOperand(1));
  };
  if (is_group_start(&instruction))
    return true;
  return made->getOpcode() == Instruction::Add &&
         ((is_group_start(a) && is_id_call(b)) || (is_group_start(b) && is_id_call(a)));
}

bool is_pruned(const llvm::Instruction& instruction) {
  if (is_expanded_id(instruction) || is_id_call(&instruction))
    return true;
  if (llvm::isa<llvm::PHINode, llvm::GetElementPtrInst, llvm::CastInst, llvm::AllocaInst, llvm::FreezeInst,
                llvm::ExtractElementInst, llvm::InsertElementInst, llvm::ShuffleVectorInst>(instruction))
    return true;
  if (instruction.isTerminator())
    return true;
  if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
    return call->isAssumeLikeIntrinsic() || call->getCalledFunction()->getName().contains("read.ptx.sreg");
  return false;
}

} // namespace

facts::MachineProgram prune_ir(const ir::KernelModule& module, const ir::KernelSignature& kernel,
                               const std::vector<facts::MemorySite>& sites) {
  const llvm::Function& function = *module.module().getFunction(kernel.symbol);
  const ir::Numbering numbering = ir::number(function);
  facts::MachineProgram program;
  program.kernel = kernel.name;
  program.target = "pruned IR";
  program.warp_width = module.warp_width;
  program.files = module.files;
  program.sites = sites;
  std::size_t next_site = 0;
  std::size_t block_index = 0;
  for (const llvm::BasicBlock& block : function) {
    facts::MachineBlock& out = program.blocks.emplace_back();
    out.memory_sites = numbering.sites_of_block[block_index++];
    for (const llvm::Instruction& instruction : block) {
      facts::MachineOp op;
      op.location = ir::location_of(instruction, module.files);
      if (ir::is_memory_site(instruction)) {
        op.site = static_cast<std::uint32_t>(next_site++);
        op.op = memory_class(sites[op.site].space, sites[op.site].kind);
      } else if (is_pruned(instruction)) {
        continue;
      } else if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
        op.op = call_class(*call);
      } else {
        op.op = arithmetic_class(instruction);
      }
      out.ops.push_back(op);
    }
  }
  return program;
}

} // namespace forewarp::codegen
