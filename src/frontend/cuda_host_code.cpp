#include "frontend/cuda_host_code.h"

#include "frontend/cuda_kernel_templates.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Sema/Sema.h>
#include <clang/Sema/SemaConsumer.h>

#include <algorithm>

namespace forewarp::frontend {

namespace {

bool is_lambda_body(const clang::FunctionDecl& function) {
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
  return method && method->getParent()->isLambda();
}

/// Clang makes lambdas and constexpr functions callable from both sides; a lambda is then what is around it.
bool is_device(const clang::FunctionDecl& function) {
  const auto* device = function.getAttr<clang::CUDADeviceAttr>();
  bool is_explicit = (device && !device->isImplicit()) || function.hasAttr<clang::CUDAGlobalAttr>();
  return is_explicit || (function.isConstexpr() && !is_lambda_body(function));
}

/// The outermost host function around the place where Sema stands; null in device code and outside of
/// functions.
const clang::FunctionDecl* host_function_around(const clang::Sema& sema) {
  const clang::FunctionDecl* outermost = nullptr;
  for (const clang::DeclContext* context = sema.CurContext; context; context = context->getParent())
    if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(context)) {
      if (is_device(*function))
        return nullptr;
      outermost = function;
    }
  return outermost;
}

bool inside_function(const clang::Sema& sema) {
  for (const clang::DeclContext* context = sema.CurContext; context; context = context->getParent())
    if (context->isFunctionOrMethod())
      return true;
  return false;
}

/// From the end of the declaration before `offset` to the body or end of the one around it.
llvm::StringRef declaration_around(llvm::StringRef text, unsigned offset) {
  std::size_t start = text.substr(0, offset).find_last_of(";}");
  std::size_t end = text.find_first_of(";{", offset);
  start = start == llvm::StringRef::npos ? 0 : start + 1;
  return text.slice(start, end == llvm::StringRef::npos ? text.size() : end);
}

bool names_device_keyword(llvm::StringRef text) {
  for (const char* keyword : {"__global__", "__device__", "__constant__", "__shared__", "__managed__"})
    if (text.contains(keyword))
      return true;
  return false;
}

/// Hands diagnostics on, except errors (and their notes) that Sema reports while it is inside a host
/// function.
class HostErrorFilter : public clang::DiagnosticConsumer {
public:
  HostErrorFilter(clang::DiagnosticsEngine& engine, std::unique_ptr<clang::DiagnosticConsumer> next,
                  HostCodeReport& report)
      : engine_(engine), next_(std::move(next)), report_(report) {}

  void attach(clang::Sema* sema) { sema_ = sema; }
  /// Host functions with errors, in the order of their first error.
  const std::vector<const clang::FunctionDecl*>& skipped() const { return skipped_; }

  void BeginSourceFile(const clang::LangOptions& language, const clang::Preprocessor* preprocessor) override {
    next_->BeginSourceFile(language, preprocessor);
  }
  void EndSourceFile() override { next_->EndSourceFile(); }
  void finish() override { next_->finish(); }

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& diagnostic) override {
    if (level == clang::DiagnosticsEngine::Note && dropping_)
      return;
    dropping_ = false;
    if (level >= clang::DiagnosticsEngine::Error && drop(diagnostic)) {
      dropping_ = true;
      return;
    }
    clang::DiagnosticConsumer::HandleDiagnostic(level, diagnostic);
    next_->HandleDiagnostic(level, diagnostic);
    errors_kept_ |= level >= clang::DiagnosticsEngine::Error;
  }

private:
  bool drop(const clang::Diagnostic& diagnostic) {
    if (!sema_)
      return false;
    if (const clang::FunctionDecl* function = host_function_around(*sema_)) {
      add_once(report_.skipped_functions, function->getNameAsString(), diagnostic);
      if (std::find(skipped_.begin(), skipped_.end(), function) == skipped_.end())
        skipped_.push_back(function);
    } else if (is_host_declaration(diagnostic))
      add_once(report_.skipped_declarations, place_of(diagnostic), diagnostic);
    else
      return false;
    // The engine has counted this error already and would keep the code generator from running.
    if (!errors_kept_)
      engine_.Reset(/*soft=*/true);
    return true;
  }

  void add_once(std::vector<std::string>& list, std::string entry, const clang::Diagnostic& diagnostic) {
    if (std::find(list.begin(), list.end(), entry) != list.end())
      return;
    list.push_back(std::move(entry));
    llvm::SmallString<128> text;
    diagnostic.FormatDiagnostic(text);
    report_.errors.push_back(place_of(diagnostic) + ": " + text.c_str());
  }

