// A PTX file as an LLVM module: registers in slots on the stack, addresses as numbers (pointers.h and
// clean_up.h make values and pointers of them).
#pragma once

#include "frontend/lowering/builtin_call.h"
#include "frontend/ptx/syntax.h"

#include <llvm/IR/Module.h>

#include <memory>

namespace forewarp::frontend::ptx {

/// Each kernel is a function with the calling convention of kernels, whose arguments are numbers, structures
/// by value and textures, named in the metadata that OpenCL's compiler writes. `.func` becomes a function of
/// pointers to its parameters and results. Lines are those of `.loc`, else the file's own. What is not
/// modelled goes to `report`, with the kernels that reach it. Errors: bad_input with its line.
Result<std::unique_ptr<llvm::Module>> translate(const File& file, const std::string& path,
                                                llvm::LLVMContext& context, lowering::Report& report);

} // namespace forewarp::frontend::ptx
