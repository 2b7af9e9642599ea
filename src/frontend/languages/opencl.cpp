// OpenCL C: 1.2 by default; 1.0, 1.1, 2.0, 3.0 by -std / -cl-std; every extension on.
#include "frontend/driver.h"
#include "frontend/finish.h"
#include "frontend/languages/languages.h"
#include "frontend/languages/quoted_source.h"

#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <llvm/Support/MemoryBuffer.h>

namespace forewarp::frontend {

namespace {

struct Standard {
  const char* name;
  const char* spelling; ///< of -cl-std=
  bool is_2_or_later;
};

constexpr Standard standards[] = {
    {"CL1.0", "CL1.0", false}, {"CL1.1", "CL1.1", false}, {"CL1.2", "CL1.2", false},
    {"CL2.0", "CL2.0", true},  {"CL3.0", "CL3.0", true},
};

Result<Standard> find_standard(const std::string& name) {
  if (name.empty())
    return standards[2];
  std::string wanted = name;
  for (char& c : wanted)
    c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  if (!wanted.starts_with("CL"))
    wanted = "CL" + wanted;
  for (const Standard& standard : standards)
    if (wanted == standard.name)
      return standard;
  return fail(ErrorCode::usage, "unknown OpenCL standard '" + name + "'", "-std",
              "one of CL1.0, CL1.1, CL1.2, CL2.0, CL3.0");
}

/// -cl-std among the options that are passed through wins, as the last option does in a compiler.
std::string standard_of(CompileRequest& request) {
  std::string name = request.standard;
  std::erase_if(request.extra_options, [&](const std::string& option) {
    constexpr std::string_view prefix = "-cl-std=";
    if (!option.starts_with(prefix))
      return false;
    name = option.substr(prefix.size());
    return true;
  });
  return name;
}

void take_out_of_string(clang::CompilerInstance& compiler, const std::string& path) {
  const auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return;
  if (const std::string text = without_quotes((*file)->getBuffer().str()); !text.empty())
    compiler.getPreprocessorOpts().addRemappedFile(
        path, llvm::MemoryBuffer::getMemBufferCopy(text, path).release());
}

} // namespace

Result<ir::KernelModule> compile_opencl(const CompileRequest& asked) {
  CompileRequest request = asked;
  auto standard = find_standard(standard_of(request));
  FOREWARP_TRY(standard);
  Job job;
  job.language = ir::SourceLanguage::opencl;
  job.arguments = {"-x",
                   "cl",
                   std::string("-cl-std=") + standard->spelling,
                   "-fdeclare-opencl-builtins",
                   "-finclude-default-header",
                   "-cl-ext=+all",
                   "-cl-kernel-arg-info",
                   "-fgnu-keywords", // `asm`, as vendors' compilers have it
                   "-Dcl_khr_integer_dot_product=1",
                   "-D__opencl_c_integer_dot_product_input_4x8bit=1",
                   "-D__opencl_c_integer_dot_product_input_4x8bit_packed=1"};
  if (request.signatures_only) // unoptimised: C's plain inline functions would be left out as another file's
    job.arguments.push_back("-fgnu89-inline");
  if (standard->is_2_or_later) // NVPTX declares neither; the tables model both
    job.arguments.insert(job.arguments.end(),
                         {"-D__opencl_c_work_group_collective_functions=1", "-Dcl_khr_subgroup_shuffle=1",
                          "-Dcl_khr_subgroup_shuffle_relative=1"});
  job.hooks.configure = [&](clang::CompilerInstance& compiler) {
    take_out_of_string(compiler, request.path);
    for (const std::string& file : compiler.getPreprocessorOpts().Includes) // -include
      take_out_of_string(compiler, file);
  };
  auto module = run_driver(request, job);
  FOREWARP_TRY(module);
  module->non_uniform_groups_allowed = standard->is_2_or_later;
  FOREWARP_TRY(finish(*module, request, job.own_headers));
  return module;
}

} // namespace forewarp::frontend
