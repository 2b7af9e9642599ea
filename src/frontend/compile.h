// Source -> kernel IR. One door for all input languages; the file's ending chooses the front end.
#pragma once

#include "ir/kernel_module.h"
#include "support/result.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace forewarp::frontend {

struct FileLog;
class PreludeStore;

struct CompileRequest {
  std::string path; ///< its ending says the language (source_language.h, docs/guide/cuda.md)
  ir::TargetFamily family = ir::TargetFamily::nvidia;
  std::string target = "sm_75"; ///< LLVM's processor name
  unsigned capability =
      0; ///< of the GPU in tenths, 100 for 10.0: PTX for a newer one is refused; 0: as `target`
  std::string compiler = "turing"; ///< generation of NVIDIA's that is imitated (passes/compiler_generation.h)
  std::string standard;            ///< -std / -cl-std; "" = default of the language
  std::vector<std::string> defines; ///< "NAME" or "NAME=VALUE"
  std::vector<std::string> include_directories;
  std::vector<std::string> extra_options; ///< passed through: -cl-fast-relaxed-math, -use_fast_math, ...
  unsigned warp_width = 32;
  /// The exact name or symbol of the one kernel that is wanted: host functions are then passed over unread
  /// and other kernels left out. A module without it is an error; what only host code instantiates is
  /// found by its name with template arguments ("f<32, float>"), which makes an instance. "": all.
  std::string only_kernel = {};
  /// With only_kernel: host functions are read for the kernels that they instantiate, and the name may be one
  /// that select_kernel understands.
  bool read_host_functions = false;
  std::string cache_folder = {};    ///< modules are kept there between runs (module_store.h); "": nowhere
  PreludeStore* preludes = nullptr; ///< keeps headers compiled for the next source; may be null
  /// Common name of sources that include the same headers, such as several that were made of one; "": the
  /// path. It saves time and changes nothing.
  std::string made_of = {};
  /// Only `KernelModule::kernels` is asked for: nothing is optimised, the module is not for running.
  bool signatures_only = false;
  /// Functions of the device with errors stop nothing: kernels that need them are refused, each alone.
  bool broken_kernels_apart = false;
  FileLog* log = nullptr; ///< told of every file that the compiler looks for; may be null
  /// Told whether a CUDA source may be another program for another `target` of NVIDIA's; may be null. Stays
  /// empty for AMD, other languages and what comes out of the cache folder.
  std::optional<bool>* asks_architecture = nullptr;
};

/// Reads, compiles, lowers built-ins, optimises (the language's -O3, then the target's own IR passes) and
/// verifies. Errors: not_found (file), bad_input (empty, binary, broken IR), compile (diagnostics as the
/// compiler words them), unsupported (recursion, inline assembly, an unknown built-in by name; a .cu for AMD
/// that cannot be built as HIP). With a cache folder, what an earlier run made of the same source, headers
/// and options is taken from there.
Result<ir::KernelModule> compile(const CompileRequest& request);

/// The kernels that `name` may mean: the one of that name or symbol, else all of that name without scope and
/// template arguments.
std::vector<const ir::KernelSignature*> kernels_meant(const std::vector<ir::KernelSignature>& kernels,
                                                      std::string_view name);

/// The kernel called `name` ("" = the only one). Unknown or ambiguous: not_found with the list.
Result<const ir::KernelSignature*> select_kernel(const ir::KernelModule& module, const std::string& name);

} // namespace forewarp::frontend
