// The C library's own clock behind the one that the program is given.
#pragma once

#include <ctime>

namespace forewarp::program {
int machine_clock_gettime(clockid_t clock, timespec* time);
}
