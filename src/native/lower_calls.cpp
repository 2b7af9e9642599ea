#include "native/lower_calls.h"

#include "native/abi/abi.h"
#include "native/lower_images.h"
#include "native/lower_math.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Intrinsics.h>

#include <optional>

namespace forewarp::native {
namespace {

using llvm::StringRef;

class CallLowering {
public:
  CallLowering(llvm::Function& body, unsigned warp_width) : body_(body), width_(warp_width) {}

  Lowered run() {
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(body_)))
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction))
        lower(*call);
    return std::move(out_);
  }

private:
  void lower(llvm::CallInst& call) {
    if (llvm::isa<llvm::InlineAsm>(call.getCalledOperand())) {
      // The target's own "exit;" before the end of a block that nothing follows.
      if (!call.getType()->isVoidTy() || !llvm::isa<llvm::UnreachableInst>(call.getParent()->getTerminator()))
        return refuse("inline assembly");
      call.eraseFromParent();
      return;
    }
    const llvm::Function* callee = call.getCalledFunction();
    if (!callee)
      return refuse("a call through a function pointer");
    builder_.SetInsertPoint(&call);
    StringRef name = callee->getName();
    const bool is_target = name.starts_with("llvm.nvvm."), is_marker = name.starts_with("forewarp.");
    if (!is_target && !is_marker) {
      if (!callee->isIntrinsic())
        refuse(("the call of '" + name + "'").str());
      return;
    }
    StringRef rest = name.drop_front(is_target ? 10 : 9);
    llvm::Value* value = is_target ? target_call(call, rest) : marker_call(call, rest);
    if (!done_ && !value)
      return refuse(("the call of '" + name + "'").str());
    done_ = false;
    if (value && !call.getType()->isVoidTy())
      call.replaceAllUsesWith(value);
    call.eraseFromParent();
  }

  void refuse(std::string what) { out_.problems.push_back(std::move(what)); }

  /// Nothing takes the call's place.
  llvm::Value* nothing() {
    done_ = true;
    return nullptr;
  }

  llvm::Value* group() { return body_.getArg(0); }
  llvm::Value* item_id(unsigned axis) { return body_.getArg(2 + axis); }
  llvm::Value* word(std::uint32_t value) { return builder_.getInt32(value); }

  llvm::Value* linear_id() {
    GroupReader reader(builder_, group());
    llvm::Value* plane = builder_.CreateAdd(builder_.CreateMul(item_id(2), reader.size(1)), item_id(1));
    return builder_.CreateAdd(builder_.CreateMul(plane, reader.size(0)), item_id(0));
  }
  llvm::Value* lane() { return builder_.CreateAnd(linear_id(), word(width_ - 1)); }
  llvm::Value* group_items() {
    GroupReader reader(builder_, group());
    return builder_.CreateMul(builder_.CreateMul(reader.size(0), reader.size(1)), reader.size(2));
  }

  std::optional<unsigned> axis_of(StringRef name, StringRef prefix) {
    if (!name.consume_front(prefix) || name.size() != 1 || name[0] < 'x' || name[0] > 'z')
      return std::nullopt;
    return static_cast<unsigned>(name[0] - 'x');
  }

  llvm::Value* special_register(llvm::CallInst& call, StringRef name) {
    GroupReader reader(builder_, group());
    if (const auto axis = axis_of(name, "tid."))
      return item_id(*axis);
    if (const auto axis = axis_of(name, "ctaid."))
      return reader.id(*axis);
    if (const auto axis = axis_of(name, "ntid."))
      return reader.size(*axis);
    if (const auto axis = axis_of(name, "nctaid."))
      return reader.groups(*axis);
    if (name.starts_with("clock") || name.starts_with("globaltimer")) {
      llvm::Value* count = builder_.CreateIntrinsic(llvm::Intrinsic::readcyclecounter, {}, {});
      return builder_.CreateZExtOrTrunc(count, call.getType());
    }
    if (name == "laneid")
      return lane();
    if (name == "warpid")
      return builder_.CreateUDiv(linear_id(), word(width_));
    if (name == "warpsize")
      return word(width_);
    if (name == "nwarpid")
      return builder_.CreateUDiv(builder_.CreateAdd(group_items(), word(width_ - 1)), word(width_));
    if (name.consume_front("lanemask."))
      return lane_mask(name);
    return nullptr;
  }

  llvm::Value* lane_mask(StringRef which) {
    llvm::Value* bit = builder_.CreateShl(word(1), lane());
    llvm::Value* below = builder_.CreateSub(bit, word(1));
    if (which == "eq")
      return bit;
    if (which == "lt")
      return below;
    if (which == "le")
      return builder_.CreateOr(below, bit);
    if (which == "ge")
      return builder_.CreateNot(below);
    return which == "gt" ? builder_.CreateNot(builder_.CreateOr(below, bit)) : nullptr;
  }

  llvm::Value* target_call(llvm::CallInst& call, StringRef name) {
    if (StringRef sreg = name; sreg.consume_front("read.ptx.sreg."))
      return special_register(call, sreg);
    for (const char* ordering :
         {"membar.", "fence.", "nanosleep", "prefetch", "cp.async.commit", "cp.async.wait"})
      if (name.starts_with(ordering))
        return nothing();
    if (name.starts_with("ptr.") || name.starts_with("move.") || name.starts_with("compiler."))
      return call.getArgOperand(0);
    if (name.starts_with("ldg.") || name.starts_with("ldu."))
      return builder_.CreateAlignedLoad(call.getType(), call.getArgOperand(0), llvm::Align(1));
    if (llvm::Value* value = barrier(call, name))
      return value;
    if (done_)
      return nullptr;
    if (name.starts_with("shfl."))
      return shuffle(call, name);
    if (llvm::Value* value = vote(call, name))
      return value;
    return lower_target_math(builder_, call, name);
  }

  llvm::Value* barrier(llvm::CallInst& call, StringRef name) {
    if (name == "barrier0" || name == "bar.sync" || name.starts_with("barrier.sync") ||
        name.starts_with("barrier.cta.sync")) {
      if (call.arg_size() > 0)
        if (const auto* id = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0)); !id || !id->isZero()) {
          refuse("a named barrier other than 0");
          return nothing();
        }
      wait(ExchangeKind::barrier, word(0), builder_.getInt64(0));
      return nothing();
    }
    if (name == "bar.warp.sync") {
      wait(ExchangeKind::warp_barrier, call.getArgOperand(0), builder_.getInt64(0));
      return nothing();
    }
    if (!name.consume_front("barrier0."))
      return nullptr;
    const ExchangeKind kind = name == "popc"  ? ExchangeKind::barrier_count
                              : name == "and" ? ExchangeKind::barrier_and
                                              : ExchangeKind::barrier_or;
    return wait(kind, word(0), call.getArgOperand(0), call.getType());
  }

  llvm::Value* shuffle(llvm::CallInst& call, StringRef name) {
    const bool masked = name.starts_with("shfl.sync.");
    const unsigned first = masked ? 1 : 0;
    const ExchangeKind kind = name.contains(".up.")     ? ExchangeKind::shuffle_up
                              : name.contains(".down.") ? ExchangeKind::shuffle_down
                              : name.contains(".bfly.") ? ExchangeKind::shuffle_xor
                                                        : ExchangeKind::shuffle_index;
    llvm::Value* members = masked ? call.getArgOperand(0) : word(0);
    auto* pair = llvm::dyn_cast<llvm::StructType>(call.getType());
    llvm::Type* type = pair ? pair->getElementType(0) : call.getType();
    llvm::CallInst* waited = wait_call(kind, members, as_bits(call.getArgOperand(first)),
                                       call.getArgOperand(first + 1), call.getArgOperand(first + 2));
    llvm::Value* value = of_bits(builder_.CreateExtractValue(waited, 0), type);
    if (!pair)
      return value;
    llvm::Value* in_range = builder_.CreateIsNotNull(builder_.CreateExtractValue(waited, 1));
    llvm::Value* both = builder_.CreateInsertValue(llvm::PoisonValue::get(pair), value, 0);
    return builder_.CreateInsertValue(both, in_range, 1);
  }

  llvm::Value* vote(llvm::CallInst& call, StringRef name) {
    if (StringRef rest = name; rest.consume_front("vote.")) {
      const bool masked = rest.contains("sync");
      const ExchangeKind kind = rest.starts_with("ballot") ? ExchangeKind::ballot
                                : rest.starts_with("all")  ? ExchangeKind::vote_all
                                : rest.starts_with("any")  ? ExchangeKind::vote_any
                                                           : ExchangeKind::vote_uniform;
      return wait(kind, masked ? call.getArgOperand(0) : word(0), call.getArgOperand(masked ? 1 : 0),
                  call.getType());
    }
    if (name.starts_with("match."))
      return match(call, name.starts_with("match.any") ? ExchangeKind::match_any : ExchangeKind::match_all);
    if (StringRef op = name; op.consume_front("redux.sync.")) {
      const auto kind = reduction(op);
      return kind ? wait(*kind, call.getArgOperand(1), call.getArgOperand(0), call.getType()) : nullptr;
    }
    if (name.starts_with("activemask"))
      return wait(ExchangeKind::active_mask, word(0), builder_.getInt64(1), call.getType());
    return nullptr;
  }

  static std::optional<ExchangeKind> reduction(StringRef op) {
    return llvm::StringSwitch<std::optional<ExchangeKind>>(op)
        .Case("add", ExchangeKind::reduce_add)
        .Case("min", ExchangeKind::reduce_min)
        .Case("max", ExchangeKind::reduce_max)
        .Case("umin", ExchangeKind::reduce_umin)
        .Case("umax", ExchangeKind::reduce_umax)
        .Case("and", ExchangeKind::reduce_and)
        .Case("or", ExchangeKind::reduce_or)
        .Case("xor", ExchangeKind::reduce_xor)
        .Default(std::nullopt);
  }

  llvm::Value* match(llvm::CallInst& call, ExchangeKind kind) {
    llvm::CallInst* waited =
        wait_call(kind, call.getArgOperand(0), as_bits(call.getArgOperand(1)), word(0), word(0));
    llvm::Value* mask = builder_.CreateTrunc(builder_.CreateExtractValue(waited, 0), builder_.getInt32Ty());
    auto* pair = llvm::dyn_cast<llvm::StructType>(call.getType());
    if (!pair)
      return mask;
    llvm::Value* all = builder_.CreateIsNotNull(builder_.CreateExtractValue(waited, 1));
    llvm::Value* both = builder_.CreateInsertValue(llvm::PoisonValue::get(pair), mask, 0);
    return builder_.CreateInsertValue(both, all, 1);
  }

  llvm::Value* marker_call(llvm::CallInst& call, StringRef name) {
    if (StringRef item = name; item.consume_front("item."))
      return item_marker(item);
    if (StringRef math = name; math.consume_front("math."))
      return lower_math_marker(builder_, call, math.split('.').first);
    if (name == "dot4.s" || name == "dot4.u")
      return call_helper(builder_, call, name == "dot4.s" ? "forewarp_dot4_s" : "forewarp_dot4_u");
    if (name.split('.').first == "print")
      return call_helper(builder_, call, "forewarp_print");
    if (name == "grid.barrier") {
      out_.meets = true;
      wait(ExchangeKind::grid_barrier, word(0), builder_.getInt64(0));
      return nothing();
    }
    if (name == "warp.barrier") {
      wait(ExchangeKind::warp_barrier, word(0), builder_.getInt64(0));
      return nothing();
    }
    if (StringRef image = name; image.consume_front("image."))
      return lower_image_marker(builder_, call, image);
    if (StringRef warp = name; warp.consume_front("warp."))
      return warp_marker(call, warp.split('.').first);
    return nullptr;
  }

  /// Exchanges of a whole warp.
  llvm::Value* warp_marker(llvm::CallInst& call, StringRef name) {
    if (name == "any" || name == "all")
      return wait(name == "any" ? ExchangeKind::vote_any : ExchangeKind::vote_all, word(0),
                  call.getArgOperand(0), call.getType());
    if (name == "ballot")
      return wait(ExchangeKind::ballot, word(0), call.getArgOperand(0), call.getType());
    if (StringRef op = name; op.consume_front("reduce_") && call.getType()->isIntegerTy(32))
      if (const auto kind = reduction(op))
        return wait(*kind, word(0), call.getArgOperand(0), call.getType());
    const auto kind = llvm::StringSwitch<std::optional<ExchangeKind>>(name)
                          .Case("shuffle", ExchangeKind::shuffle_index)
                          .Case("broadcast", ExchangeKind::shuffle_index)
                          .Case("shuffle_xor", ExchangeKind::shuffle_xor)
                          .Case("shuffle_up", ExchangeKind::shuffle_up)
                          .Case("shuffle_down", ExchangeKind::shuffle_down)
                          .Default(std::nullopt);
    if (!kind || call.getType()->isVectorTy())
      return nullptr;
    llvm::Value* last = word(*kind == ExchangeKind::shuffle_up ? 0 : width_ - 1);
    llvm::CallInst* waited =
        wait_call(*kind, word(0), as_bits(call.getArgOperand(0)),
                  builder_.CreateZExtOrTrunc(call.getArgOperand(1), builder_.getInt32Ty()), last);
    return of_bits(builder_.CreateExtractValue(waited, 0), call.getType());
  }

  llvm::Value* item_marker(StringRef name) {
    GroupReader reader(builder_, group());
    if (const auto axis = axis_of(name, "local_size."))
      return reader.size(*axis);
    if (const auto axis = axis_of(name, "enqueued_size."))
      return reader.size(*axis);
    if (const auto axis = axis_of(name, "num_groups."))
      return reader.groups(*axis);
    if (const auto axis = axis_of(name, "global_size."))
      return builder_.CreateMul(reader.groups(*axis), reader.size(*axis));
    if (name == "lane")
      return lane();
    if (name == "warp")
      return builder_.CreateUDiv(linear_id(), word(width_));
    if (name == "warp_count")
      return builder_.CreateUDiv(builder_.CreateAdd(group_items(), word(width_ - 1)), word(width_));
    return nullptr;
  }

  llvm::Value* as_bits(llvm::Value* value) {
    llvm::Type* type = value->getType();
    if (type->isFloatingPointTy())
      value = builder_.CreateBitCast(value, builder_.getIntNTy(type->getPrimitiveSizeInBits()));
    return builder_.CreateZExtOrTrunc(value, builder_.getInt64Ty());
  }
  llvm::Value* of_bits(llvm::Value* bits, llvm::Type* type) {
    llvm::Value* value = builder_.CreateTrunc(bits, builder_.getIntNTy(type->getPrimitiveSizeInBits()));
    return type->isFloatingPointTy() ? builder_.CreateBitCast(value, type) : value;
  }

  llvm::Value* wait(ExchangeKind kind, llvm::Value* members, llvm::Value* value, llvm::Type* type = nullptr) {
    llvm::CallInst* waited = wait_call(kind, members, as_bits(value), word(0), word(0));
    if (!type || type->isVoidTy())
      return nullptr;
    llvm::Value* bits = builder_.CreateExtractValue(waited, 0);
    return type->isIntegerTy(1) ? builder_.CreateIsNotNull(bits) : builder_.CreateZExtOrTrunc(bits, type);
  }

  llvm::CallInst* wait_call(ExchangeKind kind, llvm::Value* members, llvm::Value* value, llvm::Value* operand,
                            llvm::Value* clamp) {
    llvm::Type *i32 = builder_.getInt32Ty(), *i64 = builder_.getInt64Ty();
    auto* type = llvm::FunctionType::get(llvm::StructType::get(i64, i32), {i32, i32, i64, i32, i32}, false);
    const auto marker = body_.getParent()->getOrInsertFunction(wait_marker, type);
    llvm::CallInst* call =
        builder_.CreateCall(marker, {word(static_cast<std::uint32_t>(kind)), members, value, operand, clamp});
    out_.waits.push_back(call);
    return call;
  }

  llvm::Function& body_;
  unsigned width_;
  llvm::IRBuilder<> builder_{body_.getContext()};
  Lowered out_;
  bool done_ = false;
};

