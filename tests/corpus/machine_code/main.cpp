// Corpus kernels as machine code: lifted, run, and held against their C references. tools/machine_code_corpus
// makes the cubins and calls this.
//   corpus_machine_code ptx TARGET NAME          PTX of the kernel's OpenCL source, for an assembler
//   corpus_machine_code amd TARGET NAME          an object of LLVM's AMDGPU back end, for a linker
//   corpus_machine_code run FOLDER NAME.. one line each: name, "ok" or what is wrong
//   corpus_machine_code lift FILE..      kernels of anybody's code that are refused, and how many are not
#include "corpus/check.h"
#include "corpus/machine_code/amd_object.h"

#include "amdgcn/program.h"
#include "codegen/markers/ptx.h"
#include "frontend/compile.h"
#include "launch/parse.h"
#include "lift/amd/lift.h"
#include "lift/lift.h"
#include "sass/program.h"
#include "simt/run.h"

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <iterator>

namespace forewarp::corpus {
namespace {

/// For its signatures, and for PTX that every target since takes.
frontend::CompileRequest source_of(const CorpusKernel& kernel, bool cuda) {
  frontend::CompileRequest request;
  request.path = cuda ? kernel.cuda : kernel.opencl;
  return request;
}

Result<ir::KernelModule> lifted(const lift::LiftOptions& options) {
  const std::string& path = options.path;
  std::ifstream file(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (path.ends_with(".hsaco")) {
    const auto code = amdgcn::read_module(std::as_bytes(std::span(bytes)), path);
    FOREWARP_TRY(code);
    return lift::amd::lift(*code, options);
  }
  const auto code = sass::read_cubin(std::as_bytes(std::span(bytes)), path);
  FOREWARP_TRY(code);
  return lift::lift(*code, options);
}

const Reference* reference_of(const std::string& name) {
  for (const Reference& reference : references())
    if (name == reference.name)
      return &reference;
  return nullptr;
}

/// "ok", or what is wrong.
Result<std::string> check(const std::string& name, const std::string& folder) {
  const auto kernel = read_corpus_kernel(name);
  FOREWARP_TRY(kernel);
  const Reference* reference = reference_of(name);
  if (reference == nullptr)
    return fail(ErrorCode::not_found, "no reference");
  const auto file = launch::read_launch_file(kernel->folder + "/check.toml");
  FOREWARP_TRY(file);
  const std::string cubin = folder + '/' + name + ".cubin", object = folder + '/' + name + ".hsaco";
  const bool amd = std::filesystem::exists(object); // made of the OpenCL source
  const auto source = frontend::compile(source_of(*kernel, !amd && !kernel->cuda.empty()));
  FOREWARP_TRY(source);
  const auto declared = frontend::select_kernel(*source, file->kernel);
  FOREWARP_TRY(declared);
  const auto start = std::chrono::steady_clock::now();
  lift::LiftOptions options;
  options.path = amd ? object : cubin;
  options.only_kernel = (*declared)->symbol;
  options.source = {**declared};
  const auto module = lifted(options);
  FOREWARP_TRY(module);
  const auto signature = frontend::select_kernel(*module, (*declared)->symbol);
  FOREWARP_TRY(signature);
  const std::chrono::duration<double, std::milli> lifting = std::chrono::steady_clock::now() - start;
  const auto before = make_arguments(**signature, file->launch);
  FOREWARP_TRY(before);
  Arguments after = *before;
  call(*reference, after);
  simt::RunOptions whole;
  whole.whole_grid = true;
  const auto run = simt::run(*module, **signature, file->launch, whole);
  FOREWARP_TRY(run);
  const std::vector<std::string> wrong = differences(*kernel, **signature, *before, after, run->buffers);
  if (!wrong.empty())
    return fmt::format("wrong: {}", fmt::join(wrong, "; "));
  return fmt::format("ok {:.1f} ms", lifting.count());
}

int run(const std::string& folder, const std::vector<std::string>& names) {
  int failures = 0;
  for (const std::string& name : names) {
    const auto answer = check(name, folder);
    const std::string text =
        answer ? *answer : "refused: " + answer.error().where + ": " + answer.error().message;
    failures += text.starts_with("ok") ? 0 : 1;
    std::printf("%s\t%s\n", name.c_str(), text.c_str());
    std::fflush(stdout);
  }
  return failures == 0 ? 0 : 1;
}

int lift_files(const std::vector<std::string>& paths) {
  std::size_t kernels = 0, refused = 0;
  for (const std::string& path : paths) {
    lift::LiftOptions options;
    options.path = path;
    const auto module = lifted(options);
    if (!module) {
      std::printf("%s\n", to_string(module.error()).c_str());
      ++refused;
      continue;
    }
    kernels += module->kernels.size();
    refused += module->refused.size();
    for (const auto& one : module->refused)
      std::printf("%s: %s\n", one.symbol.c_str(), to_string(one.error).c_str());
  }
  std::printf("%zu of %zu kernels are refused\n", refused, kernels);
  return refused == 0 ? 0 : 1;
}

Result<std::string> ptx_of(const std::string& target, const std::string& name) {
  const auto kernel = read_corpus_kernel(name);
  FOREWARP_TRY(kernel);
  const auto file = launch::read_launch_file(kernel->folder + "/check.toml");
  FOREWARP_TRY(file);
  const auto module = frontend::compile(source_of(*kernel, false));
  FOREWARP_TRY(module);
  const auto signature = frontend::select_kernel(*module, file->kernel);
  FOREWARP_TRY(signature);
  return codegen::emit_ptx(*module, **signature, target);
}

Result<std::string> object_of(const std::string& target, const std::string& name) {
  const auto kernel = read_corpus_kernel(name);
  FOREWARP_TRY(kernel);
  const auto file = launch::read_launch_file(kernel->folder + "/check.toml");
  FOREWARP_TRY(file);
  frontend::CompileRequest request = source_of(*kernel, false);
  request.family = ir::TargetFamily::amd;
  request.target = target;
  request.warp_width = target.starts_with("gfx9") ? 64 : 32;
  const auto module = frontend::compile(request);
  FOREWARP_TRY(module);
  const auto signature = frontend::select_kernel(*module, file->kernel);
  FOREWARP_TRY(signature);
  return amd_object(*module, **signature, target);
}

int write(const Result<std::string>& made) {
  if (!made) {
    std::fprintf(stderr, "%s\n", to_string(made.error()).c_str());
    return 1;
  }
  std::fwrite(made->data(), 1, made->size(), stdout);
  return 0;
}

} // namespace
} // namespace forewarp::corpus

int main(int count, char** words) {
  const std::vector<std::string> arguments(words + 1, words + count);
  if (arguments.size() == 3 && arguments[0] == "ptx")
    return forewarp::corpus::write(forewarp::corpus::ptx_of(arguments[1], arguments[2]));
  if (arguments.size() == 3 && arguments[0] == "amd")
    return forewarp::corpus::write(forewarp::corpus::object_of(arguments[1], arguments[2]));
  if (arguments.size() > 2 && arguments[0] == "run")
    return forewarp::corpus::run(arguments[1], {arguments.begin() + 2, arguments.end()});
  if (arguments.size() > 1 && arguments[0] == "lift")
    return forewarp::corpus::lift_files({arguments.begin() + 1, arguments.end()});
  std::fprintf(
      stderr,
      "usage: corpus_machine_code ptx TARGET NAME | amd TARGET NAME | run FOLDER NAME... | lift FILE...\n");
  return 2;
}
