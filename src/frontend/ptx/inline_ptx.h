// Inline PTX as IR: the statements of an assembly string through the table of operations that files go
// through.
#pragma once

#include <llvm/IR/Instructions.h>

#include <optional>
#include <string>

namespace forewarp::frontend::ptx {

/// Puts the statements' IR before `call`, a call of inline assembly, and replaces its result. Empty: done;
/// else the statement that is not known, as written ("" where the constraints are not), and nothing is
/// changed that matters: the call is still there.
std::optional<std::string> expand_inline_ptx(llvm::CallInst& call);

} // namespace forewarp::frontend::ptx
