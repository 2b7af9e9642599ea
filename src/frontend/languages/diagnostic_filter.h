// Diagnostics on their way to another consumer, with a look at where Sema stands.
#pragma once

#include <clang/Basic/Diagnostic.h>

#include <memory>
#include <utility>

namespace clang {
class FunctionDecl;
class Sema;
} // namespace clang

namespace forewarp::frontend {

/// The outermost function around the place where Sema stands; null: it is in none.
clang::FunctionDecl* outermost_function(const clang::Sema& sema);

/// Stands in front of `next`, which hears what a class of this kind hands on.
class DiagnosticFilter : public clang::DiagnosticConsumer {
public:
  DiagnosticFilter(clang::DiagnosticsEngine& engine, std::unique_ptr<clang::DiagnosticConsumer> next)
      : engine_(engine), next_(std::move(next)) {}

  /// Null: the translation unit ends.
  void attach(clang::Sema* sema) { sema_ = sema; }
  void BeginSourceFile(const clang::LangOptions& language, const clang::Preprocessor* preprocessor) override {
    next_->BeginSourceFile(language, preprocessor);
  }
  void EndSourceFile() override { next_->EndSourceFile(); }
  void finish() override { next_->finish(); }

protected:
  clang::DiagnosticsEngine& engine_;
  std::unique_ptr<clang::DiagnosticConsumer> next_;
  clang::Sema* sema_ = nullptr;
};

} // namespace forewarp::frontend
