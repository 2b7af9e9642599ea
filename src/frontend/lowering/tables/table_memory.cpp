// OpenCL 6.12.7 (vector loads and stores) and 6.12.10 (async copies, prefetch).
#include "frontend/lowering/tables/tables.h"
#include "frontend/lowering/work_item.h"

#include <llvm/IR/Intrinsics.h>

namespace forewarp::frontend::lowering {

namespace {

unsigned width_of(llvm::Type* type) {
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

llvm::Type* with_element(llvm::Type* shape, llvm::Type* element) {
  return shape->isVectorTy() ? llvm::FixedVectorType::get(element, width_of(shape)) : element;
}

/// Address of element group `offset` of `n` elements; vloada_half3 and vstorea_half3 step by four.
llvm::Value* address(BuiltinCall& call, llvm::Value* pointer, llvm::Value* offset, llvm::Type* element,
                     unsigned n) {
  llvm::Value* index = call.b.CreateMul(offset, llvm::ConstantInt::get(offset->getType(), n));
  return call.b.CreateInBoundsGEP(element, pointer, index);
}

llvm::Align alignment(BuiltinCall& call, llvm::Type* element, unsigned n, bool of_vector) {
  std::uint64_t bytes = call.module().getDataLayout().getTypeStoreSize(element).getFixedValue();
  return llvm::Align(of_vector ? bytes * (n == 3 ? 4 : n) : bytes);
}

enum Form : unsigned { plain, half_form, aligned_half };

llvm::Value* emit_vload(BuiltinCall& call) {
  bool half = call.row.code != plain, of_vector = call.row.code == aligned_half;
  llvm::Type* element = half ? call.b.getHalfTy() : call.type()->getScalarType();
  unsigned n = width_of(call.type()), step = of_vector && n == 3 ? 4 : n;
  llvm::Value* from = address(call, call.arg(1), call.arg(0), element, step);
  llvm::Value* value = call.b.CreateAlignedLoad(with_element(call.type(), element), from,
                                                alignment(call, element, n, of_vector));
  return half ? call.b.CreateFPExt(value, call.type()) : value;
}

llvm::Value* emit_vstore(BuiltinCall& call) {
  bool half = call.row.code != plain, of_vector = call.row.code == aligned_half;
  llvm::Value* value = call.arg(0);
  llvm::Type* element = half ? call.b.getHalfTy() : value->getType()->getScalarType();
  unsigned n = width_of(value->getType()), step = of_vector && n == 3 ? 4 : n;
  if (half)
    value = call.b.CreateFPTrunc(value, with_element(value->getType(), element));
  llvm::Value* to = address(call, call.arg(2), call.arg(1), element, step);
  return call.b.CreateAlignedStore(value, to, alignment(call, element, n, of_vector));
}

// async_work_group_copy(dst, src, n, event) as what compilers make of it without a copy engine: every
// work-item of the group moves each size-th element. The loop is a function of its own, inlined later.

llvm::Type* element_type(BuiltinCall& call) {
  // "float vector[4] AS3*": the demangler's spelling.
  llvm::StringRef text = call.types[0].text;
  auto& context = call.b.getContext();
  llvm::Type* scalar = nullptr;
  static constexpr std::pair<const char*, unsigned> integers[] = {
      {"char", 8},
      {"short", 16},
      {"int", 32},
      {"long", 64}}; // "long" stands behind "unsigned"/"int" in no type here
  for (auto [word, bits] : integers)
    if (text.contains(word))
      scalar = llvm::IntegerType::get(context, bits);
  if (text.contains("float"))
    scalar = llvm::Type::getFloatTy(context);
  if (text.contains("double"))
    scalar = llvm::Type::getDoubleTy(context);
  if (text.contains("half"))
    scalar = llvm::Type::getHalfTy(context);
  std::size_t bracket = text.find('[');
  unsigned n = 1;
  if (scalar && bracket != llvm::StringRef::npos && !text.substr(bracket + 1).consumeInteger(10, n))
    return llvm::FixedVectorType::get(scalar, n);
  return scalar;
}

/// void copy(dst, src, n, dst_stride, src_stride, first, step): for (i = first; i < n; i += step) ...
llvm::Function* copy_loop(BuiltinCall& call, llvm::Type* element) {
  auto& context = call.b.getContext();
  llvm::Type* i64 = llvm::Type::getInt64Ty(context);
  auto* type = llvm::FunctionType::get(
      llvm::Type::getVoidTy(context),
      {call.arg(0)->getType(), call.arg(1)->getType(), i64, i64, i64, i64, i64}, false);
  auto* function =
      llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, "forewarp.async_copy", call.module());
  function->addFnAttr(llvm::Attribute::AlwaysInline);
  auto* entry = llvm::BasicBlock::Create(context, "entry", function);
  auto* body = llvm::BasicBlock::Create(context, "body", function);
  auto* exit = llvm::BasicBlock::Create(context, "exit", function);
  llvm::IRBuilder<> b(entry);
  b.CreateCondBr(b.CreateICmpULT(function->getArg(5), function->getArg(2)), body, exit);
  b.SetInsertPoint(body);
  llvm::PHINode* index = b.CreatePHI(i64, 2);
  index->addIncoming(function->getArg(5), entry);
  auto at = [&](unsigned pointer, unsigned stride) {
    return b.CreateInBoundsGEP(element, function->getArg(pointer),
                               b.CreateMul(index, function->getArg(stride)));
  };
  llvm::Value* next = b.CreateAdd(index, function->getArg(6));
  b.CreateStore(b.CreateLoad(element, at(1, 4)), at(0, 3));
  index->addIncoming(next, body);
  b.CreateCondBr(b.CreateICmpULT(next, function->getArg(2)), body, exit);
  b.SetInsertPoint(exit);
  b.CreateRetVoid();
  return function;
}

llvm::Value* emit_async_copy(BuiltinCall& call) {
  bool strided = call.row.code;
  llvm::Type* element = call.types.empty() ? nullptr : element_type(call);
  if (!element)
    return nullptr;
  auto wide = [&](llvm::Value* value) { return call.b.CreateZExt(value, call.b.getInt64Ty()); };
  llvm::Value *one = call.b.getInt64(1), *stride = strided ? wide(call.arg(3)) : one;
  bool to_shared = call.types[0].text.find("AS3") != std::string::npos;
  llvm::Function* loop = copy_loop(call, element);
  // 6.12.10: a stride counts on the side of global memory.
  call.b.CreateCall(loop,
                    {call.arg(0), call.arg(1), wide(call.arg(2)), to_shared ? one : stride,
                     to_shared ? stride : one, wide(linear_local_id(call)), wide(linear_local_size(call))});
  return call.arg(call.count() - 1);
}

llvm::Value* emit_nothing(BuiltinCall& call) {
  return done(call);
}

constexpr Row memory_row_list[] = {
    {"vload2", emit_vload},
    {"vload3", emit_vload},
    {"vload4", emit_vload},
    {"vload8", emit_vload},
    {"vload16", emit_vload},
    {"vload_half", emit_vload, half_form},
    {"vload_half2", emit_vload, half_form},
    {"vload_half3", emit_vload, half_form},
    {"vload_half4", emit_vload, half_form},
    {"vload_half8", emit_vload, half_form},
    {"vload_half16", emit_vload, half_form},
    {"vloada_half2", emit_vload, aligned_half},
    {"vloada_half3", emit_vload, aligned_half},
    {"vloada_half4", emit_vload, aligned_half},
    {"vloada_half8", emit_vload, aligned_half},
    {"vloada_half16", emit_vload, aligned_half},
    {"vstore2", emit_vstore},
    {"vstore3", emit_vstore},
    {"vstore4", emit_vstore},
    {"vstore8", emit_vstore},
    {"vstore16", emit_vstore},
    {"vstore_half", emit_vstore, half_form},
    {"vstore_half2", emit_vstore, half_form},
    {"vstore_half3", emit_vstore, half_form},
    {"vstore_half4", emit_vstore, half_form},
    {"vstore_half8", emit_vstore, half_form},
    {"vstore_half16", emit_vstore, half_form},
    {"vstore_half_rte", emit_vstore, half_form},
    {"vstorea_half2", emit_vstore, aligned_half},
    {"vstorea_half3", emit_vstore, aligned_half},
    {"vstorea_half4", emit_vstore, aligned_half},
    {"vstorea_half8", emit_vstore, aligned_half},
    {"vstorea_half16", emit_vstore, aligned_half},
    {"async_work_group_copy", emit_async_copy, 0},
    {"async_work_group_strided_copy", emit_async_copy, 1},
    {"prefetch", emit_nothing},
};

} // namespace

std::span<const Row> memory_rows() {
  return memory_row_list;
}

} // namespace forewarp::frontend::lowering
