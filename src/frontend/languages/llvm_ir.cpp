// LLVM IR and bitcode made elsewhere (clang, Triton, Numba, ...): put into LLVM 19's words, checked,
// then lowered and optimised like our own. Calls of OpenCL built-ins, libdevice and ocml go
// through the same tables.
#include "frontend/finish.h"
#include "frontend/guard.h"
#include "frontend/languages/foreign_check.h"
#include "frontend/languages/ir_signatures.h"
#include "frontend/languages/languages.h"
#include "frontend/lowering/cuda_atomics.h"
#include "frontend/newer_ir/rewrite.h"
#include "frontend/newer_ir/spir.h"
#include "frontend/passes/optimise.h"
#include "frontend/targets.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Target/TargetMachine.h>

#include <fstream>
#include <iterator>
#include <optional>

namespace forewarp::frontend {

namespace {

Result<std::string> read_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (!file && bytes.empty())
    return fail(ErrorCode::bad_input, "cannot be read", path);
  return bytes;
}

/// Triton writes no triple: whose words the IR uses tells whose it is. Nothing where it uses nobody's.
std::optional<ir::TargetFamily> family_of(const llvm::Module& module) {
  switch (llvm::Triple(module.getTargetTriple()).getArch()) {
  case llvm::Triple::nvptx64:
    return ir::TargetFamily::nvidia;
  case llvm::Triple::amdgcn:
    return ir::TargetFamily::amd;
  default:
    break;
  }
  for (const llvm::Function& function : module) {
    if (function.getCallingConv() == llvm::CallingConv::PTX_Kernel ||
        function.getName().starts_with("llvm.nvvm."))
      return ir::TargetFamily::nvidia;
    if (function.getCallingConv() == llvm::CallingConv::AMDGPU_KERNEL ||
        function.getName().starts_with("llvm.amdgcn."))
      return ir::TargetFamily::amd;
  }
  return std::nullopt;
}

tl::unexpected<Error> refuse_other_vendor(const CompileRequest& request, ir::TargetFamily made_for) {
  const bool for_nvidia = made_for == ir::TargetFamily::nvidia;
  return fail(ErrorCode::unsupported,
              for_nvidia ? "this IR was made for NVIDIA's GPUs; the GPU asked for is AMD's"
                         : "this IR was made for AMD's GPUs; the GPU asked for is NVIDIA's",
              request.path,
              std::string("name a GPU of ") + (for_nvidia ? "NVIDIA's" : "AMD's") +
                  ", or compile the source for this one: -target " + triple_of(request.family) +
                  "; of a Triton kernel `forewarp triton --gpu NAME SCRIPT` does that");
}

/// A module without a triple takes the GPU's; one of another machine is refused, since its IR is that
/// machine's.
Result<void> check_triple(llvm::Module& module, const CompileRequest& request) {
  const auto made_for = family_of(module);
  if (made_for && *made_for != request.family)
    return refuse_other_vendor(request, *made_for);
  if (module.getTargetTriple().empty()) {
    module.setTargetTriple(triple_of(request.family));
    auto machine = make_target_machine(module, request.target, "");
    if (!machine)
      return fail(ErrorCode::internal, "LLVM lacks the target " + module.getTargetTriple());
    module.setDataLayout(machine->createDataLayout());
    return {};
  }
  if (made_for)
    return {};
  return fail(ErrorCode::unsupported,
              "this IR is for " + module.getTargetTriple() + "; the GPU asked for needs " +
                  triple_of(request.family),
              request.path, std::string("compile it with -target ") + triple_of(request.family));
}

/// Processor and features written into the functions would override the GPU's, by which loops are unrolled.
void set_processor(llvm::Module& module, const std::string& processor) {
  for (llvm::Function& function : module) {
    for (const char* attribute : {"target-features", "tune-cpu"})
      function.removeFnAttr(attribute);
    function.addFnAttr("target-cpu", processor);
  }
}

/// Newer LLVMs write `"nvvm.grid_constant"` at the parameter where LLVM 19 looks for metadata of the kernel.
/// A structure by value that is not so marked is copied to the stack where its address is taken.
void mark_constant_parameters(llvm::Module& module) {
  llvm::LLVMContext& context = module.getContext();
  llvm::Type* word = llvm::Type::getInt32Ty(context);
  for (llvm::Function& function : module) {
    llvm::SmallVector<llvm::Metadata*, 4> places; // from 1
    for (const llvm::Argument& argument : function.args())
      if (function.getAttributes().hasParamAttr(argument.getArgNo(), "nvvm.grid_constant"))
        places.push_back(
            llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(word, argument.getArgNo() + 1)));
    if (!places.empty())
      module.getOrInsertNamedMetadata("nvvm.annotations")
          ->addOperand(llvm::MDNode::get(context, {llvm::ValueAsMetadata::get(&function),
                                                   llvm::MDString::get(context, "grid_constant"),
                                                   llvm::MDNode::get(context, places)}));
  }
}