void guard_division(llvm::BinaryOperator& division) {
  llvm::Value *a = division.getOperand(0), *b = division.getOperand(1);
  const unsigned opcode = division.getOpcode();
  const bool is_signed = opcode == llvm::Instruction::SDiv || opcode == llvm::Instruction::SRem;
  const bool is_rest = opcode == llvm::Instruction::SRem || opcode == llvm::Instruction::URem;
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(b);
      constant && !constant->isZero() && !constant->isMinusOne())
    return;
  llvm::IRBuilder<> builder(&division);
  auto* type = b->getType();
  llvm::Value* zero = builder.CreateICmpEQ(b, llvm::Constant::getNullValue(type));
  llvm::Value* minus = builder.CreateICmpEQ(b, llvm::Constant::getAllOnesValue(type));
  llvm::Value* bad = is_signed ? builder.CreateOr(zero, minus) : zero;
  llvm::Value* safe = builder.CreateSelect(bad, llvm::ConstantInt::get(type, 1), b);
  auto* divided = llvm::cast<llvm::Instruction>(
      builder.CreateBinOp(static_cast<llvm::Instruction::BinaryOps>(opcode), a, safe));
  llvm::Value* result = divided;
  if (is_signed)
    result = builder.CreateSelect(minus, is_rest ? llvm::Constant::getNullValue(type) : builder.CreateNeg(a),
                                  result);
  result = builder.CreateSelect(zero, is_rest ? a : llvm::Constant::getAllOnesValue(type), result);
  division.replaceAllUsesWith(result);
  division.eraseFromParent();
}

