#include "frontend/ptx/registers.h"

#include "frontend/lowering/builtin_call.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include <algorithm>
#include <charconv>

namespace forewarp::frontend::ptx {
namespace {

namespace intrinsics = llvm::Intrinsic;

struct SpecialRegister {
  std::string_view name;
  llvm::Intrinsic::ID id;
};

constexpr SpecialRegister special_registers[] = {
    {"%tid.x", intrinsics::nvvm_read_ptx_sreg_tid_x},
    {"%tid.y", intrinsics::nvvm_read_ptx_sreg_tid_y},
    {"%tid.z", intrinsics::nvvm_read_ptx_sreg_tid_z},
    {"%ntid.x", intrinsics::nvvm_read_ptx_sreg_ntid_x},
    {"%ntid.y", intrinsics::nvvm_read_ptx_sreg_ntid_y},
    {"%ntid.z", intrinsics::nvvm_read_ptx_sreg_ntid_z},
    {"%ctaid.x", intrinsics::nvvm_read_ptx_sreg_ctaid_x},
    {"%ctaid.y", intrinsics::nvvm_read_ptx_sreg_ctaid_y},
    {"%ctaid.z", intrinsics::nvvm_read_ptx_sreg_ctaid_z},
    {"%nctaid.x", intrinsics::nvvm_read_ptx_sreg_nctaid_x},
    {"%nctaid.y", intrinsics::nvvm_read_ptx_sreg_nctaid_y},
    {"%nctaid.z", intrinsics::nvvm_read_ptx_sreg_nctaid_z},
    {"%laneid", intrinsics::nvvm_read_ptx_sreg_laneid},
    {"%warpid", intrinsics::nvvm_read_ptx_sreg_warpid},
    {"%nwarpid", intrinsics::nvvm_read_ptx_sreg_nwarpid},
    {"%lanemask_eq", intrinsics::nvvm_read_ptx_sreg_lanemask_eq},
    {"%lanemask_lt", intrinsics::nvvm_read_ptx_sreg_lanemask_lt},
    {"%lanemask_le", intrinsics::nvvm_read_ptx_sreg_lanemask_le},
    {"%lanemask_gt", intrinsics::nvvm_read_ptx_sreg_lanemask_gt},
    {"%lanemask_ge", intrinsics::nvvm_read_ptx_sreg_lanemask_ge},
    {"%clock", intrinsics::nvvm_read_ptx_sreg_clock},
    {"%clock64", intrinsics::nvvm_read_ptx_sreg_clock64},
    {"%globaltimer", intrinsics::nvvm_read_ptx_sreg_globaltimer},
    {"%globaltimer_lo", intrinsics::nvvm_read_ptx_sreg_globaltimer},
    {"%globaltimer_hi", intrinsics::nvvm_read_ptx_sreg_globaltimer},
    {"%clock_hi", intrinsics::nvvm_read_ptx_sreg_clock},
};

constexpr std::string_view zero_registers[] = {"%envreg0", "%ntid.w", "%tid.w", "%ctaid.w"};
/// Numbers of the machine, of the launch and of its counters that a kernel's work does not rest on.
constexpr std::string_view unknown_registers[] = {"%smid",
                                                  "%nsmid",
                                                  "%gridid",
                                                  "%total_smem_size",
                                                  "%aggr_smem_size",
                                                  "%current_graph_exec",
                                                  "%reserved_smem_offset_begin",
                                                  "%reserved_smem_offset_end",
                                                  "%reserved_smem_offset_cap",
                                                  "%reserved_smem_offset_0",
                                                  "%reserved_smem_offset_1"};
constexpr SpecialRegister cluster_numbers[] = {
    {"%clusterid.x", intrinsics::nvvm_read_ptx_sreg_clusterid_x},
    {"%clusterid.y", intrinsics::nvvm_read_ptx_sreg_clusterid_y},
    {"%clusterid.z", intrinsics::nvvm_read_ptx_sreg_clusterid_z},
    {"%nclusterid.x", intrinsics::nvvm_read_ptx_sreg_nclusterid_x},
    {"%nclusterid.y", intrinsics::nvvm_read_ptx_sreg_nclusterid_y},
    {"%nclusterid.z", intrinsics::nvvm_read_ptx_sreg_nclusterid_z},
    {"%cluster_ctaid.x", intrinsics::nvvm_read_ptx_sreg_cluster_ctaid_x},
    {"%cluster_ctaid.y", intrinsics::nvvm_read_ptx_sreg_cluster_ctaid_y},
    {"%cluster_ctaid.z", intrinsics::nvvm_read_ptx_sreg_cluster_ctaid_z},
    {"%cluster_nctaid.x", intrinsics::nvvm_read_ptx_sreg_cluster_nctaid_x},
    {"%cluster_nctaid.y", intrinsics::nvvm_read_ptx_sreg_cluster_nctaid_y},
    {"%cluster_nctaid.z", intrinsics::nvvm_read_ptx_sreg_cluster_nctaid_z},
    {"%cluster_ctarank", intrinsics::nvvm_read_ptx_sreg_cluster_ctarank},
    {"%cluster_nctarank", intrinsics::nvvm_read_ptx_sreg_cluster_nctarank},
};

unsigned bits_of(const llvm::Type* type) {
  return type->isPointerTy() ? 64 : static_cast<unsigned>(type->getPrimitiveSizeInBits().getFixedValue());
}

std::string name_of(const llvm::Type& type) {
  return std::to_string(bits_of(&type)) + " bits";
}

} // namespace

llvm::Type* element_type(llvm::LLVMContext& context, TypeWord type) {
  switch (type.kind) {
  case 'p':
    return llvm::Type::getInt1Ty(context);
  case 'h':
    return type.bits == 16 ? llvm::Type::getBFloatTy(context) : nullptr;
  case 'f':
    return type.bits == 16   ? llvm::Type::getHalfTy(context)
           : type.bits == 32 ? llvm::Type::getFloatTy(context)
           : type.bits == 64 ? llvm::Type::getDoubleTy(context)
                             : nullptr;
  case 't':
    return llvm::Type::getInt32Ty(context);
  case 'u':
  case 's':
  case 'b': {
    constexpr unsigned widths[] = {8, 16, 32, 64, 128};
    const bool known = std::find(std::begin(widths), std::end(widths), type.bits) != std::end(widths);
    return known ? llvm::Type::getIntNTy(context, type.bits) : nullptr;
  }
  default:
    return nullptr;
  }
}

llvm::Type* value_type(llvm::LLVMContext& context, TypeWord type) {
  llvm::Type* element = element_type(context, type);
  return element && type.lanes > 1 ? llvm::FixedVectorType::get(element, type.lanes) : element;
}

llvm::Type* register_type(llvm::LLVMContext& context, TypeWord type) {
  return type.lanes > 1 ? llvm::Type::getIntNTy(context, type.size()) : element_type(context, type);
}

llvm::Value* as_bits(llvm::IRBuilder<>& builder, llvm::Value* value, llvm::Type* type) {
  if (!value || value->getType() == type)
    return value;
  if (value->getType()->isPointerTy())
    value = builder.CreatePtrToInt(value, builder.getInt64Ty());
  else if (!value->getType()->isIntegerTy())
    value = builder.CreateBitCast(value, builder.getIntNTy(bits_of(value->getType())));
  if (type->isPointerTy())
    return builder.CreateIntToPtr(builder.CreateZExtOrTrunc(value, builder.getInt64Ty()), type);
  llvm::Type* integer = builder.getIntNTy(bits_of(type));
  return builder.CreateBitCast(builder.CreateZExtOrTrunc(value, integer), type);
}

std::optional<std::uint64_t> integer_of(std::string_view text) {
  llvm::StringRef digits(text);
  digits = digits.trim();
  const bool negative = digits.consume_front("-");
  digits.consume_back("U");
  std::uint64_t bits = 0;
  if (digits.empty() || digits.getAsInteger(0, bits))
    return std::nullopt;
  return negative ? 0 - bits : bits;
}

Registers::Registers(llvm::IRBuilder<>& builder, llvm::Function& function, bool checks)
    : b_(builder), function_(function), checks_(checks), scopes_(1) {}

bool Registers::close_scope() {
  if (scopes_.size() <= 1)
    return false;
  scopes_.pop_back();
  return true;
}

llvm::AllocaInst* Registers::slot(llvm::Type* type, std::string_view name) {
  llvm::BasicBlock& entry = function_.getEntryBlock();
  const llvm::DataLayout& layout = function_.getParent()->getDataLayout();
  return new llvm::AllocaInst(type, layout.getAllocaAddrSpace(), llvm::StringRef(name).ltrim('%'),
                              entry.begin());
}

Register Registers::make(TypeWord type, std::string_view name) {
  llvm::Type* held = register_type(b_.getContext(), type);
  return {held, type.kind, nullptr, slot(held, name)};
}

void Registers::declare(std::string_view name, TypeWord type) {
  scopes_.back().registers[name] = make(type, name);
}

void Registers::declare_range(std::string_view prefix, unsigned count, TypeWord type) {
  scopes_.back().ranges.push_back({std::string(prefix), count, type});
}

void Registers::declare_as(std::string_view name, llvm::Type* type) {
  scopes_.back().registers[name] = {type, '\0', nullptr, slot(type, name)};
}

void Registers::bind(std::string_view name, llvm::Value* value) {
  scopes_.back().registers[name] = {value->getType(), '\0', value, nullptr};
}

void Registers::place(std::string_view name, llvm::Value* pointer) {
  scopes_.back().places[name] = pointer;
}

Register* Registers::find(std::string_view name) {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    if (const auto found = scope->registers.find(name); found != scope->registers.end())
      return &found->second;
    for (const Range& range : scope->ranges) {
      unsigned number = 0;
      if (!name.starts_with(range.prefix) ||
          llvm::StringRef(name.substr(range.prefix.size())).getAsInteger(10, number) || number >= range.count)
        continue;
      return &(scope->registers[name] = make(range.type, name));
    }
  }
  return nullptr;
}

