#include "frontend/driver.h"

#include "frontend/guard.h"
#include "frontend/languages/broken_functions.h"
#include "frontend/languages/late_generator.h"
#include "frontend/languages/only_kernel.h"
#include "frontend/languages/signatures.h"
#include "frontend/passes/compiler_generation.h"
#include "frontend/passes/optimise.h"
#include "frontend/sorted_diagnostics.h"
#include "frontend/store/logged_files.h"
#include "frontend/targets.h"

#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/DiagnosticOptions.h>
#include <clang/CodeGen/CodeGenAction.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/MultiplexConsumer.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>

#include <algorithm>

namespace forewarp::frontend {

namespace {

/// The code generator with the signature consumer and the language's own consumer beside it.
class KernelAction : public clang::EmitLLVMOnlyAction {
public:
  /// `broken`: where functions with errors are set apart, else null.
  KernelAction(llvm::LLVMContext& context, const CompileRequest& request, const DriverHooks& hooks,
               std::vector<ir::KernelSignature>& signatures, std::vector<BrokenFunction>* broken)
      : clang::EmitLLVMOnlyAction(&context), request_(request), hooks_(hooks), signatures_(signatures),
        broken_(broken) {}

protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                        llvm::StringRef file) override {
    if (hooks_.begin_source)
      hooks_.begin_source(compiler);
    auto generator = clang::EmitLLVMOnlyAction::CreateASTConsumer(compiler, file);
    if (!generator)
      return nullptr;
    std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
    consumers.push_back(make_signature_consumer(signatures_));
    if (broken_ != nullptr)
      if (auto apart = set_broken_functions_apart(compiler, *broken_))
        consumers.push_back(std::move(apart));
    if (hooks_.consumer)
      consumers.push_back(hooks_.consumer(compiler));
    if (hooks_.parsed)
      generator = generate_late(std::move(generator),
                                {hooks_.parsed, [this](const std::string& symbol) { return wants(symbol); }});
    consumers.push_back(std::move(generator));
    return std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
  }

private:
  bool wants(const std::string& symbol) const {
    return request_.only_kernel.empty() ||
           std::ranges::any_of(signatures_, [&](const ir::KernelSignature& kernel) {
             return kernel.symbol == symbol && is_called(kernel, request_.only_kernel);
           });
  }