/// By as many bits as the value has or more: NVIDIA's GPUs shift everything out, this processor counts from
/// the beginning, LLVM takes it not to happen.
void guard_shift(llvm::BinaryOperator& shift) {
  llvm::Value *value = shift.getOperand(0), *by = shift.getOperand(1);
  const unsigned bits = shift.getType()->getScalarSizeInBits();
  if (llvm::isa<llvm::Constant>(by))
    return;
  llvm::IRBuilder<> builder(&shift);
  llvm::Value* most = llvm::ConstantInt::get(shift.getType(), bits - 1);
  llvm::Value* known = builder.CreateFreeze(by);
  llvm::Value* within = builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, known, most);
  llvm::Value* result = builder.CreateBinOp(shift.getOpcode(), value, within);
  if (shift.getOpcode() != llvm::Instruction::AShr)
    result = builder.CreateSelect(builder.CreateICmpUGT(known, most),
                                  llvm::Constant::getNullValue(shift.getType()), result);
  shift.replaceAllUsesWith(result);
  shift.eraseFromParent();
}

} // namespace

Lowered lower_calls(llvm::Function& body, unsigned warp_width) {
  return CallLowering(body, warp_width).run();
}

void guard_arithmetic(llvm::Function& body) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(body))) {
    auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction);
    if (operation && operation->isIntDivRem())
      guard_division(*operation);
    else if (operation && operation->isShift())
      guard_shift(*operation);
  }
}

} // namespace forewarp::native
