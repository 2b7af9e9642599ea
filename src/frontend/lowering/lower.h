// The pass at the start of the pipeline that puts IR in the place of language built-ins.
#pragma once

#include "frontend/lowering/builtin_call.h"

namespace forewarp::frontend::lowering {

struct Options {
  ir::TargetFamily family = ir::TargetFamily::nvidia;
  unsigned warp_width = 32;
  std::string compiler = "turing"; ///< as in CompileRequest
  bool whole_global_ids = false;   ///< get_global_id stays one call until expand_global_ids
};

/// Replaces every call of a function without a body that a table knows; what no table knows, inline assembly
/// and calls through pointers become problems of `report` (and their calls poison).
void lower_builtins(llvm::Module& module, const Options& options, Report& report);

/// Group, size and local id in the place of the global ids that Options::whole_global_ids kept.
void expand_global_ids(llvm::Module& module, const Options& options);

/// Gives every function with a body that is no kernel internal linkage and marks it for inlining.
void inline_everything(llvm::Module& module);

/// "file:line:column" of an instruction's own debug location; "" without one.
std::string where_of(const llvm::Instruction& instruction);
bool is_kernel(const llvm::Function& function);

} // namespace forewarp::frontend::lowering
