#include "codegen/markers/expand_markers.h"

#include "codegen/markers/expand_exchange.h"
#include "ir/variable_name.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <fmt/format.h>
#include <vector>

namespace forewarp::codegen {

namespace {

using llvm::Intrinsic::ID;

llvm::Value* special(llvm::IRBuilder<>& builder, ID id) {
  return builder.CreateIntrinsic(id, {}, {});
}

constexpr ID group_size[] = {llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_x,
                             llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_y,
                             llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_z};
constexpr ID group_count[] = {llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_x,
                              llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_y,
                              llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_z};
constexpr ID item_in_group[] = {llvm::Intrinsic::nvvm_read_ptx_sreg_tid_x,
                                llvm::Intrinsic::nvvm_read_ptx_sreg_tid_y,
                                llvm::Intrinsic::nvvm_read_ptx_sreg_tid_z};

/// Linear local id.
llvm::Value* linear_id(llvm::IRBuilder<>& builder) {
  llvm::Value* upper = builder.CreateMul(special(builder, item_in_group[2]), special(builder, group_size[1]));
  upper = builder.CreateAdd(upper, special(builder, item_in_group[1]));
  return builder.CreateAdd(builder.CreateMul(upper, special(builder, group_size[0])),
                           special(builder, item_in_group[0]));
}

llvm::Value* global_size(llvm::IRBuilder<>& builder, unsigned dimension) {
  return builder.CreateMul(special(builder, group_size[dimension]), special(builder, group_count[dimension]));
}

/// A launch says three sizes: the dimensions up to the last that is more than one, as the interpreter has it.
llvm::Value* work_dimensions(llvm::IRBuilder<>& builder) {
  llvm::Value* dimensions = builder.getInt32(1);
  for (const unsigned dimension : {1U, 2U})
    dimensions =
        builder.CreateSelect(builder.CreateICmpUGT(global_size(builder, dimension), builder.getInt32(1)),
                             builder.getInt32(dimension + 1), dimensions);
  return dimensions;
}

llvm::Value* expand_item(llvm::IRBuilder<>& builder, llvm::StringRef name) {
  const unsigned dimension = name.ends_with(".y") ? 1 : name.ends_with(".z") ? 2 : 0;
  if (name.contains("global_size"))
    return global_size(builder, dimension);
  if (name.contains("enqueued_size") || name.contains("local_size"))
    return special(builder, group_size[dimension]);
  if (name.contains("num_groups"))
    return special(builder, group_count[dimension]);
  if (name.ends_with("work_dim"))
    return work_dimensions(builder);
  if (name.ends_with("item.lane"))
    return builder.CreateAnd(linear_id(builder), 31);
  if (name.ends_with("item.warp"))
    return builder.CreateLShr(linear_id(builder), 5);
  if (name.ends_with("item.warp_count"))
    return builder.CreateLShr(
        builder.CreateAdd(builder.CreateMul(builder.CreateMul(special(builder, group_size[0]),
                                                              special(builder, group_size[1])),
                                            special(builder, group_size[2])),
                          builder.getInt32(31)),
        5);
  return nullptr;
}

/// LLVM 19 has no intrinsic for it.
llvm::Value* expand_dot4(llvm::IRBuilder<>& builder, llvm::CallInst& call, bool is_signed) {
  llvm::Type* word = builder.getInt32Ty();
  auto* type = llvm::FunctionType::get(word, {word, word, word}, false);
  auto* code = llvm::InlineAsm::get(
      type, is_signed ? "dp4a.s32.s32 $0, $1, $2, $3;" : "dp4a.u32.u32 $0, $1, $2, $3;", "=r,r,r,r", false);
  return builder.CreateCall(type, code,
                            {call.getArgOperand(0), call.getArgOperand(1), call.getArgOperand(2)});
}

/// forewarp.fp8.{pack,narrow,widen}.{e4m3,e5m2}: cvt with 8-bit floats.
llvm::Value* expand_small_float(llvm::IRBuilder<>& builder, llvm::CallInst& call, llvm::StringRef name) {
  const auto [kind, format] = name.split('.');
  const std::string type = format.str() + "x2";
  llvm::Type *word = builder.getInt32Ty(), *half_word = builder.getInt16Ty();
  const auto assembly = [&](llvm::Type* result, llvm::ArrayRef<llvm::Value*> sources, const std::string& text,
                            const char* constraints) {
    std::vector<llvm::Type*> types;
    for (llvm::Value* source : sources)
      types.push_back(source->getType());
    auto* made = llvm::FunctionType::get(result, types, false);
    return builder.CreateCall(made, llvm::InlineAsm::get(made, text, constraints, false), sources);
  };
  if (kind == "pack")
    return builder.CreateZExt(assembly(half_word, {call.getArgOperand(0), call.getArgOperand(1)},
                                       "cvt.rn.satfinite." + type + ".f32 $0, $1, $2;", "=h,f,f"),
                              word);
  if (kind == "narrow")
    return builder.CreateZExt(
        assembly(half_word, {call.getArgOperand(0)}, "cvt.rn.satfinite." + type + ".f16x2 $0, $1;", "=h,r"),
        word);
  return assembly(word, {builder.CreateTrunc(call.getArgOperand(0), half_word)},
                  "cvt.rn.f16x2." + type + " $0, $1;", "=r,h");
}

/// forewarp.cvt.<words>: the instruction of these words. Registers of 8 bits are no operands of assembly.
llvm::Value* expand_conversion(llvm::IRBuilder<>& builder, llvm::CallInst& call, llvm::StringRef words) {
  const bool four = words.contains("x4."), of_codes = !words.ends_with(".f32") && !words.ends_with("f16x2");
  std::string sources, constraints = "=r";
  std::vector<llvm::Type*> types;
  std::vector<llvm::Value*> values;
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    llvm::Value* value = call.getArgOperand(i);
    const bool random = words.starts_with("rs.") && i + 1 == call.arg_size();
    const bool bytes = of_codes && !random;
    types.push_back(bytes ? builder.getInt16Ty() : value->getType());
    values.push_back(bytes ? builder.CreateTrunc(value, builder.getInt16Ty()) : value);
    constraints += value->getType()->isFloatTy() ? ",f" : bytes ? ",h" : ",r";
    const std::string operand =
        bytes && words.ends_with("e2m1x2") && i == 0 ? "source" : "$" + std::to_string(i + 1);
    sources += (four && i == 0 ? ", {" : ", ") + operand + (four && i == 3 ? "}" : "");
  }
  auto* made = llvm::FunctionType::get(builder.getInt32Ty(), types, false);
  const unsigned bits = words.contains("e2m1x2.f") || words.contains("e2m1x2.bf")           ? 8
                        : four && !words.contains("e2m1x4")                                 ? 32
                        : words.contains("f16x2.") && (of_codes || words.ends_with(".f32")) ? 32
                                                                                            : 16;
  std::string text = "{ .reg .b8 source; .reg .b" + std::to_string(bits) + " made; ";
  if (of_codes && words.ends_with("e2m1x2"))
    text += "cvt.u8.u16 source, $1; ";
  text += "cvt." + words.str() + " made" + sources + "; ";
  text += bits == 32 ? "mov.b32 $0, made; }" : "cvt.u32.u" + std::to_string(bits) + " $0, made; }";
  return builder.CreateCall(made, llvm::InlineAsm::get(made, text, constraints, false), values);
}

llvm::Value* expand_value(llvm::IRBuilder<>& builder, llvm::CallInst& call, llvm::StringRef name) {
  if (name.starts_with("forewarp.item."))
    return expand_item(builder, name);
  if (name.starts_with("forewarp.dot4."))
    return expand_dot4(builder, call, name.ends_with(".s"));
  if (name.consume_front("forewarp.fp8."))
    return expand_small_float(builder, call, name);
  if (name.consume_front("forewarp.cvt."))
    return expand_conversion(builder, call, name);
  return expand_exchange_nvptx(builder, call);
}

bool is_root(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return call && call->getIntrinsicID() == llvm::Intrinsic::sqrt;
}

llvm::Value* relaxed_value(llvm::IRBuilder<>& builder, bool root, llvm::ArrayRef<llvm::Value*> operands) {
  if (root)
    return builder.CreateIntrinsic(llvm::Intrinsic::nvvm_sqrt_approx_f, {}, operands);
  auto* type =
      llvm::FunctionType::get(builder.getFloatTy(), {builder.getFloatTy(), builder.getFloatTy()}, false);
  return builder.CreateCall(llvm::InlineAsm::get(type, "div.full.f32 $0, $1, $2;", "=f,f,f", false),
                            operands);
}

/// Of a vector component by component.
llvm::Value* relaxed_form(llvm::Instruction& instruction) {
  llvm::IRBuilder<> builder(&instruction);
  const bool root = is_root(instruction);
  llvm::SmallVector<llvm::Value*, 2> operands(instruction.operand_values());
  operands.resize(root ? 1 : 2);
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(instruction.getType());
  if (!vector)
    return relaxed_value(builder, root, operands);
  llvm::Value* made = llvm::PoisonValue::get(instruction.getType());
  for (unsigned i = 0; i < vector->getNumElements(); ++i) {
    llvm::SmallVector<llvm::Value*, 2> components;
    for (llvm::Value* operand : operands)
      components.push_back(builder.CreateExtractElement(operand, i));
    made = builder.CreateInsertElement(made, relaxed_value(builder, root, components), i);
  }
  return made;
}

/// OpenCL's division of 2.5 ulp and square root of 3 ulp: LLVM selects the IEEE forms, real drivers these.
void relax_precision(llvm::Module& module) {
  std::vector<llvm::Instruction*> relaxed;
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      const auto* math = llvm::dyn_cast<llvm::FPMathOperator>(&instruction);
      if (math && instruction.getType()->getScalarType()->isFloatTy() && math->getFPAccuracy() >= 2.0F &&
          (instruction.getOpcode() == llvm::Instruction::FDiv || is_root(instruction)))
        relaxed.push_back(&instruction);
    }
  for (llvm::Instruction* instruction : relaxed) {
    instruction->replaceAllUsesWith(relaxed_form(*instruction));
    instruction->eraseFromParent();
  }
}

} // namespace

