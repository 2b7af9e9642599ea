#include "frontend/languages/broken_functions.h"

#include "frontend/languages/declarations.h"
#include "frontend/languages/diagnostic_filter.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/Mangle.h>
#include <clang/AST/Stmt.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Sema/Sema.h>
#include <clang/Sema/SemaConsumer.h>

#include <algorithm>
#include <map>
#include <utility>

namespace forewarp::frontend {
namespace {

bool is_kernel(const clang::FunctionDecl& function) {
  return function.hasAttr<clang::CUDAGlobalAttr>() || function.hasAttr<clang::OpenCLKernelAttr>();
}

/// Of OpenCL C every function.
bool is_device(const clang::FunctionDecl& function) {
  return function.getASTContext().getLangOpts().OpenCL || is_kernel(function) ||
         function.hasAttr<clang::CUDADeviceAttr>();
}

/// What an instance of a template was made from; else the function itself.
const clang::FunctionDecl* written_as(const clang::FunctionDecl& function) {
  const clang::FunctionDecl* pattern = function.getTemplateInstantiationPattern();
  return pattern ? pattern : &function;
}

bool contains_errors(const clang::Stmt* statement) {
  if (!statement)
    return false;
  if (const auto* expression = llvm::dyn_cast<clang::Expr>(statement))
    return expression->containsErrors();
  return std::ranges::any_of(statement->children(), contains_errors);
}

/// "file:line:column"; "": nowhere.
std::string line_of(const clang::SourceManager& sources, clang::SourceLocation location) {
  const clang::PresumedLoc at = sources.getPresumedLoc(location);
  return at.isInvalid() ? std::string()
                        : std::string(at.getFilename()) + ":" + std::to_string(at.getLine()) + ":" +
                              std::to_string(at.getColumn());
}

/// An error that belongs to no function yet.
struct Pending {
  clang::SourceLocation location;
  std::string text;
};

class DeviceErrors : public DiagnosticFilter {
public:
  DeviceErrors(clang::DiagnosticsEngine& engine, std::unique_ptr<clang::DiagnosticConsumer> next,
               std::vector<BrokenFunction>& broken)
      : DiagnosticFilter(engine, std::move(next)), broken_(broken) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& diagnostic) override {
    if (level == clang::DiagnosticsEngine::Note && dropping_)
      return;
    dropping_ = level == clang::DiagnosticsEngine::Error && !gives_back_ && take(diagnostic);
    if (dropping_) {
      if (!errors_kept_) // counted already: the code generator would not run
        engine_.Reset(/*soft=*/true);
      return;
    }
    clang::DiagnosticConsumer::HandleDiagnostic(level, diagnostic);
    next_->HandleDiagnostic(level, diagnostic);
    errors_kept_ |= level >= clang::DiagnosticsEngine::Error;
  }

  /// A function is complete: errors of what declares it are its own.
  void completed(clang::FunctionDecl& function) {
    if (function.doesThisDeclarationHaveABody() && is_device(function))
      complete_.push_back(&function);
    const clang::SourceRange range = function.getSourceRange();
    std::vector<Pending> others;
    for (Pending& error : pending_)
      if (is_device(function) && lies_in(error.location, range))
        lose(function, error.text, error.location);
      else
        others.push_back(std::move(error));
    pending_.clear();
    for (const Pending& error : others)
      give_back(error);
    if (function.isDependentContext() || !is_device(function))
      return;
    const auto known = numbers_.find(written_as(function));
    if (known != numbers_.end() && !numbers_.contains(&function))
      lose_instance(function, known->second);
    else if (known == numbers_.end() && contains_errors(function.getBody()))
      lose(function, "this uses a declaration that could not be understood", function.getLocation());
    take_body(function);
  }

  void completed_other() {
    for (const Pending& error : std::exchange(pending_, {}))
      give_back(error);
  }

private:
  /// Whether the error is kept back.
  bool take(const clang::Diagnostic& diagnostic) {
    if (!sema_ || !diagnostic.hasSourceManager() || !diagnostic.getLocation().isValid())
      return false;
    llvm::SmallString<128> text;
    diagnostic.FormatDiagnostic(text);
    clang::FunctionDecl* function = outermost_function(*sema_);
    if (!function)
      function = complete_at(diagnostic.getLocation());
    if (function && !is_device(*function))
      return false;
    if (function)
      lose(*function, std::string(text), diagnostic.getLocation());
    else
      pending_.push_back({diagnostic.getLocation(), std::string(text)});
    return true;
  }

