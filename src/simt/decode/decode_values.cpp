// Slots of values, constants and module variables.
#include "simt/decode/decoder.h"

#include "ir/variable_name.h"

#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/raw_ostream.h>

namespace forewarp::simt {
namespace {

std::string printed(const llvm::Type* type) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  type->print(stream);
  return text;
}

facts::MemorySpace space_of_variable(unsigned address_space) {
  switch (address_space) {
  case 3:
    return facts::MemorySpace::shared;
  case 4:
    return facts::MemorySpace::constant;
  case 5:
    return facts::MemorySpace::local;
  default:
    return facts::MemorySpace::global;
  }
}

std::uint64_t low_bits(const llvm::APInt& value, unsigned from) {
  return from >= value.getBitWidth()
             ? 0
             : value.extractBitsAsZExtValue(std::min(64U, value.getBitWidth() - from), from);
}

} // namespace

unsigned integer_width(const llvm::Type* type) {
  return type->isPointerTy() ? 64 : type->getScalarType()->getScalarSizeInBits();
}

void Decoder::collect_leaves(llvm::Type* type, std::uint32_t offset, std::vector<Leaf>& out) {
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    llvm::Type* element = vector->getElementType();
    const auto bytes = static_cast<std::uint32_t>(layout_.getTypeStoreSize(element).getFixedValue());
    for (unsigned k = 0; k < vector->getNumElements(); ++k)
      collect_leaves(element, offset + k * bytes, out);
  } else if (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
    const llvm::StructLayout* layout = layout_.getStructLayout(structure);
    for (unsigned k = 0; k < structure->getNumElements(); ++k)
      collect_leaves(structure->getElementType(k),
                     offset + static_cast<std::uint32_t>(layout->getElementOffset(k).getFixedValue()), out);
  } else if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    const auto bytes =
        static_cast<std::uint32_t>(layout_.getTypeAllocSize(array->getElementType()).getFixedValue());
    for (std::uint64_t k = 0; k < array->getNumElements(); ++k)
      collect_leaves(array->getElementType(), offset + static_cast<std::uint32_t>(k) * bytes, out);
  } else if (type->isPointerTy()) {
    out.push_back({type, LaneType::quad, offset, static_cast<std::uint32_t>(layout_.getTypeStoreSize(type))});
  } else if (type->isIntegerTy() && type->getIntegerBitWidth() > 64 && type->getIntegerBitWidth() <= 128) {
    llvm::Type* half = llvm::Type::getInt64Ty(type->getContext());
    out.push_back({half, LaneType::quad, offset, 8});
    out.push_back({half, LaneType::quad, offset + 8, 8});
  } else if (type->isIntegerTy() && type->getIntegerBitWidth() <= 64) {
    const unsigned width = type->getIntegerBitWidth();
    const LaneType lane = width == 1 ? LaneType::bit : width <= 32 ? LaneType::word : LaneType::quad;
    out.push_back({type, lane, offset, (width + 7) / 8});
  } else if (type->isHalfTy() || type->isBFloatTy()) {
    out.push_back({type, LaneType::word, offset, 2});
  } else if (type->isFloatTy()) {
    out.push_back({type, LaneType::word, offset, 4});
  } else if (type->isDoubleTy()) {
    out.push_back({type, LaneType::quad, offset, 8});
  } else {
    reject(fmt::format("values of type '{}' are not supported", printed(type)));
    out.push_back({type, LaneType::quad, offset, 8});
  }
}

std::vector<Leaf> Decoder::leaves(llvm::Type* type) {
  std::vector<Leaf> result;
  collect_leaves(type, 0, result);
  return result;
}

Slots Decoder::define(const llvm::Instruction& instruction) {
  Slots& result = values_[&instruction];
  if (result.empty())
    for (const Leaf& leaf : leaves(instruction.getType()))
      result.push_back(new_register(leaf.lane));
  return result;
}

