// OpenCL 6.12.6: relational functions. True is 1 for scalars and -1 for components of vectors.
#include "frontend/lowering/tables/tables.h"

#include <llvm/IR/Intrinsics.h>

namespace forewarp::frontend::lowering {

namespace {

namespace intrinsics = llvm::Intrinsic;
using llvm::CmpInst;

llvm::Value* truth(BuiltinCall& call, llvm::Value* condition) {
  return call.type()->isVectorTy() ? call.b.CreateSExt(condition, call.type())
                                   : call.b.CreateZExt(condition, call.type());
}

llvm::Value* emit_compare(BuiltinCall& call) {
  return truth(call,
               call.b.CreateFCmp(static_cast<CmpInst::Predicate>(call.row.code), call.arg(0), call.arg(1)));
}

llvm::Value* emit_self_compare(BuiltinCall& call) {
  return truth(call,
               call.b.CreateFCmp(static_cast<CmpInst::Predicate>(call.row.code), call.arg(0), call.arg(0)));
}

llvm::Value* emit_class(BuiltinCall& call) {
  return truth(call, call.b.createIsFPClass(call.arg(0), call.row.code));
}

/// any, all: the most significant bits of the components.
llvm::Value* emit_any_all(BuiltinCall& call) {
  llvm::Value* negative =
      call.b.CreateICmpSLT(call.arg(0), llvm::Constant::getNullValue(call.arg(0)->getType()));
  if (negative->getType()->isVectorTy())
    negative = call.row.code ? call.b.CreateAndReduce(negative) : call.b.CreateOrReduce(negative);
  return call.b.CreateZExt(negative, call.type());
}

llvm::Type* integer_like(BuiltinCall& call, llvm::Type* type) {
  llvm::Type* bits = llvm::IntegerType::get(call.b.getContext(), type->getScalarSizeInBits());
  return type->isVectorTy() ? type->getWithNewType(bits) : bits;
}

llvm::Value* emit_signbit(BuiltinCall& call) {
  llvm::Type* integer = integer_like(call, call.arg(0)->getType());
  llvm::Value* cast = call.b.CreateBitCast(call.arg(0), integer);
  return truth(call, call.b.CreateICmpSLT(cast, llvm::Constant::getNullValue(integer)));
}

llvm::Value* emit_bitselect(BuiltinCall& call) {
  llvm::Type* integer = integer_like(call, call.type());
  llvm::Value *x = call.b.CreateBitCast(call.arg(0), integer),
              *y = call.b.CreateBitCast(call.arg(1), integer),
              *mask = call.b.CreateBitCast(call.arg(2), integer);
  llvm::Value* bits = call.b.CreateXor(x, call.b.CreateAnd(call.b.CreateXor(x, y), mask));
  return call.b.CreateBitCast(bits, call.type());
}

/// Scalars: c != 0; vectors: most significant bit of each component.
llvm::Value* emit_select(BuiltinCall& call) {
  llvm::Value* c = call.arg(2);
  llvm::Value* zero = llvm::Constant::getNullValue(c->getType());
  llvm::Value* condition =
      c->getType()->isVectorTy() ? call.b.CreateICmpSLT(c, zero) : call.b.CreateICmpNE(c, zero);
  return call.b.CreateSelect(condition, call.arg(1), call.arg(0));
}

constexpr Row relational_row_list[] = {
    {"isequal", emit_compare, CmpInst::FCMP_OEQ},
    {"isnotequal", emit_compare, CmpInst::FCMP_UNE},
    {"isgreater", emit_compare, CmpInst::FCMP_OGT},
    {"isgreaterequal", emit_compare, CmpInst::FCMP_OGE},
    {"isless", emit_compare, CmpInst::FCMP_OLT},
    {"islessequal", emit_compare, CmpInst::FCMP_OLE},
    {"islessgreater", emit_compare, CmpInst::FCMP_ONE},
    {"isordered", emit_compare, CmpInst::FCMP_ORD},
    {"isunordered", emit_compare, CmpInst::FCMP_UNO},
    {"isnan", emit_self_compare, CmpInst::FCMP_UNO},
    {"isinf", emit_class, llvm::fcInf},
    {"isfinite", emit_class, llvm::fcFinite},
    {"isnormal", emit_class, llvm::fcNormal},
    {"signbit", emit_signbit},
    {"any", emit_any_all, 0},
    {"all", emit_any_all, 1},
    {"bitselect", emit_bitselect},
    {"select", emit_select},
};

} // namespace

std::span<const Row> relational_rows() {
  return relational_row_list;
}

} // namespace forewarp::frontend::lowering
