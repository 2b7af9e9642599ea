// Thrust: host_side.h.
#pragma once
#pragma clang system_header
#include <thrust/host_side.h>
