#include "engine/open_arguments/index_limits.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <array>
#include <optional>

namespace forewarp::engine {
namespace {

constexpr unsigned depth_limit = 24; ///< operands are followed so far

using Axes = std::array<bool, 3>;

bool any(const Axes& axes) {
  return axes[0] || axes[1] || axes[2];
}

/// The axis of a call that gives the local or group index of a work-item.
std::optional<unsigned> index_axis(const llvm::Value& value) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&value);
  if (call == nullptr || call->getCalledFunction() == nullptr)
    return std::nullopt;
  const llvm::StringRef name = call->getCalledFunction()->getName();
  for (const char* stem : {"llvm.nvvm.read.ptx.sreg.tid.", "llvm.nvvm.read.ptx.sreg.ctaid.",
                           "llvm.amdgcn.workitem.id.", "llvm.amdgcn.workgroup.id."})
    if (name.starts_with(stem) && name.size() == llvm::StringRef(stem).size() + 1)
      return static_cast<unsigned>(name.back() - 'x');
  return std::nullopt;
}

/// What a call that asks for an index or a size of the launch gives in its last work-item.
std::optional<std::int64_t> launch_value(const llvm::Value& value, const facts::LaunchShape& shape) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&value);
  if (call == nullptr || call->getCalledFunction() == nullptr)
    return std::nullopt;
  const llvm::StringRef name = call->getCalledFunction()->getName();
  if (name.size() < 2 || name[name.size() - 2] != '.' || name.back() < 'x' || name.back() > 'z')
    return std::nullopt;
  const auto of = [&](const facts::Dim3& size) {
    return static_cast<std::int64_t>(name.back() == 'x' ? size.x : name.back() == 'y' ? size.y : size.z);
  };
  const llvm::StringRef stem = name.drop_back(2);
  if (stem == "llvm.nvvm.read.ptx.sreg.tid" || stem == "llvm.amdgcn.workitem.id")
    return of(shape.group_size) - 1;
  if (stem == "llvm.nvvm.read.ptx.sreg.ctaid" || stem == "llvm.amdgcn.workgroup.id")
    return of(shape.groups) - 1;
  if (stem == "llvm.nvvm.read.ptx.sreg.ntid" || stem == "forewarp.item.local_size" ||
      stem == "forewarp.item.enqueued_size")
    return of(shape.group_size);
  if (stem == "llvm.nvvm.read.ptx.sreg.nctaid" || stem == "forewarp.item.num_groups")
    return of(shape.groups);
  return std::nullopt;
}

/// The axes whose index the value is made of. Loads, and parameters that enter the value, are passed over.
void collect_axes(const llvm::Value& value, unsigned depth, Axes& axes) {
  if (const auto axis = index_axis(value); axis && *axis < 3) {
    axes[*axis] = true;
    return;
  }
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (instruction == nullptr || depth == depth_limit)
    return;
  if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction)) {
    // A loop's variable: what it starts from. Values that come round the loop begin at the phi itself.
    for (const llvm::Value* incoming : phi->incoming_values())
      if (const auto* other = llvm::dyn_cast<llvm::Instruction>(incoming);
          other == nullptr || other->getParent() != phi->getParent())
        collect_axes(*incoming, depth_limit - 6 > depth ? depth_limit - 6 : depth + 1, axes);
    return;
  }
  if (!llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::SelectInst, llvm::FreezeInst>(instruction) &&
      !llvm::isa<llvm::IntrinsicInst>(instruction))
    return;
  for (const llvm::Use& operand : instruction->operands())
    collect_axes(*operand.get(), depth + 1, axes);
}

Axes axes_of(const llvm::Value& value) {
  Axes axes = {};
  collect_axes(value, 0, axes);
  return axes;
}

/// The whole number in a struct that is handed over by value.
std::optional<ParameterPlace> field_of_struct(const llvm::LoadInst& load, const llvm::DataLayout& layout) {
  const llvm::Value* from = load.getPointerOperand();
  llvm::APInt offset(layout.getIndexTypeSizeInBits(from->getType()), 0);
  for (unsigned depth = 0; depth < depth_limit; ++depth) {
    from = from->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
    const bool is_cast = llvm::Operator::getOpcode(from) == llvm::Instruction::AddrSpaceCast;
    const auto* call = llvm::dyn_cast<llvm::CallBase>(from);
    if (is_cast)
      from = llvm::cast<llvm::Operator>(from)->getOperand(0);
    else if (call && call->getCalledFunction() &&
             call->getCalledFunction()->getName().starts_with("llvm.nvvm.ptr.param.to"))
      from = call->getArgOperand(0);
    else
      break;
  }
  const auto* argument = llvm::dyn_cast<llvm::Argument>(from);
  if (!argument || !(argument->hasByValAttr() || argument->hasByRefAttr()) || !load.getType()->isIntegerTy())
    return std::nullopt;
  return ParameterPlace{argument->getArgNo(), offset.getZExtValue()};
}

