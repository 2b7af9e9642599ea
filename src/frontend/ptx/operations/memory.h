// Memory spaces of statements, for all that reads or writes memory.
#pragma once

#include "frontend/ptx/statement.h"

namespace forewarp::frontend::ptx {

/// LLVM's address space of an access. Addresses say whose shared memory of a cluster it is.
unsigned space_of(const Statement& statement);

} // namespace forewarp::frontend::ptx
