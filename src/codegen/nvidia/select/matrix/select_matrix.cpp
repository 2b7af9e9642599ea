// Matrix products of warps, and the waits of asynchronous copies.
#include "codegen/nvidia/select/lowering.h"
#include "codegen/nvidia/select/matrix/products.h"

#include <algorithm>

namespace forewarp::codegen {

/// The operations of one product take parts of its factors and sums: none waits for another. A warp group's
/// product stands in the tensor core's queue while the warps go on; its sums are ready for whoever waits for
/// its group, and the next product takes them over inside the tensor core. NOT modelled: how long that queue
/// is; what such products read of shared memory beside the loads of warps.
void Lowering::select_matrix_product(const llvm::CallBase& call, llvm::StringRef name) {
  if (name.consume_front("forewarp.wgmma.wait.")) {
    unsigned spared = 0;
    name.consumeInteger(10, spared);
    emit_void(OpClass::fence, {});
    products_.add_wait(*call.getParent(), block_->ops.size() - 1, spared);
    Registers held;
    for (const llvm::Value* sum : call.args())
      held.push_back(registers_of(sum).front());
    return define(call, held);
  }
  llvm::SmallVector<std::uint32_t, 8> sources;
  lift::ProductWork work;
  const bool of_group = name.consume_front("forewarp.wgmma.");
  if (of_group) {
    for (unsigned i = 0; i + components(call.getType()) < call.arg_size(); ++i)
      collect(call.getArgOperand(i), sources);
    work = work_of_group(name, machine_);
  } else {
    sources = sources_of(call);
    work = work_of_warp(name, machine_);
  }
  std::reverse(sources.begin(), sources.end()); // the sums first: an operation holds four
  std::uint32_t made = facts::no_value;
  for (unsigned i = work.operations; i > 0; --i)
    made = emit_product(work.each, sources, llvm::Type::getInt32Ty(call.getContext()), of_group);
  if (of_group)
    products_.add_load(*call.getParent(), made);
  if (!call.getType()->isVoidTy())
    define(call, Registers(components(call.getType()), made));
}

std::uint32_t Lowering::emit_product(const facts::TensorWork& work, llvm::ArrayRef<std::uint32_t> sources,
                                     const llvm::Type* result, bool queued) {
  const std::uint32_t made = emit(OpClass::tensor_mma, sources, result);
  block_->ops.back().tensor = work;
  block_->ops.back().queued = queued;
  return made;
}

/// "mma.m128n128k16.b16"; "ld.x32.32x32b", "st.x32.32x32b": a register a lane and cycle; "alloc", one move.
/// What is freed or copied inside costs nothing.
void Lowering::select_tensor_memory(const llvm::CallBase& call, llvm::StringRef name) {
  if (name.consume_front("mma.")) {
    const lift::ProductWork work = work_of_tensor_memory(name, machine_);
    std::uint32_t made = facts::no_value;
    for (unsigned i = work.operations; i > 0; --i)
      made = emit_product(work.each, {}, llvm::Type::getInt1Ty(call.getContext()), true); // holds no register
    return products_.add_load(*call.getParent(), made);
  }
  if (name == "free" || name == "forget" || name.starts_with("cp."))
    return;
  const unsigned addresses = name.contains(".16x32bx2") || name.contains(".other_twice") ? 2 : 1;
  llvm::SmallVector<std::uint32_t, 8> sources;
  for (unsigned i = addresses; i < call.arg_size(); ++i)
    collect(call.getArgOperand(i), sources);
  const unsigned moves =
      call.getType()->isVoidTy() ? call.arg_size() - addresses : components(call.getType());
  Registers results;
  for (unsigned i = 0; i < moves; ++i)
    if (call.getType()->isVoidTy())
      emit_void(OpClass::move, sources);
    else
      results.push_back(emit(OpClass::move, {}, llvm::Type::getInt32Ty(call.getContext())));
  if (!results.empty())
    define(call, results);
}

/// "take", "give": part of the load or store of rows; "transpose": between lanes (MOVM), for which no rate is
/// published: as a shuffle.
void Lowering::select_matrix_exchange(const llvm::CallBase& call, llvm::StringRef name) {
  if (name == "transpose")
    return define(call, {emit(OpClass::shuffle, sources_of(call), call.getType())});
  Registers held;
  for (const llvm::Value* word : call.args())
    for (const std::uint32_t each : registers_of(word))
      held.push_back(each);
  held.resize(components(call.getType()), facts::no_value);
  define(call, std::move(held));
}

/// llvm.nvvm.cp.async.{commit.group, wait.group, wait.all}
void Lowering::select_copy_group(const llvm::CallBase& call, llvm::StringRef name) {
  if (name.contains(".commit")) {
    emit_void(OpClass::nop, {}); // names the group's end: nothing waits for it
    copies_.add_commit(*call.getParent(), block_->ops.size());
    return;
  }
  const auto* spared = call.arg_empty() ? nullptr : llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0));
  emit_void(OpClass::fence, {});
  copies_.add_wait(*call.getParent(), block_->ops.size() - 1,
                   spared ? static_cast<unsigned>(spared->getZExtValue()) : 0);
}

} // namespace forewarp::codegen