llvm::Value* Registers::find_place(std::string_view name) const {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
    if (const auto found = scope->places.find(name); found != scope->places.end())
      return found->second;
  return nullptr;
}

llvm::Value* Registers::load(const Register& held) {
  return held.slot ? b_.CreateLoad(held.type, held.slot) : held.value;
}

llvm::Value* Registers::value(std::string_view name) {
  const Register* held = find(name);
  return held ? load(*held) : nullptr;
}

bool Registers::write(std::string_view name, llvm::Value* value, bool is_signed) {
  if (!value)
    return false;
  if (name == "_") // nobody wants it
    return true;
  Register* held = find(name);
  if (!held) {
    complain("'" + std::string(name) + "' is not declared");
    return false;
  }
  if (!held->slot) // an operand of inline assembly that is written after all
    *held = {held->type, '\0', nullptr, slot(held->type, name)};
  if (checks_ && bits_of(value->getType()) > bits_of(held->type)) {
    complain("'" + std::string(name) + "' holds " + name_of(*held->type) + ", the result has " +
             name_of(*value->getType()));
    return false;
  }
  if (is_signed && value->getType()->isIntegerTy() && held->type->isIntegerTy())
    value = b_.CreateSExtOrTrunc(value, held->type);
  b_.CreateStore(as_bits(b_, value, held->type), held->slot);
  return true;
}