Result<void> expand_markers_nvptx(llvm::Module& module) {
  relax_precision(module);
  std::vector<llvm::CallInst*> calls;
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction))
        if (const llvm::Function* callee = call->getCalledFunction();
            callee && callee->getName().starts_with("forewarp."))
          calls.push_back(call);
  for (llvm::CallInst* call : calls) {
    const llvm::StringRef name = call->getCalledFunction()->getName();
    llvm::IRBuilder<> builder(call);
    llvm::Value* made = expand_value(builder, *call, name);
    if (name == "forewarp.warp.barrier")
      builder.CreateIntrinsic(llvm::Intrinsic::nvvm_bar_warp_sync, {}, {builder.getInt32(-1)});
    else if (name == "forewarp.grid.barrier") // its other parts are code of the header
      builder.CreateIntrinsic(llvm::Intrinsic::nvvm_barrier0, {}, {});
    else if (!made)
      return fail(ErrorCode::unsupported, fmt::format("'{}' has no expansion into PTX", name.str()), "",
                  "use the estimated register count (--registers=estimate)");
    if (made)
      call->replaceAllUsesWith(made);
    call->eraseFromParent();
  }
  return {};
}

Result<void> check_selectable_nvptx(const llvm::Function& kernel) {
  using namespace llvm;
  for (const Instruction& instruction : llvm::instructions(kernel)) {
    if (instruction.getOpcode() == Instruction::FRem && instruction.getType()->isFP128Ty())
      return fail(ErrorCode::unsupported, "fp128 has no PTX");
    const auto* call = dyn_cast<CallBase>(&instruction);
    if (!call)
      continue;
    if (call->isInlineAsm())
      continue; // of this file: the front end refuses the user's
    const Function* callee = call->getCalledFunction();
    const StringRef name = callee ? callee->getName() : "an indirect call";
    bool known = callee && callee->isIntrinsic();
    switch (call->getIntrinsicID()) {
    case Intrinsic::sin:
    case Intrinsic::cos: { // approximate forms exist, precise ones do not
      known = false;
      break;
    }
    case Intrinsic::tan:
    case Intrinsic::asin:
    case Intrinsic::acos:
    case Intrinsic::atan:
    case Intrinsic::sinh:
    case Intrinsic::cosh:
    case Intrinsic::tanh:
    case Intrinsic::exp:
    case Intrinsic::exp2:
    case Intrinsic::exp10:
    case Intrinsic::log:
    case Intrinsic::log2:
    case Intrinsic::log10:
    case Intrinsic::pow:
    case Intrinsic::powi:
    case Intrinsic::ldexp:
    case Intrinsic::frexp:
      known = false;
      break;
    default:
      break;
    }
    if (name.starts_with("llvm.amdgcn."))
      known = false;
    if (!known)
      return fail(ErrorCode::unsupported, fmt::format("precise '{}' has no PTX instruction", name.str()),
                  ir::function_name(kernel.getName().str()),
                  "use the estimated register count (--registers=estimate)");
  }
  return {};
}

} // namespace forewarp::codegen
