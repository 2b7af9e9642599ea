// A caller's request in the words of the rooms that answer it.
#pragma once

#include "engine/request.h"
#include "frontend/compile.h"
#include "memory/profile.h"
#include "simt/run.h"

namespace forewarp::engine {

/// Family and target are left at their defaults.
frontend::CompileRequest compile_request(const SourceRequest& source);
simt::RunOptions run_options(const RunRequest& run);
memory::ProfileOptions::CacheState cache_state(CacheState state);

} // namespace forewarp::engine
