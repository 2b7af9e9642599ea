// Arithmetic of CUDA's vector types as NVIDIA's samples have it in a header of this name, for sources that come
// without it.
#pragma once
#pragma clang system_header
#include <cuda_runtime.h>

#define FW_HELPER inline __host__ __device__
FW_HELPER float2 make_float2(float s) { return make_float2(s, s); }
FW_HELPER float2 make_float2(float3 a) { return make_float2(a.x, a.y); }
FW_HELPER float2 make_float2(int2 a) { return make_float2(float(a.x), float(a.y)); }
FW_HELPER float2 make_float2(uint2 a) { return make_float2(float(a.x), float(a.y)); }
FW_HELPER float2 operator-(float2 a) { return make_float2(-a.x, -a.y); }
FW_HELPER float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
FW_HELPER float2 operator+(float2 a, float s) { return make_float2(a.x + s, a.y + s); }
FW_HELPER float2 operator+(float s, float2 a) { return make_float2(s + a.x, s + a.y); }
FW_HELPER void operator+=(float2& a, float2 b) { a = a + b; }
FW_HELPER void operator+=(float2& a, float s) { a = a + s; }
FW_HELPER float2 operator-(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }
FW_HELPER float2 operator-(float2 a, float s) { return make_float2(a.x - s, a.y - s); }
FW_HELPER float2 operator-(float s, float2 a) { return make_float2(s - a.x, s - a.y); }
FW_HELPER void operator-=(float2& a, float2 b) { a = a - b; }
FW_HELPER void operator-=(float2& a, float s) { a = a - s; }
FW_HELPER float2 operator*(float2 a, float2 b) { return make_float2(a.x * b.x, a.y * b.y); }
FW_HELPER float2 operator*(float2 a, float s) { return make_float2(a.x * s, a.y * s); }
FW_HELPER float2 operator*(float s, float2 a) { return make_float2(s * a.x, s * a.y); }
FW_HELPER void operator*=(float2& a, float2 b) { a = a * b; }
FW_HELPER void operator*=(float2& a, float s) { a = a * s; }
FW_HELPER float2 operator/(float2 a, float2 b) { return make_float2(a.x / b.x, a.y / b.y); }
FW_HELPER float2 operator/(float2 a, float s) { return make_float2(a.x / s, a.y / s); }
FW_HELPER float2 operator/(float s, float2 a) { return make_float2(s / a.x, s / a.y); }
FW_HELPER void operator/=(float2& a, float2 b) { a = a / b; }
FW_HELPER void operator/=(float2& a, float s) { a = a / s; }
FW_HELPER float2 fminf(float2 a, float2 b) { return make_float2(fminf(a.x, b.x), fminf(a.y, b.y)); }
FW_HELPER float2 fmaxf(float2 a, float2 b) { return make_float2(fmaxf(a.x, b.x), fmaxf(a.y, b.y)); }
FW_HELPER float dot(float2 a, float2 b) { return a.x * b.x + a.y * b.y; }
FW_HELPER float length(float2 a) { return sqrtf(dot(a, a)); }
FW_HELPER float2 normalize(float2 a) { return a * rsqrtf(dot(a, a)); }
FW_HELPER float2 lerp(float2 a, float2 b, float t) { return a + t * (b - a); }
FW_HELPER float2 reflect(float2 i, float2 n) { return i - 2.0f * n * dot(n, i); }
FW_HELPER float2 floorf(float2 a) { return make_float2(floorf(a.x), floorf(a.y)); }
FW_HELPER float2 fabs(float2 a) { return make_float2(fabsf(a.x), fabsf(a.y)); }
FW_HELPER float2 fracf(float2 a) { return a - floorf(a); }
FW_HELPER float3 make_float3(float s) { return make_float3(s, s, s); }
FW_HELPER float3 make_float3(float2 a) { return make_float3(a.x, a.y, 0); }
FW_HELPER float3 make_float3(float2 a, float z) { return make_float3(a.x, a.y, z); }
FW_HELPER float3 make_float3(float4 a) { return make_float3(a.x, a.y, a.z); }
FW_HELPER float3 make_float3(int3 a) { return make_float3(float(a.x), float(a.y), float(a.z)); }
FW_HELPER float3 make_float3(uint3 a) { return make_float3(float(a.x), float(a.y), float(a.z)); }
FW_HELPER float3 operator-(float3 a) { return make_float3(-a.x, -a.y, -a.z); }
FW_HELPER float3 operator+(float3 a, float3 b) { return make_float3(a.x + b.x, a.y + b.y, a.z + b.z); }
FW_HELPER float3 operator+(float3 a, float s) { return make_float3(a.x + s, a.y + s, a.z + s); }
FW_HELPER float3 operator+(float s, float3 a) { return make_float3(s + a.x, s + a.y, s + a.z); }
FW_HELPER void operator+=(float3& a, float3 b) { a = a + b; }
FW_HELPER void operator+=(float3& a, float s) { a = a + s; }
FW_HELPER float3 operator-(float3 a, float3 b) { return make_float3(a.x - b.x, a.y - b.y, a.z - b.z); }
FW_HELPER float3 operator-(float3 a, float s) { return make_float3(a.x - s, a.y - s, a.z - s); }
FW_HELPER float3 operator-(float s, float3 a) { return make_float3(s - a.x, s - a.y, s - a.z); }
FW_HELPER void operator-=(float3& a, float3 b) { a = a - b; }
FW_HELPER void operator-=(float3& a, float s) { a = a - s; }
FW_HELPER float3 operator*(float3 a, float3 b) { return make_float3(a.x * b.x, a.y * b.y, a.z * b.z); }
FW_HELPER float3 operator*(float3 a, float s) { return make_float3(a.x * s, a.y * s, a.z * s); }
FW_HELPER float3 operator*(float s, float3 a) { return make_float3(s * a.x, s * a.y, s * a.z); }
FW_HELPER void operator*=(float3& a, float3 b) { a = a * b; }
FW_HELPER void operator*=(float3& a, float s) { a = a * s; }
FW_HELPER float3 operator/(float3 a, float3 b) { return make_float3(a.x / b.x, a.y / b.y, a.z / b.z); }
FW_HELPER float3 operator/(float3 a, float s) { return make_float3(a.x / s, a.y / s, a.z / s); }
FW_HELPER float3 operator/(float s, float3 a) { return make_float3(s / a.x, s / a.y, s / a.z); }
FW_HELPER void operator/=(float3& a, float3 b) { a = a / b; }
FW_HELPER void operator/=(float3& a, float s) { a = a / s; }
FW_HELPER float3 fminf(float3 a, float3 b) { return make_float3(fminf(a.x, b.x), fminf(a.y, b.y), fminf(a.z, b.z)); }
FW_HELPER float3 fmaxf(float3 a, float3 b) { return make_float3(fmaxf(a.x, b.x), fmaxf(a.y, b.y), fmaxf(a.z, b.z)); }
FW_HELPER float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
FW_HELPER float length(float3 a) { return sqrtf(dot(a, a)); }
FW_HELPER float3 normalize(float3 a) { return a * rsqrtf(dot(a, a)); }
FW_HELPER float3 lerp(float3 a, float3 b, float t) { return a + t * (b - a); }
FW_HELPER float3 reflect(float3 i, float3 n) { return i - 2.0f * n * dot(n, i); }
FW_HELPER float3 floorf(float3 a) { return make_float3(floorf(a.x), floorf(a.y), floorf(a.z)); }
FW_HELPER float3 fabs(float3 a) { return make_float3(fabsf(a.x), fabsf(a.y), fabsf(a.z)); }
FW_HELPER float3 fracf(float3 a) { return a - floorf(a); }
FW_HELPER float4 make_float4(float s) { return make_float4(s, s, s, s); }
FW_HELPER float4 make_float4(float3 a) { return make_float4(a.x, a.y, a.z, 0); }
FW_HELPER float4 make_float4(float3 a, float w) { return make_float4(a.x, a.y, a.z, w); }
FW_HELPER float4 make_float4(int4 a) { return make_float4(float(a.x), float(a.y), float(a.z), float(a.w)); }
FW_HELPER float4 make_float4(uint4 a) { return make_float4(float(a.x), float(a.y), float(a.z), float(a.w)); }
FW_HELPER float4 operator-(float4 a) { return make_float4(-a.x, -a.y, -a.z, -a.w); }
FW_HELPER float4 operator+(float4 a, float4 b) { return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }
FW_HELPER float4 operator+(float4 a, float s) { return make_float4(a.x + s, a.y + s, a.z + s, a.w + s); }
FW_HELPER float4 operator+(float s, float4 a) { return make_float4(s + a.x, s + a.y, s + a.z, s + a.w); }
FW_HELPER void operator+=(float4& a, float4 b) { a = a + b; }
FW_HELPER void operator+=(float4& a, float s) { a = a + s; }
FW_HELPER float4 operator-(float4 a, float4 b) { return make_float4(a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w); }
FW_HELPER float4 operator-(float4 a, float s) { return make_float4(a.x - s, a.y - s, a.z - s, a.w - s); }
FW_HELPER float4 operator-(float s, float4 a) { return make_float4(s - a.x, s - a.y, s - a.z, s - a.w); }
FW_HELPER void operator-=(float4& a, float4 b) { a = a - b; }
FW_HELPER void operator-=(float4& a, float s) { a = a - s; }
FW_HELPER float4 operator*(float4 a, float4 b) { return make_float4(a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w); }
FW_HELPER float4 operator*(float4 a, float s) { return make_float4(a.x * s, a.y * s, a.z * s, a.w * s); }
FW_HELPER float4 operator*(float s, float4 a) { return make_float4(s * a.x, s * a.y, s * a.z, s * a.w); }
FW_HELPER void operator*=(float4& a, float4 b) { a = a * b; }
FW_HELPER void operator*=(float4& a, float s) { a = a * s; }
FW_HELPER float4 operator/(float4 a, float4 b) { return make_float4(a.x / b.x, a.y / b.y, a.z / b.z, a.w / b.w); }
FW_HELPER float4 operator/(float4 a, float s) { return make_float4(a.x / s, a.y / s, a.z / s, a.w / s); }
FW_HELPER float4 operator/(float s, float4 a) { return make_float4(s / a.x, s / a.y, s / a.z, s / a.w); }
FW_HELPER void operator/=(float4& a, float4 b) { a = a / b; }
FW_HELPER void operator/=(float4& a, float s) { a = a / s; }
FW_HELPER float4 fminf(float4 a, float4 b) { return make_float4(fminf(a.x, b.x), fminf(a.y, b.y), fminf(a.z, b.z), fminf(a.w, b.w)); }
FW_HELPER float4 fmaxf(float4 a, float4 b) { return make_float4(fmaxf(a.x, b.x), fmaxf(a.y, b.y), fmaxf(a.z, b.z), fmaxf(a.w, b.w)); }
FW_HELPER float dot(float4 a, float4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
FW_HELPER float length(float4 a) { return sqrtf(dot(a, a)); }
FW_HELPER float4 normalize(float4 a) { return a * rsqrtf(dot(a, a)); }
FW_HELPER float4 lerp(float4 a, float4 b, float t) { return a + t * (b - a); }
FW_HELPER float4 reflect(float4 i, float4 n) { return i - 2.0f * n * dot(n, i); }
FW_HELPER float4 floorf(float4 a) { return make_float4(floorf(a.x), floorf(a.y), floorf(a.z), floorf(a.w)); }
FW_HELPER float4 fabs(float4 a) { return make_float4(fabsf(a.x), fabsf(a.y), fabsf(a.z), fabsf(a.w)); }
FW_HELPER float4 fracf(float4 a) { return a - floorf(a); }
FW_HELPER int2 make_int2(int s) { return make_int2(s, s); }
FW_HELPER int2 make_int2(int3 a) { return make_int2(a.x, a.y); }
FW_HELPER int2 make_int2(float2 a) { return make_int2(int(a.x), int(a.y)); }
FW_HELPER int2 make_int2(uint2 a) { return make_int2(int(a.x), int(a.y)); }
FW_HELPER int2 operator-(int2 a) { return make_int2(-a.x, -a.y); }
FW_HELPER int2 operator+(int2 a, int2 b) { return make_int2(a.x + b.x, a.y + b.y); }
FW_HELPER int2 operator+(int2 a, int s) { return make_int2(a.x + s, a.y + s); }
FW_HELPER int2 operator+(int s, int2 a) { return make_int2(s + a.x, s + a.y); }
FW_HELPER void operator+=(int2& a, int2 b) { a = a + b; }
FW_HELPER void operator+=(int2& a, int s) { a = a + s; }
FW_HELPER int2 operator-(int2 a, int2 b) { return make_int2(a.x - b.x, a.y - b.y); }
FW_HELPER int2 operator-(int2 a, int s) { return make_int2(a.x - s, a.y - s); }
FW_HELPER int2 operator-(int s, int2 a) { return make_int2(s - a.x, s - a.y); }
FW_HELPER void operator-=(int2& a, int2 b) { a = a - b; }
FW_HELPER void operator-=(int2& a, int s) { a = a - s; }
FW_HELPER int2 operator*(int2 a, int2 b) { return make_int2(a.x * b.x, a.y * b.y); }
FW_HELPER int2 operator*(int2 a, int s) { return make_int2(a.x * s, a.y * s); }
FW_HELPER int2 operator*(int s, int2 a) { return make_int2(s * a.x, s * a.y); }
FW_HELPER void operator*=(int2& a, int2 b) { a = a * b; }
FW_HELPER void operator*=(int2& a, int s) { a = a * s; }
FW_HELPER int2 min(int2 a, int2 b) { return make_int2(min(a.x, b.x), min(a.y, b.y)); }
FW_HELPER int2 max(int2 a, int2 b) { return make_int2(max(a.x, b.x), max(a.y, b.y)); }
FW_HELPER int dot(int2 a, int2 b) { return a.x * b.x + a.y * b.y; }
FW_HELPER int2 abs(int2 a) { return make_int2(abs(a.x), abs(a.y)); }
FW_HELPER int3 make_int3(int s) { return make_int3(s, s, s); }
FW_HELPER int3 make_int3(int2 a) { return make_int3(a.x, a.y, 0); }
FW_HELPER int3 make_int3(int2 a, int z) { return make_int3(a.x, a.y, z); }
FW_HELPER int3 make_int3(int4 a) { return make_int3(a.x, a.y, a.z); }
FW_HELPER int3 make_int3(float3 a) { return make_int3(int(a.x), int(a.y), int(a.z)); }
FW_HELPER int3 make_int3(uint3 a) { return make_int3(int(a.x), int(a.y), int(a.z)); }
FW_HELPER int3 operator-(int3 a) { return make_int3(-a.x, -a.y, -a.z); }
FW_HELPER int3 operator+(int3 a, int3 b) { return make_int3(a.x + b.x, a.y + b.y, a.z + b.z); }
FW_HELPER int3 operator+(int3 a, int s) { return make_int3(a.x + s, a.y + s, a.z + s); }
FW_HELPER int3 operator+(int s, int3 a) { return make_int3(s + a.x, s + a.y, s + a.z); }
FW_HELPER void operator+=(int3& a, int3 b) { a = a + b; }
FW_HELPER void operator+=(int3& a, int s) { a = a + s; }
FW_HELPER int3 operator-(int3 a, int3 b) { return make_int3(a.x - b.x, a.y - b.y, a.z - b.z); }
FW_HELPER int3 operator-(int3 a, int s) { return make_int3(a.x - s, a.y - s, a.z - s); }
FW_HELPER int3 operator-(int s, int3 a) { return make_int3(s - a.x, s - a.y, s - a.z); }
FW_HELPER void operator-=(int3& a, int3 b) { a = a - b; }
FW_HELPER void operator-=(int3& a, int s) { a = a - s; }
FW_HELPER int3 operator*(int3 a, int3 b) { return make_int3(a.x * b.x, a.y * b.y, a.z * b.z); }
FW_HELPER int3 operator*(int3 a, int s) { return make_int3(a.x * s, a.y * s, a.z * s); }
FW_HELPER int3 operator*(int s, int3 a) { return make_int3(s * a.x, s * a.y, s * a.z); }
FW_HELPER void operator*=(int3& a, int3 b) { a = a * b; }
FW_HELPER void operator*=(int3& a, int s) { a = a * s; }
FW_HELPER int3 min(int3 a, int3 b) { return make_int3(min(a.x, b.x), min(a.y, b.y), min(a.z, b.z)); }
FW_HELPER int3 max(int3 a, int3 b) { return make_int3(max(a.x, b.x), max(a.y, b.y), max(a.z, b.z)); }
FW_HELPER int dot(int3 a, int3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
FW_HELPER int3 abs(int3 a) { return make_int3(abs(a.x), abs(a.y), abs(a.z)); }
FW_HELPER int4 make_int4(int s) { return make_int4(s, s, s, s); }
FW_HELPER int4 make_int4(int3 a) { return make_int4(a.x, a.y, a.z, 0); }
FW_HELPER int4 make_int4(int3 a, int w) { return make_int4(a.x, a.y, a.z, w); }
FW_HELPER int4 make_int4(float4 a) { return make_int4(int(a.x), int(a.y), int(a.z), int(a.w)); }
FW_HELPER int4 make_int4(uint4 a) { return make_int4(int(a.x), int(a.y), int(a.z), int(a.w)); }
FW_HELPER int4 operator-(int4 a) { return make_int4(-a.x, -a.y, -a.z, -a.w); }
FW_HELPER int4 operator+(int4 a, int4 b) { return make_int4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }
FW_HELPER int4 operator+(int4 a, int s) { return make_int4(a.x + s, a.y + s, a.z + s, a.w + s); }
FW_HELPER int4 operator+(int s, int4 a) { return make_int4(s + a.x, s + a.y, s + a.z, s + a.w); }
FW_HELPER void operator+=(int4& a, int4 b) { a = a + b; }
FW_HELPER void operator+=(int4& a, int s) { a = a + s; }
FW_HELPER int4 operator-(int4 a, int4 b) { return make_int4(a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w); }
FW_HELPER int4 operator-(int4 a, int s) { return make_int4(a.x - s, a.y - s, a.z - s, a.w - s); }
FW_HELPER int4 operator-(int s, int4 a) { return make_int4(s - a.x, s - a.y, s - a.z, s - a.w); }
FW_HELPER void operator-=(int4& a, int4 b) { a = a - b; }
FW_HELPER void operator-=(int4& a, int s) { a = a - s; }
FW_HELPER int4 operator*(int4 a, int4 b) { return make_int4(a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w); }
FW_HELPER int4 operator*(int4 a, int s) { return make_int4(a.x * s, a.y * s, a.z * s, a.w * s); }
FW_HELPER int4 operator*(int s, int4 a) { return make_int4(s * a.x, s * a.y, s * a.z, s * a.w); }
FW_HELPER void operator*=(int4& a, int4 b) { a = a * b; }
FW_HELPER void operator*=(int4& a, int s) { a = a * s; }
FW_HELPER int4 min(int4 a, int4 b) { return make_int4(min(a.x, b.x), min(a.y, b.y), min(a.z, b.z), min(a.w, b.w)); }
FW_HELPER int4 max(int4 a, int4 b) { return make_int4(max(a.x, b.x), max(a.y, b.y), max(a.z, b.z), max(a.w, b.w)); }
FW_HELPER int dot(int4 a, int4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
FW_HELPER int4 abs(int4 a) { return make_int4(abs(a.x), abs(a.y), abs(a.z), abs(a.w)); }
FW_HELPER uint2 make_uint2(unsigned s) { return make_uint2(s, s); }
FW_HELPER uint2 make_uint2(uint3 a) { return make_uint2(a.x, a.y); }
FW_HELPER uint2 make_uint2(float2 a) { return make_uint2(unsigned(a.x), unsigned(a.y)); }
FW_HELPER uint2 make_uint2(int2 a) { return make_uint2(unsigned(a.x), unsigned(a.y)); }
FW_HELPER uint2 operator+(uint2 a, uint2 b) { return make_uint2(a.x + b.x, a.y + b.y); }
FW_HELPER uint2 operator+(uint2 a, unsigned s) { return make_uint2(a.x + s, a.y + s); }
FW_HELPER uint2 operator+(unsigned s, uint2 a) { return make_uint2(s + a.x, s + a.y); }
FW_HELPER void operator+=(uint2& a, uint2 b) { a = a + b; }
FW_HELPER void operator+=(uint2& a, unsigned s) { a = a + s; }
FW_HELPER uint2 operator-(uint2 a, uint2 b) { return make_uint2(a.x - b.x, a.y - b.y); }
FW_HELPER uint2 operator-(uint2 a, unsigned s) { return make_uint2(a.x - s, a.y - s); }
FW_HELPER uint2 operator-(unsigned s, uint2 a) { return make_uint2(s - a.x, s - a.y); }
FW_HELPER void operator-=(uint2& a, uint2 b) { a = a - b; }
FW_HELPER void operator-=(uint2& a, unsigned s) { a = a - s; }
FW_HELPER uint2 operator*(uint2 a, uint2 b) { return make_uint2(a.x * b.x, a.y * b.y); }
FW_HELPER uint2 operator*(uint2 a, unsigned s) { return make_uint2(a.x * s, a.y * s); }
FW_HELPER uint2 operator*(unsigned s, uint2 a) { return make_uint2(s * a.x, s * a.y); }
FW_HELPER void operator*=(uint2& a, uint2 b) { a = a * b; }
FW_HELPER void operator*=(uint2& a, unsigned s) { a = a * s; }
FW_HELPER uint2 min(uint2 a, uint2 b) { return make_uint2(min(a.x, b.x), min(a.y, b.y)); }
FW_HELPER uint2 max(uint2 a, uint2 b) { return make_uint2(max(a.x, b.x), max(a.y, b.y)); }
FW_HELPER unsigned dot(uint2 a, uint2 b) { return a.x * b.x + a.y * b.y; }
FW_HELPER uint3 make_uint3(unsigned s) { return make_uint3(s, s, s); }
FW_HELPER uint3 make_uint3(uint2 a) { return make_uint3(a.x, a.y, 0); }
FW_HELPER uint3 make_uint3(uint2 a, unsigned z) { return make_uint3(a.x, a.y, z); }
FW_HELPER uint3 make_uint3(uint4 a) { return make_uint3(a.x, a.y, a.z); }
FW_HELPER uint3 make_uint3(float3 a) { return make_uint3(unsigned(a.x), unsigned(a.y), unsigned(a.z)); }
FW_HELPER uint3 make_uint3(int3 a) { return make_uint3(unsigned(a.x), unsigned(a.y), unsigned(a.z)); }
FW_HELPER uint3 operator+(uint3 a, uint3 b) { return make_uint3(a.x + b.x, a.y + b.y, a.z + b.z); }
FW_HELPER uint3 operator+(uint3 a, unsigned s) { return make_uint3(a.x + s, a.y + s, a.z + s); }
FW_HELPER uint3 operator+(unsigned s, uint3 a) { return make_uint3(s + a.x, s + a.y, s + a.z); }
FW_HELPER void operator+=(uint3& a, uint3 b) { a = a + b; }
FW_HELPER void operator+=(uint3& a, unsigned s) { a = a + s; }
FW_HELPER uint3 operator-(uint3 a, uint3 b) { return make_uint3(a.x - b.x, a.y - b.y, a.z - b.z); }
FW_HELPER uint3 operator-(uint3 a, unsigned s) { return make_uint3(a.x - s, a.y - s, a.z - s); }
FW_HELPER uint3 operator-(unsigned s, uint3 a) { return make_uint3(s - a.x, s - a.y, s - a.z); }
FW_HELPER void operator-=(uint3& a, uint3 b) { a = a - b; }
FW_HELPER void operator-=(uint3& a, unsigned s) { a = a - s; }
FW_HELPER uint3 operator*(uint3 a, uint3 b) { return make_uint3(a.x * b.x, a.y * b.y, a.z * b.z); }
FW_HELPER uint3 operator*(uint3 a, unsigned s) { return make_uint3(a.x * s, a.y * s, a.z * s); }
FW_HELPER uint3 operator*(unsigned s, uint3 a) { return make_uint3(s * a.x, s * a.y, s * a.z); }
FW_HELPER void operator*=(uint3& a, uint3 b) { a = a * b; }
FW_HELPER void operator*=(uint3& a, unsigned s) { a = a * s; }
FW_HELPER uint3 min(uint3 a, uint3 b) { return make_uint3(min(a.x, b.x), min(a.y, b.y), min(a.z, b.z)); }
FW_HELPER uint3 max(uint3 a, uint3 b) { return make_uint3(max(a.x, b.x), max(a.y, b.y), max(a.z, b.z)); }
FW_HELPER unsigned dot(uint3 a, uint3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
FW_HELPER uint4 make_uint4(unsigned s) { return make_uint4(s, s, s, s); }
FW_HELPER uint4 make_uint4(uint3 a) { return make_uint4(a.x, a.y, a.z, 0); }
FW_HELPER uint4 make_uint4(uint3 a, unsigned w) { return make_uint4(a.x, a.y, a.z, w); }
FW_HELPER uint4 make_uint4(float4 a) { return make_uint4(unsigned(a.x), unsigned(a.y), unsigned(a.z), unsigned(a.w)); }
FW_HELPER uint4 make_uint4(int4 a) { return make_uint4(unsigned(a.x), unsigned(a.y), unsigned(a.z), unsigned(a.w)); }
FW_HELPER uint4 operator+(uint4 a, uint4 b) { return make_uint4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }
FW_HELPER uint4 operator+(uint4 a, unsigned s) { return make_uint4(a.x + s, a.y + s, a.z + s, a.w + s); }
FW_HELPER uint4 operator+(unsigned s, uint4 a) { return make_uint4(s + a.x, s + a.y, s + a.z, s + a.w); }
FW_HELPER void operator+=(uint4& a, uint4 b) { a = a + b; }
FW_HELPER void operator+=(uint4& a, unsigned s) { a = a + s; }
FW_HELPER uint4 operator-(uint4 a, uint4 b) { return make_uint4(a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w); }
FW_HELPER uint4 operator-(uint4 a, unsigned s) { return make_uint4(a.x - s, a.y - s, a.z - s, a.w - s); }
FW_HELPER uint4 operator-(unsigned s, uint4 a) { return make_uint4(s - a.x, s - a.y, s - a.z, s - a.w); }
FW_HELPER void operator-=(uint4& a, uint4 b) { a = a - b; }
FW_HELPER void operator-=(uint4& a, unsigned s) { a = a - s; }
FW_HELPER uint4 operator*(uint4 a, uint4 b) { return make_uint4(a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w); }
FW_HELPER uint4 operator*(uint4 a, unsigned s) { return make_uint4(a.x * s, a.y * s, a.z * s, a.w * s); }
FW_HELPER uint4 operator*(unsigned s, uint4 a) { return make_uint4(s * a.x, s * a.y, s * a.z, s * a.w); }
FW_HELPER void operator*=(uint4& a, uint4 b) { a = a * b; }
FW_HELPER void operator*=(uint4& a, unsigned s) { a = a * s; }
FW_HELPER uint4 min(uint4 a, uint4 b) { return make_uint4(min(a.x, b.x), min(a.y, b.y), min(a.z, b.z), min(a.w, b.w)); }
FW_HELPER uint4 max(uint4 a, uint4 b) { return make_uint4(max(a.x, b.x), max(a.y, b.y), max(a.z, b.z), max(a.w, b.w)); }
FW_HELPER unsigned dot(uint4 a, uint4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
FW_HELPER float lerp(float a, float b, float t) { return a + t * (b - a); }
FW_HELPER float fracf(float a) { return a - floorf(a); }
FW_HELPER float3 cross(float3 a, float3 b) {
  return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
FW_HELPER float clamp(float value, float low, float high) { return fmaxf(low, fminf(value, high)); }
FW_HELPER int clamp(int value, int low, int high) { return max(low, min(value, high)); }
FW_HELPER unsigned clamp(unsigned value, unsigned low, unsigned high) { return max(low, min(value, high)); }
FW_HELPER float2 clamp(float2 v, float low, float high) { return make_float2(clamp(v.x, low, high), clamp(v.y, low, high)); }
FW_HELPER float2 clamp(float2 v, float2 low, float2 high) { return make_float2(clamp(v.x, low.x, high.x), clamp(v.y, low.y, high.y)); }
FW_HELPER float3 clamp(float3 v, float low, float high) { return make_float3(clamp(v.x, low, high), clamp(v.y, low, high), clamp(v.z, low, high)); }
FW_HELPER float3 clamp(float3 v, float3 low, float3 high) { return make_float3(clamp(v.x, low.x, high.x), clamp(v.y, low.y, high.y), clamp(v.z, low.z, high.z)); }
FW_HELPER float4 clamp(float4 v, float low, float high) { return make_float4(clamp(v.x, low, high), clamp(v.y, low, high), clamp(v.z, low, high), clamp(v.w, low, high)); }
FW_HELPER float4 clamp(float4 v, float4 low, float4 high) { return make_float4(clamp(v.x, low.x, high.x), clamp(v.y, low.y, high.y), clamp(v.z, low.z, high.z), clamp(v.w, low.w, high.w)); }
FW_HELPER float smoothstep(float a, float b, float x) {
  const float y = clamp((x - a) / (b - a), 0.0f, 1.0f);
  return y * y * (3.0f - 2.0f * y);
}
#undef FW_HELPER
