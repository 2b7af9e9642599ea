#include "frontend/languages/signatures.h"

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/Mangle.h>
#include <clang/Basic/SourceManager.h>

namespace forewarp::frontend {

namespace {

using facts::ScalarType;

std::optional<ScalarType> scalar_type(clang::QualType type, const clang::ASTContext& context) {
  if (type->isHalfType() || type->isFloat16Type())
    return ScalarType::f16;
  if (type->isSpecificBuiltinType(clang::BuiltinType::Float))
    return ScalarType::f32;
  if (type->isSpecificBuiltinType(clang::BuiltinType::Double))
    return ScalarType::f64;
  if (!type->isIntegralOrEnumerationType())
    return std::nullopt;
  bool is_signed = type->isSignedIntegerOrEnumerationType();
  switch (context.getTypeSize(type)) {
  case 8:
    return is_signed ? ScalarType::i8 : ScalarType::u8;
  case 16:
    return is_signed ? ScalarType::i16 : ScalarType::u16;
  case 32:
    return is_signed ? ScalarType::i32 : ScalarType::u32;
  case 64:
    return is_signed ? ScalarType::i64 : ScalarType::u64;
  default:
    return std::nullopt;
  }
}

ir::AddressSpace address_space(clang::QualType pointee, bool opencl) {
  switch (pointee.getAddressSpace()) {
  case clang::LangAS::opencl_global:
  case clang::LangAS::opencl_global_device:
  case clang::LangAS::opencl_global_host:
  case clang::LangAS::cuda_device:
    return ir::AddressSpace::global;
  case clang::LangAS::opencl_local:
  case clang::LangAS::cuda_shared:
    return ir::AddressSpace::shared;
  case clang::LangAS::opencl_constant:
  case clang::LangAS::cuda_constant:
    return ir::AddressSpace::constant;
  case clang::LangAS::opencl_private:
    return ir::AddressSpace::local;
  default:
    return opencl ? ir::AddressSpace::generic : ir::AddressSpace::global; // CUDA: arguments point to global
  }
}

/// CUDA's float4 is a struct of four floats of one type; to a user it is a vector.
bool describe_uniform_struct(clang::QualType type, const clang::ASTContext& context,
                             ir::Parameter& parameter) {
  const auto* record = type->getAsRecordDecl();
  if (!record || record->isUnion() || !record->isCompleteDefinition())
    return false;
  std::optional<ScalarType> common;
  std::uint32_t fields = 0;
  for (const clang::FieldDecl* field : record->fields()) {
    auto scalar = scalar_type(field->getType(), context);
    if (!scalar || (common && *common != *scalar) || field->isBitField())
      return false;
    common = scalar;
    ++fields;
  }
  bool packed = common && context.getTypeSizeInChars(type).getQuantity() ==
                              static_cast<std::int64_t>(fields * facts::size_bytes(*common));
  if (!packed || fields > 4)
    return false;
  parameter.scalar = common;
  parameter.components = fields;
  return true;
}

/// scalar and components of a value or pointee.
void describe_value(clang::QualType type, const clang::ASTContext& context, ir::Parameter& parameter) {
  type = type.getCanonicalType().getUnqualifiedType();
  if (const auto* array = context.getAsConstantArrayType(type))
    return describe_value(array->getElementType(), context, parameter);
  if (const auto* vector = type->getAs<clang::VectorType>()) {
    parameter.scalar = scalar_type(vector->getElementType(), context);
    parameter.components = vector->getNumElements();
  } else if (!describe_uniform_struct(type, context, parameter))
    parameter.scalar = scalar_type(type, context);
}

std::uint32_t size_of(clang::QualType type, const clang::ASTContext& context) {
  if (type->isIncompleteType() || type->isVoidType() || type->isFunctionType() || type->isDependentType())
    return 0;
  return static_cast<std::uint32_t>(context.getTypeSizeInChars(type).getQuantity());
}

std::string spelled(clang::QualType type, const clang::ASTContext& context) {
  clang::PrintingPolicy policy = context.getPrintingPolicy();
  policy.SuppressTagKeyword = false;
  policy.SuppressScope = false;
  // The address space is a field of its own.
  clang::Qualifiers qualifiers = type.getQualifiers();
  qualifiers.removeAddressSpace();
  qualifiers.removeConst();
  qualifiers.removeVolatile();
  return context.getQualifiedType(type.getUnqualifiedType(), qualifiers)
      .getUnqualifiedType()
      .getAsString(policy);
}

ir::Parameter describe(const clang::ParmVarDecl& declaration, const clang::ASTContext& context) {
  ir::Parameter parameter;
  parameter.name = declaration.getNameAsString();
  clang::QualType type = declaration.getType();
  parameter.size_bytes = size_of(type, context);
  bool opencl = context.getLangOpts().OpenCL;
  if (type->isImageType()) {
    parameter.is_image = true;
    parameter.type_name = spelled(type, context);
  } else if (type->isSamplerT()) {
    parameter.is_sampler = true;
    parameter.type_name = spelled(type, context);
  } else if (type->isPointerType() || type->isReferenceType()) {
    clang::QualType pointee = type->getPointeeType();
    parameter.is_pointer = true;
    parameter.size_bytes = 8;
    parameter.type_name = spelled(pointee, context);
    parameter.space = address_space(pointee, opencl);
    parameter.pointee_bytes = size_of(pointee, context);
    parameter.is_const = pointee.isConstQualified();
    parameter.is_restrict = type.isRestrictQualified();
    describe_value(pointee, context, parameter);
  } else {
    parameter.type_name = spelled(type, context);
    parameter.is_const = type.isConstQualified();
    describe_value(type, context, parameter);
  }
  return parameter;
}

class SignatureConsumer : public clang::ASTConsumer {
public:
  explicit SignatureConsumer(std::vector<ir::KernelSignature>& signatures) : signatures_(signatures) {}

