// C and C++ files of one program -> one LLVM module before any optimisation, its loops and its marks.
#pragma once

#include "port/source/mark.h"
#include "support/result.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <memory>
#include <string>
#include <vector>

namespace forewarp::port {

struct SourceRequest {
  std::vector<std::string> files; ///< .c .cc .cpp .cxx .C
  std::vector<std::string> defines, include_directories, libraries;
  std::string standard;                ///< -std=; "" = the compiler's
  std::vector<std::string> words = {}; ///< further words for the compiler
};

struct SourceProgram {
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module; ///< all files, linked; debug information, no optimisation
  std::vector<SourceLoop> loops;        ///< of the files given, not of headers of the system
  std::vector<RegionMark> marks;        ///< of the pragmas, in order
};

/// Errors: not_found, bad_input (kind of file, no `main`, a pragma before something that is no loop),
/// compile.
Result<SourceProgram> compile_program(const SourceRequest& request);

/// One file, which need be no program. Errors as above.
Result<SourceProgram> compile_file(const SourceRequest& request, const std::string& path);

} // namespace forewarp::port
