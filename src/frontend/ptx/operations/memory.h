// Memory spaces of statements, for all that reads or writes memory.
#pragma once

#include "frontend/ptx/statement.h"

#include <optional>

namespace forewarp::frontend::ptx {

/// LLVM's address space of an access; nothing: one that is not modelled (another group's shared memory).
std::optional<unsigned> space_of(const Statement& statement);

} // namespace forewarp::frontend::ptx