  const CompileRequest& request_;
  const DriverHooks& hooks_;
  std::vector<ir::KernelSignature>& signatures_;
  std::vector<BrokenFunction>* broken_;
};

std::vector<std::string> all_arguments(const CompileRequest& request, const Job& job,
                                       const std::string& resources) {
  std::vector<std::string> arguments = common_arguments(request, job, resources);
  arguments.insert(arguments.end(), {"-main-file-name", request.path, request.path});
  return arguments;
}

/// Options that change the whole process, not one compilation.
Result<void> check_options(const std::vector<std::string>& options) {
  for (const std::string& option : options)
    for (const char* refused : {"-mllvm", "-load", "-fplugin"})
      if (option == refused || option.starts_with(std::string(refused) + "="))
        return fail(ErrorCode::usage, "the compiler option " + option + " cannot be passed on", {},
                    "it changes the whole process: leave it out");
  return {};
}

struct Compilation {
  std::unique_ptr<llvm::LLVMContext> context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> module;
  std::vector<ir::KernelSignature> signatures;
  lowering::Report report;
  std::vector<BrokenFunction> broken;
  std::string diagnostics;
  bool options_ok = true;
  bool ok = false;
};

/// Behind whatever view of the files the language has made.
void log_files(clang::CompilerInstance& compiler, FileLog& log, const std::vector<std::string>& own_headers) {
  log.ignored_folders = own_headers;
  const clang::FileManager* files =
      compiler.hasFileManager() ? &compiler.getFileManager() : compiler.createFileManager();
  compiler.createFileManager(
      logged_files(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>(&files->getVirtualFileSystem()), log));
}

void compile_into(Compilation& result, const CompileRequest& request, const Job& job,
                  const std::vector<std::string>& arguments) {
  std::string counts; // "2 errors generated." adds nothing to a message that shows them
  llvm::raw_string_ostream count_line(counts);
  auto options = llvm::makeIntrusiveRefCnt<clang::DiagnosticOptions>();
  SortedText said;
  auto* sorted = new SortedDiagnostics(options.get(), said); // the engine's
  auto diagnostics = llvm::makeIntrusiveRefCnt<clang::DiagnosticsEngine>(
      llvm::makeIntrusiveRefCnt<clang::DiagnosticIDs>(), options, sorted);
  std::vector<const char*> words;
  for (const std::string& argument : arguments)
    words.push_back(argument.c_str());

  clang::CompilerInstance compiler;
  bool parsed = clang::CompilerInvocation::CreateFromArgs(compiler.getInvocation(), words, *diagnostics);
  compiler.setDiagnostics(diagnostics.get());
  compiler.setVerboseOutputStream(count_line);
  compiler.getFrontendOpts().ShowStats = false;
  compiler.getFrontendOpts().DisableFree = false;
  clang::CodeGenOptions& code_generation = compiler.getCodeGenOpts();
  code_generation.DiscardValueNames = false;
  code_generation.VerifyModule = false; // what comes out is verified by `finish`
  if (request.signatures_only)          // what the sources see of -O3 stays
    code_generation.OptimizationLevel = 0;
  code_generation.PassBuilderCallbacks.push_back([&](llvm::PassBuilder& builder) {
    if (!request.only_kernel.empty())
      keep_one_kernel(builder, request.only_kernel,
                      request.read_host_functions ? KernelNames::loose : KernelNames::exact,
                      result.signatures);
    if (!request.signatures_only) // nobody looks into the kernels: inlining everything is most of the work
      add_lowering(builder, {request.family, request.warp_width, request.compiler}, result.report);
  });
  // A word that is no option would be a second input file.
  result.options_ok = parsed && compiler.getFrontendOpts().Inputs.size() == 1;
  if (result.options_ok) {
    clang::ProcessWarningOptions(compiler.getDiagnostics(), compiler.getDiagnosticOpts());
    if (job.hooks.configure)
      job.hooks.configure(compiler);
    if (request.log != nullptr)
      log_files(compiler, *request.log, job.own_headers);
    KernelAction action(*result.context, request, job.hooks, result.signatures,
                        request.broken_kernels_apart ? &result.broken : nullptr);
    result.ok = compiler.ExecuteAction(action);
    result.module = action.takeModule();
  }
  result.diagnostics = said.text();
}

} // namespace

std::vector<std::string> common_arguments(const CompileRequest& request, const Job& job,
                                          const std::string& resources) {
  std::vector<std::string> arguments = target_arguments(request);
  arguments.insert(arguments.end(), {"-resource-dir", resources});
  arguments.insert(arguments.end(), job.arguments.begin(), job.arguments.end());
  arguments.insert(arguments.end(), {"-debug-info-kind=line-tables-only", "-dwarf-version=4",
                                     "-fdebug-compilation-dir=.", "-ferror-limit", "20",
                                     request.compiler == plain_bitcode ? "-O2" : "-O3", "-emit-llvm-only"});
  for (const std::string& define : request.defines)
    arguments.push_back("-D" + define);
  for (const std::string& directory : request.include_directories)
    arguments.insert(arguments.end(), {"-I", directory});
  arguments.insert(arguments.end(), request.extra_options.begin(), request.extra_options.end());
  return arguments;
}

std::vector<std::string> target_arguments(const CompileRequest& request) {
  std::vector<std::string> arguments = {"-triple", triple_of(request.family), "-target-cpu", request.target};
  std::string features = features_of(request.family, request.target, request.warp_width);
  if (!features.empty())
    arguments.insert(arguments.end(), {"-target-feature", features});
  if (flushes_denormals(request.family, request.target))
    arguments.push_back("-fdenormal-fp-math-f32=preserve-sign,preserve-sign");
  return arguments;
}

Error problems_error(const std::vector<lowering::Problem>& problems) {
  std::string message;
  std::vector<std::string> seen;
  for (const lowering::Problem& problem : problems) {
    std::string line = problem.message;
    if (std::find(seen.begin(), seen.end(), problem.where + line) != seen.end())
      continue;
    seen.push_back(problem.where + line);
    if (!message.empty())
      message += "\n" + (problem.where.empty() ? "" : problem.where + ": ");
    message += line;
  }
  const std::string& remedy = problems.front().remedy;
  return Error{ErrorCode::unsupported, message, problems.front().where,
               !remedy.empty() ? remedy
                               : "docs/reference/builtins.md lists what is modelled; what another file "
                                 "defines has to be included by this one"};
}

