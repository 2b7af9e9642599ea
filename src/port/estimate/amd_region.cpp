#include "port/estimate/amd_region.h"

#include "ir/address_spaces.h"
#include "port/estimate/run_passes.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Transforms/Scalar/InferAddressSpaces.h>

#include <array>

namespace forewarp::port {
namespace {

/// LLVM's, for GFX6 and later.
constexpr const char* amd_layout =
    "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128-"
    "p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-"
    "v2048:2048-n32:64-S32-A5-G1-ni:7:8:9";

Result<void> check_device_function(const llvm::Function& function) {
  for (const llvm::BasicBlock& block : function)
    for (const llvm::Instruction& instruction : block) {
      if (llvm::isa<llvm::AllocaInst>(instruction))
        return fail(ErrorCode::unsupported, "a variable on a thread's stack is not made for AMD GPUs");
      if (llvm::isa<llvm::InvokeInst, llvm::LandingPadInst>(instruction))
        return fail(ErrorCode::unsupported, "exceptions are not made for AMD GPUs");
      const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      if (call && call->getCalledFunction() &&
          call->getCalledFunction()->getName().starts_with("forewarp.call."))
        return fail(ErrorCode::unsupported, "a call that stays a call is not made for AMD GPUs");
    }
  return {};
}

/// A pointer that says that it is one to global memory.
llvm::Value* as_global(llvm::IRBuilder<>& builder, llvm::Value* pointer) {
  llvm::Type* const plain = pointer->getType();
  llvm::Type* const global = llvm::PointerType::get(builder.getContext(), ir::global_space);
  return builder.CreateAddrSpaceCast(builder.CreateAddrSpaceCast(pointer, global), plain);
}

void mark_loaded_pointers(llvm::Function& function) {
  std::vector<llvm::LoadInst*> loads;
  for (llvm::BasicBlock& block : function)
    for (llvm::Instruction& instruction : block)
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load && load->getType()->isPointerTy())
        loads.push_back(load);
  for (llvm::LoadInst* load : loads) {
    llvm::IRBuilder<> builder(load->getParent(), std::next(load->getIterator()));
    llvm::Value* const marked = as_global(builder, load);
    load->replaceUsesWithIf(marked, [&](const llvm::Use& use) {
      const auto* cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(use.getUser());
      return cast == nullptr || cast->getNextNode() != marked;
    });
  }
}

/// Variables of the program lie in global memory.
void move_variables(llvm::Module& module) {
  std::vector<llvm::GlobalVariable*> variables;
  for (llvm::GlobalVariable& variable : module.globals())
    if (variable.getAddressSpace() == 0)
      variables.push_back(&variable);
  for (llvm::GlobalVariable* variable : variables) {
    auto* moved = new llvm::GlobalVariable(
        module, variable->getValueType(), variable->isConstant(), llvm::GlobalValue::ExternalLinkage, nullptr,
        variable->getName() + ".device", nullptr, llvm::GlobalValue::NotThreadLocal, ir::global_space);
    moved->setAlignment(variable->getAlign());
    variable->replaceAllUsesWith(llvm::ConstantExpr::getAddrSpaceCast(moved, variable->getType()));
    variable->eraseFromParent();
  }
}

/// The same body without a result.
llvm::Function* as_kernel(llvm::Function& function) {
  std::vector<llvm::Type*> types;
  for (const llvm::Argument& argument : function.args())
    types.push_back(argument.getType()->isPointerTy()
                        ? llvm::PointerType::get(function.getContext(), ir::global_space)
                        : argument.getType());
  auto* const kernel = llvm::Function::Create(
      llvm::FunctionType::get(llvm::Type::getVoidTy(function.getContext()), types, false),
      llvm::GlobalValue::ExternalLinkage, "", function.getParent());
  kernel->takeName(&function);
  kernel->splice(kernel->begin(), &function);
  llvm::IRBuilder<> builder(&kernel->getEntryBlock(), kernel->getEntryBlock().begin());
  for (unsigned a = 0; a < function.arg_size(); ++a) {
    llvm::Value* value = kernel->getArg(a);
    if (value->getType() != function.getArg(a)->getType())
      value = builder.CreateAddrSpaceCast(value, function.getArg(a)->getType());
    function.getArg(a)->replaceAllUsesWith(value);
  }
  for (llvm::BasicBlock& block : *kernel)
    if (auto* end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator()); end && end->getReturnValue()) {
      llvm::IRBuilder<>(end).CreateRetVoid();
      end->eraseFromParent();
    }
  function.eraseFromParent();
  return kernel;
}

void infer_spaces(llvm::Function& function) {
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::InferAddressSpacesPass(0));
  run_passes(function, std::move(passes));
}

} // namespace

llvm::Value* amd_thread_index(llvm::IRBuilder<>& builder, unsigned axis, const facts::RegionTrace& trace) {
  static constexpr std::array<llvm::Intrinsic::ID, 3> groups = {llvm::Intrinsic::amdgcn_workgroup_id_x,
                                                                llvm::Intrinsic::amdgcn_workgroup_id_y,
                                                                llvm::Intrinsic::amdgcn_workgroup_id_z};
  static constexpr std::array<llvm::Intrinsic::ID, 3> items = {llvm::Intrinsic::amdgcn_workitem_id_x,
                                                               llvm::Intrinsic::amdgcn_workitem_id_y,
                                                               llvm::Intrinsic::amdgcn_workitem_id_z};
  llvm::Value* const group = builder.CreateIntrinsic(groups[axis], {}, {});
  llvm::Value* const first =
      builder.CreateMul(group, builder.getInt32(static_cast<std::uint32_t>(trace.block[axis])));
  return builder.CreateAdd(first, builder.CreateIntrinsic(items[axis], {}, {}));
}

Result<void> make_amd_kernel(llvm::Module& module, const std::string& name) {
  FOREWARP_TRY(check_device_function(*module.getFunction(name)));
  module.setTargetTriple("amdgcn-amd-amdhsa");
  module.setDataLayout(amd_layout);
  move_variables(module);
  llvm::Function* const kernel = as_kernel(*module.getFunction(name));
  mark_loaded_pointers(*kernel);
  infer_spaces(*kernel);
  return {};
}

} // namespace forewarp::port
