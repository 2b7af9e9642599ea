#include "engine/compile_cache.h"

#include "engine/machine_code.h"
#include "engine/translate.h"
#include "frontend/compile.h"
#include "frontend/languages/source_language.h"
#include "frontend/passes/compiler_generation.h"
#include "gpu/code_target.h"

#include "predict/predictor.h"
#include "support/named.h"

#include <algorithm>
#include <cmath>
#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>
#include <string>

namespace forewarp::engine {
namespace {

ir::TargetFamily family_of(const gpu::Machine& machine) {
  return machine.vendor == "amd" ? ir::TargetFamily::amd : ir::TargetFamily::nvidia;
}

/// Sources that are neither CUDA nor PTX are compiled by the driver, whose compiler is of one day for all of
/// its GPUs.
const frontend::CompilerGeneration& compiler_of(const std::string& path, const gpu::Machine& machine) {
  const bool is_cuda = frontend::is_cuda_source(path) || frontend::is_ptx(path);
  return frontend::compiler_generation(is_cuda ? machine.compiler.cuda : machine.compiler.driver);
}

std::string compile_target(const std::string& path, bool machine_code, const gpu::Machine& machine) {
  if (machine_code || frontend::is_machine_code(path))
    return gpu::code_target(machine);
  if (family_of(machine) != ir::TargetFamily::nvidia || frontend::is_cuda_source(path) ||
      frontend::is_ptx(path))
    return machine.target;
  return compiler_of(path, machine).stand_in;
}

/// Whether a rule that one of the two has and the other lacks gives a loop other code.
bool differs_between(const CompiledKernel& compiled, const frontend::CompilerGeneration& one,
                     const frontend::CompilerGeneration& other) {
  const llvm::Function* function = compiled.module.module().getFunction(compiled.kernel->symbol);
  return function == nullptr || std::ranges::any_of(frontend::loop_rules, [&](const auto& rule) {
           return rule.differs(one, other) && function->hasFnAttribute(rule.mark);
         });
}

/// What `--code auto` comes to where the vendor's code cannot be had.
Result<ir::KernelModule> imitated_instead(const frontend::CompileRequest& request, const Error& why) {
  frontend::CompileRequest imitated = request;
  imitated.target = gpu::compiler_target(request.target);
  auto module = frontend::compile(imitated);
  if (module)
    module->notes.push_back(
        {facts::Note::Severity::info, "the machine code is imitated; the vendor's could not be had: " +
                                          (why.where.empty() ? "" : why.where + ": ") + why.message});
  return module;
}

std::string base_name(const std::string& kernel) {
  return kernel.substr(0, kernel.find('<'));
}

std::string key_of(const frontend::CompileRequest& compile, const std::string& kernel, Code code) {
  std::string key = std::to_string(static_cast<int>(code)) + compile.path + '\n' + kernel + '\n' +
                    compile.only_kernel + '\n' + compile.target + '\n' + std::to_string(compile.capability) +
                    compile.compiler + '\n' + compile.standard + '\n' + std::to_string(compile.warp_width) +
                    (compile.broken_kernels_apart ? "+" : "");
  for (const auto* list : {&compile.defines, &compile.include_directories, &compile.extra_options}) {
    key += "\n--";
    for (const std::string& word : *list)
      key += '\n' + word;
  }
  return key;
}

} // namespace

bool wants_bitcode(const std::string& model) {
  const predict::Predictor* predictor = find_row(predict::predictors(), model);
  return predictor != nullptr && predictor->needs.program == predict::ProgramForm::pruned_ir;
}

Code code_for(const PredictRequest& request, const gpu::Machine& machine) {
  constexpr double first_readable = 7.5; // sm_75: older code has another encoding
  const bool readable = machine.vendor == "nvidia" && machine.compute_capability >= first_readable;
  return request.compile.code == Code::automatic && !readable ? Code::imitated : request.compile.code;
}

frontend::CompileRequest compile_request(const PredictRequest& request, const gpu::Machine& machine) {
  frontend::CompileRequest compile = compile_request(request.compile);
  compile.family = family_of(machine);
  compile.target =
      compile_target(request.compile.path, code_for(request, machine) != Code::imitated, machine);
  compile.compiler = compiler_of(request.compile.path, machine).name;
  compile.warp_width = machine.warp_width;
  if (frontend::is_ptx(compile.path))
    compile.capability = static_cast<unsigned>(std::lround(10 * machine.compute_capability));
  if (compile.only_kernel.empty() && frontend::is_opencl_source(compile.path)) {
    compile.only_kernel = request.kernel;
    compile.read_host_functions = true; // there are none: a name that is not one kernel leaves all of them
  }
  if (wants_bitcode(request.model))
    compile.compiler = frontend::plain_bitcode;
  return compile;
}

const CompileCache::Outcome* CompileCache::kept(const std::string& key) {
  const auto entry = std::ranges::find_if(entries_, [&](const Entry& one) { return one.key == key; });
  if (entry == entries_.end())
    return nullptr;
  entries_.splice(entries_.begin(), entries_, entry);
  return &entries_.front().outcome;
}

CompileCache::Outcome CompileCache::keep(const std::string& key, Outcome outcome) {
  if (!outcome && outcome.error().code != ErrorCode::compile &&
      outcome.error().code != ErrorCode::unsupported)
    return outcome; // a file that is missing now may be there later
  Entry entry{key, outcome};
  if (outcome)
    for (const Entry& other : entries_)
      if (other.outcome && (*other.outcome)->content == (*outcome)->content &&
          (*other.outcome)->kernel->symbol == (*outcome)->kernel->symbol)
        entry.outcome = other.outcome;
  entries_.push_front(std::move(entry));
  if (entries_.size() > capacity_)
    entries_.pop_back();
  return entries_.front().outcome;
}

Result<std::shared_ptr<const CompiledKernel>> CompileCache::get(const PredictRequest& request,
                                                                const gpu::Machine& machine) {
  frontend::CompileRequest compile = compile_request(request, machine);
  const Code code = code_for(request, machine);
  const std::string key = key_of(compile, request.kernel, code);
  if (const Outcome* outcome = kept(key))
    return *outcome;
  if (code == Code::imitated)
    if (auto shared = for_all_architectures(compile, request.kernel))
      return *std::move(shared);
  std::optional<bool> asks;
  compile.asks_architecture = &asks;
  Outcome outcome = keep(key, this->compile(compile, request.kernel, code));
  if (asks)
    asks_architecture_[{compile.path, base_name(request.kernel)}] |= *asks;
  return outcome;
}

/// What was compiled for another generation, if no rule that changed between the two gives a loop other code.
std::optional<CompileCache::Outcome>
CompileCache::of_other_generation(const frontend::CompileRequest& request, const std::string& kernel) {
  frontend::CompileRequest other = request;
  for (const frontend::CompilerGeneration& generation : frontend::compiler_generations) {
    other.target = generation.stand_in;
    other.compiler = generation.name;
    const std::string key = key_of(other, kernel, Code::imitated);
    const Outcome* outcome = for_all_of_generation_.contains(key) ? kept(key) : nullptr;
    if (outcome != nullptr && *outcome &&
        !differs_between(***outcome, frontend::compiler_generation(request.compiler), generation))
      return *outcome;
  }
  return std::nullopt;
}

/// Empty where the kernel's code asks for its architecture, by its defines or by others.
std::optional<CompileCache::Outcome>
CompileCache::for_all_architectures(const frontend::CompileRequest& request, const std::string& kernel) {
  const auto asks = asks_architecture_.find({request.path, base_name(kernel)});
  if (request.only_kernel.empty() || request.family != ir::TargetFamily::nvidia ||
      request.compiler == frontend::plain_bitcode || asks == asks_architecture_.end() || asks->second)
    return std::nullopt;
  frontend::CompileRequest stand_in = request;
  if (const std::string target = frontend::compiler_generation(request.compiler).stand_in; !target.empty())
    stand_in.target = target;
  const std::string key = key_of(stand_in, kernel, Code::imitated);
  if (const Outcome* outcome = kept(key))
    return *outcome;
  if (auto other = of_other_generation(stand_in, kernel))
    return keep(key, *std::move(other));
  std::optional<bool> asks_now;
  stand_in.asks_architecture = &asks_now;
  Outcome outcome = compile(stand_in, kernel, Code::imitated);
  if (outcome && asks_now == false) {
    for_all_of_generation_.insert(key);
    return keep(key, std::move(outcome));
  }
  asks->second = true;
  return std::nullopt;
}

/// The one kernel first, if that was asked for; a source with one by host code only is known from then on.
CompileCache::Outcome CompileCache::compile(const frontend::CompileRequest& request,
                                            const std::string& kernel_name, Code code) {
  frontend::CompileRequest with_host_code = request;
  const std::string& origin = request.made_of.empty() ? request.path : request.made_of;
  with_host_code.read_host_functions = need_host_code_.contains(origin);
  Outcome outcome = compile_once(with_host_code, kernel_name, code);
  if (outcome || request.only_kernel.empty() || with_host_code.read_host_functions)
    return outcome;
  with_host_code.read_host_functions = true;
  outcome = compile_once(with_host_code, kernel_name, code);
  if (outcome)
    need_host_code_.insert(origin);
  return outcome;
}

CompileCache::Outcome CompileCache::compile_once(const frontend::CompileRequest& request,
                                                 const std::string& kernel_name, Code code) {
  ++compiles_;
  frontend::CompileRequest with_preludes = request;
  with_preludes.preludes = &preludes_;
  auto module = code == Code::imitated && !frontend::is_machine_code(request.path)
                    ? frontend::compile(with_preludes)
                    : compile_by_vendor(with_preludes, kernel_name);
  if (!module && code == Code::automatic)
    module = imitated_instead(with_preludes, module.error());
  FOREWARP_TRY(module);
  const frontend::ContentHash content = frontend::content_of(*module);
  auto compiled =
      std::make_shared<CompiledKernel>(CompiledKernel{std::move(*module), nullptr, compiles_, content});
  auto kernel = frontend::select_kernel(compiled->module, kernel_name);
  FOREWARP_TRY(kernel);
  compiled->kernel = *kernel;
  return compiled;
}

} // namespace forewarp::engine
