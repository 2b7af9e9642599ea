// Matrix products of warps, and the waits of asynchronous copies.
#include "codegen/nvidia/select/lowering.h"

#include <llvm/ADT/StringExtras.h>

#include <algorithm>

namespace forewarp::codegen {
namespace {

/// m * n * k of "...m16n8k16..."; 0: no such word.
unsigned multiply_adds(llvm::StringRef word) {
  unsigned m = 0, n = 0, k = 0;
  const bool shape = word.consume_front("m") && !word.consumeInteger(10, m) && word.consume_front("n") &&
                     !word.consumeInteger(10, n) && word.consume_front("k") && !word.consumeInteger(10, k);
  return shape && word.empty() ? m * n * k : 0;
}

/// Bits of a factor's element: a product of halves names the types of its sums instead.
unsigned factor_bits(llvm::StringRef type) {
  if (type == "f16" || type == "f32" || type == "bf16")
    return 16;
  if (type == "tf32")
    return 32;
  unsigned bits = 0;
  return type.drop_front().getAsInteger(10, bits) ? 16 : bits;
}

/// Operations of class tensor_mma, of `each` multiply-adds of halves, in
/// "llvm.nvvm.mma.m16n8k16.row.col.f32.f32" and its like.
unsigned tensor_operations(llvm::StringRef name, unsigned each) {
  unsigned work = 0, element_bits = 16;
  for (const llvm::StringRef word : llvm::split(name, '.')) {
    if (const unsigned found = multiply_adds(word))
      work = found;
    if (word == "row" || word == "col")
      element_bits = 0; // the type comes behind the layouts
    else if (element_bits == 0 && word != "satfinite")
      element_bits = factor_bits(word);
  }
  return std::max(1U, (work * std::max(1U, element_bits) / 16 + each - 1) / each);
}

/// Operations of one of the four warps in a product of their group, "m64n128k16.f16.memory2.f32x64".
/// `unit.tensor.lanes` is the rate of a warp's own products; `warpgroup_product_rate` what a group's reach of
/// it.
unsigned warpgroup_operations(llvm::StringRef name, const gpu::Machine& machine) {
  constexpr unsigned warps = 4;
  llvm::SmallVector<llvm::StringRef, 4> words;
  name.split(words, '.');
  const llvm::StringRef type = words.size() > 1 ? words[1] : "";
  const unsigned bits = type.starts_with("e") ? 8 : factor_bits(type); // e4m3, e5m2
  const unsigned work = multiply_adds(words.front()) * std::max(1U, bits) / 16;
  const unsigned each =
      warps * static_cast<unsigned>(machine.tensor_multiply_adds * machine.warpgroup_product_rate);
  return std::max(1U, (work + each / 2) / each);
}

} // namespace

/// The operations of one product take parts of its factors and sums: none waits for another. The sums of a
/// warp group's product are ready for whoever waits for its group; the next product takes them over inside
/// the tensor core. NOT modelled: what such products read of shared memory beside the loads of warps.
void Lowering::select_matrix_product(const llvm::CallBase& call, llvm::StringRef name) {
  if (name.consume_front("forewarp.wgmma.wait.")) {
    llvm::SmallVector<std::uint32_t, 8> sums;
    if (name.starts_with("0.")) // newer groups hang on the tensor core's own order
      collect(call.getArgOperand(0), sums);
    emit_void(OpClass::fence, sums);
    Registers held;
    for (const llvm::Value* sum : call.args())
      held.push_back(registers_of(sum).front());
    return define(call, held);
  }
  llvm::SmallVector<std::uint32_t, 8> sources;
  unsigned operations = 0;
  if (name.consume_front("forewarp.wgmma.")) {
    for (unsigned i = 0; i + components(call.getType()) < call.arg_size(); ++i)
      collect(call.getArgOperand(i), sources);
    operations = warpgroup_operations(name, machine_);
  } else {
    sources = sources_of(call);
    operations = tensor_operations(name, machine_.tensor_multiply_adds);
  }
  std::reverse(sources.begin(), sources.end()); // the sums first: an operation holds four
  std::uint32_t made = facts::no_value;
  for (unsigned i = operations; i > 0; --i)
    made = emit(OpClass::tensor_mma, sources, llvm::Type::getInt32Ty(call.getContext()));
  if (!call.getType()->isVoidTy())
    define(call, Registers(components(call.getType()), made));
}

/// "mma.m128n128k16.b16": a product of the whole SM, a quarter of it on each of its tensor cores. One warp
/// asks for it, so its own stands for all four. "ld.x32", "st.x32": a register a lane and cycle.
void Lowering::select_tensor_memory(const llvm::CallBase& call, llvm::StringRef name) {
  if (name.consume_front("mma.")) {
    constexpr unsigned cores = 4;
    const auto [shape, factor] = name.split('.');
    unsigned bits = 16;
    factor.drop_front().getAsInteger(10, bits);
    const double each = cores * machine_.tensor_multiply_adds * machine_.tensor_memory_product_rate;
    const auto operations = static_cast<unsigned>(multiply_adds(shape) * bits / 16.0 / each + 0.5);
    std::uint32_t made = facts::no_value;
    for (unsigned i = std::max(1U, operations); i > 0; --i)
      made = emit(OpClass::tensor_mma, {}, llvm::Type::getInt1Ty(call.getContext()));
    return products_.add_load(*call.getParent(), made);
  }
  llvm::SmallVector<std::uint32_t, 8> sources;
  for (const llvm::Value* value : call.args())
    collect(value, sources);
  const unsigned moves = std::max<unsigned>(components(call.getType()), call.arg_size());
  Registers results;
  for (unsigned i = 0; i < moves; ++i)
    if (call.getType()->isVoidTy())
      emit_void(OpClass::move, sources);
    else
      results.push_back(emit(OpClass::move, {}, llvm::Type::getInt32Ty(call.getContext())));
  if (!results.empty())
    define(call, results);
}

/// llvm.nvvm.cp.async.{commit.group, wait.group, wait.all}
void Lowering::select_copy_group(const llvm::CallBase& call, llvm::StringRef name) {
  if (name.contains(".commit")) {
    emit_void(OpClass::nop, {}); // names the group's end: nothing waits for it
    copies_.add_commit(*call.getParent());
    return;
  }
  const auto* spared = call.arg_empty() ? nullptr : llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0));
  emit_void(OpClass::fence, {});
  copies_.add_wait(*call.getParent(), block_->ops.size() - 1,
                   spared ? static_cast<unsigned>(spared->getZExtValue()) : 0);
}

} // namespace forewarp::codegen
