#include "frontend/languages/only_kernel.h"

#include "frontend/compile.h"
#include "frontend/lowering/lower.h"

#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>

#include <algorithm>
#include <cctype>

namespace forewarp::frontend {
namespace {

bool has_callers(const llvm::Function& function) {
  return std::any_of(function.user_begin(), function.user_end(), [&](const llvm::User* user) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(user);
    return call && call->getCalledOperand() == &function;
  });
}

struct KeepOneKernel : llvm::PassInfoMixin<KeepOneKernel> {
  std::string wanted_name;
  KernelNames names;
  const std::vector<ir::KernelSignature>* signatures;
  KeepOneKernel(std::string kernel, KernelNames how, const std::vector<ir::KernelSignature>* known)
      : wanted_name(std::move(kernel)), names(how), signatures(known) {}

  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
    auto wanted = kernels_meant(*signatures, wanted_name);
    if (names == KernelNames::loose && wanted.size() != 1)
      return llvm::PreservedAnalyses::all();
    if (names == KernelNames::exact)
      std::erase_if(wanted, [&](const ir::KernelSignature* kernel) {
        return !frontend::is_called(*kernel, wanted_name);
      });
    for (llvm::Function& function : module)
      if (!function.isDeclaration() && lowering::is_kernel(function) && !has_callers(function) &&
          (wanted.empty() || function.getName() != wanted.front()->symbol)) {
        function.deleteBody();
        function.setComdat(nullptr); // no declaration has one
      }
    return llvm::PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

/// Demangled names of templates begin with the result's type.
std::string_view without_result(std::string_view demangled) {
  constexpr std::string_view result = "void ";
  return demangled.starts_with(result) ? demangled.substr(result.size()) : demangled;
}

} // namespace

std::string bare_kernel_name(std::string_view name) {
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  const auto is_suffix = [](char c) { return c == 'u' || c == 'U' || c == 'l' || c == 'L'; };
  std::string out;
  bool in_number = false;
  for (const char c : name) {
    const bool starts =
        std::isdigit(static_cast<unsigned char>(c)) != 0 && (out.empty() || !is_word(out.back()));
    in_number = starts || (in_number && is_word(c));
    if (c != ' ' && !(in_number && is_suffix(c)))
      out += c;
  }
  return out;
}

bool is_called(const ir::KernelSignature& kernel, std::string_view name) {
  if (kernel.name == name || kernel.symbol == name)
    return true;
  if (name.ends_with(')')) // one of several overloads
    return bare_kernel_name(without_result(llvm::demangle(kernel.symbol))) == bare_kernel_name(name);
  return name.find('<') != std::string_view::npos && bare_kernel_name(kernel.name) == bare_kernel_name(name);
}

void keep_one_kernel(llvm::PassBuilder& builder, const std::string& name, KernelNames names,
                     const std::vector<ir::KernelSignature>& signatures) {
  builder.registerPipelineStartEPCallback(
      [name, names, &signatures](llvm::ModulePassManager& passes, llvm::OptimizationLevel) {
        passes.addPass(KeepOneKernel(name, names, &signatures));
      });
}

} // namespace forewarp::frontend
