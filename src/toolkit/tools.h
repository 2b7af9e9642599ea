// The vendor's tools on this machine: where they are, which version, and what installs the rest. Nothing is
// downloaded here.
#pragma once

#include "support/result.h"

#include <optional>
#include <string>
#include <vector>

namespace forewarp::toolkit {

struct Tool {
  std::string name;    ///< "nvcc", "ptxas", "cuobjdump", "NVRTC"
  std::string path;    ///< "" where there is none
  std::string version; ///< "13.0.88"; "" where the program does not say
  std::string found;   ///< "PATH", "toolkit folder", "Python wheel"
};

/// Looks at the PATH, $CUDA_HOME, $CUDA_PATH and /usr/local/cuda, then at the wheels of the Python
/// environment in $VIRTUAL_ENV and of the user (nvidia/*/bin, triton/backends/nvidia/bin).
Tool find_tool(const std::string& name);

/// What compiles CUDA to machine code: the nvcc or libnvrtc.so that $FOREWARP_CUDA_COMPILER names, else nvcc
/// as above, else the newest libnvrtc.so of the same places. NVRTC is run by `nvrtc_runner()`.
Tool find_cuda_compiler();
inline constexpr const char* nvrtc_name = "NVRTC";

/// The program beside this one that loads NVRTC in a process of its own; "": it is not there.
std::string nvrtc_runner();

/// Tools that Forewarp can use, in a fixed order.
std::vector<Tool> find_tools();

/// A table of what is there, and the one command that installs what is missing.
std::string setup_text(const std::vector<Tool>& tools);

struct RunLimits {
  double seconds = 300;
  std::size_t output_bytes = 1 << 20;
};

/// Runs a program with its arguments in a process of its own; gives what it wrote to standard output and
/// error. Errors, with its words: not_found (cannot be started), compile (it refuses its input), unsupported
/// (ran past the limit and was ended with its children, crashed, or failed without a word).
Result<std::string> run_tool(const std::vector<std::string>& arguments, const RunLimits& limits = {});

} // namespace forewarp::toolkit
