// Floats. Not modelled: rounding other than to the nearest (values differ in the last place), flushed
// denormals.
#include "frontend/ptx/operations/arithmetic.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/MDBuilder.h>

namespace forewarp::frontend::ptx {
namespace {

namespace intrinsics = llvm::Intrinsic;
using Builder = llvm::IRBuilder<>;

bool rounds_explicitly(const Statement& s) {
  return s.has_any({"rn", "rz", "rm", "rp"});
}

/// Sums and products without a rounding modifier may be joined to a multiply-add by the assembler.
llvm::Value* contractible(const Statement& s, llvm::Value* made) {
  if (auto* instruction = llvm::dyn_cast<llvm::Instruction>(made); instruction && !rounds_explicitly(s))
    instruction->setHasAllowContract(true);
  return made;
}

/// ".sat" and ".relu" behind a result.
llvm::Value* clamped(Builder& b, const Statement& s, llvm::Value* made) {
  llvm::Type* type = made->getType();
  if (s.has("sat")) {
    if (type->isFloatTy())
      return b.CreateIntrinsic(intrinsics::nvvm_saturate_f, {}, {made});
    made = b.CreateBinaryIntrinsic(intrinsics::maxnum, made, llvm::Constant::getNullValue(type));
    return b.CreateBinaryIntrinsic(intrinsics::minnum, made, llvm::ConstantFP::get(type, 1.0));
  }
  if (s.has("relu"))
    return b.CreateBinaryIntrinsic(intrinsics::maxnum, made, llvm::Constant::getNullValue(type));
  return made;
}

} // namespace

llvm::Value* float_sum(Builder& b, const Statement& s, Sources v) {
  llvm::Value* made = s.operation == "sub" ? b.CreateFSub(v[0], v[1]) : b.CreateFAdd(v[0], v[1]);
  return clamped(b, s, contractible(s, made));
}

llvm::Value* float_product(Builder& b, const Statement& s, Sources v) {
  return clamped(b, s, contractible(s, b.CreateFMul(v[0], v[1])));
}

/// ".oob" asks for a NaN that tensor maps fill in where they are told so, which is not modelled: they fill
/// zeros.
llvm::Value* fused(Builder& b, const Statement& s, Sources v) {
  return clamped(b, s, b.CreateIntrinsic(intrinsics::fma, {v[0]->getType()}, {v[0], v[1], v[2]}));
}

/// Of two or three sources; ".abs": of their magnitudes; ".xorsign": with the product of the signs.
llvm::Value* float_extreme(Builder& b, const Statement& s, Sources v) {
  const bool larger = s.operation == "max";
  const llvm::Intrinsic::ID id = s.has("NaN") ? (larger ? intrinsics::maximum : intrinsics::minimum)
                                              : (larger ? intrinsics::maxnum : intrinsics::minnum);
  const auto source = [&](std::size_t i) {
    return s.has("abs") ? part(b.CreateUnaryIntrinsic(intrinsics::fabs, v[i])) : v[i];
  };
  llvm::Value* made = b.CreateBinaryIntrinsic(id, source(0), source(1));
  if (v.size() > 2)
    made = b.CreateBinaryIntrinsic(id, part(made), source(2));
  if (!s.has("xorsign"))
    return made;
  llvm::Type* bits = v[0]->getType()->getWithNewType(b.getIntNTy(v[0]->getType()->getScalarSizeInBits()));
  llvm::Value* signs =
      part(b.CreateXor(part(b.CreateBitCast(v[0], bits)), part(b.CreateBitCast(v[1], bits))));
  return part(
      b.CreateBinaryIntrinsic(intrinsics::copysign, made, part(b.CreateBitCast(signs, made->getType()))));
}

/// The full-range form is a division whose result may be off by two units in the last place.
llvm::Value* float_quotient(Builder& b, const Statement& s, Sources v) {
  if (s.has("approx") && s.bits() == 32)
    return b.CreateIntrinsic(s.has("ftz") ? intrinsics::nvvm_div_approx_ftz_f : intrinsics::nvvm_div_approx_f,
                             {}, {v[0], v[1]});
  constexpr float two_units = 2.0F;
  llvm::MDNode* accuracy = s.has("full") ? llvm::MDBuilder(b.getContext()).createFPMath(two_units) : nullptr;
  return b.CreateFDiv(v[0], v[1], "", accuracy);
}

llvm::Value* reciprocal(Builder& b, const Statement& s, Sources v) {
  if (s.has("approx"))
    return b.CreateIntrinsic(
        s.bits() == 64 ? intrinsics::nvvm_rcp_approx_ftz_d : intrinsics::nvvm_rcp_approx_ftz_f, {}, {v[0]});
  return b.CreateFDiv(llvm::ConstantFP::get(v[0]->getType(), 1.0), v[0]);
}

llvm::Value* root(Builder& b, const Statement& s, Sources v) {
  if (s.has("approx"))
    return b.CreateIntrinsic(intrinsics::nvvm_sqrt_approx_f, {}, {v[0]});
  return b.CreateUnaryIntrinsic(intrinsics::sqrt, v[0]);
}

llvm::Value* reciprocal_root(Builder& b, const Statement& s, Sources v) {
  return b.CreateIntrinsic(s.bits() == 64 ? intrinsics::nvvm_rsqrt_approx_d : intrinsics::nvvm_rsqrt_approx_f,
                           {}, {v[0]});
}

llvm::Value* fast_function(Builder& b, const Statement& s, Sources v) {
  llvm::Type* type = v[0]->getType();
  if (s.operation == "tanh") {
    llvm::CallInst* made = b.CreateUnaryIntrinsic(intrinsics::tanh, v[0]);
    made->setHasApproxFunc(true);
    return made;
  }
  const llvm::Intrinsic::ID id = s.operation == "ex2"   ? intrinsics::nvvm_ex2_approx_f
                                 : s.operation == "lg2" ? intrinsics::nvvm_lg2_approx_f
                                 : s.operation == "sin" ? intrinsics::nvvm_sin_approx_f
                                                        : intrinsics::nvvm_cos_approx_f;
  if (type->isFloatTy())
    return b.CreateIntrinsic(id, {}, {v[0]});
  if (s.operation != "ex2")
    return nullptr;
  if (type->isHalfTy())
    return b.CreateIntrinsic(intrinsics::nvvm_ex2_approx_f16, {}, {v[0]});
  if (type->isBFloatTy()) {
    llvm::Value* single = part(b.CreateFPExt(v[0], b.getFloatTy()));
    return part(b.CreateFPTrunc(b.CreateIntrinsic(id, {}, {single}), type));
  }
  llvm::Value* made = llvm::PoisonValue::get(type); // of two, one after the other
  for (std::uint64_t i = 0; i < 2; ++i)
    made = b.CreateInsertElement(made, fast_function(b, s, {b.CreateExtractElement(v[0], i)}), i);
  return made;
}

llvm::Value* sign_copied(Builder& b, const Statement&, Sources v) {
  return b.CreateBinaryIntrinsic(intrinsics::copysign, v[1], v[0]);
}

llvm::Value* class_tested(Builder& b, const Statement& s, Sources v) {
  const llvm::FPClassTest wanted = s.has("finite")       ? llvm::fcFinite
                                   : s.has("infinite")   ? llvm::fcInf
                                   : s.has("number")     ? ~llvm::fcNan & llvm::fcAllFlags
                                   : s.has("notanumber") ? llvm::fcNan
                                   : s.has("normal")     ? llvm::fcNormal
                                   : s.has("subnormal")  ? llvm::fcSubnormal
                                                         : llvm::fcNone;
  if (wanted == llvm::fcNone)
    return nullptr;
  return b.createIsFPClass(v[0], wanted);
}

} // namespace forewarp::frontend::ptx
