// CUDA and HIP sources to a program that runs on this machine: host halves and kernels compiled, linked with
// the library that stands for the runtime (cuda/).
#pragma once

#include "engine/request.h"
#include "program/devices.h"
#include "support/memory_file.h"
#include "support/temporary_file.h"

#include <functional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace forewarp::program {

struct BuildRequest {
  std::vector<std::string> sources;   ///< .cu .hip .cpp .cc .cxx .c, and .o
  engine::SourceRequest compile;      ///< how; its path is each source's
  std::vector<std::string> libraries; ///< as after -l
  std::vector<std::string> library_folders;
  bool checked = true; ///< accesses of kernels are looked at
};

struct BuiltProgram {
  MemoryFile file;
  /// Sources with kernels by the name that launches give (native::ModuleFacts::name).
  std::vector<std::pair<std::string, engine::SourceRequest>> sources;
};

struct BuildPlace {
  const MemoryFile& program;                             ///< what is built goes there
  std::string room;                                      ///< a file on a disk that the linker may use
  std::function<void(const std::string&)> progress = {}; ///< the file that is compiled
};

/// A source with kernels: the name that launches give, its path, and whether its kernels compile only with
/// the algorithms of libraries (FOREWARP_RUN), for the prediction, too.
using BuiltSource = std::tuple<std::string, std::string, bool>;
inline constexpr const char* run_define = "FOREWARP_RUN=1";

/// The sources with kernels. `device`: the GPU that device code is compiled for. Errors: as the compiler's
/// and the linker's. In this process: build_helper.h has it in another one.
Result<std::vector<BuiltSource>> build_program(const BuildRequest& request, const Device& device,
                                               const BuildPlace& place);

} // namespace forewarp::program
