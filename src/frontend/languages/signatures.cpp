#include "frontend/languages/signatures.h"

#include "frontend/languages/declarations.h"

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/Mangle.h>
#include <clang/AST/RecordLayout.h>
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

constexpr std::size_t most_fields = 96;
constexpr std::uint64_t longest_array = 16; ///< whose elements are fields of their own
constexpr unsigned most_pointers = 2;       ///< one behind the other

ir::Parameter describe(clang::QualType type, const clang::ASTContext& context, unsigned pointers);

/// The fields of a value at `offset`; false: there is one that no argument can be written for.
bool add_fields(clang::QualType type, const std::string& name, std::uint64_t offset,
                const clang::ASTContext& context, unsigned pointers, std::vector<ir::Parameter>& out);

bool add_record(const clang::RecordDecl& record, const std::string& name, std::uint64_t offset,
                const clang::ASTContext& context, unsigned pointers, std::vector<ir::Parameter>& out) {
  if (!record.isCompleteDefinition() || record.isInvalidDecl() || record.isUnion())
    return false;
  const clang::ASTRecordLayout& layout = context.getASTRecordLayout(&record);
  if (const auto* cxx = llvm::dyn_cast<clang::CXXRecordDecl>(&record)) {
    if (cxx->isPolymorphic() || cxx->getNumVBases() > 0)
      return false;
    for (const clang::CXXBaseSpecifier& base : cxx->bases()) {
      const clang::CXXRecordDecl* of = base.getType()->getAsCXXRecordDecl();
      if (!of || !add_record(*of, name,
                             offset + static_cast<std::uint64_t>(layout.getBaseClassOffset(of).getQuantity()),
                             context, pointers, out))
        return false;
    }
  }
  for (const clang::FieldDecl* field : record.fields()) {
    if (field->isBitField())
      return false;
    const std::string own = field->getNameAsString();
    const std::string full = name.empty() || own.empty() ? name + own : name + "." + own;
    const std::uint64_t at = offset + layout.getFieldOffset(field->getFieldIndex()) / 8;
    if (!add_fields(field->getType(), full, at, context, pointers, out))
      return false;
  }
  return true;
}

bool add_fields(clang::QualType type, const std::string& name, std::uint64_t offset,
                const clang::ASTContext& context, unsigned pointers, std::vector<ir::Parameter>& out) {
  if (out.size() >= most_fields)
    return false;
  if (const auto* array = context.getAsConstantArrayType(type)) {
    const std::uint64_t count = array->getSize().getZExtValue();
    if (count > longest_array)
      return false;
    const std::uint64_t bytes = size_of(array->getElementType(), context);
    for (std::uint64_t k = 0; k < count; ++k)
      if (!add_fields(array->getElementType(), name + "[" + std::to_string(k) + "]", offset + k * bytes,
                      context, pointers, out))
        return false;
    return true;
  }
  if (const clang::RecordDecl* record = type->getAsRecordDecl())
    return add_record(*record, name, offset, context, pointers, out);
  ir::Parameter field = describe(type, context, pointers);
  if (!field.is_pointer && !field.scalar)
    return false;
  field.name = name;
  field.offset_bytes = static_cast<std::uint32_t>(offset);
  out.push_back(std::move(field));
  return true;
}

bool holds_pointers(const std::vector<ir::Parameter>& fields) {
  return std::any_of(fields.begin(), fields.end(),
                     [](const ir::Parameter& field) { return field.is_pointer; });
}

/// What one element behind a pointer holds, where pointers are among it.
std::vector<ir::Parameter> pointee_fields(clang::QualType pointee, const clang::ASTContext& context,
                                          unsigned pointers) {
  std::vector<ir::Parameter> fields;
  const bool may_hold = pointee->isPointerType() || pointee->isRecordType();
  if (pointers + 1 >= most_pointers || !may_hold || pointee->isFunctionPointerType() ||
      !add_fields(pointee, "", 0, context, pointers + 1, fields) || !holds_pointers(fields))
    return {};
  return fields;
}

ir::Parameter describe(clang::QualType type, const clang::ASTContext& context, unsigned pointers) {
  ir::Parameter parameter;
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
    parameter.fields = pointee_fields(pointee, context, pointers);
  } else {
    parameter.type_name = spelled(type, context);
    parameter.is_const = type.isConstQualified();
    describe_value(type, context, parameter);
    const clang::RecordDecl* record = type->getAsRecordDecl();
    if (record && !add_record(*record, "", 0, context, pointers, parameter.fields))
      parameter.fields.clear();
  }
  return parameter;
}

ir::Parameter describe(const clang::ParmVarDecl& declaration, const clang::ASTContext& context) {
  ir::Parameter parameter = describe(declaration.getType(), context, 0);
  parameter.name = declaration.getNameAsString();
  return parameter;
}

class SignatureConsumer : public clang::ASTConsumer {
public:
  explicit SignatureConsumer(std::vector<ir::KernelSignature>& signatures) : signatures_(signatures) {}

  void Initialize(clang::ASTContext& context) override { context_ = &context; }

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for_each_declaration(group, [&](clang::Decl* declaration) { visit(declaration); });
    return true;
  }

private:
  void visit(clang::Decl* declaration) {
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
    for (const auto* annotation : function.specific_attrs<clang::AnnotateAttr>())
      if (annotation->getAnnotation() == "forewarp.cluster") // __cluster_dims__
        signature.required_cluster = dimensions(*annotation);
    clang::PresumedLoc at = context_->getSourceManager().getPresumedLoc(function.getLocation());
    if (at.isValid())
      signature.location = {0, at.getLine(), at.getColumn()};
    signatures_.push_back(std::move(signature));
  }

  /// Of up to three numbers; none where one of them is not known.
  std::optional<facts::Dim3> dimensions(const clang::AnnotateAttr& annotation) const {
    facts::Dim3 size;
    std::uint64_t* const axes[] = {&size.x, &size.y, &size.z};
    std::size_t axis = 0;
    for (const clang::Expr* argument : annotation.args()) {
      const auto number = axis < std::size(axes) ? constant(argument) : std::nullopt;
      if (!number)
        return std::nullopt;
      *axes[axis++] = *number;
    }
    return size;
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
