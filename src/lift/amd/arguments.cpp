#include "lift/amd/arguments.h"

#include "ir/address_spaces.h"
#include "lift/signature.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace forewarp::lift::amd {
namespace {

using amdgcn::Argument;
using llvm::Value;

/// Offset in the arguments that a load reads; empty: it reads something else.
std::optional<std::uint64_t> offset_of(const llvm::LoadInst& load) {
  const auto* address = llvm::dyn_cast<llvm::Constant>(load.getPointerOperand());
  if (address == nullptr || address->isNullValue())
    return std::nullopt;
  llvm::APInt offset(64, 0);
  const Value* base =
      address->stripAndAccumulateConstantOffsets(load.getModule()->getDataLayout(), offset, true);
  const auto* cast = llvm::dyn_cast<llvm::ConstantExpr>(base);
  if (cast == nullptr || cast->getOpcode() != llvm::Instruction::IntToPtr)
    return std::nullopt;
  const auto* number = llvm::dyn_cast<llvm::ConstantInt>(cast->getOperand(0));
  if (number == nullptr)
    return std::nullopt;
  const std::uint64_t at = number->getZExtValue() + offset.getZExtValue();
  constexpr std::uint64_t most = 1U << 16;
  if (at < arguments_address || at - arguments_address >= most)
    return std::nullopt;
  return at - arguments_address;
}

class Resolver {
public:
  Resolver(llvm::Function& function, const amdgcn::Kernel& kernel, llvm::GlobalVariable& local_data)
      : function_(function), kernel_(kernel), local_data_(local_data), b_(function.getContext()) {}

  Result<void> run() {
    std::vector<std::pair<llvm::LoadInst*, std::uint64_t>> loads;
    for (llvm::Instruction& instruction : llvm::instructions(function_))
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
        if (const auto offset = offset_of(*load))
          loads.emplace_back(load, *offset);
    for (const auto& [load, offset] : loads) {
      b_.SetInsertPoint(load);
      load->replaceAllUsesWith(value_at(load->getType(), offset));
      load->eraseFromParent();
    }
    if (error_)
      return tl::unexpected(*error_);
    return {};
  }

private:
  Value* value_at(llvm::Type* type, std::uint64_t offset) {
    if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
      Value* made = llvm::PoisonValue::get(type);
      const unsigned each = vector->getScalarSizeInBits() / 8;
      for (unsigned k = 0; k < vector->getNumElements(); ++k)
        made = b_.CreateInsertElement(made, value_at(vector->getElementType(), offset + each * k),
                                      std::uint64_t{k});
      return made;
    }
    Value* bits = word_at(offset & ~std::uint64_t{3});
    if (type->isIntegerTy(32))
      return bits;
    return b_.CreateTrunc(b_.CreateLShr(bits, 8 * (offset & 3)), type);
  }

  /// Several small arguments may share a word.
  Value* word_at(std::uint64_t offset) {
    Value* whole = b_.getInt32(0);
    unsigned parameter = 0;
    for (const Argument& argument : kernel_.arguments) {
      const bool hidden = argument.is_hidden();
      const unsigned number = parameter;
      parameter += hidden ? 0 : 1;
      if (argument.offset >= offset + 4 || argument.offset + argument.bytes <= offset)
        continue;
      Value* part = hidden ? hidden_word(argument, offset) : argument_word(number, argument, offset);
      if (argument.offset > offset)
        part = b_.CreateShl(part, 8 * (argument.offset - offset));
      whole = b_.CreateOr(whole, part);
    }
    return whole;
  }