Result<void> refuse_kernels(ir::KernelModule& module, const std::vector<lowering::Problem>& problems) {
  for (const ir::KernelSignature& kernel : module.kernels) {
    if (std::ranges::any_of(module.refused,
                            [&](const auto& refused) { return refused.symbol == kernel.symbol; }))
      continue;
    std::vector<lowering::Problem> own;
    for (const lowering::Problem& problem : problems)
      if (std::find(problem.kernels.begin(), problem.kernels.end(), kernel.symbol) != problem.kernels.end())
        own.push_back(problem);
    if (!own.empty())
      module.refused.push_back({kernel.symbol, problems_error(own)});
  }
  if (module.kernels.size() == 1)
    for (const ir::KernelModule::Refusal& refusal : module.refused)
      if (refusal.symbol == module.kernels.front().symbol)
        return tl::unexpected(refusal.error);
  return {};
}

namespace {

/// Kernels with errors are refused; a call of another such function is a problem of its callers.
void refuse_broken(ir::KernelModule& module, const std::vector<BrokenFunction>& broken) {
  for (const BrokenFunction& each : broken) {
    if (!each.symbol.empty())
      module.refused.push_back({each.symbol, {ErrorCode::compile, each.errors, each.where}});
    module.notes.push_back({facts::Note::Severity::info,
                            "'" + each.name + "' has errors, and kernels that need it are refused: " +
                                each.where + ": " + each.errors.substr(0, each.errors.find('\n'))});
  }
}

/// What is not defined because of its errors is told by these.
void tell_broken(std::vector<lowering::Problem>& problems, const std::vector<BrokenFunction>& broken) {
  for (lowering::Problem& problem : problems)
    for (const BrokenFunction& each : broken)
      if (each.symbol.empty() && problem.message.find("'" + each.name + "'") != std::string::npos) {
        problem.message = "'" + each.name + "' has errors: " + each.errors;
        problem.where = each.where;
        problem.remedy = "mend it, or -D, -I, --std and --option, which change how the source is compiled";
        break;
      }
}

} // namespace

Result<ir::KernelModule> run_driver(const CompileRequest& request, const Job& job) {
  auto resources = resource_directory();
  FOREWARP_TRY(resources);
  FOREWARP_TRY(check_processor(request.family, request.target));
  FOREWARP_TRY(check_options(request.extra_options));
  auto owned = std::make_unique<Compilation>();
  Compilation& result = *owned;
  std::vector<std::string> arguments = all_arguments(request, job, *resources);
  auto ran = run_guarded("the compiler", [&] { compile_into(result, request, job, arguments); });
  if (!ran) {
    ran.error().where = request.path;
    (void)owned.release(); // half-made objects of the compiler may not be destroyed
    return tl::unexpected(ran.error());
  }
  if (!result.options_ok)
    return fail(ErrorCode::usage,
                result.diagnostics.empty() ? "a compiler option is not understood" : result.diagnostics, {},
                "options are Clang 19's; --option=WORD passes one word on");
  if (!result.ok || !result.module)
    return fail(ErrorCode::compile,
                result.diagnostics.empty() ? "the compiler refused it" : result.diagnostics, request.path);
  ir::KernelModule module(std::move(result.context), std::move(result.module));
  module.language = job.language;
  module.family = request.family;
  module.target = request.target;
  module.warp_width = request.warp_width;
  module.kernels = std::move(result.signatures);
  module.diagnostics = std::move(result.diagnostics);
  module.notes = std::move(result.report.notes);
  refuse_broken(module, result.broken);
  tell_broken(result.report.problems, result.broken);
  if (!result.broken.empty() && module.refused.size() >= module.kernels.size()) // no other is left
    return fail(ErrorCode::compile, "every kernel of the file has errors", request.path);
  FOREWARP_TRY(refuse_kernels(module, result.report.problems));
  return module;
}

} // namespace forewarp::frontend