llvm::Value* Registers::number(std::string_view text, llvm::Type* type) {
  if (text == "WARP_SZ")
    return type->isIntegerTy() ? llvm::ConstantInt::get(type, 32) : nullptr;
  const bool single = text.starts_with("0f") || text.starts_with("0F");
  if (single || text.starts_with("0d") || text.starts_with("0D")) {
    std::uint64_t bits = 0;
    if (llvm::StringRef(text).drop_front(2).getAsInteger(16, bits))
      return nullptr;
    llvm::Constant* made = single ? b_.getInt32(static_cast<std::uint32_t>(bits)) : b_.getInt64(bits);
    if (type->isDoubleTy() && single) // a value, not its bits
      return llvm::ConstantFP::get(type, llvm::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    return as_bits(b_, made, type);
  }
  if (const auto bits = integer_of(text)) {
    if (type->isIntegerTy())
      return llvm::ConstantInt::get(type->getContext(),
                                    llvm::APInt(64, *bits).sextOrTrunc(type->getIntegerBitWidth()));
    return bits_of(type) >= 16 ? as_bits(b_, b_.getInt64(*bits), type) : nullptr;
  }
  double decimal = 0;
  if (!type->isFloatingPointTy() || llvm::StringRef(text).getAsDouble(decimal))
    return nullptr;
  return llvm::ConstantFP::get(type, decimal);
}

llvm::Value* Registers::special(std::string_view name) {
  for (const auto& table : {std::span<const SpecialRegister>(special_registers),
                            std::span<const SpecialRegister>(cluster_numbers)})
    for (const SpecialRegister& row : table)
      if (name == row.name)
        return b_.CreateIntrinsic(row.id, {}, {});
  if (name == "%dynamic_smem_size") {
    llvm::Module& module = *b_.GetInsertBlock()->getModule();
    auto* size = llvm::cast<llvm::Function>(
        module.getOrInsertFunction("forewarp.item.dynamic_shared_size", b_.getInt32Ty()).getCallee());
    size->setDoesNotAccessMemory();
    size->setDoesNotThrow();
    size->setWillReturn();
    return b_.CreateCall(size);
  }
  if (std::find(std::begin(zero_registers), std::end(zero_registers), name) != std::end(zero_registers))
    return b_.getInt32(0);
  const bool counter = name.size() > 3 && name.starts_with("%pm");
  if (counter || std::find(std::begin(unknown_registers), std::end(unknown_registers), name) !=
                     std::end(unknown_registers))
    return lowering::call_marker(b_, "unknown.i64", b_.getInt64Ty(), {}, lowering::MarkerEffect::pure);
  complain("'" + std::string(name) + "' is neither declared nor a special register that is modelled");
  return nullptr;
}

llvm::Value* Registers::read(std::string_view operand, llvm::Type* type) {
  if (operand.starts_with('!') && type->isIntegerTy(1)) {
    llvm::Value* inner = read(trimmed(operand.substr(1)), type);
    return inner ? b_.CreateNot(inner) : nullptr;
  }
  if (const Register* held = find(operand)) {
    if (checks_ && bits_of(held->type) != bits_of(type)) {
      complain("'" + std::string(operand) + "' holds " + name_of(*held->type) + ", the statement reads " +
               name_of(*type));
      return nullptr;
    }
    return as_bits(b_, load(*held), type);
  }
  if (operand.starts_with('%')) {
    llvm::Value* value = special(operand);
    return value ? as_bits(b_, value, type) : nullptr;
  }
  const std::size_t plus = operand.find('+');
  if (llvm::Value* pointer = find_place(trimmed(operand.substr(0, plus)))) {
    const auto offset = plus == std::string_view::npos ? std::optional<std::uint64_t>(0)
                                                       : integer_of(operand.substr(plus + 1));
    if (!offset || !type->isIntegerTy())
      return nullptr;
    llvm::Value* address = b_.CreatePtrToInt(pointer, type);
    return *offset == 0 ? address : b_.CreateAdd(address, llvm::ConstantInt::get(type, *offset));
  }
  llvm::Value* made = number(operand, type);
  if (!made)
    complain("'" + std::string(operand) + "' is neither declared nor a number of this type");
  return made;
}

llvm::Value* Registers::read_wide(std::string_view operand, llvm::Type* type) {
  if (const Register* held = find(operand); held && bits_of(held->type) > bits_of(type))
    return as_bits(b_, load(*held), type);
  return read(operand, type);
}

llvm::Value* Registers::address(std::string_view operand, unsigned space) {
  if (operand.size() < 3 || operand.front() != '[' || operand.back() != ']') {
    complain("'" + std::string(operand) + "' is no address");
    return nullptr;
  }
  operand = trimmed(operand.substr(1, operand.size() - 2));
  std::size_t sign = operand.find_first_of("+-", 1);
  const std::string_view name = trimmed(operand.substr(0, sign));
  std::string_view offset = sign == std::string_view::npos ? "0" : operand.substr(sign);
  if (offset.starts_with('+'))
    offset = trimmed(offset.substr(1));
  const auto bytes = integer_of(offset);
  llvm::Type* pointer_type = llvm::PointerType::get(b_.getContext(), space);
  llvm::Value* base = find_place(name);
  if (base) {
    if (base->getType() != pointer_type)
      base = b_.CreateAddrSpaceCast(base, pointer_type);
  } else {
    llvm::Value* held = value(name);
    if (!held)
      if (const auto fixed = integer_of(name))
        held = b_.getInt64(*fixed);
    if (!held || !bytes) {
      complain("'" + std::string(operand) + "' is no address of a declared register or variable");
      return nullptr;
    }
    const llvm::Type* type = held->getType();
    // Shared memory's addresses are numbers, those of generic pointers are others.
    const bool typed = type->isPointerTy() &&
                       (type->getPointerAddressSpace() == spaces::shared) == (space == spaces::shared);
    const bool narrow = space == spaces::shared || space == spaces::local || space == spaces::constant;
    if (!typed && !type->isIntegerTy(64) && !(narrow && type->isIntegerTy(32))) {
      complain("an address of " + name_of(*type) + " is none of this memory");
      return nullptr;
    }
    base = !typed ? b_.CreateIntToPtr(held, pointer_type) : held;
  }
  if (!bytes) {
    complain("'" + std::string(offset) + "' is no offset");
    return nullptr;
  }
  return *bytes == 0 ? base : b_.CreateConstGEP1_64(b_.getInt8Ty(), base, *bytes);
}

} // namespace forewarp::frontend::ptx