std::int32_t Decoder::new_register(LaneType type) {
  program_.slot_types.push_back(type);
  home_of_register_.push_back(current_ ? current_->getParent() : nullptr);
  return static_cast<std::int32_t>(program_.register_slots++);
}

void Decoder::alias(const llvm::Instruction& instruction, Slots result) {
  // A loop may write the source again while this value is still to be read behind it.
  if (uniformity_.needs_preserve(instruction)) {
    const std::vector<Leaf> parts = leaves(instruction.getType());
    for (std::size_t k = 0; k < result.size() && k < parts.size(); ++k) {
      if (result[k] < 0)
        continue;
      const llvm::BasicBlock* home = home_of_register_[static_cast<std::size_t>(result[k])];
      if (!home || home == instruction.getParent() || !uniformity_.loops().getLoopFor(home))
        continue;
      const std::int32_t copy = new_register(parts[k].lane);
      put(parts[k].lane == LaneType::bit    ? LaneOp::copyb
          : parts[k].lane == LaneType::word ? LaneOp::copy32
                                            : LaneOp::copy64,
          copy, result[k]);
      result[k] = copy;
    }
  }
  values_[&instruction] = std::move(result);
}

Slots Decoder::slots(const llvm::Value* value) {
  auto found = values_.find(value);
  if (found != values_.end() && !found->second.empty())
    return found->second;
  if (const auto* constant = llvm::dyn_cast<llvm::Constant>(value))
    return values_[value] = constant_slots(constant);
  // Inline assembly, metadata, or a value of an unreachable block.
  reject("an operand has no value that the interpreter can hold");
  return values_[value] = Slots{constant(LaneType::quad, 0, false)};
}

std::int32_t Decoder::constant(LaneType type, std::uint64_t value, bool known) {
  if (type == LaneType::bit)
    value &= 1;
  auto [at, is_new] = constant_index_.try_emplace({type, value, known}, 0);
  if (is_new) {
    at->second = new_shared_slot();
    program_.constants.push_back({at->second, type, value, known});
  }
  return at->second;
}

std::int32_t Decoder::address_constant(LaneType type, std::uint32_t variable, std::uint64_t addend) {
  auto [at, is_new] = address_index_.try_emplace({type, variable, addend}, 0);
  if (is_new) {
    at->second = new_shared_slot();
    program_.address_constants.push_back({at->second, type, variable, addend});
  }
  return at->second;
}

Slots Decoder::constant_slots(const llvm::Constant* value) {
  Slots result;
  if (!constant_leaves(value, result)) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    value->printAsOperand(stream, true);
    reject(fmt::format("constant expression '{}' is not supported", text));
    result.assign(leaves(value->getType()).size(), constant(LaneType::quad, 0, false));
  }
  return result;
}

namespace {

/// Addresses as numbers and back, of whatever width: the windows of shared and constant memory fit in 32
/// bits.
const llvm::Value* behind_numbers(const llvm::Value* value) {
  for (;;) {
    const auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(value);
    if (!expression || (expression->getOpcode() != llvm::Instruction::PtrToInt &&
                        expression->getOpcode() != llvm::Instruction::IntToPtr))
      return value;
    value = expression->getOperand(0);
  }
}

} // namespace

