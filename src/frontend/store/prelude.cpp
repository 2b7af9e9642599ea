#include "frontend/store/prelude.h"

#include "frontend/guard.h"
#include "frontend/languages/cuda/cuda_headers.h"
#include "frontend/languages/cuda/cuda_host_code.h"
#include "frontend/store/logged_files.h"

#include <clang/Basic/Diagnostic.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Serialization/ASTWriter.h>

#include <algorithm>
#include <utility>

namespace forewarp::frontend {
namespace {

/// Writes what was parsed; of the library's functions without what no kernel needs.
class Writer : public clang::PCHGenerator {
public:
  Writer(clang::CompilerInstance& compiler, std::shared_ptr<clang::PCHBuffer> buffer)
      : clang::PCHGenerator(compiler.getPreprocessor(), compiler.getModuleCache(), "-", "", std::move(buffer),
                            llvm::ArrayRef<std::shared_ptr<clang::ModuleFileExtension>>()),
        sources_(compiler.getSourceManager()) {}
  bool shouldSkipFunctionBody(clang::Decl* declaration) override {
    const clang::FunctionDecl* function = declaration->getAsFunction();
    return function && is_library_host_function(*function, sources_);
  }

private:
  const clang::SourceManager& sources_;
};

/// Parses, and keeps the compiler's own form of what it has seen.
class PreludeAction : public clang::ASTFrontendAction {
public:
  explicit PreludeAction(Prelude& prelude) : prelude_(prelude) {}

protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                        llvm::StringRef) override {
    return std::make_unique<Writer>(compiler, buffer_);
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

void compile_into(Prelude& prelude, const PreludeStore::Wanted& wanted) {
  auto diagnostics = llvm::makeIntrusiveRefCnt<clang::DiagnosticsEngine>(
      llvm::makeIntrusiveRefCnt<clang::DiagnosticIDs>(),
      llvm::makeIntrusiveRefCnt<clang::DiagnosticOptions>(), new clang::IgnoringDiagConsumer);
  std::vector<const char*> words;
  for (const std::string& argument : wanted.arguments)
    words.push_back(argument.c_str());
  words.push_back(prelude_source);
  clang::CompilerInstance compiler;
  if (!clang::CompilerInvocation::CreateFromArgs(compiler.getInvocation(), words, *diagnostics))
    return;
  compiler.setDiagnostics(diagnostics.get());
  compiler.getFrontendOpts().DisableFree = false;
  compiler.getFrontendOpts().SkipFunctionBodies = true; // those that the writer names
  prelude.source = source_of(wanted.headers.names);
  wanted.configure(compiler, prelude.source);
  compiler.createFileManager(logged_files(
      llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>(&compiler.getFileManager().getVirtualFileSystem()),
      prelude.log));
  PreludeAction action(prelude);
  if (!compiler.ExecuteAction(action))
    prelude.bytes.clear();
}

bool holds_one_of(const Prelude& prelude, const PreludeStore::Wanted& wanted) {
  const auto held = [&](std::string_view name) { return prelude.names.contains(name); };
  return std::ranges::any_of(wanted.headers.macros, held) ||
         std::ranges::any_of(wanted.defines, [&](const std::string& define) {
           return held(std::string_view(define).substr(0, define.find_first_of("=(")));
         });
}

} // namespace

PreludeStore::Entry& PreludeStore::entry_of(const Wanted& wanted) {
  const auto found = std::ranges::find_if(entries_, [&](const Entry& entry) {
    return entry.arguments == wanted.arguments && entry.headers == wanted.headers.names;
  });
  if (found != entries_.end()) {
    entries_.splice(entries_.begin(), entries_, found);
    return entries_.front();
  }
  entries_.push_front({wanted.arguments, wanted.headers.names, false, false, nullptr});
  if (entries_.size() > capacity_)
    entries_.pop_back();
  return entries_.front();
}

std::shared_ptr<const Prelude> PreludeStore::get(const Wanted& wanted) {
  Entry& entry = entry_of(wanted);
  if (!std::exchange(entry.asked, true) && wanted.headers.names.empty())
    return nullptr;
  if (!entry.tried) {
    entry.tried = true;
    auto prelude = std::make_shared<Prelude>();
    prelude->log.ignored_folders = wanted.own_folders;
    if (!run_guarded("the compiler", [&] { compile_into(*prelude, wanted); })) {
      (void)new std::shared_ptr<Prelude>(std::move(prelude)); // half-made: may not be destroyed
      return nullptr;
    }
    if (!prelude->bytes.empty())
      entry.prelude = std::move(prelude);
  }
  return entry.prelude && !holds_one_of(*entry.prelude, wanted) ? entry.prelude : nullptr;
}

LibraryHeaders PreludeStore::headers_of(const std::string& origin) const {
  const auto known = headers_by_origin_.find(origin);
  return known == headers_by_origin_.end() ? LibraryHeaders{} : known->second;
}

void PreludeStore::note_headers(const std::string& origin, const LibraryHeaders& seen) {
  const auto [known, is_new] = headers_by_origin_.try_emplace(origin, seen);
  if (!is_new && known->second.names != seen.names)
    known->second = {};
}

} // namespace forewarp::frontend
