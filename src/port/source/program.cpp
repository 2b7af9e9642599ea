#include "port/source/program.h"

#include "frontend/driver.h"
#include "frontend/guard.h"
#include "port/source/loop_visitor.h"

#include <clang/CodeGen/CodeGenAction.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/MultiplexConsumer.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <clang/Frontend/Utils.h>
#include <llvm/Linker/Linker.h>
#include <llvm/TargetParser/Host.h>

#include <filesystem>

namespace forewarp::port {
namespace {

namespace fs = std::filesystem;

struct Unit {
  std::unique_ptr<llvm::Module> module;
  UnitLoops loops;
  std::vector<FoundPragma> pragmas;
  std::string diagnostics;
  bool ok = false;
};

class LoopConsumer : public clang::ASTConsumer {
public:
  explicit LoopConsumer(Unit& unit) : unit_(unit) {}
  void HandleTranslationUnit(clang::ASTContext& context) override {
    unit_.loops = collect_loops(context, unit_.pragmas);
  }

private:
  Unit& unit_;
};

class UnitAction : public clang::EmitLLVMOnlyAction {
public:
  UnitAction(llvm::LLVMContext& context, Unit& unit) : clang::EmitLLVMOnlyAction(&context), unit_(unit) {}

protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                        llvm::StringRef file) override {
    add_pragma_handler(compiler.getPreprocessor(), unit_.pragmas);
    auto generator = clang::EmitLLVMOnlyAction::CreateASTConsumer(compiler, file);
    if (!generator)
      return nullptr;
    std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
    consumers.push_back(std::make_unique<LoopConsumer>(unit_));
    consumers.push_back(std::move(generator));
    return std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
  }

private:
  Unit& unit_;
};

bool is_cxx(const fs::path& path) {
  return path.extension() != ".c";
}

Result<void> check_file(const std::string& path) {
  std::error_code error;
  if (!fs::exists(path, error))
    return fail(ErrorCode::not_found, "no such file", path,
                "check the name; it is looked for from this folder on");
  const std::string ending = fs::path(path).extension().string();
  for (const char* known : {".c", ".cc", ".cpp", ".cxx", ".C"})
    if (ending == known)
      return fs::is_regular_file(path, error) ? Result<void>{}
                                              : fail(ErrorCode::bad_input, "is not a regular file", path);
  return fail(ErrorCode::bad_input, "unknown kind of source file", path,
              "endings that are understood: .c, .cc, .cpp, .cxx, .C");
}

std::vector<std::string> driver_words(const SourceRequest& request, const std::string& path,
                                      const std::string& resources) {
  std::vector<std::string> words = {is_cxx(path) ? "clang++" : "clang",
                                    "-resource-dir",
                                    resources,
                                    "-O2",
                                    "-g",
                                    "-ffp-contract=on",
                                    "-fno-math-errno",
                                    "-fcomplex-arithmetic=basic", // as GPU code has it: no calls
                                    "-fdebug-compilation-dir=.",
                                    "-Wno-unknown-pragmas"};
  if (!request.standard.empty() && (is_cxx(path) == (request.standard.find("++") != std::string::npos)))
    words.push_back("-std=" + request.standard);
  for (const std::string& define : request.defines)
    words.push_back("-D" + define);
  for (const std::string& folder : request.include_directories)
    words.push_back("-I" + folder);
  words.insert(words.end(), request.words.begin(), request.words.end());
  words.insert(words.end(), {"-c", path});
  return words;
}

void compile_unit(Unit& unit, llvm::LLVMContext& context, const std::vector<std::string>& words) {
  llvm::raw_string_ostream text(unit.diagnostics);
  auto options = llvm::makeIntrusiveRefCnt<clang::DiagnosticOptions>();
  auto diagnostics = llvm::makeIntrusiveRefCnt<clang::DiagnosticsEngine>(
      llvm::makeIntrusiveRefCnt<clang::DiagnosticIDs>(), options,
      new clang::TextDiagnosticPrinter(text, options.get()));
  diagnostics->setIgnoreAllWarnings(true); // the program's own build shows them
  std::vector<const char*> pointers;
  for (const std::string& word : words)
    pointers.push_back(word.c_str());
  clang::CreateInvocationOptions creation;
  creation.Diags = diagnostics;
  std::shared_ptr<clang::CompilerInvocation> invocation = clang::createInvocation(pointers, creation);
  if (!invocation)
    return;
  clang::CompilerInstance compiler;
  compiler.setInvocation(invocation);
  compiler.setDiagnostics(diagnostics.get());
  compiler.setVerboseOutputStream(text);
  compiler.getFrontendOpts().DisableFree = false;
  clang::CodeGenOptions& generation = compiler.getCodeGenOpts();
  generation.DisableFree = false;
  generation.DiscardValueNames = false;
  generation.DisableLLVMPasses = true; // both roads, counting and timing, start from the unoptimised module
  UnitAction action(context, unit);
  unit.ok = compiler.ExecuteAction(action);
  unit.module = action.takeModule();
}

/// Without "2 errors generated.", which adds nothing to a message that shows them.
std::string trimmed(std::string text) {
  const std::size_t end = text.rfind(" generated.\n");
  if (end != std::string::npos && end + 12 == text.size())
    text.resize(text.rfind('\n', end) == std::string::npos ? 0 : text.rfind('\n', end));
  while (!text.empty() && text.back() == '\n')
    text.pop_back();
  return text;
}

Result<std::unique_ptr<Unit>> compile_one(const SourceRequest& request, const std::string& path,
                                          llvm::LLVMContext& context, const std::string& resources) {
  FOREWARP_TRY(check_file(path));
  auto unit = std::make_unique<Unit>();
  const std::vector<std::string> words = driver_words(request, path, resources);
  auto ran = frontend::run_guarded("the compiler", [&] { compile_unit(*unit, context, words); });
  if (!ran) {
    ran.error().where = path;
    (void)unit.release(); // half-made objects of the compiler may not be destroyed
    return tl::unexpected(ran.error());
  }
  unit->diagnostics = trimmed(unit->diagnostics);
  if (!unit->ok || !unit->module)
    return fail(ErrorCode::compile, unit->diagnostics.empty() ? "the compiler refused it" : unit->diagnostics,
                path, "-I, -D and --std change how it is compiled");
  if (!unit->loops.errors.empty())
    return tl::unexpected(unit->loops.errors.front());
  return unit;
}

/// Loops of a header that several files include are the same loops.
void append_loops(SourceProgram& program, UnitLoops& unit) {
  const int first = static_cast<int>(program.loops.size());
  for (SourceLoop& loop : unit.loops) {
    if (loop.parent >= 0)
      loop.parent += first;
    program.loops.push_back(std::move(loop));
  }
  for (RegionMark& mark : unit.marks) {
    const bool known = std::any_of(program.marks.begin(), program.marks.end(), [&](const RegionMark& other) {
      return other.file == mark.file && other.line == mark.line && other.column == mark.column;
    });
    if (!known)
      program.marks.push_back(std::move(mark));
  }
}

} // namespace