bool Decoder::constant_leaves(const llvm::Constant* value, Slots& out) {
  llvm::Type* type = value->getType();
  if (llvm::isa<llvm::UndefValue>(value)) {
    for (const Leaf& leaf : leaves(type))
      out.push_back(constant(leaf.lane, 0, false));
    return true;
  }
  if (value->isNullValue()) {
    for (const Leaf& leaf : leaves(type))
      out.push_back(constant(leaf.lane, 0));
    return true;
  }
  if (const auto* integer = llvm::dyn_cast<llvm::ConstantInt>(value); integer && type->isIntegerTy()) {
    unsigned from = 0;
    for (const Leaf& leaf : leaves(type)) {
      out.push_back(constant(leaf.lane, low_bits(integer->getValue(), from)));
      from += 64;
    }
    return true;
  }
  if (const auto* number = llvm::dyn_cast<llvm::ConstantFP>(value); number && type->isFloatingPointTy()) {
    out.push_back(constant(leaves(type).front().lane, low_bits(number->getValueAPF().bitcastToAPInt(), 0)));
    return true;
  }
  if (type->isVectorTy() || type->isAggregateType()) {
    const auto count =
        type->isVectorTy()
            ? static_cast<std::uint64_t>(llvm::cast<llvm::FixedVectorType>(type)->getNumElements())
        : type->isArrayTy() ? type->getArrayNumElements()
                            : type->getStructNumElements();
    for (std::uint64_t k = 0; k < count; ++k) {
      const llvm::Constant* element = value->getAggregateElement(static_cast<unsigned>(k));
      if (!element || !constant_leaves(element, out))
        return false;
    }
    return true;
  }
  const llvm::Value* base = behind_numbers(value);
  if (const auto* integer = llvm::dyn_cast<llvm::ConstantInt>(base)) {
    out.push_back(constant(leaves(type).front().lane, integer->getZExtValue()));
    return true;
  }
  if (!base->getType()->isPointerTy() || leaves(type).size() != 1)
    return false;
  llvm::APInt offset(layout_.getIndexTypeSizeInBits(base->getType()), 0);
  for (;;) { // address space casts change the width of the offset
    base = behind_numbers(base->stripAndAccumulateConstantOffsets(layout_, offset, true));
    const auto* cast = llvm::dyn_cast<llvm::AddrSpaceCastOperator>(base);
    if (!cast && !llvm::isa<llvm::GEPOperator>(base))
      break;
    if (cast)
      base = cast->getPointerOperand();
    offset = offset.sextOrTrunc(layout_.getIndexTypeSizeInBits(base->getType()));
  }
  const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(base);
  if (!global) {
    if (!llvm::isa<llvm::ConstantPointerNull>(base))
      return false;
    out.push_back(constant(leaves(type).front().lane, static_cast<std::uint64_t>(offset.getSExtValue())));
    return true;
  }
  out.push_back(address_constant(leaves(type).front().lane, variable_of(*global),
                                 static_cast<std::uint64_t>(offset.getSExtValue())));
  return true;
}

std::uint32_t Decoder::variable_of(const llvm::GlobalVariable& global) {
  auto [at, is_new] =
      variable_index_.try_emplace(&global, static_cast<std::uint32_t>(program_.variables.size()));
  const std::uint32_t index = at->second;
  if (!is_new)
    return index;
  program_.variables.emplace_back();
  Variable variable;
  variable.name = ir::variable_name(global.getName(), kernel_.symbol);
  variable.space = space_of_variable(global.getAddressSpace());
  variable.size_bytes = layout_.getTypeAllocSize(global.getValueType()).getFixedValue();
  variable.align_bytes = std::max<std::uint64_t>(layout_.getPreferredAlign(&global).value(), 1);
  variable.dynamic_shared = variable.space == facts::MemorySpace::shared && global.isDeclaration();
  if (variable.space == facts::MemorySpace::shared && variable.size_bytes == 0)
    variable.dynamic_shared = true;
  const bool has_contents = global.hasInitializer() &&
                            !llvm::isa<llvm::UndefValue>(global.getInitializer()) &&
                            variable.space != facts::MemorySpace::shared && !global.isExternallyInitialized();
  // A `__constant__` or `__device__` variable is set by the host, which is not run: its contents are unknown
  // unless the compiler could prove them constant.
  if (has_contents) {
    variable.contents_known = true;
    variable.contents.resize(variable.size_bytes);
    initial_contents(global.getInitializer(), 0, variable);
  }
  program_.variables[index] = std::move(variable);
  return index;
}

