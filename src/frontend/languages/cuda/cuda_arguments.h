// How Clang is asked for CUDA C++ and HIP without a toolkit: options, headers, and the view of the files.
#pragma once

#include "frontend/compile.h"
#include "frontend/store/prelude.h"

#include <llvm/ADT/IntrusiveRefCntPtr.h>
#include <string>
#include <vector>

namespace llvm::vfs {
class FileSystem;
}

namespace forewarp::frontend {

/// nvcc's spellings among the options that are passed through, as Clang's; fast maths is the header's
/// business too.
struct CudaOptions {
  std::vector<std::string> arguments;
  std::string standard = "c++17";
  bool fast_math = false;
};

bool is_amd(const CompileRequest& request);

/// Takes the request's extra options that need a translation out of it.
CudaOptions translate_options(CompileRequest& request);

/// cc1 arguments of the language: the device half, own headers, the machine's library headers.
std::vector<std::string> cuda_arguments(const CompileRequest& request, const CudaOptions& options,
                                        const std::string& resources);

/// The machine's files with own headers over them. `prelude` may be null. `source`: what `prelude_source`
/// holds.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files_with_own_headers(const Prelude* prelude,
                                                                       const std::string& source);

/// The text of a source with what nvcc takes and Clang does not: `<< <` and `>> >` of a launch as `<<<` and
/// `>>>` of the same length, `__shared__ alignas(N)` with C's word for it. Empty where there is none of it,
/// or the file cannot be read.
std::string with_own_spellings(const std::string& path);

} // namespace forewarp::frontend
