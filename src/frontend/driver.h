// The compiler in process: cc1 arguments -> optimised module. Language front ends (opencl.cpp, cuda.cpp) make
// a Job.
#pragma once

#include "frontend/compile.h"
#include "frontend/lowering/lower.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace clang {
class ASTConsumer;
class ASTContext;
class CompilerInstance;
class FunctionDecl;
} // namespace clang

namespace forewarp::frontend {

/// Where a language front end may reach into Clang; each may be empty.
struct DriverHooks {
  /// After the invocation is parsed, before anything runs: FrontendOpts (SkipFunctionBodies), virtual files,
  /// ...
  std::function<void(clang::CompilerInstance&)> configure;
  /// The preprocessor exists, the source is not yet read: PPCallbacks.
  std::function<void(clang::CompilerInstance&)> begin_source;
  /// A consumer beside the code generator (MultiplexConsumer: bodies are skipped where all consumers agree).
  std::function<std::unique_ptr<clang::ASTConsumer>(clang::CompilerInstance&)> consumer;
  /// The source is read and no code is generated yet; it may still set the request's only_kernel. False: no
  /// code is wanted.
  std::function<bool(clang::ASTContext&)> parsed;
};

struct Job {
  std::vector<std::string>
      arguments; ///< language's cc1 arguments; target, debug, -O3, -D, -I are added by run_driver
  ir::SourceLanguage language = ir::SourceLanguage::opencl;
  DriverHooks hooks;
  std::vector<std::string>
      own_headers; ///< folders whose files are never the user's (source locations skip them)
};

/// Compiles request.path to a module with signatures, built-ins lowered and the language's -O3 done; not yet
/// finished (finish.h). Errors: compile (diagnostics as the compiler words them), unsupported (unknown
/// built-ins), not_found (resource folder; DriverHooks::parsed wants no code), internal (the compiler
/// crashed).
Result<ir::KernelModule> run_driver(const CompileRequest& request, const Job& job);

/// Clang's own headers: the folder found at configuration, else the one beside libclang-cpp.
Result<std::string> resource_directory();

/// cc1 arguments of everything but the source's own name.
std::vector<std::string> common_arguments(const CompileRequest& request, const Job& job,
                                          const std::string& resources);

/// cc1 arguments of the target: triple, processor, features.
std::vector<std::string> target_arguments(const CompileRequest& request);

/// One message of all problems; code unsupported.
Error problems_error(const std::vector<lowering::Problem>& problems);

/// Notes the kernels that reach a problem as refused. Errors: every kernel of the module does.
Result<void> refuse_kernels(ir::KernelModule& module, const std::vector<lowering::Problem>& problems);

} // namespace forewarp::frontend
