// The C library functions that a .cu file may use without an include, and what device code may call of them.
// A machine without C headers still gets the device side.
#pragma once
#pragma clang system_header

extern "C" {
__attribute__((device)) int printf(const char*, ...);
__attribute__((device)) void* malloc(__SIZE_TYPE__) noexcept(true);
__attribute__((device)) void free(void*) noexcept(true);
FW_DEVICE void __assert_fail(const char*, const char*, unsigned, const char*) noexcept(true) { __builtin_trap(); }
FW_DEVICE void* memcpy(void* to, const void* from, __SIZE_TYPE__ bytes) noexcept(true) {
  return __builtin_memcpy(to, from, bytes);
}
FW_DEVICE void* memmove(void* to, const void* from, __SIZE_TYPE__ bytes) noexcept(true) {
  return __builtin_memmove(to, from, bytes);
}
FW_DEVICE void* memset(void* to, int value, __SIZE_TYPE__ bytes) noexcept(true) {
  return __builtin_memset(to, value, bytes);
}
}
__attribute__((device)) void* operator new(__SIZE_TYPE__);
__attribute__((device)) void* operator new[](__SIZE_TYPE__);
__attribute__((device)) void operator delete(void*) noexcept(true);
__attribute__((device)) void operator delete[](void*) noexcept(true);
FW_DEVICE void __trap(void) { __builtin_trap(); }
FW_DEVICE void __brkpt(void) {}

// libstdc++'s <math.h> and <stdlib.h> pull <cmath> and <cstdlib>, which cost more than the rest of this header.
#if __has_include(<math.h>)
#define _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#include <math.h>
#include <stdlib.h>
#undef _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#include <string.h>
#include <stdio.h>
#include <time.h>
#include <limits.h>
#include <stdint.h>
// Include guards of libstdc++'s wrappers were taken by the includes above; what they would have undone:
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
