#include "frontend/languages/cuda/cuda_kernel_templates.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Sema/Sema.h>

#include <map>

namespace forewarp::frontend {

namespace {

/// Clang's resolution fails on names of other templates and on arguments that still depend on a parameter.
bool names_one_kernel(const clang::UnresolvedLookupExpr& lookup) {
  for (const clang::TemplateArgumentLoc& argument : lookup.template_arguments())
    if (argument.getArgument().isDependent() || argument.getArgument().containsUnexpandedParameterPack())
      return false;
  for (const clang::NamedDecl* named : lookup.decls()) {
    const auto* kernel = llvm::dyn_cast<clang::FunctionTemplateDecl>(named->getUnderlyingDecl());
    if (!kernel || !kernel->getTemplatedDecl()->hasAttr<clang::CUDAGlobalAttr>())
      return false;
  }
  return true;
}

void collect(const clang::Stmt* statement, std::vector<const clang::UnresolvedLookupExpr*>& found) {
  if (!statement)
    return;
  if (const auto* lookup = llvm::dyn_cast<clang::UnresolvedLookupExpr>(statement);
      lookup && lookup->hasExplicitTemplateArgs() && names_one_kernel(*lookup))
    found.push_back(lookup);
  for (const clang::Stmt* child : statement->children())
    collect(child, found);
}

/// How often templates of the file are written out for each value of the enumeration.
std::map<std::int64_t, unsigned> values_written_out(const clang::EnumDecl& words) {
  std::map<std::int64_t, unsigned> counts;
  for (const clang::Decl* declaration : words.getASTContext().getTranslationUnitDecl()->noload_decls()) {
    const auto* one = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(declaration);
    if (!one || !one->isExplicitSpecialization())
      continue;
    for (const clang::TemplateArgument& argument : one->getTemplateArgs().asArray())
      if (argument.getKind() == clang::TemplateArgument::Integral)
        if (const auto* of = argument.getIntegralType()->getAs<clang::EnumType>();
            of && of->getDecl()->getCanonicalDecl() == words.getCanonicalDecl())
          ++counts[argument.getAsIntegral().getExtValue()];
  }
  return counts;
}

/// No number becomes an enumeration by itself. Of its words the one that most templates are written out for
/// is the likeliest to fit, else the first.
std::string example_value(clang::QualType type) {
  const auto* named = type->getAs<clang::EnumType>();
  const clang::EnumDecl* words = named ? named->getDecl()->getDefinition() : nullptr;
  if (!words || words->enumerator_begin() == words->enumerator_end())
    return type->isBooleanType() ? "true" : "32";
  const auto counts = values_written_out(*words);
  const clang::EnumConstantDecl* best = *words->enumerator_begin();
  unsigned most = 0;
  for (const clang::EnumConstantDecl* word : words->enumerators())
    if (const auto found = counts.find(word->getInitVal().getExtValue());
        found != counts.end() && found->second > most) {
      best = word;
      most = found->second;
    }
  return best->getQualifiedNameAsString();
}

/// The kernel with an argument for each of its template parameters: its own defaults, else float, 32, true
/// and an enumeration's first word.
std::string example_of(const clang::FunctionTemplateDecl& kernel) {
  std::string arguments;
  for (const clang::NamedDecl* parameter : *kernel.getTemplateParameters()) {
    std::string one;
    if (const auto* type = llvm::dyn_cast<clang::TemplateTypeParmDecl>(parameter)) {
      if (type->isParameterPack() || type->hasDefaultArgument())
        break;
      one = "float";
    } else if (const auto* value = llvm::dyn_cast<clang::NonTypeTemplateParmDecl>(parameter)) {
      if (value->isParameterPack() || value->hasDefaultArgument())
        break;
      one = example_value(value->getType());
    } else {
      break;
    }
    arguments += (arguments.empty() ? "" : ", ") + one;
  }
  return kernel.getQualifiedNameAsString() + "<" + arguments + ">";
}

void add_without_instance(const clang::DeclContext& scope, const clang::SourceManager& sources,
                          std::vector<std::string>& names) {
  for (const clang::Decl* declaration : scope.noload_decls()) { // a prelude has none
    if (sources.isInSystemHeader(declaration->getLocation()))
      continue;
    if (const auto* inner = llvm::dyn_cast<clang::NamespaceDecl>(declaration))
      add_without_instance(*inner, sources, names);
    const auto* kernel = llvm::dyn_cast<clang::FunctionTemplateDecl>(declaration);
    if (kernel && kernel->getTemplatedDecl()->hasAttr<clang::CUDAGlobalAttr>() &&
        kernel->specializations().empty() && kernel->isThisDeclarationADefinition())
      names.push_back(example_of(*kernel));
  }
}

} // namespace

void instantiate_named_kernels(clang::Sema& sema, const std::vector<const clang::FunctionDecl*>& functions) {
  std::vector<const clang::UnresolvedLookupExpr*> lookups;
  for (const clang::FunctionDecl* function : functions)
    collect(function->getBody(), lookups);
  for (const clang::UnresolvedLookupExpr* lookup : lookups) {
    clang::FunctionDecl* instance =
        sema.ResolveSingleFunctionTemplateSpecialization(const_cast<clang::UnresolvedLookupExpr*>(lookup));
    if (instance && instance->hasAttr<clang::CUDAGlobalAttr>())
      sema.MarkFunctionReferenced(lookup->getNameLoc(), instance);
  }
  if (!lookups.empty())
    sema.PerformPendingInstantiations();
}

std::vector<std::string> kernels_without_instance(const clang::ASTContext& context) {
  std::vector<std::string> names;
  add_without_instance(*context.getTranslationUnitDecl(), context.getSourceManager(), names);
  return names;
}

} // namespace forewarp::frontend
