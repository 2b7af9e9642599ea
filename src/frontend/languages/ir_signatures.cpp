#include "frontend/languages/ir_signatures.h"

#include "frontend/launch_attributes.h"
#include "frontend/lowering/lower.h"
#include "ir/variable_name.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

namespace forewarp::frontend {

namespace {

using facts::ScalarType;

/// Element i of a metadata list of strings ("kernel_arg_name"); "" where there is none.
std::string metadata_word(const llvm::Function& function, const char* kind, unsigned i) {
  const llvm::MDNode* node = function.getMetadata(kind);
  if (!node || i >= node->getNumOperands())
    return {};
  auto* word = llvm::dyn_cast_or_null<llvm::MDString>(node->getOperand(i).get());
  return word ? word->getString().str() : std::string();
}

std::optional<ScalarType> scalar_of(llvm::Type* type, bool is_unsigned) {
  if (type->isHalfTy())
    return ScalarType::f16;
  if (type->isFloatTy())
    return ScalarType::f32;
  if (type->isDoubleTy())
    return ScalarType::f64;
  if (type->isIntegerTy(8) || type->isIntegerTy(1))
    return is_unsigned ? ScalarType::u8 : ScalarType::i8;
  if (type->isIntegerTy(16))
    return is_unsigned ? ScalarType::u16 : ScalarType::i16;
  if (type->isIntegerTy(32))
    return is_unsigned ? ScalarType::u32 : ScalarType::i32;
  if (type->isIntegerTy(64))
    return is_unsigned ? ScalarType::u64 : ScalarType::i64;
  return std::nullopt;
}

void describe_type(llvm::Type* type, const llvm::DataLayout& layout, bool is_unsigned,
                   ir::Parameter& parameter, std::uint32_t& bytes) {
  bytes = static_cast<std::uint32_t>(layout.getTypeAllocSize(type).getFixedValue());
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    parameter.components = vector->getNumElements();
    type = vector->getElementType();
  }
  parameter.scalar = scalar_of(type, is_unsigned);
}

/// The type that loads and stores through the pointer move; null where they tell nothing or disagree in size.
llvm::Type* accessed_type(const llvm::Value& pointer, unsigned depth = 0) {
  if (depth > 6)
    return nullptr;
  for (const llvm::User* user : pointer.users()) {
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(user))
      return load->getType();
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
        store && store->getPointerOperand() == &pointer)
      return store->getValueOperand()->getType();
    if (const auto* rmw = llvm::dyn_cast<llvm::AtomicRMWInst>(user);
        rmw && rmw->getPointerOperand() == &pointer)
      return rmw->getType();
    if (const auto* address = llvm::dyn_cast<llvm::GEPOperator>(user)) {
      llvm::Type* element = address->getSourceElementType();
      if (!element->isIntegerTy(8) && !element->isStructTy() && !element->isArrayTy())
        return element;
      if (llvm::Type* inner = accessed_type(*user, depth + 1))
        return inner;
    }
    if (llvm::isa<llvm::AddrSpaceCastOperator>(user) || llvm::isa<llvm::PHINode>(user))
      if (llvm::Type* inner = accessed_type(*user, depth + 1))
        return inner;
  }
  return nullptr;
}

ir::AddressSpace ir_space(unsigned address_space) {
  switch (address_space) {
  case 3:
    return ir::AddressSpace::shared;
  case 4:
    return ir::AddressSpace::constant;
  case 5:
    return ir::AddressSpace::local;
  default:
    return ir::AddressSpace::global; // 0: CUDA's arguments point to global memory
  }
}

