// Vectors stand in forewarp_cuda.h; this adds what HIP has beyond.
#pragma once
#include "hip/vector_operators.h"
