#include "frontend/finish.h"

#include "frontend/driver.h"
#include "frontend/lowering/pointer_calls.h"
#include "frontend/passes/arithmetic/fuse_products.h"
#include "frontend/passes/compiler_generation.h"
#include "frontend/passes/expand_constants.h"
#include "frontend/passes/expand_copies.h"
#include "frontend/passes/float_constants.h"
#include "frontend/passes/share_row_bases.h"
#include "frontend/passes/sink_copy_addresses.h"
#include "frontend/passes/usual_ways.h"
#include "frontend/targets.h"
#include "ir/address_spaces.h"
#include "ir/builtins.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Verifier.h>

#include <algorithm>
#include <filesystem>
#include <set>

namespace forewarp::frontend {

namespace {

using lowering::Problem;

std::string source_name(const llvm::Function& function) {
  if (const llvm::DISubprogram* subprogram = function.getSubprogram())
    return subprogram->getName().str();
  return function.getName().str();
}

void check_call(const llvm::CallBase& call, const std::string& kernel, std::vector<Problem>& problems) {
  const auto found = [&](std::string name, std::string message) {
    problems.push_back({std::move(name), std::move(message), lowering::where_of(call), {kernel}});
  };
  if (llvm::isa<llvm::InlineAsm>(call.getCalledOperand()))
    return found("asm", "inline assembly is not modelled");
  const auto* callee = llvm::dyn_cast<llvm::Function>(call.getCalledOperand()->stripPointerCasts());
  if (!callee)
    return found("", "call through a function pointer is not modelled");
  if (callee->isIntrinsic() || callee->getName().starts_with(ir::builtins::prefix))
    return;
  std::string name = source_name(*callee);
  if (callee->isDeclaration())
    found(name, "call of '" + name + "', which is not defined");
  else
    found(name, "recursion through '" + name + "' is not modelled");
}

/// Only what kernels reach matters.
std::vector<Problem> check_kernels(const ir::KernelModule& module) {
  std::vector<Problem> problems;
  for (const ir::KernelSignature& kernel : module.kernels)
    if (const llvm::Function* function = module.module().getFunction(kernel.symbol))
      for (const llvm::Instruction& instruction : llvm::instructions(*function))
        if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
          check_call(*call, kernel.symbol, problems);
  return problems;
}

bool lies_below(const std::string& path, const std::vector<std::string>& folders) {
  return std::any_of(folders.begin(), folders.end(),
                     [&](const std::string& folder) { return !folder.empty() && path.starts_with(folder); });
}

/// The main file first, then the user's other files in the order in which the kernels meet them.
facts::SourceFiles user_files(const ir::KernelModule& module, const CompileRequest& request,
                              std::vector<std::string> folders) {
  folders.insert(folders.end(), {"/usr/include", "/usr/lib", resource_directory().value_or("")});
  facts::SourceFiles files = {request.path};
  for (const ir::KernelSignature& kernel : module.kernels) {
    const llvm::Function* function = module.module().getFunction(kernel.symbol);
    if (!function)
      continue;
    for (const llvm::Instruction& instruction : llvm::instructions(*function))
      for (const llvm::DILocation* at = instruction.getDebugLoc().get(); at; at = at->getInlinedAt()) {
        std::string name = at->getFilename().str();
        if (!name.empty() && name != "<stdin>" && name.front() != '<' && !lies_below(name, folders) &&
            std::find(files.begin(), files.end(), name) == files.end())
          files.push_back(name);
      }
  }
  return files;
}

/// Shared variables that the kernel's code names; zero-sized or external ones are sized at launch.
void measure_shared(const ir::KernelModule& module, ir::KernelSignature& kernel) {
  const llvm::Function* function = module.module().getFunction(kernel.symbol);
  const llvm::DataLayout& layout = module.module().getDataLayout();
  std::uint64_t bytes = 0;
  kernel.uses_dynamic_shared =
      std::any_of(kernel.parameters.begin(), kernel.parameters.end(),
                  [](const auto& p) { return p.is_pointer && p.space == ir::AddressSpace::shared; });
  for (const llvm::GlobalVariable& variable : module.module().globals()) {
    if (variable.getAddressSpace() != ir::shared_space)
      continue;
    llvm::SmallVector<const llvm::User*, 16> open(variable.users());
    std::set<const llvm::User*> seen; // never iterated
    bool used = false;
    while (!open.empty() && !used) {
      const llvm::User* user = open.pop_back_val();
      if (!seen.insert(user).second)
        continue;
      if (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(user))
        used = instruction->getFunction() == function;
      else
        open.append(user->user_begin(), user->user_end());
    }
    if (!used)
      continue;
    std::uint64_t size = layout.getTypeAllocSize(variable.getValueType()).getFixedValue();
    if (variable.isDeclaration() || size == 0) {
      kernel.uses_dynamic_shared = true;
      continue;
    }
    std::uint64_t align = std::max<std::uint64_t>(variable.getAlign().valueOrOne().value(), 1);
    bytes = (bytes + align - 1) / align * align + size;
  }
  kernel.static_shared_bytes = bytes;
}

Result<void> verify(const llvm::Module& module) {
  std::string message;
  llvm::raw_string_ostream out(message);
  if (llvm::verifyModule(module, &out))
    return fail(ErrorCode::internal, "the lowered module is broken: " + message);
  return {};
}

} // namespace

Result<void> finish(ir::KernelModule& module, const CompileRequest& request,
                    const std::vector<std::string>& own_headers) {
  std::erase_if(module.kernels, [&](const ir::KernelSignature& kernel) {
    const llvm::Function* function = module.module().getFunction(kernel.symbol);
    return !function || function->isDeclaration();
  });
  if (module.kernels.empty())
    return fail(ErrorCode::bad_input, "no kernel is defined in this file", request.path,
                "a kernel is a __kernel, __global__ or .entry function with a body: is the file whole, and "
                "the right one?");
  if (request.signatures_only)
    return {};
  FOREWARP_TRY(refuse_kernels(module, check_kernels(module)));
  for (facts::Note& note : lowering::number_functions(module))
    module.notes.push_back(std::move(note));
  for (const ir::KernelSignature& kernel : module.kernels)
    expand_copies(*module.module().getFunction(kernel.symbol));
  FOREWARP_TRY(verify(module.module()));
  // PTX is what comes behind these passes.
  if (request.compiler != plain_bitcode && module.family == ir::TargetFamily::nvidia &&
      module.language != ir::SourceLanguage::ptx) {
    for (const ir::KernelSignature& kernel : module.kernels)
      share_row_bases(*module.module().getFunction(kernel.symbol));
    auto ran = run_target_passes(module.module(), request.target,
                                 features_of(request.family, request.target, request.warp_width));
    if (!ran) {
      module.abandon();
      return ran;
    }
    show_truncations(module.module());
    FOREWARP_TRY(verify(module.module()));
  }
  if (module.family == ir::TargetFamily::nvidia)
    for (const ir::KernelSignature& kernel : module.kernels) {
      sink_copy_addresses(*module.module().getFunction(kernel.symbol));
      fuse_products(*module.module().getFunction(kernel.symbol));
    }
  for (const ir::KernelSignature& kernel : module.kernels) {
    expand_constants(*module.module().getFunction(kernel.symbol));
    mark_short_angles(*module.module().getFunction(kernel.symbol));
  }
  module.files = user_files(module, request, own_headers);
  for (ir::KernelSignature& kernel : module.kernels)
    measure_shared(module, kernel);
  return {};
}

} // namespace forewarp::frontend