  Value* argument_word(unsigned number, const Argument& argument, std::uint64_t offset) {
    llvm::Argument* value = function_.getArg(number);
    const std::uint64_t inside = offset > argument.offset ? offset - argument.offset : 0;
    if (value->hasByRefAttr()) {
      Value* from = b_.CreateAddrSpaceCast(value, b_.getPtrTy(ir::nvptx_parameter_space));
      from = b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), from, inside);
      return b_.CreateAlignedLoad(b_.getInt32Ty(), from, llvm::Align(4));
    }
    llvm::Type* type = value->getType();
    if (type->isPointerTy() &&
        type->getPointerAddressSpace() == ir::shared_space) // its distance from the LDS
      return b_.CreateSub(b_.CreatePtrToInt(value, b_.getInt32Ty()),
                          b_.CreatePtrToInt(&local_data_, b_.getInt32Ty()));
    Value* bits = type->isPointerTy() ? b_.CreatePtrToInt(value, b_.getInt64Ty())
                                      : b_.CreateZExt(value, b_.getInt64Ty());
    return b_.CreateTrunc(b_.CreateLShr(bits, 8 * inside), b_.getInt32Ty());
  }

  /// What lies behind the implicit arguments' pointer: the same fields in the same order from code object 5
  /// on.
  Value* hidden_word(const Argument& argument, std::uint64_t offset) {
    static constexpr std::pair<const char*, unsigned> fields[] = {
        {"hidden_block_count_x", 0},    {"hidden_block_count_y", 4},    {"hidden_block_count_z", 8},
        {"hidden_group_size_x", 12},    {"hidden_group_size_y", 14},    {"hidden_group_size_z", 16},
        {"hidden_remainder_x", 18},     {"hidden_remainder_y", 20},     {"hidden_remainder_z", 22},
        {"hidden_global_offset_x", 40}, {"hidden_global_offset_y", 48}, {"hidden_global_offset_z", 56},
        {"hidden_grid_dims", 64}};
    const auto* field =
        std::ranges::find(fields, argument.kind, [](const auto& each) { return std::string(each.first); });
    if (field == std::end(fields)) {
      if (argument.kind != "hidden_none" && !error_)
        error_ = Error{ErrorCode::unsupported, fmt::format("the argument {} of the runtime", argument.kind),
                       kernel_.resources.name, "predict the source of the kernel instead"};
      return b_.getInt32(0);
    }
    Value* base = b_.CreateIntrinsic(llvm::Intrinsic::amdgcn_implicitarg_ptr, {}, {});
    const std::uint64_t inside = offset > argument.offset ? offset - argument.offset : 0;
    Value* from = b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), base, field->second + inside);
    llvm::Type* type = argument.bytes == 2 ? b_.getInt16Ty() : b_.getInt32Ty();
    return b_.CreateZExt(b_.CreateAlignedLoad(type, from, llvm::Align(2)), b_.getInt32Ty());
  }

  llvm::Function& function_;
  const amdgcn::Kernel& kernel_;
  llvm::GlobalVariable& local_data_;
  llvm::IRBuilder<> b_;
  std::optional<Error> error_;
};

} // namespace

std::vector<Argument> explicit_arguments(const amdgcn::Kernel& kernel) {
  std::vector<Argument> given;
  std::ranges::copy_if(kernel.arguments, std::back_inserter(given),
                       [](const Argument& argument) { return !argument.is_hidden(); });
  return given;
}

ir::KernelSignature signature_of(const amdgcn::Kernel& kernel,
                                 const std::vector<ir::KernelSignature>& source) {
  std::vector<DeclaredParameter> declared;
  for (const Argument& argument : explicit_arguments(kernel)) {
    DeclaredParameter& parameter = declared.emplace_back();
    parameter.bytes = argument.bytes;
    parameter.name = argument.name;
    parameter.type = argument.type_name;
    parameter.is_pointer = argument.kind == "global_buffer";
    parameter.is_shared = argument.kind == "dynamic_shared_pointer";
    parameter.is_value = argument.kind == "by_value";
  }
  ir::KernelSignature signature = lift::signature_of(kernel.resources.name, declared, source);
  signature.static_shared_bytes = kernel.resources.lds_bytes;
  if (kernel.resources.largest_group != 0)
    signature.max_group_threads = kernel.resources.largest_group;
  return signature;
}

Result<void> resolve_arguments(llvm::Function& function, const amdgcn::Kernel& kernel,
                               llvm::GlobalVariable& local_data) {
  return Resolver(function, kernel, local_data).run();
}

} // namespace forewarp::lift::amd
