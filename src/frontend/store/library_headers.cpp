#include "frontend/store/library_headers.h"

#include "frontend/languages/cuda/cuda_headers.h"

#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>

#include <algorithm>

namespace forewarp::frontend {
namespace {

class LibraryHeaderWatch : public clang::PPCallbacks {
public:
  LibraryHeaderWatch(const clang::SourceManager& sources, LibraryHeaders& seen)
      : sources_(sources), seen_(seen) {}

  void InclusionDirective(clang::SourceLocation hash, const clang::Token&, llvm::StringRef name, bool,
                          clang::CharSourceRange, clang::OptionalFileEntryRef file, llvm::StringRef,
                          llvm::StringRef, const clang::Module*, bool,
                          clang::SrcMgr::CharacteristicKind kind) override {
    if (!file || !is_users(hash) || !clang::SrcMgr::isSystem(kind) ||
        file->getName().starts_with(own_include_folder) || std::ranges::count(seen_.names, name) > 0)
      return;
    seen_.names.push_back(name.str());
    seen_.macros.merge(since_last_);
  }
  void MacroDefined(const clang::Token& name, const clang::MacroDirective* directive) override {
    changed(name, directive->getLocation());
  }
  void MacroUndefined(const clang::Token& name, const clang::MacroDefinition&,
                      const clang::MacroDirective* directive) override {
    if (directive != nullptr) // null: it was not defined
      changed(name, directive->getLocation());
  }

private:
  bool is_users(clang::SourceLocation location) const {
    return location.isValid() && !sources_.isWrittenInBuiltinFile(location) &&
           !sources_.isWrittenInCommandLineFile(location) && !sources_.isInSystemHeader(location);
  }
  void changed(const clang::Token& name, clang::SourceLocation location) {
    if (is_users(location))
      since_last_.insert(name.getIdentifierInfo()->getName().str());
  }

  const clang::SourceManager& sources_;
  LibraryHeaders& seen_;
  std::set<std::string, std::less<>> since_last_;
};

} // namespace

void watch_library_headers(clang::CompilerInstance& compiler, LibraryHeaders& seen) {
  compiler.getPreprocessor().addPPCallbacks(
      std::make_unique<LibraryHeaderWatch>(compiler.getSourceManager(), seen));
}

std::string source_of(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names)
    text += "#include <" + name + ">\n";
  return text;
}

} // namespace forewarp::frontend
