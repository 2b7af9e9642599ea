// The other half of a CUDA or HIP source: its host code as an object file of this machine, for a runtime of
// ours (program/cuda). Also sources without kernels.
#pragma once

#include "support/result.h"

#include <string>
#include <vector>

namespace forewarp::frontend {

struct HostRequest {
  std::string path;     ///< .cu .cuh .hip (CUDA or HIP), .cpp .cc .cxx .c
  std::string standard; ///< ""; c++17, of C c17: those of the other language are passed over
  std::vector<std::string> defines;
  std::vector<std::string> include_directories;
  std::vector<std::string> extra_options; ///< as CompileRequest has them
  std::string binary_name;                ///< the text that stands where a toolkit puts machine code for GPUs
};

/// CUDA or HIP: by its ending, or by the headers that a C++ source includes.
bool has_device_half(const std::string& path);

/// ELF, compiled with -O2. Errors: not_found (no file, no C++ library's headers), compile (diagnostics as the
/// compiler words them), internal (the compiler crashed).
Result<std::string> compile_host_half(const HostRequest& request);

} // namespace forewarp::frontend