void Decoder::initial_contents(const llvm::Constant* value, std::uint64_t offset, Variable& out) {
  llvm::Type* type = value->getType();
  if (value->isNullValue() || llvm::isa<llvm::UndefValue>(value))
    return;
  if (const auto* data = llvm::dyn_cast<llvm::ConstantDataSequential>(value)) {
    const llvm::StringRef raw = data->getRawDataValues();
    std::copy(raw.begin(), raw.end(), out.contents.begin() + static_cast<std::ptrdiff_t>(offset));
    return;
  }
  llvm::APInt scalar;
  if (const auto* integer = llvm::dyn_cast<llvm::ConstantInt>(value))
    scalar = integer->getValue();
  else if (const auto* number = llvm::dyn_cast<llvm::ConstantFP>(value))
    scalar = number->getValueAPF().bitcastToAPInt();
  if (llvm::isa<llvm::ConstantInt, llvm::ConstantFP>(value)) {
    const std::uint64_t bytes = layout_.getTypeStoreSize(type).getFixedValue();
    for (std::uint64_t k = 0; k < bytes; ++k)
      out.contents[offset + k] = static_cast<std::uint8_t>(low_bits(scalar, static_cast<unsigned>(8 * k)));
    return;
  }
  if (type->isPointerTy()) {
    llvm::APInt addend(layout_.getIndexTypeSizeInBits(type), 0);
    const llvm::Value* base = value->stripAndAccumulateConstantOffsets(layout_, addend, true);
    if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(base->stripPointerCasts()))
      out.relocations.push_back(
          {offset, variable_of(*global), static_cast<std::uint64_t>(addend.getSExtValue())});
    else if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(behind_numbers(base))) // of a function
      for (unsigned k = 0; k < layout_.getPointerTypeSize(type); ++k)
        out.contents[offset + k] = static_cast<std::uint8_t>(low_bits(number->getValue(), 8 * k));
    return;
  }
  for (unsigned k = 0; const llvm::Constant* element = value->getAggregateElement(k); ++k) {
    std::uint64_t at = 0;
    if (auto* structure = llvm::dyn_cast<llvm::StructType>(type))
      at = layout_.getStructLayout(structure)->getElementOffset(k).getFixedValue();
    else
      at = k * layout_.getTypeAllocSize(element->getType()).getFixedValue();
    initial_contents(element, offset + at, out);
  }
}

std::int32_t Decoder::warp_value(WarpValue value) {
  std::int32_t& slot = program_.warp_values[static_cast<int>(value)];
  if (slot == no_slot)
    slot = new_register(LaneType::word);
  home_of_register_[static_cast<std::size_t>(slot)] = nullptr; // never written by the kernel
  return slot;
}

std::int32_t Decoder::group_value(GroupValue value) {
  std::int32_t& slot = program_.group_values[static_cast<int>(value)];
  if (slot == no_slot)
    slot = new_shared_slot();
  return slot;
}

void Decoder::put(LaneOp op, std::int32_t destination, std::int32_t a, std::int32_t b, std::int32_t c,
                  std::uint32_t immediate) {
  Instruction instruction;
  instruction.kernel = lane_kernel(op);
  instruction.slots = {destination,          a,         b == no_slot ? a : b,
                       c == no_slot ? a : c, immediate, current_uniform_,
                       current_broadcast_};
  instruction.origin = current_origin_;
  program_.code.push_back(instruction);
}

std::int32_t Decoder::emit(LaneOp op, std::int32_t a, std::int32_t b, std::int32_t c) {
  const std::int32_t destination = new_register();
  put(op, destination, a, b, c);
  return destination;
}

Instruction& Decoder::emit_special(Special special, std::int32_t destination, std::uint32_t detail) {
  Instruction instruction;
  instruction.special = special;
  instruction.slots.destination = destination;
  instruction.slots.uniform = current_uniform_;
  instruction.slots.broadcast = true;
  instruction.detail = detail;
  instruction.origin = current_origin_;
  program_.code.push_back(instruction);
  return program_.code.back();
}

Instruction& Decoder::emit_cross_lane(Special special, std::int32_t destination, const CrossLaneOp& op) {
  program_.cross_lane_ops.push_back(op);
  return emit_special(special, destination, static_cast<std::uint32_t>(program_.cross_lane_ops.size() - 1));
}

} // namespace forewarp::simt
