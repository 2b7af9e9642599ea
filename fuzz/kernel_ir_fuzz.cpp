// All that comes after a verified LLVM module: lowering, the interpreter, the machine step. Input that LLVM's
// own reader or verifier refuses is passed over; LLVM itself is not what is tested here.
#include "codegen/machine_step.h"
#include "frontend/compile.h"
#include "gpu/gpu_file.h"
#include "gpu/machine.h"
#include "simt/run.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/SourceMgr.h>
#include <string>
#include <unistd.h>

namespace {

using namespace forewarp;

bool is_verified_module(const std::string& text) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  const auto module = llvm::parseAssemblyString(text, diagnostic, context);
  return module && !llvm::verifyModule(*module);
}

gpu::Machine machine() {
  const auto file = gpu::read_gpu_file(FOREWARP_SOURCE_DIR "/data/gpus/tesla-v100-sxm2.toml",
                                       FOREWARP_SOURCE_DIR "/data/gpus");
  const auto resolved = file ? gpu::resolve(*file) : Result<gpu::Machine>(tl::unexpected(file.error()));
  if (!resolved)
    std::abort();
  return *resolved;
}

/// Two groups of two warps; buffers of 256 elements, scalars of 3.
facts::Launch launch_of(const ir::KernelSignature& kernel) {
  facts::Launch launch;
  launch.groups = facts::Dim3{2, 1, 1};
  launch.group_size = kernel.required_group_size.value_or(facts::Dim3{64, 1, 1});
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    const ir::Parameter& parameter = kernel.parameters[i];
    facts::ArgumentValue value = facts::ScalarValue{"3"};
    if (parameter.is_pointer)
      value = facts::BufferValue{
          parameter.scalar.value_or(facts::ScalarType::i32), 256, {facts::BufferContents::Kind::iota}};
    launch.arguments[std::to_string(i)] = value;
  }
  return launch;
}

void run_kernel(const ir::KernelModule& module, const ir::KernelSignature& kernel, const gpu::Machine& gpu) {
  simt::RunOptions options;
  options.whole_grid = true;
  options.max_instructions = 20'000;
  options.max_seconds = 2;
  options.max_trace_bytes = 10'000'000;
  (void)simt::run(module, kernel, launch_of(kernel), options);
  (void)codegen::lower(module, kernel, gpu);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (!is_verified_module(text))
    return -1; // not kept in the corpus
  static const gpu::Machine gpu = machine();
  static const std::string path = "/tmp/forewarp-fuzz-" + std::to_string(::getpid()) + ".ll";
  std::ofstream(path, std::ios::binary) << text;
  frontend::CompileRequest request;
  request.path = path;
  request.target = gpu.target;
  const auto module = frontend::compile(request);
  std::remove(path.c_str());
  if (!module)
    return 0;
  for (const ir::KernelSignature& kernel : module->kernels)
    run_kernel(*module, kernel, gpu);
  return 0;
}