Result<SourceProgram> compile_file(const SourceRequest& request, const std::string& path) {
  auto resources = frontend::resource_directory();
  FOREWARP_TRY(resources);
  auto context = std::make_unique<llvm::LLVMContext>();
  auto unit = compile_one(request, path, *context, *resources);
  if (!unit) {
    if (unit.error().code == ErrorCode::internal)
      (void)context.release();
    return tl::unexpected(unit.error());
  }
  SourceProgram program;
  append_loops(program, (*unit)->loops);
  program.module = std::move((*unit)->module);
  program.context = std::move(context);
  return program;
}

Result<SourceProgram> compile_program(const SourceRequest& request) {
  auto resources = frontend::resource_directory();
  FOREWARP_TRY(resources);
  auto context = std::make_unique<llvm::LLVMContext>();
  SourceProgram program;
  for (const std::string& path : request.files) {
    auto unit = compile_one(request, path, *context, *resources);
    if (!unit) {
      if (unit.error().code == ErrorCode::internal)
        (void)context.release();
      return tl::unexpected(unit.error());
    }
    append_loops(program, (*unit)->loops);
    if (!program.module)
      program.module = std::move((*unit)->module);
    else if (llvm::Linker::linkModules(*program.module, std::move((*unit)->module)))
      return fail(ErrorCode::compile, "the files do not link: a symbol is defined twice", path);
  }
  const llvm::Function* main = program.module->getFunction("main");
  if (!main || main->isDeclaration())
    return fail(ErrorCode::bad_input, "the program has no 'main'", request.files.front(),
                "name all files of the program; the regions are run by its own main");
  program.context = std::move(context);
  return program;
}

} // namespace forewarp::port