  /// Outside of functions, the declaration around the error counts as host code when a header is missing and
  /// its text names no device keyword: what device code needs of it gives an error there.
  bool is_host_declaration(const clang::Diagnostic& diagnostic) const {
    if (report_.missing_headers.empty() || inside_function(*sema_) || !diagnostic.hasSourceManager())
      return false;
    const clang::SourceManager& sources = diagnostic.getSourceManager();
    auto [file, offset] = sources.getDecomposedExpansionLoc(diagnostic.getLocation());
    bool invalid = false;
    llvm::StringRef text = sources.getBufferData(file, &invalid);
    return !invalid && !names_device_keyword(declaration_around(text, offset));
  }

  static std::string place_of(const clang::Diagnostic& diagnostic) {
    if (!diagnostic.hasSourceManager() || !diagnostic.getLocation().isValid())
      return {};
    clang::PresumedLoc at = diagnostic.getSourceManager().getPresumedLoc(diagnostic.getLocation());
    return at.isValid() ? std::string(at.getFilename()) + ":" + std::to_string(at.getLine()) : std::string();
  }

  clang::DiagnosticsEngine& engine_;
  std::unique_ptr<clang::DiagnosticConsumer> next_;
  HostCodeReport& report_;
  clang::Sema* sema_ = nullptr;
  std::vector<const clang::FunctionDecl*> skipped_;
  bool dropping_ = false, errors_kept_ = false;
};

/// The first, innermost expression that Clang could not make sense of.
const clang::Expr* misunderstood(const clang::Stmt* statement) {
  if (!statement)
    return nullptr;
  const auto* expression = llvm::dyn_cast<clang::Expr>(statement);
  if (expression && !expression->containsErrors())
    return nullptr;
  for (const clang::Stmt* child : statement->children())
    if (const clang::Expr* found = misunderstood(child))
      return found;
  return expression;
}

/// Tells the filter when there is a Sema to ask.
class SemaWatcher : public clang::SemaConsumer {
public:
  SemaWatcher(HostErrorFilter& filter, HostCodeReport& report) : filter_(filter), report_(report) {}
  void InitializeSema(clang::Sema& sema) override {
    sema_ = &sema;
    filter_.attach(&sema);
  }
  void ForgetSema() override {
    sema_ = nullptr;
    filter_.attach(nullptr);
  }
  /// Device code that uses a declaration which was passed over has placeholders and, so far, no error; the
  /// code generator must not see it.
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (const clang::Decl* declaration : group) {
      const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration);
      if (!sema_ || !function ||
          !(function->hasAttr<clang::CUDAGlobalAttr>() || function->hasAttr<clang::CUDADeviceAttr>()))
        continue;
      clang::DiagnosticsEngine& engine = sema_->getDiagnostics();
      if (const clang::Expr* found = misunderstood(function->getBody()))
        engine.Report(found->getBeginLoc(),
                      engine.getCustomDiagID(clang::DiagnosticsEngine::Error,
                                             "this uses a declaration that could not be understood"));
    }
    return true;
  }
  void HandleTranslationUnit(clang::ASTContext& context) override {
    if (sema_ && !context.getDiagnostics().hasErrorOccurred())
      instantiate_named_kernels(*sema_, filter_.skipped());
    report_.kernels_without_instance = kernels_without_instance(context);
  }

private:
  HostErrorFilter& filter_;
  HostCodeReport& report_;
  clang::Sema* sema_ = nullptr;
};

class MissingHeaders : public clang::PPCallbacks {
public:
  explicit MissingHeaders(HostCodeReport& report) : report_(report) {}
  bool FileNotFound(llvm::StringRef name) override {
    auto& missing = report_.missing_headers;
    if (std::find(missing.begin(), missing.end(), name) == missing.end())
      missing.push_back(name.str());
    return true;
  }

private:
  HostCodeReport& report_;
};

} // namespace

std::unique_ptr<clang::ASTConsumer> tolerate_host_errors(clang::CompilerInstance& compiler,
                                                         HostCodeReport& report) {
  clang::DiagnosticsEngine& engine = compiler.getDiagnostics();
  std::unique_ptr<clang::DiagnosticConsumer> next = engine.takeClient();
  if (!next) // not owned: the compiler instance keeps the printer
    return nullptr;
  auto* filter = new HostErrorFilter(engine, std::move(next), report);
  engine.setClient(filter, /*ShouldOwnClient=*/true);
  return std::make_unique<SemaWatcher>(*filter, report);
}

void pass_over_missing_headers(clang::CompilerInstance& compiler, HostCodeReport& report) {
  compiler.getPreprocessor().addPPCallbacks(std::make_unique<MissingHeaders>(report));
}

} // namespace forewarp::frontend
