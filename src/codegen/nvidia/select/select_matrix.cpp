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

} // namespace

/// The operations of one product take parts of its factors and sums: none waits for another.
void Lowering::select_matrix_product(const llvm::CallBase& call, llvm::StringRef name) {
  llvm::SmallVector<std::uint32_t, 8> sources = sources_of(call);
  std::reverse(sources.begin(), sources.end()); // the sums first: an operation holds four
  std::uint32_t made = facts::no_value;
  for (unsigned i = tensor_operations(name, machine_.tensor_multiply_adds); i > 0; --i)
    made = emit(OpClass::tensor_mma, sources, llvm::Type::getInt32Ty(call.getContext()));
  if (!call.getType()->isVoidTy())
    define(call, Registers(components(call.getType()), made));
}

/// llvm.nvvm.cp.async.{commit.group, wait.group, wait.all}
void Lowering::select_copy_group(const llvm::CallBase& call, llvm::StringRef name) {
  if (name.contains(".commit")) {
    emit_void(OpClass::nop, {}); // names the group's end: nothing waits for it
    return;
  }
  const auto* spared = call.arg_empty() ? nullptr : llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0));
  emit_void(OpClass::fence, {});
  copies_.add_wait(*call.getParent(), block_->ops.size() - 1,
                   spared ? static_cast<unsigned>(spared->getZExtValue()) : 0);
}

} // namespace forewarp::codegen
