#include "frontend/host/host_program.h"

#include "frontend/driver.h"
#include "frontend/guard.h"
#include "frontend/host/interpreter.h"
#include "frontend/languages/cuda/cuda_arguments.h"
#include "frontend/languages/cuda/cuda_headers.h"
#include "frontend/languages/cuda/cuda_host_code.h"
#include "frontend/languages/cuda/cuda_reading.h"
#include "frontend/languages/source_language.h"
#include "frontend/sorted_diagnostics.h"
#include "frontend/store/file_log.h"
#include "frontend/store/module_store.h"

#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/FrontendActions.h>
#include <clang/Frontend/MultiplexConsumer.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <filesystem>
#include <fstream>
#include <memory>

namespace forewarp::frontend::host {
namespace {

void follow(clang::ASTContext& context, const HostRequest& asked, HostProgram& out) {
  HostRequest request = asked;
  for (std::size_t next = 0;; ++next) {
    out = {};
    Interpreter(context, request, out).run();
    if (next == asked.smaller_assumed.size() || !asked.wants_smaller || !asked.wants_smaller(out))
      return;
    request.assumed = asked.smaller_assumed[next];
  }
}

class ReaderConsumer : public clang::ASTConsumer {
public:
  ReaderConsumer(const HostRequest& request, HostProgram& out) : request_(request), out_(out) {}
  void HandleTranslationUnit(clang::ASTContext& context) override { follow(context, request_, out_); }

private:
  const HostRequest& request_;
  HostProgram& out_;
};

class ReaderAction : public clang::ASTFrontendAction {
public:
  ReaderAction(const HostRequest& request, HostProgram& out, HostCodeReport& report)
      : request_(request), out_(out), report_(report) {}

protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                        llvm::StringRef) override {
    pass_over_missing_headers(compiler, report_);
    std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
    if (auto tolerant = tolerate_host_errors(compiler, report_, HostFunctions::own))
      consumers.push_back(std::move(tolerant));
    consumers.push_back(std::make_unique<ReaderConsumer>(request_, out_));
    return std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
  }

private:
  const HostRequest& request_;
  HostProgram& out_;
  HostCodeReport& report_;
};

bool is_c(const std::string& path) {
  return std::filesystem::path(path).extension() == ".c";
}
bool holds_cuda(const std::string& path) {
  const auto ending = std::filesystem::path(path).extension();
  return ending == ".cu" || ending == ".cuh" || ending == ".hip";
}

/// C and C++ for the machine itself.
std::vector<std::string> host_arguments(const CompileRequest& request, const std::string& resources) {
  std::vector<std::string> arguments = {"-triple",
                                        "x86_64-pc-linux-gnu",
                                        "-x",
                                        is_c(request.path) ? "c" : "c++",
                                        is_c(request.path) ? "-std=gnu17" : "-std=gnu++17",
                                        "-resource-dir",
                                        resources,
                                        "-fgnuc-version=4.2.1",
                                        "-ferror-limit",
                                        "0",
                                        "-w",
                                        "-nostdsysteminc",
                                        "-internal-isystem",
                                        own_include_folder};
  if (!is_c(request.path))
    arguments.insert(arguments.end(), {"-fexceptions", "-fcxx-exceptions"});
  for (std::string& argument : system_header_arguments(resources))
    arguments.push_back(std::move(argument));
  for (const std::string& define : request.defines)
    arguments.push_back("-D" + define);
  for (const std::string& directory : request.include_directories)
    arguments.insert(arguments.end(), {"-I", directory});
  return arguments;
}

bool is_read_as_cuda(const CompileRequest& request) {
  return holds_cuda(request.path) || (is_cuda_source(request.path) && !request.extra_options.empty());
}

std::vector<std::string> reading_arguments(const CompileRequest& asked, const std::string& resources) {
  CompileRequest request = asked;
  std::vector<std::string> arguments;
  if (is_read_as_cuda(request)) {
    const CudaOptions options = translate_options(request);
    Job job;
    job.arguments = cuda_arguments(request, options, resources);
    arguments = common_arguments(request, job, resources);
  } else {
    arguments = host_arguments(request, resources);
  }
  arguments.insert(arguments.end(),
                   {"-frecovery-ast", "-frecovery-ast-type", "-main-file-name", request.path, request.path});
  return arguments;
}

struct Reading {
  HostProgram program;
  HostCodeReport report;
  bool options_ok = true;
};

void read_into(Reading& reading, const HostRequest& request, const std::vector<std::string>& arguments) {
  auto options = llvm::makeIntrusiveRefCnt<clang::DiagnosticOptions>();
  SortedText said;
  auto* sorted = new SortedDiagnostics(options.get(), said); // the engine's
  auto diagnostics = llvm::makeIntrusiveRefCnt<clang::DiagnosticsEngine>(
      llvm::makeIntrusiveRefCnt<clang::DiagnosticIDs>(), options, sorted);
  std::vector<const char*> words;
  for (const std::string& argument : arguments)
    words.push_back(argument.c_str());
  std::string counts;
  llvm::raw_string_ostream count_line(counts);
  clang::CompilerInstance compiler;
  reading.options_ok =
      clang::CompilerInvocation::CreateFromArgs(compiler.getInvocation(), words, *diagnostics);
  compiler.setDiagnostics(diagnostics.get());
  compiler.setVerboseOutputStream(count_line);
  compiler.getFrontendOpts().DisableFree = false;
  compiler.getFrontendOpts().SkipFunctionBodies = true; // tolerate_host_errors says which
  if (!reading.options_ok)
    return;
  compiler.createFileManager(files_with_own_headers(nullptr, ""));
  if (const std::string text = with_own_spellings(request.compile.path); !text.empty())
    compiler.getPreprocessorOpts().addRemappedFile(
        request.compile.path, llvm::MemoryBuffer::getMemBufferCopy(text, request.compile.path).release());
  ReaderAction action(request, reading.program, reading.report);
  compiler.ExecuteAction(action);
}

/// The program, and the module that it asks for in the cache folder; none: the source does not compile as it
/// stands.
std::optional<HostProgram> read_and_keep(const HostRequest& request) {
  auto program = std::make_unique<HostProgram>();
  bool is_read = false;
  std::optional<CompileRequest> chosen;
  const ModuleStore store(request.compile.cache_folder);
  FileLog log;
  CompileRequest compile = request.compile;
  compile.log = &log;
  const auto module = compile_while_reading(compile, [&](clang::ASTContext& context) {
    follow(context, request, *program);
    is_read = true;
    chosen = request.wants_module(*program);
    return chosen && !store.find(*chosen) ? chosen : std::nullopt;
  });
  if (!is_read) {
    if (!module && module.error().code == ErrorCode::internal)
      (void)program.release(); // half-made: may not be destroyed
    return std::nullopt;
  }
  if (module && chosen && (chosen->only_kernel.empty() || select_kernel(*module, chosen->only_kernel)))
    store.keep(*chosen, log, module);
  return std::move(*program);
}

} // namespace

Result<HostProgram> read_host_program(const HostRequest& request) {
  if (std::error_code error; !std::filesystem::is_regular_file(request.compile.path, error))
    return fail(ErrorCode::not_found, "no such file", request.compile.path,
                "check the name; it is looked for from this folder on");
  if (request.wants_module && !request.compile.cache_folder.empty() && is_read_as_cuda(request.compile))
    if (auto program = read_and_keep(request))
      return *std::move(program);
  const auto resources = resource_directory();
  FOREWARP_TRY(resources);
  auto reading = std::make_unique<Reading>();
  const std::vector<std::string> arguments = reading_arguments(request.compile, *resources);
  if (auto ran = run_guarded("the compiler", [&] { read_into(*reading, request, arguments); }); !ran) {
    ran.error().where = request.compile.path;
    (void)reading.release(); // half-made objects of the compiler may not be destroyed
    return tl::unexpected(ran.error());
  }
  if (!reading->options_ok)
    return fail(ErrorCode::usage, "a compiler option is not understood", request.compile.path,
                "options are Clang 19's; --option=WORD passes one word on");
  return std::move(reading->program);
}

} // namespace forewarp::frontend::host
