// Thrust: random.h.
#pragma once
#pragma clang system_header
#include <thrust/random.h>
