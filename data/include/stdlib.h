// The C header alone, for the reasons that <math.h> gives.
#pragma once
#pragma clang system_header
#if __has_include_next(<stdlib.h>)
#define _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#include_next <stdlib.h>
#undef _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#endif
