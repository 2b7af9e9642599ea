// Forewarp's own declarations of CUDA C++: included before every .cu file, in place of a toolkit's headers.
// Device functions stand on compiler built-ins or on OpenCL's names (forewarp_cuda/lowered.h), so that one table of
// operations serves both languages. Host functions are declared only, where host code is parsed and never compiled; `forewarp run` compiles
// both halves with FOREWARP_RUN.
#pragma once
#pragma clang system_header

#include "forewarp_cuda/keywords.h"
#include "forewarp_cuda/vector_types.h"
#include "forewarp_cuda/variables.h"
#include "forewarp_cuda/c_library.h"
#include "forewarp_cuda/lowered.h"
#include "forewarp_cuda/math_float.h"
#include "forewarp_cuda/math_double.h"
#include "forewarp_cuda/math_overloads.h"
#include "forewarp_cuda/math_inverse.h"
#include "forewarp_cuda/convert.h"
#include "forewarp_cuda/integer.h"
#include "forewarp_cuda/simd_in_word.h"
#include "forewarp_cuda/simd_max_min.h"
#include "forewarp_cuda/barrier.h"
#include "forewarp_cuda/warp.h"
#include "forewarp_cuda/atomics.h"
#include "forewarp_cuda/cached_access.h"
#include "forewarp_cuda/host_types.h"
#include "forewarp_cuda/host_api.h"
#include "forewarp_cuda/device_runtime.h"
#include "forewarp_cuda/texture.h"
#ifdef FOREWARP_RUN
#include "forewarp_cuda/host_templates.h"
// As the toolkit's own header brings them along.
#include <cmath>
#include <cstdlib>
#include <utility>
#endif
