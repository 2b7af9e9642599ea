#include "engine/compile_cache.h"

#include "frontend/compile.h"
#include "frontend/source_language.h"

namespace forewarp::engine {
namespace {

/// One module for all GPUs whose compiler makes the same of a source: since Turing the assembler repeats
/// loops.
constexpr const char* turing_and_later = "sm_75";
constexpr const char* before_turing = "sm_70";
constexpr double turing = 7.5;

ir::TargetFamily family_of(const gpu::Machine& machine) {
  return machine.vendor == "amd" ? ir::TargetFamily::amd : ir::TargetFamily::nvidia;
}

std::string compile_target(const std::string& path, const gpu::Machine& machine) {
  if (family_of(machine) != ir::TargetFamily::nvidia || frontend::is_cuda_source(path))
    return machine.target;
  return machine.compute_capability >= turing ? turing_and_later : before_turing;
}

std::string key_of(const frontend::CompileRequest& compile, const std::string& kernel) {
  std::string key = compile.path + '\n' + kernel + '\n' + compile.only_kernel + '\n' + compile.target + '\n' +
                    compile.standard + '\n' + std::to_string(compile.warp_width);
  for (const auto* list : {&compile.defines, &compile.include_directories, &compile.extra_options}) {
    key += "\n--";
    for (const std::string& word : *list)
      key += '\n' + word;
  }
  return key;
}

} // namespace

frontend::CompileRequest compile_request(const PredictRequest& request, const gpu::Machine& machine) {
  frontend::CompileRequest compile = request.compile;
  compile.family = family_of(machine);
  compile.target = compile_target(request.compile.path, machine);
  compile.warp_width = machine.warp_width;
  return compile;
}

Result<std::shared_ptr<const CompiledKernel>> CompileCache::get(const PredictRequest& request,
                                                                const gpu::Machine& machine) {
  const frontend::CompileRequest compile = compile_request(request, machine);
  const std::string key = key_of(compile, request.kernel);
  for (auto entry = entries_.begin(); entry != entries_.end(); ++entry)
    if (entry->key == key) {
      entries_.splice(entries_.begin(), entries_, entry);
      return entries_.front().outcome;
    }
  Outcome outcome = this->compile(compile, request.kernel);
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

/// The one kernel first, if that was asked for; a source that has it by host code only is known from then on.
CompileCache::Outcome CompileCache::compile(const frontend::CompileRequest& request,
                                            const std::string& kernel_name) {
  const auto source = std::pair(request.path, kernel_name.substr(0, kernel_name.find('<')));
  if (request.only_kernel.empty() || need_whole_.contains(source)) {
    frontend::CompileRequest whole = request;
    whole.only_kernel.clear();
    return compile_once(whole, kernel_name);
  }
  Outcome outcome = compile_once(request, kernel_name);
  if (outcome)
    return outcome;
  need_whole_.insert(source);
  return compile(request, kernel_name);
}

CompileCache::Outcome CompileCache::compile_once(const frontend::CompileRequest& request,
                                                 const std::string& kernel_name) {
  ++compiles_;
  frontend::CompileRequest with_preludes = request;
  with_preludes.preludes = &preludes_;
  auto module = frontend::compile(with_preludes);
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
