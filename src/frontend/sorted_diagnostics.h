// What the compiler says, errors apart from warnings: many warnings would hide the one error among them.
#pragma once

#include <clang/Basic/Diagnostic.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <llvm/Support/raw_ostream.h>

#include <string>

namespace forewarp::frontend {

struct SortedText {
  std::string errors, warnings; ///< as Clang prints them, each with its notes
  unsigned warning_count = 0;

  /// With an error: the errors, and how many warnings there were. Else the warnings.
  std::string text() const;
};

class SortedDiagnostics : public clang::DiagnosticConsumer {
public:
  SortedDiagnostics(clang::DiagnosticOptions* options, SortedText& sorted)
      : sorted_(sorted), stream_(latest_), printer_(stream_, options) {}

  void BeginSourceFile(const clang::LangOptions& language, const clang::Preprocessor* preprocessor) override;
  void EndSourceFile() override;
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& diagnostic) override;

private:
  SortedText& sorted_;
  std::string latest_;
  llvm::raw_string_ostream stream_; ///< unbuffered, into `latest_`
  clang::TextDiagnosticPrinter printer_;
  bool after_error_ = false; ///< what a note belongs to
};

} // namespace forewarp::frontend
