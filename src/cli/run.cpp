#include "cli/run.h"

namespace forewarp::cli {

int run(int, char**) { return 0; }

} // namespace forewarp::cli
