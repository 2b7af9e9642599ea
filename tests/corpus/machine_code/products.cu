// Matrix products of one warp as compilers write them: asynchronous copies, ldmatrix, mma. All of a (16 by k, by
// rows), b (k by 8, by rows) are small integers, so that every sum is exact.
#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace {

__device__ unsigned shared_address(const void* pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

__device__ void copy_16_bytes(void* to, const void* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(to)), "l"(from));
}

__device__ unsigned halves(int low, int high) {
  const __half2 pair = __halves2half2(__int2half_rn(low), __int2half_rn(high));
  return reinterpret_cast<const unsigned&>(pair);
}

__device__ unsigned bfloats(int low, int high) {
  const __nv_bfloat162 pair = __floats2bfloat162_rn(static_cast<float>(low), static_cast<float>(high));
  return reinterpret_cast<const unsigned&>(pair);
}

__device__ unsigned bytes(const int* from, int step) {
  unsigned word = 0;
  for (int e = 0; e < 4; ++e)
    word |= (static_cast<unsigned>(from[e * step]) & 0xff) << (8 * e);
  return word;
}

__device__ void put(float* c, const float (&sums)[4]) {
  const int lane = threadIdx.x, row = lane / 4, column = 2 * (lane % 4);
  c[row * 8 + column] = sums[0];
  c[row * 8 + column + 1] = sums[1];
  c[(row + 8) * 8 + column] = sums[2];
  c[(row + 8) * 8 + column + 1] = sums[3];
}

} // namespace

/// a and b as halves in global memory, copied to shared memory two steps ahead.
extern "C" __global__ void product_pipelined(const __half* a, const __half* b, float* c, int k) {
  __shared__ alignas(16) __half part_a[3][16][16], part_b[3][16][8];
  const int lane = threadIdx.x, steps = k / 16;
  const auto bring = [&](int step) {
    if (step < steps) {
      copy_16_bytes(&part_a[step % 3][lane / 2][8 * (lane % 2)], a + (lane / 2) * k + 16 * step + 8 * (lane % 2));
      if (lane < 16)
        copy_16_bytes(&part_b[step % 3][lane][0], b + (16 * step + lane) * 8);
    }
    asm volatile("cp.async.commit_group;");
  };
  float sums[4] = {};
  bring(0);
  bring(1);
  for (int step = 0; step < steps; ++step) {
    asm volatile("cp.async.wait_group 1;");
    __syncwarp();
    unsigned x[4], y[2];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                 : "r"(shared_address(&part_a[step % 3][lane % 16][8 * (lane / 16)])));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];"
                 : "=r"(y[0]), "=r"(y[1])
                 : "r"(shared_address(&part_b[step % 3][lane % 16][0])));
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
                 "{%0,%1,%2,%3};"
                 : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
                 : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
    __syncwarp();
    bring(step + 2);
  }
  put(c, sums);
}

/// Of integers: a is 16 by 16, b 16 by 8.
extern "C" __global__ void product_half_sums(const int* a, const int* b, float* c) {
  const int lane = threadIdx.x, g = lane / 4, q = lane % 4;
  const auto from_a = [&](int row, int k) { return halves(a[row * 16 + k], a[row * 16 + k + 1]); };
  const auto from_b = [&](int k) { return halves(b[k * 8 + g], b[(k + 1) * 8 + g]); };
  unsigned d[2] = {};
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%0,%1};"
               : "+r"(d[0]), "+r"(d[1])
               : "r"(from_a(g, 2 * q)), "r"(from_a(g + 8, 2 * q)), "r"(from_a(g, 2 * q + 8)),
                 "r"(from_a(g + 8, 2 * q + 8)), "r"(from_b(2 * q)), "r"(from_b(2 * q + 8)));
  const auto low = [](unsigned word) { return __half2float(__ushort_as_half(word & 0xffff)); };
  const float sums[4] = {low(d[0]), low(d[0] >> 16), low(d[1]), low(d[1] >> 16)};
  put(c, sums);
}

extern "C" __global__ void product_bfloat(const int* a, const int* b, float* c) {
  const int lane = threadIdx.x, g = lane / 4, q = lane % 4;
  const auto from_a = [&](int row, int k) { return bfloats(a[row * 16 + k], a[row * 16 + k + 1]); };
  const auto from_b = [&](int k) { return bfloats(b[k * 8 + g], b[(k + 1) * 8 + g]); };
  float d[4] = {};
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
               "{%0,%1,%2,%3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(from_a(g, 2 * q)), "r"(from_a(g + 8, 2 * q)), "r"(from_a(g, 2 * q + 8)),
                 "r"(from_a(g + 8, 2 * q + 8)), "r"(from_b(2 * q)), "r"(from_b(2 * q + 8)));
  put(c, d);
}

extern "C" __global__ void product_tf32(const int* a, const int* b, float* c) {
  const int lane = threadIdx.x, g = lane / 4, q = lane % 4;
  const auto from_a = [&](int row, int k) { return __float_as_uint(static_cast<float>(a[row * 16 + k])); };
  const auto from_b = [&](int k) { return __float_as_uint(static_cast<float>(b[k * 8 + g])); };
  float d[4] = {};
  for (int k = 0; k < 16; k += 8)
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
                 "{%0,%1,%2,%3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(from_a(g, k + q)), "r"(from_a(g + 8, k + q)), "r"(from_a(g, k + q + 4)),
                   "r"(from_a(g + 8, k + q + 4)), "r"(from_b(k + q)), "r"(from_b(k + q + 4)));
  put(c, d);
}

extern "C" __global__ void product_bytes(const int* a, const int* b, float* c) {
  const int lane = threadIdx.x, g = lane / 4, q = lane % 4;
  int d[4] = {};
  asm volatile("mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
               : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
               : "r"(bytes(a + g * 16 + 4 * q, 1)), "r"(bytes(a + (g + 8) * 16 + 4 * q, 1)),
                 "r"(bytes(b + 4 * q * 8 + g, 8)));
  const float sums[4] = {static_cast<float>(d[0]), static_cast<float>(d[1]), static_cast<float>(d[2]),
                         static_cast<float>(d[3])};
  put(c, sums);
}
