// PTX text: read, put into LLVM's words (frontend/ptx), cleaned, and handed on as IR is.
#include "frontend/driver.h"
#include "frontend/finish.h"
#include "frontend/guard.h"
#include "frontend/languages/ir_signatures.h"
#include "frontend/languages/languages.h"
#include "frontend/lowering/cuda_atomics.h"
#include "frontend/ptx/clean_up.h"
#include "frontend/ptx/device_runtime.h"
#include "frontend/ptx/syntax.h"
#include "frontend/ptx/translation.h"
#include "frontend/targets.h"

#include <algorithm>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include <fstream>
#include <iterator>

namespace forewarp::frontend {
namespace {

/// "sm_90a": 90, and 'a', code of this one capability; "sm_100f": code of its family. 0: no such target.
struct CodeTarget {
  unsigned capability = 0;
  char suffix = 0;
  bool runs_on(unsigned gpu) const {
    return suffix == 'a'   ? gpu == capability
           : suffix == 'f' ? gpu / 10 == capability / 10 && gpu >= capability
                           : gpu >= capability;
  }
};

CodeTarget code_target(llvm::StringRef target) {
  CodeTarget made;
  if (!target.consume_front("sm_") || target.consumeInteger(10, made.capability) || target.size() > 1)
    return {};
  made.suffix = target.empty() ? '\0' : target.front();
  return made.suffix == 0 || made.suffix == 'a' || made.suffix == 'f' ? made : CodeTarget{};
}

Result<void> check_target(const ptx::File& file, const CompileRequest& request) {
  const std::string &target = file.target,
                    where = request.path + ":" + std::to_string(std::max(1U, file.target_line));
  if (request.family != ir::TargetFamily::nvidia)
    return fail(
        ErrorCode::unsupported, "PTX runs on NVIDIA's GPUs only", where,
        "name a GPU of NVIDIA's, or predict the kernel's source; of a Triton kernel `forewarp triton --gpu "
        "NAME SCRIPT` compiles it for this GPU");
  const CodeTarget code = code_target(target);
  if (code.capability == 0)
    return fail(ErrorCode::bad_input, "'.target " + target + "' names no sm_NN", where,
                "write what the code was compiled for: .target sm_90");
  const unsigned gpu = request.capability > 0 ? request.capability : code_target(request.target).capability;
  if (code.runs_on(gpu))
    return {};
  const std::string takes = "sm_" + std::to_string(gpu);
  return fail(ErrorCode::unsupported,
              "this PTX is for " + target +
                  (code.suffix == 'a'   ? " alone"
                   : code.suffix == 'f' ? " and later ones of its family"
                                        : "") +
                  "; the driver of the GPU asked for takes " + takes + (code.suffix == 0 ? " and older" : ""),
              where, "compile it for " + takes);
}

/// Single-precision arithmetic that flushes denormals, as the whole file does or does not (-ftz).
void set_denormals(llvm::Module& module, const ptx::File& file) {
  bool flushes = false, keeps = false;
  for (const ptx::Function& function : file.functions)
    for (const ptx::Item& item : function.body) {
      const ptx::TypeWord type = item.statement.type();
      if (type.kind != 'f' || type.size() != 32 || !item.statement.has_any({"rn", "approx", "full", "ftz"}))
        continue;
      (item.statement.has("ftz") ? flushes : keeps) = true;
    }
  if (!flushes || keeps)
    return;
  for (llvm::Function& function : module)
    if (!function.isDeclaration())
      function.addFnAttr("denormal-fp-math-f32", "preserve-sign");
}

/// What is moved in words of 32 or 64 bits may be of any type.
void forget_words(std::vector<ir::KernelSignature>& kernels) {
  using facts::ScalarType;
  for (ir::KernelSignature& kernel : kernels)
    for (ir::Parameter& parameter : kernel.parameters)
      if (parameter.is_pointer && parameter.scalar &&
          (*parameter.scalar == ScalarType::i32 || *parameter.scalar == ScalarType::i64)) {
        parameter.scalar.reset();
        parameter.pointee_bytes = 0;
      }
}

Result<void> verify(const llvm::Module& module, const std::string& path) {
  std::string message;
  llvm::raw_string_ostream out(message);
  if (llvm::verifyModule(module, &out))
    return fail(ErrorCode::internal, "the translated PTX is broken: " + message, path);
  return {};
}

} // namespace

Result<ir::KernelModule> compile_ptx(const CompileRequest& request) {
  std::ifstream stream(request.path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  auto file = ptx::read_file_text(text, request.path);
  FOREWARP_TRY(file);
  FOREWARP_TRY(ptx::add_device_runtime(*file));
  FOREWARP_TRY(check_target(*file, request));
  FOREWARP_TRY(check_processor(request.family, request.target));
  auto context = std::make_unique<llvm::LLVMContext>();
  context->setDiagnosticHandlerCallBack(
      [](const llvm::DiagnosticInfo*, void*) {}); // remarks; errors end in a result
  lowering::Report report;
  auto translated = ptx::translate(*file, request.path, *context, report);
  FOREWARP_TRY(translated);
  set_denormals(**translated, *file);
  FOREWARP_TRY(verify(**translated, request.path));

  ir::KernelModule module(std::move(context), std::move(*translated));
  module.language = ir::SourceLanguage::ptx;
  module.family = request.family;
  module.target = request.target;
  module.warp_width = request.warp_width;
  auto ran = run_guarded("the optimiser", [&] {
    ptx::clean_up(module.module(), request.target,
                  features_of(request.family, request.target, request.warp_width),
                  compiler_generation(request.compiler), report);
  });
  if (!ran) {
    module.abandon();
    ran.error().where = request.path;
    return tl::unexpected(ran.error());
  }
  module.kernels = signatures_of(module.module());
  forget_words(module.kernels);
  FOREWARP_TRY(refuse_kernels(module, report.problems));
  module.notes = std::move(report.notes);
  FOREWARP_TRY(finish(module, request, {}));
  lowering::restore_wrapping_atomics(module.module());
  return module;
}

} // namespace forewarp::frontend
