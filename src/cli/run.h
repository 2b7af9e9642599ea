#pragma once

namespace forewarp::cli {

/// The whole program; the exit code is returned.
int run(int argc, char** argv);

} // namespace forewarp::cli