/// The parameter that the value is, behind casts and added constants.
std::optional<ParameterPlace> parameter_behind(const llvm::Value* value, const llvm::DataLayout& layout) {
  for (unsigned depth = 0; depth < depth_limit; ++depth) {
    if (const auto* argument = llvm::dyn_cast<llvm::Argument>(value))
      return argument->getType()->isIntegerTy() ? std::optional(ParameterPlace{argument->getArgNo(), 0})
                                                : std::nullopt;
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(value))
      return field_of_struct(*load, layout);
    if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(value)) {
      value = cast->getOperand(0);
      continue;
    }
    const auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(value);
    if (sum == nullptr ||
        (sum->getOpcode() != llvm::Instruction::Add && sum->getOpcode() != llvm::Instruction::Sub) ||
        !llvm::isa<llvm::ConstantInt>(sum->getOperand(1)))
      return std::nullopt;
    value = sum->getOperand(0);
  }
  return std::nullopt;
}

/// The value in the last work-item of the launch, where constants and sizes of the launch alone make it.
std::optional<std::int64_t> value_at_end(const llvm::Value& value, const facts::LaunchShape& shape,
                                         unsigned depth) {
  if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(&value))
    return number->getBitWidth() <= 64 ? std::optional(number->getSExtValue()) : std::nullopt;
  if (const auto own = launch_value(value, shape))
    return own;
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (instruction == nullptr || depth == depth_limit)
    return std::nullopt;
  const auto operand = [&](unsigned k) {
    return value_at_end(*instruction->getOperand(k), shape, depth + 1);
  };
  if (llvm::isa<llvm::ZExtInst, llvm::SExtInst, llvm::TruncInst, llvm::FreezeInst>(instruction))
    return operand(0);
  if (!llvm::isa<llvm::BinaryOperator>(instruction))
    return std::nullopt;
  const auto a = operand(0), b = operand(1);
  if (!a || !b)
    return std::nullopt;
  switch (instruction->getOpcode()) {
  case llvm::Instruction::Add:
    return *a + *b;
  case llvm::Instruction::Sub:
    return *a - *b;
  case llvm::Instruction::Mul:
    return *a * *b;
  case llvm::Instruction::Or: // of bits that do not meet, which is how a sum with a multiple is written
    return *a | *b;
  case llvm::Instruction::Shl:
    return *b >= 0 && *b < 32 ? std::optional(*a << *b) : std::nullopt;
  default:
    return std::nullopt;
  }
}

std::uint64_t items_along(const Axes& axes, const facts::Dim3& items) {
  return (axes[0] ? items.x : 1) * (axes[1] ? items.y : 1) * (axes[2] ? items.z : 1);
}

/// Work-items below the lowest axis of the index: the pitch that `row * pitch + column` is made with.
std::uint64_t items_below(const Axes& axes, const facts::Dim3& items) {
  return axes[0] ? 1 : axes[1] ? items.x : items.x * items.y;
}

} // namespace

std::map<ParameterPlace, std::uint64_t> index_limits(const ir::KernelModule& module,
                                                     const ir::KernelSignature& kernel,
                                                     const facts::LaunchShape& shape) {
  std::map<ParameterPlace, std::uint64_t> compared, multiplied;
  const llvm::Function* function = module.module().getFunction(kernel.symbol);
  if (function == nullptr || function->arg_size() != kernel.parameters.size())
    return {};
  for (const llvm::Instruction& instruction : llvm::instructions(*function)) {
    const bool compare = llvm::isa<llvm::ICmpInst>(instruction);
    if (!compare && instruction.getOpcode() != llvm::Instruction::Mul)
      continue;
    for (unsigned side = 0; side < 2; ++side) {
      const auto place = parameter_behind(instruction.getOperand(side), module.module().getDataLayout());
      if (!place)
        continue;
      const llvm::Value& index = *instruction.getOperand(1 - side);
      const Axes axes = axes_of(index);
      if (!any(axes))
        continue;
      auto& found = compare ? compared : multiplied;
      const auto end = value_at_end(index, shape, 0);
      const std::uint64_t items = !compare           ? items_below(axes, shape.global_items)
                                  : end && *end >= 0 ? static_cast<std::uint64_t>(*end) + 1
                                                     : items_along(axes, shape.global_items);
      auto [entry, fresh] = found.emplace(*place, items);
      if (!fresh)
        entry->second = std::max(entry->second, items);
    }
  }
  for (const auto& [position, items] : multiplied)
    if (items > 1)
      compared.emplace(position, items);
  return compared;
}

} // namespace forewarp::engine
