#include "frontend/prelude.h"

#include "frontend/cuda_headers.h"
#include "frontend/guard.h"
#include "frontend/logged_files.h"

#include <clang/Basic/Diagnostic.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Serialization/ASTWriter.h>

#include <algorithm>

namespace forewarp::frontend {
namespace {

/// Parses, and keeps the compiler's own form of what it has seen.
class PreludeAction : public clang::ASTFrontendAction {
public:
  explicit PreludeAction(Prelude& prelude) : prelude_(prelude) {}

protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                        llvm::StringRef) override {
    return std::make_unique<clang::PCHGenerator>(
        compiler.getPreprocessor(), compiler.getModuleCache(), "-", "", buffer_,
        llvm::ArrayRef<std::shared_ptr<clang::ModuleFileExtension>>());
  }
  clang::TranslationUnitKind getTranslationUnitKind() override { return clang::TU_Prefix; }
  void EndSourceFileAction() override {
    if (!buffer_->IsComplete)
      return;
    prelude_.bytes.assign(buffer_->Data.begin(), buffer_->Data.end());
    for (const auto& entry : getCompilerInstance().getPreprocessor().getIdentifierTable())
      prelude_.names.insert(entry.getKey().str());
  }

private:
  Prelude& prelude_;
  std::shared_ptr<clang::PCHBuffer> buffer_ = std::make_shared<clang::PCHBuffer>();
};

void compile_into(Prelude& prelude, const std::vector<std::string>& arguments,
                  const std::function<void(clang::CompilerInstance&)>& configure) {
  auto diagnostics = llvm::makeIntrusiveRefCnt<clang::DiagnosticsEngine>(
      llvm::makeIntrusiveRefCnt<clang::DiagnosticIDs>(),
      llvm::makeIntrusiveRefCnt<clang::DiagnosticOptions>(), new clang::IgnoringDiagConsumer);
  std::vector<const char*> words;
  for (const std::string& argument : arguments)
    words.push_back(argument.c_str());
  words.push_back(empty_source);
  clang::CompilerInstance compiler;
  if (!clang::CompilerInvocation::CreateFromArgs(compiler.getInvocation(), words, *diagnostics))
    return;
  compiler.setDiagnostics(diagnostics.get());
  compiler.getFrontendOpts().DisableFree = false;
  configure(compiler);
  compiler.createFileManager(logged_files(
      llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>(&compiler.getFileManager().getVirtualFileSystem()),
      prelude.log));
  PreludeAction action(prelude);
  if (!compiler.ExecuteAction(action))
    prelude.bytes.clear();
}

bool holds_one_of(const Prelude& prelude, const std::vector<std::string>& defines) {
  return std::ranges::any_of(defines, [&](const std::string& define) {
    return prelude.names.contains(std::string_view(define).substr(0, define.find_first_of("=(")));
  });
}

} // namespace

std::shared_ptr<const Prelude>
PreludeStore::get(const std::vector<std::string>& arguments, const std::vector<std::string>& defines,
                  const std::function<void(clang::CompilerInstance&)>& configure,
                  const std::vector<std::string>& own_folders) {
  const auto found =
      std::ranges::find_if(entries_, [&](const Entry& entry) { return entry.arguments == arguments; });
  if (found == entries_.end()) {
    entries_.push_front({arguments, false, nullptr});
    if (entries_.size() > capacity_)
      entries_.pop_back();
    return nullptr;
  }
  entries_.splice(entries_.begin(), entries_, found);
  Entry& entry = entries_.front();
  if (!entry.tried) {
    entry.tried = true;
    auto prelude = std::make_shared<Prelude>();
    prelude->log.ignored_folders = own_folders;
    if (!run_guarded("the compiler", [&] { compile_into(*prelude, arguments, configure); })) {
      (void)new std::shared_ptr<Prelude>(std::move(prelude)); // half-made: may not be destroyed
      return nullptr;
    }
    if (!prelude->bytes.empty())
      entry.prelude = std::move(prelude);
  }
  return entry.prelude && !holds_one_of(*entry.prelude, defines) ? entry.prelude : nullptr;
}

} // namespace forewarp::frontend
