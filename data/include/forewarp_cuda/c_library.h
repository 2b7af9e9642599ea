// The C library functions that a .cu file may use without an include, and what device code may call of them.
// A machine without C headers still gets the device side.
#pragma once
#pragma clang system_header

#ifdef FOREWARP_RUN // kernels are executed: their lines are printed
extern "C" __attribute__((device)) int fw_print(const char*, const void*);
/// Arguments as C promotes them, one behind the other, in 8 bytes each.
struct fw_print_words {
  unsigned long long word[32];
};
FW_DEVICE unsigned long long fw_print_word(double value) { return __builtin_bit_cast(unsigned long long, value); }
FW_DEVICE unsigned long long fw_print_word(float value) { return fw_print_word(static_cast<double>(value)); }
template <class T> FW_DEVICE unsigned long long fw_print_word(T* value) { return reinterpret_cast<unsigned long long>(value); }
template <class T> FW_DEVICE unsigned long long fw_print_word(T value) {
  return static_cast<unsigned long long>(static_cast<long long>(value));
}
template <class... T> __attribute__((device)) inline int printf(const char* format, T... values) {
  static_assert(sizeof...(T) <= 32, "CUDA's printf takes up to 32 arguments");
  fw_print_words words = {{fw_print_word(values)...}};
  return fw_print(format, &words);
}
#endif
extern "C" {
#ifndef FOREWARP_RUN
__attribute__((device)) int printf(const char*, ...);
#endif
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
#include "forewarp_cuda/heap.h"
FW_DEVICE void __trap(void) { __builtin_trap(); }
FW_DEVICE void __brkpt(void) {}

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#if __has_include(<stdio.h>)
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#else
typedef __SIZE_TYPE__ size_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __INT32_TYPE__ int32_t;
typedef __UINT64_TYPE__ uint64_t;
typedef __INT64_TYPE__ int64_t;
typedef __UINT16_TYPE__ uint16_t;
typedef __INT16_TYPE__ int16_t;
typedef __UINT8_TYPE__ uint8_t;
typedef __INT8_TYPE__ int8_t;
#endif
