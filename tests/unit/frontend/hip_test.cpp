// HIP's own names: the same source for AMD targets, and for NVIDIA's as HIP's other platform has it.
#include "unit/frontend/compile_text.h"

#include <gtest/gtest.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace {

using namespace forewarp;

class Hip : public testing::TestWithParam<ir::TargetFamily> {};

TEST_P(Hip, KernelsAndLaunchesAreRead) {
  auto module = test::compile_text(R"(
#include <hip/hip_runtime.h>
#include <hip/hip_fp16.h>
#include <hip/hip_bfloat16.h>
#include <hip/hip_complex.h>
#include <hip/hip_cooperative_groups.h>
#include <hipcub/hipcub.hpp>
#include <hiprand/hiprand_kernel.h>
#define CHECK(call) if ((call) != hipSuccess) return 1

template <int N> __global__ void __launch_bounds__(256) scale(float4* x, const __half* h, hipFloatComplex* z) {
  HIP_DYNAMIC_SHARED(float, tile)
  __shared__ hipcub::BlockReduce<float, 256>::TempStorage storage;
  int i = hipBlockIdx_x * hipBlockDim_x + hipThreadIdx_x;
  float4 v = 2.0f * x[i] + x[i] / float(N);
  v -= make_float4(1, 2, 3, 4);
  v.x += hipcub::BlockReduce<float, 256>(storage).Sum(float(h[i])) + __lane_id() + float(hip_bfloat16(v.y));
  tile[hipThreadIdx_x] = v.x;
  z[i] = hipCmulf(z[i], make_hipFloatComplex(v.z, v.w));
  unsafeAtomicAdd(&x[0].x, tile[255 - hipThreadIdx_x] + __bitextract_u32(hipGridDim_x, 4, 8));
  x[i] = v;
}
int main() {
  float4* x; __half* h; hipFloatComplex* z; hipStream_t stream; hipEvent_t start; hipDeviceProp_t device;
  CHECK(hipMalloc(&x, 16)); CHECK(hipHostMalloc(&h, 2, hipHostMallocDefault)); CHECK(hipStreamCreate(&stream));
  CHECK(hipGetDeviceProperties(&device, 0)); CHECK(hipEventCreate(&start)); CHECK(hipEventRecord(start, stream));
  hipLaunchKernelGGL(HIP_KERNEL_NAME(scale<3>), dim3(4), dim3(256), 1024, stream, x, h, z);
  scale<5><<<4, 256, 1024, hipStreamDefault>>>(x, h, z);
  CHECK(hipGetLastError()); CHECK(hipMemcpy(x, x, 16, hipMemcpyDeviceToDevice)); CHECK(hipDeviceSynchronize());
  CHECK(hipFree(x)); return 0;
}
)",
                                   GetParam(), "", ".hip");
  ASSERT_TRUE(module) << to_string(module.error());
  ASSERT_EQ(module->kernels.size(), 2U);
  EXPECT_EQ(module->kernels[0].name, "scale<3>");
  EXPECT_EQ(module->kernels[1].name, "scale<5>");
  EXPECT_TRUE(module->notes.empty()) << module->notes.front().text;
}

TEST_P(Hip, OwnOperatorsOfASourceGoBeforeTheHeaders) {
  auto module = test::compile_text(R"(
#include <hip/hip_runtime.h>
inline __device__ double4 operator+(double4 a, double4 b) { return make_double4(a.x + b.x, 0, 0, a.w); }
__global__ void k(double4* x, float3* y) { x[0] = x[1] + x[2]; x[3] += x[4]; y[0] = 2.0f * y[1] - y[2]; }
)",
                                   GetParam(), "", ".hip");
  ASSERT_TRUE(module) << to_string(module.error());
}

/// A reference makes a generic pointer of a shared variable's address; accesses are shared ones all the same,
/// as the vendors' compilers find by inlining.
TEST_P(Hip, ReferencesToSharedMemoryStayShared) {
  auto module = test::compile_text(R"(
#include <hip/hip_runtime.h>
struct Storage { float of_warp[8]; };
struct Sums {
  Storage& storage;
  __device__ explicit Sums(Storage& s) : storage(s) {}
  __device__ float sum(float v) {
    storage.of_warp[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x == 0)
      for (int i = 1; i < 8; ++i)
        v += storage.of_warp[i];
    return v;
  }
};
__global__ void k(float* x) {
  __shared__ Storage storage;
  x[threadIdx.x] = Sums(storage).sum(x[threadIdx.x]);
}
)",
                                   GetParam(), "", ".hip");
  ASSERT_TRUE(module) << to_string(module.error());
  unsigned shared = 0;
  for (const llvm::Instruction& instruction : llvm::instructions(*module->module().getFunction("_Z1kPf")))
    if (const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction))
      shared += pointer->getType()->getPointerAddressSpace() == 3;
  EXPECT_GE(shared, 2U) << test::ir_text(*module);
}

INSTANTIATE_TEST_SUITE_P(OnBoth, Hip, testing::Values(ir::TargetFamily::nvidia, ir::TargetFamily::amd));

} // namespace
