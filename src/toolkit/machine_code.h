// Machine code from a source by the vendor's tools, kept between runs.
#pragma once

#include "support/result.h"

#include <string>
#include <vector>

namespace forewarp::toolkit {

struct AssembleRequest {
  std::string path;                      ///< .cu or .ptx
  std::string target;                    ///< "sm_86"
  std::vector<std::string> defines = {}; ///< "N=4"
  std::vector<std::string> include_folders = {};
  std::vector<std::string> options = {}; ///< passed on to nvcc: -use_fast_math, -std=c++14, ...
  std::string cache_folder =
      {};                   ///< results are kept there; "": nowhere, the caller's folder for temporary files
  std::string told_as = {}; ///< the user's file, where `path` was made of it; "": path
};

struct Assembled {
  std::string path;  ///< of the cubin
  std::string tool;  ///< "nvcc 13.0.88"
  bool kept = false; ///< made by an earlier run
};

/// nvcc or NVRTC for .cu (tools.h), ptxas for .ptx, with line tables. A kept result holds as long as tool,
/// options and every file that the tool read are the same. Errors: not_found (no tool, no file), unsupported
/// (another kind of source), those of run_tool.
Result<Assembled> assemble(const AssembleRequest& request);

/// Whether a source, or one of the compiler's options, may bring another file in: `#include`, also with
/// blanks after the `#`, or `-include`.
bool may_include(const std::string& source, const std::vector<std::string>& options);

} // namespace forewarp::toolkit
