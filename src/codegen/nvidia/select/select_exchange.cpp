// Exchange between lanes and threads, images, and special memory intrinsics.
#include "codegen/machine_step.h"
#include "codegen/nvidia/select/lowering.h"
#include "ir/variable_name.h"

#include <bit>
#include <fmt/format.h>

namespace forewarp::codegen {

namespace {

OpClass reduction_step(llvm::StringRef name, unsigned width) {
  const bool is_float = name.ends_with(".f32") || name.ends_with(".f64") || name.ends_with(".f16");
  if (name.contains("mul"))
    return is_float ? (width == 64 ? OpClass::fp64_mul : OpClass::fp32_mul) : OpClass::int_mul;
  if (name.contains("min") || name.contains("max"))
    return is_float ? (width == 64 ? OpClass::fp64_minmax_cmp : OpClass::fp32_minmax_cmp)
                    : OpClass::int_minmax_cmp;
  if (name.contains("_and") || name.contains("_or") || name.contains("_xor"))
    return OpClass::int_logic;
  return is_float ? (width == 64 ? OpClass::fp64_add : OpClass::fp32_add) : OpClass::int_add;
}

/// A tree over the warp's lanes: a shuffle for each 32 bits and the operation, per level.
std::vector<OpClass> warp_tree(llvm::StringRef name, unsigned width, unsigned lanes, bool scan) {
  std::vector<OpClass> ops;
  for (unsigned level = 1; level < lanes; level *= 2) {
    ops.push_back(OpClass::shuffle);
    if (width == 64)
      ops.push_back(OpClass::shuffle);
    ops.push_back(reduction_step(name, width));
    if (scan)
      ops.push_back(OpClass::int_minmax_cmp);
  }
  return ops;
}

} // namespace

Result<void> Lowering::select_warp_call(const llvm::CallBase& call, llvm::StringRef name) {
  const unsigned width = call.getType()->isVoidTy() ? 32 : bits(call.getType());
  const unsigned words = (width + 31) / 32;
  if (name.contains("bar.warp.sync") || name == "forewarp.warp.barrier" || name.contains("activemask")) {
    emit_void(OpClass::vote, {});
    if (!call.getType()->isVoidTy())
      define(call, {emit(OpClass::move, {}, call.getType())});
    return {};
  }
  if (name.contains("reduce_") || name.contains("scan_")) {
    emit_each(call, warp_tree(name, width, machine_.warp_width, name.contains("scan_")));
    return {};
  }
  if (name.contains("redux.sync")) {
    emit_each(call, {OpClass::vote});
    return {};
  }
  if (name.contains("shfl") || name.contains("warp.shuffle") || name.contains("warp.broadcast") ||
      name.contains("ds.bpermute") || name.contains("ds.permute") || name.contains("readlane") ||
      name.contains("readfirstlane")) {
    Registers made;
    for (unsigned c = 0; c < components(call.getType()); ++c)
      made.push_back(
          emit_chain(std::vector<OpClass>(words, OpClass::shuffle), sources_of(call),
                     call.getType()->isStructTy() ? call.getArgOperand(0)->getType() : call.getType())
              .front());
    define(call, made);
    return {};
  }
  if (name.contains("vote") || name.contains("match") || name.contains("warp.any") ||
      name.contains("warp.all") || name.contains("ballot") || name.contains("icmp.")) {
    const std::uint32_t made =
        emit(OpClass::vote, sources_of(call), llvm::Type::getInt32Ty(call.getContext()));
    define(call, Registers(components(call.getType()), made));
    return {};
  }
  if (name.contains("ldg.") || name.contains("ldu.") || name.starts_with("llvm.masked.") ||
      name.starts_with("llvm.nvvm.tex") || name.starts_with("llvm.nvvm.tld4") ||
      name.starts_with("forewarp.image.read") || name.contains(".suld.")) {
    const bool texture =
        !name.contains("ldg.") && !name.contains("ldu.") && !name.starts_with("llvm.masked.");
    const bool store = call.getType()->isVoidTy();
    const Registers made = store ? Registers() : loaded_registers(*call.getType(), 1);
    const unsigned bytes =
        store ? 4 : static_cast<unsigned>(components(call.getType())) * std::max(1U, width / 8);
    emit_memory(texture ? OpClass::load_texture
                : store ? OpClass::store_global
                        : OpClass::load_global,
                sources_of(call), made, bytes, 1);
    if (!store)
      define(call, made);
    return {};
  }
  if (name.starts_with("forewarp.image.write") || name.contains(".sust.")) {
    emit_memory(OpClass::store_global, sources_of(call), {}, 16, 1);
    return {};
  }
  if (name.starts_with(counted_call)) {
    emit_void(OpClass::branch, {}); // there and back
    emit_void(OpClass::branch, {});
    if (!call.getType()->isVoidTy())
      define(call, Registers(components(call.getType()), facts::no_value));
    return {};
  }
  if (name.starts_with("forewarp.image.")) { // a query: the descriptor is in the constant bank
    define(call, {facts::no_value});
    return {};
  }
  if (name.starts_with("llvm.nvvm.atomic.") || name.starts_with("forewarp.atomic.")) {
    Registers made;
    if (!call.use_empty())
      made.push_back(new_register(call.getType()));
    const bool shared = call.getArgOperand(0)->getType()->getPointerAddressSpace() == 3;
    emit_memory(shared ? OpClass::atomic_shared : OpClass::atomic_global, sources_of(call), made, width / 8,
                1);
    if (!made.empty())
      define(call, made);
    return {};
  }
  if (name.starts_with("llvm.vector.reduce.")) {
    const unsigned count = components(call.getArgOperand(0)->getType());
    emit_each(call, std::vector<OpClass>(std::max(1U, count - 1), reduction_step(name, width)));
    return {};
  }
  if (name.starts_with("llvm.amdgcn.") && call.doesNotAccessMemory()) { // counted by AMD's own back end
    if (!call.getType()->isVoidTy())
      define(call, Registers(components(call.getType()), emit(OpClass::int_logic, sources_of(call),
                                                              llvm::Type::getInt32Ty(call.getContext()))));
    return {};
  }
  return fail(ErrorCode::unsupported, fmt::format("call of '{}' has no machine operation", name.str()),
              ir::function_name(function_.getName().str()));
}

} // namespace forewarp::codegen