Result<std::unique_ptr<llvm::Module>> parse(const std::string& bytes, const std::string& path,
                                            llvm::LLVMContext& context) {
  llvm::SMDiagnostic diagnostic;
  auto module = llvm::parseIR(llvm::MemoryBufferRef(bytes, path), diagnostic, context);
  if (!module)
    return fail(ErrorCode::bad_input, diagnostic.getMessage().str(), path);
  return module;
}

std::string printed(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream out(text);
  module.print(out, nullptr);
  return text;
}

} // namespace

Result<ir::KernelModule> compile_llvm_ir(const CompileRequest& request) {
  FOREWARP_TRY(check_processor(request.family, request.target));
  auto bytes = read_bytes(request.path);
  FOREWARP_TRY(bytes);
  if (newer_ir::is_assembly(*bytes)) {
    bytes = newer_ir::in_older_words(*bytes, request.path);
    FOREWARP_TRY(bytes);
  }
  bytes = rewrite_foreign_ir(*bytes, request.path);
  FOREWARP_TRY(bytes);
  auto context = std::make_unique<llvm::LLVMContext>();
  context->setDiagnosticHandlerCallBack(
      [](const llvm::DiagnosticInfo*, void*) {}); // remarks; errors end in a result
  auto parsed = parse(*bytes, request.path, *context);
  FOREWARP_TRY(parsed);
  if (request.family == ir::TargetFamily::nvidia && newer_ir::is_spir((*parsed)->getTargetTriple())) {
    parsed = parse(newer_ir::spir_in_nvidia_words(printed(**parsed)), request.path, *context);
    FOREWARP_TRY(parsed);
  }
  FOREWARP_TRY(check_triple(**parsed, request));
  if (!(*parsed)->getModuleInlineAsm().empty())
    return fail(ErrorCode::unsupported, "module-level assembly is not modelled", request.path);
  set_processor(**parsed, request.target);
  mark_constant_parameters(**parsed);

  ir::KernelModule module(std::move(context), std::move(*parsed));
  module.language = ir::SourceLanguage::llvm_ir;
  module.family = request.family;
  module.target = request.target;
  module.warp_width = request.warp_width;
  module.non_uniform_groups_allowed = true; // nothing in IR forbids it
  module.kernels = signatures_of(module.module());
  lowering::Report report;
  auto ran = run_guarded("the optimiser", [&] {
    optimise(module.module(), request.target, features_of(request.family, request.target, request.warp_width),
             {request.family, request.warp_width, request.compiler}, report);
  });
  if (!ran) {
    module.abandon();
    ran.error().where = request.path;
    return tl::unexpected(ran.error());
  }
  FOREWARP_TRY(refuse_kernels(module, report.problems));
  module.notes = std::move(report.notes);
  FOREWARP_TRY(finish(module, request, {}));
  lowering::restore_wrapping_atomics(module.module()); // of inline PTX
  return module;
}

} // namespace forewarp::frontend
