#include "frontend/cuda_host_code.h"

#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Sema/Sema.h>
#include <clang/Sema/SemaConsumer.h>

#include <algorithm>

namespace forewarp::frontend {

namespace {

bool is_device(const clang::FunctionDecl& function) {
  return function.hasAttr<clang::CUDADeviceAttr>() || function.hasAttr<clang::CUDAGlobalAttr>();
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

/// Hands diagnostics on, except errors (and their notes) that Sema reports while it is inside a host
/// function.
class HostErrorFilter : public clang::DiagnosticConsumer {
public:
  HostErrorFilter(clang::DiagnosticsEngine& engine, std::unique_ptr<clang::DiagnosticConsumer> next,
                  HostCodeReport& report)
      : engine_(engine), next_(std::move(next)), report_(report) {}

  void attach(clang::Sema* sema) { sema_ = sema; }

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
    const clang::FunctionDecl* function = sema_ ? host_function_around(*sema_) : nullptr;
    if (!function)
      return false;
    std::string name = function->getNameAsString();
    if (std::find(report_.skipped_functions.begin(), report_.skipped_functions.end(), name) ==
        report_.skipped_functions.end()) {
      report_.skipped_functions.push_back(name);
      report_.first_errors.push_back(place_and_text(diagnostic));
    }
    // The engine has counted this error already and would keep the code generator from running.
    if (!errors_kept_)
      engine_.Reset(/*soft=*/true);
    return true;
  }

  std::string place_and_text(const clang::Diagnostic& diagnostic) const {
    llvm::SmallString<128> text;
    diagnostic.FormatDiagnostic(text);
    if (!diagnostic.hasSourceManager() || !diagnostic.getLocation().isValid())
      return std::string(text);
    clang::PresumedLoc at = diagnostic.getSourceManager().getPresumedLoc(diagnostic.getLocation());
    return at.isValid()
               ? std::string(at.getFilename()) + ":" + std::to_string(at.getLine()) + ": " + text.c_str()
               : std::string(text);
  }

  clang::DiagnosticsEngine& engine_;
  std::unique_ptr<clang::DiagnosticConsumer> next_;
  HostCodeReport& report_;
  clang::Sema* sema_ = nullptr;
  bool dropping_ = false, errors_kept_ = false;
};

/// Tells the filter when there is a Sema to ask.
class SemaWatcher : public clang::SemaConsumer {
public:
  explicit SemaWatcher(HostErrorFilter& filter) : filter_(filter) {}
  void InitializeSema(clang::Sema& sema) override { filter_.attach(&sema); }
  void ForgetSema() override { filter_.attach(nullptr); }

private:
  HostErrorFilter& filter_;
};

class MissingHeaders : public clang::PPCallbacks {
public:
  explicit MissingHeaders(HostCodeReport& report) : report_(report) {}
  bool FileNotFound(llvm::StringRef name) override {
    report_.missing_headers.push_back(name.str());
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
  return std::make_unique<SemaWatcher>(*filter);
}

void pass_over_missing_headers(clang::CompilerInstance& compiler, HostCodeReport& report) {
  compiler.getPreprocessor().addPPCallbacks(std::make_unique<MissingHeaders>(report));
}

} // namespace forewarp::frontend
