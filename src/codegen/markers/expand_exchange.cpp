#include "codegen/markers/expand_exchange.h"

#include "ir/builtins.h"

#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Module.h>

#include <optional>

namespace forewarp::codegen {
namespace {

using llvm::Value;
using llvm::Intrinsic::ID;

constexpr unsigned last_lane = 31;

/// One shuffle of 32 bits. `bound`: the last lane of a segment (PTX ISA: operand c); 0 going up.
Value* shuffle_word(llvm::IRBuilder<>& builder, ID id, Value* word, Value* lanes) {
  const bool up = id == llvm::Intrinsic::nvvm_shfl_sync_up_i32;
  return builder.CreateIntrinsic(id, {},
                                 {builder.getInt32(-1), word, lanes, builder.getInt32(up ? 0 : last_lane)});
}

/// A value of any scalar type, by words.
Value* shuffle(llvm::IRBuilder<>& builder, ID id, Value* value, Value* lanes) {
  llvm::Type* type = value->getType();
  const unsigned bits = type->getScalarSizeInBits();
  Value* whole = builder.CreateBitCast(value, builder.getIntNTy(bits));
  Value* made = nullptr;
  if (bits <= 32) {
    made = builder.CreateTrunc(
        shuffle_word(builder, id, builder.CreateZExt(whole, builder.getInt32Ty()), lanes), whole->getType());
  } else {
    Value* low = shuffle_word(builder, id, builder.CreateTrunc(whole, builder.getInt32Ty()), lanes);
    Value* high = shuffle_word(
        builder, id, builder.CreateTrunc(builder.CreateLShr(whole, 32), builder.getInt32Ty()), lanes);
    made = builder.CreateOr(builder.CreateZExt(low, whole->getType()),
                            builder.CreateShl(builder.CreateZExt(high, whole->getType()), 32));
  }
  return builder.CreateBitCast(made, type);
}

Value* combine(llvm::IRBuilder<>& builder, llvm::StringRef op, Value* a, Value* b) {
  using llvm::Intrinsic::maxnum;
  const bool real = a->getType()->isFloatingPointTy();
  const auto either = [&](ID of_reals, ID of_integers) {
    return builder.CreateBinaryIntrinsic(real ? of_reals : of_integers, a, b);
  };
  if (op == "add")
    return real ? builder.CreateFAdd(a, b) : builder.CreateAdd(a, b);
  if (op == "mul")
    return real ? builder.CreateFMul(a, b) : builder.CreateMul(a, b);
  if (op == "min")
    return either(llvm::Intrinsic::minnum, llvm::Intrinsic::smin);
  if (op == "max")
    return either(maxnum, llvm::Intrinsic::smax);
  if (op == "umin" || op == "umax")
    return either(maxnum, op == "umin" ? llvm::Intrinsic::umin : llvm::Intrinsic::umax);
  if (op == "and")
    return builder.CreateAnd(a, b);
  if (op == "or")
    return builder.CreateOr(a, b);
  return op == "xor" ? builder.CreateXor(a, b) : nullptr;
}

/// What leaves `op` unchanged. Null: an operation that has none here.
llvm::Constant* neutral(llvm::StringRef op, llvm::Type* type) {
  const bool real = type->isFloatingPointTy();
  const unsigned bits = type->getScalarSizeInBits();
  if (op == "min" || op == "max") {
    if (real)
      return llvm::ConstantFP::getInfinity(type, op == "max");
    return llvm::ConstantInt::get(type, op == "min" ? llvm::APInt::getSignedMaxValue(bits)
                                                    : llvm::APInt::getSignedMinValue(bits));
  }
  if (op == "mul")
    return real ? llvm::ConstantFP::get(type, 1) : llvm::ConstantInt::get(type, 1);
  if (op == "and" || op == "umin")
    return llvm::Constant::getAllOnesValue(type);
  return llvm::Constant::getNullValue(type);
}

Value* reduce(llvm::IRBuilder<>& builder, llvm::StringRef op, Value* value) {
  for (unsigned step = 16; value && step > 0; step /= 2)
    value =
        combine(builder, op, value,
                shuffle(builder, llvm::Intrinsic::nvvm_shfl_sync_bfly_i32, value, builder.getInt32(step)));
  return value;
}

Value* scan(llvm::IRBuilder<>& builder, llvm::StringRef op, Value* value, bool inclusive) {
  constexpr ID up = llvm::Intrinsic::nvvm_shfl_sync_up_i32;
  Value* lane = builder.CreateIntrinsic(llvm::Intrinsic::nvvm_read_ptx_sreg_laneid, {}, {});
  for (unsigned step = 1; value && step <= 16; step *= 2) {
    Value* joined = combine(builder, op, shuffle(builder, up, value, builder.getInt32(step)), value);
    value = joined ? builder.CreateSelect(builder.CreateICmpUGE(lane, builder.getInt32(step)), joined, value)
                   : nullptr;
  }
  if (!value || inclusive)
    return value;
  Value* before = shuffle(builder, up, value, builder.getInt32(1));
  return builder.CreateSelect(builder.CreateICmpEQ(lane, builder.getInt32(0)), neutral(op, value->getType()),
                              before);
}

Value* vote(llvm::IRBuilder<>& builder, ID id, Value* value) {
  Value* flag = value->getType()->isIntegerTy(1) ? value : builder.CreateIsNotNull(value);
  return builder.CreateIntrinsic(id, {}, {builder.getInt32(-1), flag});
}

std::optional<ID> shuffle_of(llvm::StringRef name) {
  if (name == "shuffle" || name == "broadcast")
    return llvm::Intrinsic::nvvm_shfl_sync_idx_i32;
  if (name == "shuffle_xor")
    return llvm::Intrinsic::nvvm_shfl_sync_bfly_i32;
  if (name == "shuffle_up")
    return llvm::Intrinsic::nvvm_shfl_sync_up_i32;
  if (name == "shuffle_down")
    return llvm::Intrinsic::nvvm_shfl_sync_down_i32;
  return std::nullopt;
}

} // namespace

Value* expand_exchange_nvptx(llvm::IRBuilder<>& builder, const llvm::CallInst& call) {
  llvm::StringRef name = call.getCalledFunction()->getName();
  if (!name.consume_front(llvm::StringRef(ir::builtins::warp_prefix)) || call.arg_size() == 0)
    return nullptr;
  name = name.split('.').first;
  Value* value = call.getArgOperand(0);
  if (const auto id = shuffle_of(name))
    return shuffle(builder, *id, value,
                   builder.CreateZExtOrTrunc(call.getArgOperand(1), builder.getInt32Ty()));
  if (name == "any" || name == "all")
    return builder.CreateZExt(
        vote(builder,
             name == "any" ? llvm::Intrinsic::nvvm_vote_any_sync : llvm::Intrinsic::nvvm_vote_all_sync,
             value),
        call.getType());
  if (name == "ballot")
    return builder.CreateZExt(vote(builder, llvm::Intrinsic::nvvm_vote_ballot_sync, value), call.getType());
  if (name.consume_front("reduce_"))
    return reduce(builder, name, value);
  if (name.consume_front("scan_inclusive_"))
    return scan(builder, name, value, true);
  if (name.consume_front("scan_exclusive_"))
    return scan(builder, name, value, false);
  return nullptr;
}

} // namespace forewarp::codegen