  bool lies_in(clang::SourceLocation location, clang::SourceRange range) const {
    const clang::SourceManager& sources = sema_->getSourceManager();
    const clang::SourceLocation at = sources.getExpansionLoc(location);
    const clang::SourceLocation begin = sources.getExpansionLoc(range.getBegin()),
                                end = sources.getExpansionLoc(range.getEnd());
    return sources.isWrittenInSameFile(begin, at) && sources.isWrittenInSameFile(at, end) &&
           !sources.isBeforeInTranslationUnit(at, begin) && !sources.isBeforeInTranslationUnit(end, at);
  }

  clang::FunctionDecl* complete_at(clang::SourceLocation location) const {
    const auto found = std::ranges::find_if(complete_, [&](const clang::FunctionDecl* function) {
      return lies_in(location, function->getSourceRange());
    });
    return found == complete_.end() ? nullptr : *found;
  }

  void give_back(const Pending& error) {
    gives_back_ = true;
    engine_.Report(error.location, engine_.getCustomDiagID(clang::DiagnosticsEngine::Error, "%0"))
        << error.text;
    gives_back_ = false;
  }

  void lose(clang::FunctionDecl& function, const std::string& text, clang::SourceLocation location) {
    const clang::SourceManager& sources = sema_->getSourceManager();
    const std::string where = line_of(sources, location);
    const auto [entry, first] = numbers_.try_emplace(written_as(function), broken_.size());
    if (first)
      broken_.push_back({function.getNameAsString(), symbol_of(function), where, text});
    else
      broken_[entry->second].errors += "\n" + where + ": " + text;
  }

  /// Errors of a template are those of each instance.
  void lose_instance(const clang::FunctionDecl& function, std::size_t number) {
    BrokenFunction instance = broken_[number];
    instance.symbol = symbol_of(function);
    broken_.push_back(std::move(instance));
    numbers_[&function] = broken_.size() - 1;
  }

  std::string symbol_of(const clang::FunctionDecl& function) const {
    if (!is_kernel(function) || function.isDependentContext())
      return {};
    clang::ASTContext& context = function.getASTContext();
    return context.getLangOpts().CPlusPlus ? clang::ASTNameGenerator(context).getName(&function)
                                           : function.getNameAsString();
  }

  /// An empty kernel is listed and refused; what calls another function calls what is not defined.
  void take_body(clang::FunctionDecl& function) {
    if (!numbers_.contains(&function))
      return;
    clang::ASTContext& context = function.getASTContext();
    function.setBody(is_kernel(function)
                         ? clang::CompoundStmt::Create(context, {}, clang::FPOptionsOverride(),
                                                       function.getLocation(), function.getLocation())
                         : nullptr);
  }

  std::vector<BrokenFunction>& broken_;
  std::map<const clang::FunctionDecl*, std::size_t> numbers_; ///< of functions and templates in `broken_`
  std::vector<clang::FunctionDecl*> complete_;
  std::vector<Pending> pending_;
  bool dropping_ = false, errors_kept_ = false, gives_back_ = false;
};

class DeclarationWatcher : public clang::SemaConsumer {
public:
  explicit DeclarationWatcher(DeviceErrors& errors) : errors_(errors) {}
  void InitializeSema(clang::Sema& sema) override { errors_.attach(&sema); }
  void ForgetSema() override { errors_.attach(nullptr); }
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for_each_declaration(group, [&](clang::Decl* declaration) { visit(declaration); });
    return true;
  }
  void HandleInlineFunctionDefinition(clang::FunctionDecl* function) override {
    errors_.completed(*function);
  }
  void HandleTranslationUnit(clang::ASTContext&) override { errors_.completed_other(); }
  /// Nothing against what another consumer leaves out.
  bool shouldSkipFunctionBody(clang::Decl*) override { return true; }

private:
  void visit(clang::Decl* declaration) {
    if (const auto* pattern = llvm::dyn_cast<clang::FunctionTemplateDecl>(declaration))
      errors_.completed(*pattern->getTemplatedDecl());
    else if (auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration))
      errors_.completed(*function);
    else
      errors_.completed_other();
  }

  DeviceErrors& errors_;
};

} // namespace

std::unique_ptr<clang::ASTConsumer> set_broken_functions_apart(clang::CompilerInstance& compiler,
                                                               std::vector<BrokenFunction>& broken) {
  clang::DiagnosticsEngine& engine = compiler.getDiagnostics();
  std::unique_ptr<clang::DiagnosticConsumer> next = engine.takeClient();
  if (!next) // not owned: the compiler instance keeps the printer
    return nullptr;
  auto* errors = new DeviceErrors(engine, std::move(next), broken);
  engine.setClient(errors, /*ShouldOwnClient=*/true);
  return std::make_unique<DeclarationWatcher>(*errors);
}

} // namespace forewarp::frontend