  void Initialize(clang::ASTContext& context) override { context_ = &context; }

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (clang::Decl* declaration : group)
      visit(declaration);
    return true;
  }

private:
  void visit(clang::Decl* declaration) {
    if (auto* scope = llvm::dyn_cast<clang::DeclContext>(declaration);
        scope && llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl>(declaration)) {
      for (clang::Decl* inner : scope->decls())
        visit(inner);
      return;
    }
    // `template __global__ void f<int>(...)` gives no top-level function of its own.
    if (auto* function_template = llvm::dyn_cast<clang::FunctionTemplateDecl>(declaration)) {
      for (clang::FunctionDecl* instance : function_template->specializations())
        visit(instance);
      return;
    }
    if (auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration))
      add(*function);
  }

  void add(const clang::FunctionDecl& function) {
    bool kernel = function.hasAttr<clang::OpenCLKernelAttr>() || function.hasAttr<clang::CUDAGlobalAttr>();
    if (!kernel || !function.doesThisDeclarationHaveABody() || function.isDependentContext())
      return;
    ir::KernelSignature signature;
    signature.symbol = symbol_of(function);
    for (const ir::KernelSignature& known : signatures_)
      if (known.symbol == signature.symbol)
        return;
    signature.name = user_name(function);
    for (const clang::ParmVarDecl* parameter : function.parameters())
      signature.parameters.push_back(describe(*parameter, *context_));
    if (const auto* size = function.getAttr<clang::ReqdWorkGroupSizeAttr>())
      signature.required_group_size = facts::Dim3{size->getXDim(), size->getYDim(), size->getZDim()};
    if (const auto* bounds = function.getAttr<clang::CUDALaunchBoundsAttr>()) {
      signature.max_group_threads = constant(bounds->getMaxThreads());
      signature.min_groups_per_sm = constant(bounds->getMinBlocks());
    }
    clang::PresumedLoc at = context_->getSourceManager().getPresumedLoc(function.getLocation());
    if (at.isValid())
      signature.location = {0, at.getLine(), at.getColumn()};
    signatures_.push_back(std::move(signature));
  }

  std::optional<unsigned> constant(const clang::Expr* expression) const {
    if (!expression || expression->isValueDependent())
      return std::nullopt;
    auto value = expression->getIntegerConstantExpr(*context_);
    return value && *value > 0 ? std::optional(static_cast<unsigned>(value->getZExtValue())) : std::nullopt;
  }

  std::string symbol_of(const clang::FunctionDecl& function) const {
    return context_->getLangOpts().CPlusPlus ? clang::ASTNameGenerator(*context_).getName(&function)
                                             : function.getNameAsString();
  }

  /// "scale<float>"; namespaces stand in front.
  std::string user_name(const clang::FunctionDecl& function) const {
    std::string name;
    llvm::raw_string_ostream out(name);
    function.getNameForDiagnostic(out, context_->getPrintingPolicy(), /*Qualified=*/true);
    return name;
  }

  std::vector<ir::KernelSignature>& signatures_;
  clang::ASTContext* context_ = nullptr;
};

} // namespace

ir::Parameter describe_parameter(const clang::ParmVarDecl& declaration, const clang::ASTContext& context) {
  return describe(declaration, context);
}

std::unique_ptr<clang::ASTConsumer> make_signature_consumer(std::vector<ir::KernelSignature>& signatures) {
  return std::make_unique<SignatureConsumer>(signatures);
}

} // namespace forewarp::frontend
