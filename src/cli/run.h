#pragma once

namespace forewarp::cli {

/// The whole program; the exit code is returned (support/result.h lists them; 0 on success).
int run(int argc, char** argv);

} // namespace forewarp::cli
