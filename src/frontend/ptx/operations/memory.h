// Memory spaces of statements, for all that reads or writes memory.
#pragma once

#include "frontend/ptx/statement.h"

namespace forewarp::frontend::ptx {

/// LLVM's address space of an access. Shared memory of a cluster is the group's own: each group is one.
unsigned space_of(const Statement& statement);

} // namespace forewarp::frontend::ptx
