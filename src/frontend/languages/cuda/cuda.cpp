// CUDA C++ without a toolkit: own headers (data/include), the device half only; AMD targets take the same
// headers as HIP.
#include "frontend/driver.h"
#include "frontend/finish.h"
#include "frontend/languages/cuda/architecture_use.h"
#include "frontend/languages/cuda/cuda_arguments.h"
#include "frontend/languages/cuda/cuda_headers.h"
#include "frontend/languages/cuda/cuda_host_code.h"
#include "frontend/languages/cuda/cuda_reading.h"
#include "frontend/languages/languages.h"
#include "frontend/lowering/cuda_atomics.h"
#include "frontend/store/prelude.h"

#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>

#include <algorithm>

namespace forewarp::frontend {

namespace {

/// nvcc's -use_fast_math takes the approximate division for float; sqrt and the functions are the header's
/// business.
struct FastDivision : llvm::PassInfoMixin<FastDivision> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
    for (llvm::Function& function : module)
      for (llvm::Instruction& instruction : llvm::instructions(function))
        if (instruction.getOpcode() == llvm::Instruction::FDiv && instruction.getType()->isFloatTy()) {
          instruction.setHasApproxFunc(true);
          instruction.setHasAllowReciprocal(true);
        }
    return llvm::PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

void divide_fast(clang::CompilerInstance& compiler) {
  compiler.getCodeGenOpts().PassBuilderCallbacks.push_back([](llvm::PassBuilder& builder) {
    builder.registerPipelineStartEPCallback(
        [](llvm::ModulePassManager& passes, llvm::OptimizationLevel) { passes.addPass(FastDivision()); });
  });
}

/// With template arguments, none of them a type without a name.
bool can_be_spelled(const std::string& kernel) {
  return kernel.find('<') != std::string::npos && kernel.find("(lambda at ") == std::string::npos &&
         kernel.find("(anonymous ") == std::string::npos;
}

/// A mangled name with a lambda in it, or a kernel of one by name: only the host function around it makes the
/// instance.
bool is_of_host_function(const std::string& kernel) {
  return kernel.find("(lambda at ") != std::string::npos ||
         (kernel.starts_with("_Z") && kernel.find("Ul") != std::string::npos);
}

/// The source with what has to be changed of it: launches that are written apart, and, behind the last line,
/// the kernel that is named with its template arguments. It is instantiated then, whether its host code does
/// so or not: that is not read.
void change_source(clang::CompilerInstance& compiler, const CompileRequest& request) {
  std::string text = with_own_spellings(request.path);
  if (can_be_spelled(request.only_kernel) && !request.read_host_functions) {
    const auto source = llvm::MemoryBuffer::getFile(request.path);
    if (text.empty() && source)
      text = (*source)->getBuffer().str();
    text += "\nstatic auto* const forewarp_wanted_instance = &" + request.only_kernel + ";\n";
  }
  if (!text.empty())
    compiler.getPreprocessorOpts().addRemappedFile(
        request.path, llvm::MemoryBuffer::getMemBufferCopy(text, request.path).release());
}

/// Clang hands __launch_bounds__ to NVPTX only.
void hand_bounds_to_amd(const ir::KernelModule& module) {
  for (const ir::KernelSignature& kernel : module.kernels)
    if (llvm::Function* function = module.module().getFunction(kernel.symbol);
        function && kernel.max_group_threads)
      function->addFnAttr("amdgpu-flat-work-group-size", "1," + std::to_string(*kernel.max_group_threads));
}

bool any_hangs_on_architecture(const ir::KernelModule& module) {
  return std::ranges::any_of(module.kernels, [&](const ir::KernelSignature& kernel) {
    const llvm::Function* function = module.module().getFunction(kernel.symbol);
    return function && hangs_on_architecture(*function);
  });
}

std::string list_of(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words)
    text += (text.empty() ? "" : ", ") + word;
  return text;
}

void add_notes(ir::KernelModule& module, const HostCodeReport& report, bool is_named) {
  auto note = [&](std::string text) {
    module.notes.push_back({facts::Note::Severity::info, std::move(text)});
  };
  if (!report.missing_headers.empty())
    note("headers that are not here were passed over: " + list_of(report.missing_headers));
  if (!report.skipped_functions.empty())
    note("host functions with errors were passed over: " + list_of(report.skipped_functions));
  if (!report.skipped_declarations.empty())
    note("declarations with errors were passed over: " + list_of(report.skipped_declarations));
  if (!report.broken_device_functions.empty())
    note("device functions with errors were passed over: " + list_of(report.broken_device_functions));
  if (!report.first_error.empty())
    note("the first error in what was passed over: " + report.first_error);
  if (!report.left_out_of_kernels.empty())
    module.notes.push_back(
        {facts::Note::Severity::assumption,
         "what kernels of this file ask of the runtime is left out, and the kernels that they start are not "
         "in the time: " +
             list_of(report.left_out_of_kernels),
         {},
         "--kernel NAME, for each kernel that is started"});
  if (!report.kernels_without_instance.empty() && !is_named)
    note("kernel templates without an instance are not listed; --kernel makes one: " +
         list_of(report.kernels_without_instance));
}

void propose_kernels(Error& error, const std::vector<std::string>& kernels) {
  error.possible_kernels = kernels;
  error.hint =
      "kernel templates without an instance; --kernel with template arguments makes one: --kernel '" +
      kernels.front() + "'" + (kernels.size() > 1 ? "; all: " + list_of(kernels) : "");
}

/// What was passed over belongs to an error, too: a missing header or instance is often its cause.
Error with_host_report(Error error, const HostCodeReport& report) {
  const std::string missing =
      "not found and passed over: " + list_of(report.missing_headers) + "; name their folder with -I";
  if (!report.missing_headers.empty() && error.hint.empty())
    error.hint = missing;
  if (!report.kernels_without_instance.empty() && error.code == ErrorCode::bad_input)
    propose_kernels(error, report.kernels_without_instance);
  if (error.code == ErrorCode::unsupported)
    for (const std::string& broken : report.broken_device_functions)
      if (error.message.find("'" + broken.substr(0, broken.find(' ')) + "'") != std::string::npos) {
        error.code = ErrorCode::compile;
        error.message += "\npassed over for an error: " + broken;
        error.hint = report.missing_headers.empty()
                         ? "-D NAME=VALUE defines what is not there; --option=-include --option=FILE puts "
                           "a file in front that does"
                         : missing;
      }
  return error;
}

/// Own and library headers as kept by the request; null: none are.
std::shared_ptr<const Prelude> prelude_of(const CompileRequest& request, const Job& job,
                                          const std::string& resources, const LibraryHeaders& headers) {
  if (request.preludes == nullptr)
    return nullptr;
  CompileRequest plain = request;
  plain.defines.clear();
  const auto see_own_headers = [](clang::CompilerInstance& compiler, const std::string& source) {
    compiler.createFileManager(files_with_own_headers(nullptr, source));
  };
  auto prelude = request.preludes->get(
      {common_arguments(plain, job, resources), request.defines, headers, job.own_headers, see_own_headers});
  if (prelude && request.log != nullptr)
    for (const auto& [path, seen] : prelude->log.seen)
      note(*request.log, path, seen);
  return prelude;
}

/// Whether the compilation of one kernel reads the host functions.
bool reads_host_functions(const CompileRequest& request) {
  return request.only_kernel.empty() || request.read_host_functions ||
         is_of_host_function(request.only_kernel);
}

/// What a compilation that does not read the host functions says.
void forget_host_functions(HostCodeReport& report) {
  report.skipped_functions.clear();
  report.first_error = report.first_declaration_error;
}

/// `read`: may be null, else told of the source before it is compiled.
Result<ir::KernelModule> compile_once(const CompileRequest& asked, const SourceReader* read = nullptr) {
  CompileRequest request = asked;
  const CudaOptions options = translate_options(request);
  auto resources = resource_directory();
  FOREWARP_TRY(resources);
  HostCodeReport report;
  Job job;
  job.language = is_amd(request) ? ir::SourceLanguage::hip : ir::SourceLanguage::cuda;
  job.arguments = cuda_arguments(request, options, *resources);
  job.own_headers = {own_include_folder};
  const std::string& origin = request.made_of.empty() ? request.path : request.made_of;
  const LibraryHeaders known =
      request.preludes != nullptr ? request.preludes->headers_of(origin) : LibraryHeaders{};
  LibraryHeaders seen;
  const auto prelude = prelude_of(request, job, *resources, known);
  job.hooks.configure = [&](clang::CompilerInstance& compiler) {
    compiler.createFileManager(files_with_own_headers(prelude.get(), prelude ? prelude->source : ""));
    if (prelude)
      compiler.getPreprocessorOpts().ImplicitPCHInclude = precompiled_headers;
    compiler.getFrontendOpts().SkipFunctionBodies = true; // tolerate_host_errors says which
    change_source(compiler, request);
    if (options.fast_math)
      divide_fast(compiler);
  };
  bool asks_architecture = false;
  job.hooks.begin_source = [&](clang::CompilerInstance& compiler) {
    watch_architecture(compiler, asks_architecture);
    watch_library_headers(compiler, seen);
    pass_over_missing_headers(compiler, report);
  };
  job.hooks.consumer = [&](clang::CompilerInstance& compiler) {
    const bool all = read != nullptr || reads_host_functions(request);
    return tolerate_host_errors(compiler, report, all ? HostFunctions::own : HostFunctions::none);
  };
  if (read != nullptr)
    job.hooks.parsed = [&](clang::ASTContext& context) {
      const auto chosen = (*read)(context);
      if (chosen)
        request.only_kernel = chosen->only_kernel;
      return chosen.has_value();
    };
  else if (!request.only_kernel.empty() && !request.read_host_functions)
    job.hooks.parsed = [](clang::ASTContext&) { return true; }; // the other kernels cost nothing then
  auto module = run_driver(request, job);
  if (request.preludes != nullptr && module)
    request.preludes->note_headers(origin, seen);
  if (read != nullptr && !reads_host_functions(request))
    forget_host_functions(report);
  if (prelude && module && !known.names.empty() && known.names != seen.names)
    return fail(ErrorCode::internal, "other library headers than before");
  if (!module)
    return tl::unexpected(with_host_report(std::move(module).error(), report));
  if (auto finished = finish(*module, request, job.own_headers); !finished)
    return tl::unexpected(with_host_report(std::move(finished).error(), report));
  for (ir::KernelModule::Refusal& refusal : module->refused)
    refusal.error = with_host_report(std::move(refusal.error), report);
  lowering::restore_wrapping_atomics(module->module());
  if (llvm::GlobalVariable* annotations = module->module().getGlobalVariable("llvm.global.annotations"))
    annotations->eraseFromParent(); // of __cluster_dims__: the signatures have them
  if (is_amd(request))
    hand_bounds_to_amd(*module);
  add_notes(*module, report, !request.only_kernel.empty());
  if (request.asks_architecture != nullptr && !is_amd(request))
    *request.asks_architecture = asks_architecture || any_hangs_on_architecture(*module);
  return module;
}

/// Errors are those of a source that is compiled with all its headers.
Result<ir::KernelModule> compile_as_written(const CompileRequest& request) {
  auto module = compile_once(request);
  if (module || request.preludes == nullptr)
    return module;
  CompileRequest whole = request;
  whole.preludes = nullptr;
  return compile_once(whole);
}

bool lacks_library_name(const Error& error) {
  return error.code == ErrorCode::compile && (error.message.find("in namespace 'std'") != std::string::npos ||
                                              error.message.find("identifier 'std'") != std::string::npos ||
                                              error.message.find("identifier 'assert'") != std::string::npos);
}

} // namespace

Result<ir::KernelModule> compile_while_reading(const CompileRequest& request, const SourceReader& read) {
  return compile_once(request, &read);
}

/// The toolkit's headers bring some of the C++ library's along, which own headers leave out: they would be
/// the larger part of every compilation. A source that turns out to need them is compiled again.
Result<ir::KernelModule> compile_cuda(const CompileRequest& request) {
  auto module = compile_as_written(request);
  if (module || !lacks_library_name(module.error()))
    return module;
  CompileRequest more = request;
  more.preludes = nullptr;
  for (const char* header : {"cassert", "cmath", "algorithm", "limits", "utility"})
    more.extra_options.insert(more.extra_options.end(), {"-include", header});
  auto again = compile_once(more);
  return again || !lacks_library_name(again.error()) ? std::move(again) : std::move(module);
}

} // namespace forewarp::frontend
