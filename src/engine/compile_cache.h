// Compiled sources by everything that the compiler was told, so that further launches and GPUs cost no
// compile.
#pragma once

#include "engine/request.h"
#include "frontend/compile.h"
#include "frontend/store/module_bytes.h"
#include "frontend/store/prelude.h"
#include "gpu/machine.h"
#include "ir/kernel_module.h"

#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

namespace forewarp::engine {

/// A compiled source and the kernel that was asked for.
struct CompiledKernel {
  ir::KernelModule module;
  const ir::KernelSignature* kernel = nullptr;
  std::uint64_t number = 0;           ///< another for another module; never used twice by one cache
  frontend::ContentHash content = {}; ///< of the module
};

/// Keeps the `capacity` modules used last, and the errors of sources that do not compile. Requests whose
/// modules are equal (a define that changes nothing) share one. Not for use by several threads at once: a
/// module belongs to one thread.
class CompileCache {
public:
  explicit CompileCache(std::size_t capacity = 64) : capacity_(capacity) {}

  /// The request's source for this machine. OpenCL and LLVM IR are compiled once for every NVIDIA generation,
  /// CUDA once a target; with only_kernel and code that asks for no architecture, once a generation (Kepler,
  /// Maxwell, Pascal and Volta, later ones), and once for all generations whose rules give its loops the same
  /// code.
  /// Where only_kernel gives no module, host functions are read, too.
  Result<std::shared_ptr<const CompiledKernel>> get(const PredictRequest& request,
                                                    const gpu::Machine& machine);
  std::size_t compiles() const { return compiles_; }

private:
  using Outcome = Result<std::shared_ptr<const CompiledKernel>>;
  using KernelOfSource = std::pair<std::string, std::string>; ///< path, name without template arguments
  struct Entry {
    std::string key;
    Outcome outcome;
  };
  const Outcome* kept(const std::string& key);
  Outcome keep(const std::string& key, Outcome outcome);
  std::optional<Outcome> of_other_generation(const frontend::CompileRequest& request,
                                             const std::string& kernel);
  std::optional<Outcome> for_all_architectures(const frontend::CompileRequest& request,
                                               const std::string& kernel);
  Outcome compile(const frontend::CompileRequest& request, const std::string& kernel, Code code);
  Outcome compile_once(const frontend::CompileRequest& request, const std::string& kernel, Code code);
  std::size_t capacity_, compiles_ = 0;
  frontend::PreludeStore preludes_;
  std::list<Entry> entries_;             ///< used last first
  std::set<std::string> need_host_code_; ///< origins with a kernel that only_kernel alone did not find
  std::map<KernelOfSource, bool> asks_architecture_;
  std::set<std::string> for_all_of_generation_; ///< keys of modules whose code asks for no architecture
};

/// Whether this predictor counts another compile than the GPU's (predict::ProgramForm::pruned_ir).
bool wants_bitcode(const std::string& model);

/// The code that the request gets for this machine: `automatic` is `imitated` where no vendor's code can be
/// read (AMD, before sm_75).
Code code_for(const PredictRequest& request, const gpu::Machine& machine);

/// The request's source as the compiler of this machine's family and target has to see it.
frontend::CompileRequest compile_request(const PredictRequest& request, const gpu::Machine& machine);

} // namespace forewarp::engine
