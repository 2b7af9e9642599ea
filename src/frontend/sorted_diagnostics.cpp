#include "frontend/sorted_diagnostics.h"

#include <utility>

namespace forewarp::frontend {

using Level = clang::DiagnosticsEngine::Level;

std::string SortedText::text() const {
  std::string text = errors.empty() ? warnings : errors;
  if (!errors.empty() && warning_count > 0)
    text += "(" + std::to_string(warning_count) + (warning_count == 1 ? " warning is" : " warnings are") +
            " not shown)\n";
  while (text.ends_with('\n'))
    text.pop_back();
  return text;
}

void SortedDiagnostics::BeginSourceFile(const clang::LangOptions& language,
                                        const clang::Preprocessor* preprocessor) {
  printer_.BeginSourceFile(language, preprocessor);
}

void SortedDiagnostics::EndSourceFile() {
  printer_.EndSourceFile();
}

void SortedDiagnostics::HandleDiagnostic(Level level, const clang::Diagnostic& diagnostic) {
  clang::DiagnosticConsumer::HandleDiagnostic(level, diagnostic); // counts for the engine
  printer_.HandleDiagnostic(level, diagnostic);
  if (level != Level::Note)
    after_error_ = level >= Level::Error;
  sorted_.warning_count += level == Level::Warning ? 1 : 0;
  (after_error_ ? sorted_.errors : sorted_.warnings) += std::exchange(latest_, {});
}

} // namespace forewarp::frontend
