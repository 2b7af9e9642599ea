#include "native/lockstep.h"

#include "ir/address_spaces.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include <vector>

namespace forewarp::native {
namespace {

bool is_volatile_shared(const llvm::Instruction& instruction) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return load->isVolatile() && load->getPointerAddressSpace() == ir::shared_space;
  const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
  return store && store->isVolatile() && store->getPointerAddressSpace() == ir::shared_space;
}

} // namespace

void keep_lanes_together(llvm::Function& kernel) {
  std::vector<llvm::Instruction*> accesses;
  for (llvm::Instruction& instruction : llvm::instructions(kernel))
    if (is_volatile_shared(instruction))
      accesses.push_back(&instruction);
  for (llvm::Instruction* access : accesses) {
    llvm::IRBuilder<> builder(access);
    // No mask: those of the warp that are there.
    builder.CreateIntrinsic(llvm::Intrinsic::nvvm_bar_warp_sync, {}, {builder.getInt32(0)});
  }
}

} // namespace forewarp::native
