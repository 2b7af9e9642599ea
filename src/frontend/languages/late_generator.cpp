#include "frontend/languages/late_generator.h"

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclGroup.h>
#include <clang/AST/Mangle.h>

#include <optional>
#include <utility>
#include <vector>

namespace forewarp::frontend {
namespace {

class LateGenerator : public clang::ASTConsumer {
public:
  LateGenerator(std::unique_ptr<clang::ASTConsumer> generator, LateGeneration generation)
      : generator_(std::move(generator)), generation_(std::move(generation)) {}

  void Initialize(clang::ASTContext& context) override { generator_->Initialize(context); }
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    groups_.push_back(group);
    later_.emplace_back([this, index = groups_.size() - 1] { hand_on(groups_[index]); });
    return true;
  }
  void HandleInlineFunctionDefinition(clang::FunctionDecl* function) override {
    later_.emplace_back([this, function] { generator_->HandleInlineFunctionDefinition(function); });
  }
  void HandleTagDeclDefinition(clang::TagDecl* tag) override {
    later_.emplace_back([this, tag] { generator_->HandleTagDeclDefinition(tag); });
  }
  void HandleTagDeclRequiredDefinition(const clang::TagDecl* tag) override {
    later_.emplace_back([this, tag] { generator_->HandleTagDeclRequiredDefinition(tag); });
  }
  void HandleCXXImplicitFunctionInstantiation(clang::FunctionDecl* function) override {
    later_.emplace_back([this, function] { generator_->HandleCXXImplicitFunctionInstantiation(function); });
  }
  void CompleteTentativeDefinition(clang::VarDecl* variable) override {
    later_.emplace_back([this, variable] { generator_->CompleteTentativeDefinition(variable); });
  }
  void CompleteExternalDeclaration(clang::DeclaratorDecl* declaration) override {
    later_.emplace_back([this, declaration] { generator_->CompleteExternalDeclaration(declaration); });
  }
  void HandleCXXStaticMemberVarInstantiation(clang::VarDecl* variable) override {
    later_.emplace_back([this, variable] { generator_->HandleCXXStaticMemberVarInstantiation(variable); });
  }
  void HandleVTable(clang::CXXRecordDecl* record) override {
    later_.emplace_back([this, record] { generator_->HandleVTable(record); });
  }

  void HandleTranslationUnit(clang::ASTContext& context) override {
    if (!generation_.parsed(context) || context.getDiagnostics().hasErrorOccurred())
      return;
    names_.emplace(context);
    for (const std::function<void()>& step : later_)
      step();
    generator_->HandleTranslationUnit(context);
  }

private:
  bool is_wanted(const clang::Decl& declaration) {
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(&declaration);
    return function == nullptr || function->isDependentContext() ||
           !function->hasAttr<clang::CUDAGlobalAttr>() || generation_.wants_kernel(names_->getName(function));
  }
  void hand_on(clang::DeclGroupRef group) {
    for (clang::Decl* declaration : group)
      if (!is_wanted(*declaration))
        return; // a kernel stands alone
    generator_->HandleTopLevelDecl(group);
  }

  std::unique_ptr<clang::ASTConsumer> generator_;
  LateGeneration generation_;
  std::vector<clang::DeclGroupRef> groups_;
  std::vector<std::function<void()>> later_; ///< in the order in which the parser came to it
  std::optional<clang::ASTNameGenerator> names_;
};

} // namespace

std::unique_ptr<clang::ASTConsumer> generate_late(std::unique_ptr<clang::ASTConsumer> generator,
                                                  LateGeneration generation) {
  return std::make_unique<LateGenerator>(std::move(generator), std::move(generation));
}

} // namespace forewarp::frontend
