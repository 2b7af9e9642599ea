// The arithmetic of inline PTX: one value from the values of the sources.
#pragma once

#include "frontend/lowering/ptx/ptx_statement.h"

#include <llvm/ADT/ArrayRef.h>

namespace forewarp::frontend::lowering {

struct PtxOperation {
  const char* name;
  unsigned sources;
  bool (*applies)(const PtxStatement&); ///< to the statement's type and modifiers
  llvm::Value* (*emit)(llvm::IRBuilder<>&, const PtxStatement&, llvm::ArrayRef<llvm::Value*>);
  unsigned last_words =
      0; ///< so many of the last sources are 32 bits wide whatever the type: amounts of shifts
};

/// The first row of that name that applies; null: not known.
const PtxOperation* find_ptx_operation(const PtxStatement& statement);

/// iN or the float of N bits by the statement's type; null: none that is modelled.
llvm::Type* ptx_type(llvm::LLVMContext& context, const PtxStatement& statement);

} // namespace forewarp::frontend::lowering
