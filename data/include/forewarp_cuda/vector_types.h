// char1 ... double4, dim3 and make_*; sizes and alignments as CUDA C++ documents them.
#pragma once
#pragma clang system_header

#define FW_VECTOR(name, type, align2, align4)                                                                \
  struct name##1 {                                                                                           \
    type x;                                                                                                  \
  };                                                                                                         \
  struct __attribute__((aligned(align2))) name##2 {                                                          \
    type x, y;                                                                                               \
  };                                                                                                         \
  struct name##3 {                                                                                           \
    type x, y, z;                                                                                            \
  };                                                                                                         \
  struct __attribute__((aligned(align4))) name##4 {                                                          \
    type x, y, z, w;                                                                                         \
  };                                                                                                         \
  FW_BOTH name##1 make_##name##1(type x) { return {x}; }                                                     \
  FW_BOTH name##2 make_##name##2(type x, type y) { return {x, y}; }                                          \
  FW_BOTH name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; }                               \
  FW_BOTH name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }

FW_VECTOR(char, signed char, 2, 4)
FW_VECTOR(uchar, unsigned char, 2, 4)
FW_VECTOR(short, short, 4, 8)
FW_VECTOR(ushort, unsigned short, 4, 8)
FW_VECTOR(int, int, 8, 16)
FW_VECTOR(uint, unsigned int, 8, 16)
FW_VECTOR(long, long, 16, 16)
FW_VECTOR(ulong, unsigned long, 16, 16)
FW_VECTOR(longlong, long long, 16, 16)
FW_VECTOR(ulonglong, unsigned long long, 16, 16)
FW_VECTOR(float, float, 8, 16)
FW_VECTOR(double, double, 16, 16)
#undef FW_VECTOR

struct dim3 {
  unsigned x, y, z;
  FW_MEMBER constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
  FW_MEMBER constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  FW_MEMBER constexpr operator uint3() const { return uint3{x, y, z}; }
};
