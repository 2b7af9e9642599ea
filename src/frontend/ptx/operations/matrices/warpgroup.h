// Products of a warp group (wgmma) as markers (ir/builtins.h).
#pragma once

#include "frontend/ptx/expansion.h"

namespace forewarp::frontend::ptx {

/// wgmma.mma_async of any shape and types, its first factor in registers or behind a descriptor; wgmma.fence,
/// commit_group and wait_group, which holds back the expansion's sums. False: another form. Not modelled:
/// waits for sums of integers.
bool expand_warpgroup(Expansion& expansion, const Statement& statement);

} // namespace forewarp::frontend::ptx
