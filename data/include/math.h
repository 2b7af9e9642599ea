// The C header alone: libstdc++'s <math.h> pulls <cmath>, which costs more than all own headers, and its using
// declarations collide with the device overloads.
#pragma once
#pragma clang system_header
#if __has_include_next(<math.h>)
#define _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#include_next <math.h>
#undef _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#undef isfinite
#undef isinf
#undef isnan
#undef isnormal
#undef signbit
#undef fpclassify
#undef isgreater
#undef isgreaterequal
#undef isless
#undef islessequal
#undef islessgreater
#undef isunordered
#endif