ir::Parameter named_parameter(const llvm::Function& function, const llvm::Argument& argument,
                              const llvm::DataLayout& layout) {
  unsigned i = argument.getArgNo();
  ir::Parameter parameter;
  parameter.name = metadata_word(function, "kernel_arg_name", i);
  if (parameter.name.empty())
    parameter.name = argument.getName().str();
  parameter.type_name = metadata_word(function, "kernel_arg_type", i);
  std::string base = metadata_word(function, "kernel_arg_base_type", i);
  bool is_unsigned = base.starts_with("u");
  llvm::Type* by_value = argument.hasByValAttr()                         ? argument.getParamByValType()
                         : argument.hasAttribute(llvm::Attribute::ByRef) ? argument.getParamByRefType()
                                                                         : nullptr;
  if (by_value || !argument.getType()->isPointerTy()) {
    describe_type(by_value ? by_value : argument.getType(), layout, is_unsigned, parameter,
                  parameter.size_bytes);
    return parameter;
  }
  parameter.size_bytes = 8;
  parameter.is_image = base.starts_with("image");
  parameter.is_sampler = base == "sampler_t";
  if (parameter.is_image || parameter.is_sampler)
    return parameter;
  parameter.is_pointer = true;
  if (parameter.type_name.ends_with("*"))
    parameter.type_name.pop_back();
  parameter.space = ir_space(argument.getType()->getPointerAddressSpace());
  parameter.is_const = argument.onlyReadsMemory() ||
                       metadata_word(function, "kernel_arg_type_qual", i).find("const") != std::string::npos;
  parameter.is_restrict = argument.hasNoAliasAttr();
  if (llvm::Type* pointee = accessed_type(argument))
    describe_type(pointee, layout, is_unsigned, parameter, parameter.pointee_bytes);
  return parameter;
}

std::optional<std::uint64_t> whole_number(const llvm::Metadata* metadata) {
  auto* value = llvm::mdconst::dyn_extract_or_null<llvm::ConstantInt>(metadata);
  return value ? std::optional(value->getZExtValue()) : std::nullopt;
}

/// nvvm.annotations: {function, "name", value, ...}.
void read_annotations(const llvm::Module& module, const llvm::Function& function,
                      ir::KernelSignature& signature) {
  const llvm::NamedMDNode* annotations = module.getNamedMetadata("nvvm.annotations");
  if (!annotations)
    return;
  facts::Dim3 required{1, 1, 1}, cluster{1, 1, 1};
  bool has_required = false;
  std::uint64_t most = 1;
  bool has_most = false;
  for (const llvm::MDNode* node : annotations->operands()) {
    auto* subject =
        node->getNumOperands() ? llvm::dyn_cast_or_null<llvm::ValueAsMetadata>(node->getOperand(0)) : nullptr;
    if (!subject || subject->getValue() != &function)
      continue;
    for (unsigned i = 1; i + 1 < node->getNumOperands(); i += 2) {
      auto* word = llvm::dyn_cast_or_null<llvm::MDString>(node->getOperand(i));
      auto value = whole_number(node->getOperand(i + 1));
      if (!word || !value)
        continue;
      llvm::StringRef name = word->getString();
      if (name.consume_front("reqntid")) {
        has_required = true;
        (name == "x" ? required.x : name == "y" ? required.y : required.z) = *value;
      } else if (name.consume_front("cluster_dim_")) {
        (name == "x" ? cluster.x : name == "y" ? cluster.y : cluster.z) = *value;
      } else if (name.starts_with("maxntid")) {
        has_most = true;
        most *= *value;
      } else if (name == "minctasm")
        signature.min_groups_per_sm = static_cast<unsigned>(*value);
    }
  }
  if (has_required)
    signature.required_group_size = required;
  if (cluster.count() > 1)
    signature.required_cluster = cluster;
  if (has_most)
    signature.max_group_threads = static_cast<unsigned>(most);
}

void read_group_size(const llvm::Function& function, ir::KernelSignature& signature) {
  const llvm::MDNode* size = function.getMetadata("reqd_work_group_size");
  if (!size || size->getNumOperands() != 3)
    return;
  auto x = whole_number(size->getOperand(0)), y = whole_number(size->getOperand(1)),
       z = whole_number(size->getOperand(2));
  if (x && y && z)
    signature.required_group_size = facts::Dim3{*x, *y, *z};
}

} // namespace

std::vector<ir::KernelSignature> signatures_of(const llvm::Module& module) {
  std::vector<ir::KernelSignature> signatures;
  for (const llvm::Function& function : module) {
    if (function.isDeclaration() || !lowering::is_kernel(function))
      continue;
    ir::KernelSignature signature;
    signature.symbol = function.getName().str();
    signature.name = ir::function_name(signature.symbol);
    for (const llvm::Argument& argument : function.args())
      signature.parameters.push_back(named_parameter(function, argument, module.getDataLayout()));
    read_annotations(module, function, signature);
    read_launch_attributes(function, signature);
    read_group_size(function, signature);
    if (const llvm::DISubprogram* subprogram = function.getSubprogram())
      signature.location = {0, subprogram->getLine(), 0};
    signatures.push_back(std::move(signature));
  }
  return signatures;
}

} // namespace forewarp::frontend
