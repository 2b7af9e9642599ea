// Asynchronous copies and matrix products: inline PTX and the headers that stand on it.
#include "unit/frontend/compile_text.h"

#include <gtest/gtest.h>

namespace {

using namespace forewarp;

Result<ir::KernelModule> cuda80(const std::string& text) {
  test::TemporaryFile file(text, ".cu");
  frontend::CompileRequest request = test::request_for(ir::TargetFamily::nvidia);
  request.path = file.path();
  request.target = "sm_80";
  return frontend::compile(request);
}

std::string ir_of(const std::string& text) {
  auto module = cuda80(text);
  return module ? test::ir_text(*module) : to_string(module.error());
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

TEST(AsyncPtx, CopyIsAMarkedLoadAndStore) {
  const std::string ir = ir_of(R"(
__global__ void k(const float4* a, float* b) {
  __shared__ float4 s[64];
  asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;\n"
               :: "r"((unsigned)__cvta_generic_to_shared(&s[threadIdx.x])), "l"(a + threadIdx.x));
  asm volatile("cp.async.commit_group;\n" ::);
  asm volatile("cp.async.wait_group %0;\n" :: "n"(0));
  __syncthreads();
  b[threadIdx.x] = s[63 - threadIdx.x].x;
})");
  EXPECT_EQ(count(ir, "load volatile <4 x i32>"), 1U) << ir;
  EXPECT_EQ(count(ir, "store volatile <4 x i32>"), 1U) << ir;
  EXPECT_EQ(count(ir, "!forewarp.async"), 2U) << ir;
  EXPECT_EQ(count(ir, "call void @llvm.nvvm.cp.async.wait.group(i32 0)"), 1U) << ir;
}

TEST(AsyncPtx, SourceSizeChoosesCopyOrZeros) {
  const std::string ir = ir_of(R"(
__global__ void k(const int* a, int* b, int n) {
  __shared__ int s[64];
  int i = threadIdx.x;
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;\n"
               :: "r"((unsigned)__cvta_generic_to_shared(&s[i])), "l"(a + i), "r"(i < n ? 4 : 0));
  asm volatile("cp.async.wait_all;\n" ::);
  __syncthreads();
  b[i] = s[63 - i];
})");
  EXPECT_EQ(count(ir, "load volatile i32"), 1U) << ir;
  EXPECT_EQ(count(ir, "store i32 0"), 1U) << ir;
  EXPECT_GE(count(ir, "br i1"), 1U) << ir;
}

TEST(AsyncPtx, PipelineAndGroupsHeadersUseIt) {
  const std::string ir = ir_of(R"(
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;
__global__ void k(const float2* a, const int4* c, float* b) {
  __shared__ float2 s[64];
  __shared__ int4 t[64];
  __pipeline_memcpy_async(&s[threadIdx.x], a + threadIdx.x, sizeof(float2));
  __pipeline_commit();
  __pipeline_wait_prior(1);
  cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, t, c, sizeof t);
  cg::wait(block);
  b[threadIdx.x] = s[63 - threadIdx.x].x + t[63 - threadIdx.x].x;
})");
  EXPECT_EQ(count(ir, "load volatile <2 x i32>"), 1U) << ir;
  EXPECT_GE(count(ir, "load volatile <4 x i32>"), 1U) << ir;
  EXPECT_EQ(count(ir, "call void @llvm.nvvm.cp.async.wait.group(i32 1)"), 1U) << ir;
}

TEST(MatrixPtx, ProductsAreLlvmsIntrinsics) {
  const std::string ir = ir_of(R"(
__global__ void k(const unsigned* a, float* d) {
  __shared__ unsigned s[128];
  s[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  unsigned r0, r1, r2, r3, p0, p1;
  unsigned at = (unsigned)__cvta_generic_to_shared(&s[threadIdx.x % 32 * 4]);
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];\n"
               : "=r"(r0), "=r"(r1), "=r"(r2), "=r"(r3) : "r"(at));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];\n" : "=r"(p0), "=r"(p1) : "r"(at));
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};\n"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(r0), "r"(r1), "r"(r2), "r"(r3), "r"(p0), "r"(p1));
})");
  EXPECT_EQ(count(ir, "call { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.f32.f32"), 1U)
      << ir;
  EXPECT_EQ(count(ir, "load volatile <4 x i32>, ptr addrspace(3)"), 2U) << ir;
  EXPECT_EQ(count(ir, "icmp ult i32"), 1U) << ir; // the first sixteen lanes of the pair
}

TEST(MatrixPtx, FragmentsOfAWarp) {
  const std::string ir = ir_of(R"(
#include <mma.h>
using namespace nvcuda;
__global__ void k(const half* a, const half* b, float* c) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fill_fragment(fc, 0.0f);
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
})");
  EXPECT_EQ(count(ir, "@llvm.nvvm.mma.m16n8k16.row.col.f32.f32("), 3U) << ir; // two calls and the declaration
}

/// Forms of tensor products and commits that take other operands stand beside each other in one module.
TEST(MatrixPtx, FormsOfTensorProductsBesideEachOther) {
  const std::string ir = ir_of(R"(
__global__ void k(unsigned long long d, unsigned t) {
  __shared__ unsigned long long bar;
  const unsigned b = (unsigned)__cvta_generic_to_shared(&bar);
  asm volatile("tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %1, 136314896, 1;" :: "r"(t), "l"(d));
  asm volatile("tcgen05.mma.cta_group::1.kind::f16 [%0], [%0], %1, 136314896, 1;" :: "r"(t), "l"(d));
  asm volatile("tcgen05.mma.cta_group::1.kind::f16.ashift [%0], [%0], %1, 136314896, 1;" :: "r"(t), "l"(d));
  asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" :: "r"(b));
  asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [%0], 1;" :: "r"(b));
})");
  for (const char* call :
       {"b16(i32", "b16.inside(i32", "b16.other(i32", "arrive_multiplied(ptr", "arrive_multiplied_in(ptr"})
    EXPECT_EQ(count(ir, call), 2U) << call << ir; // the call and its declaration
}

TEST(MatrixPtx, OthersAreRefusedByTheirText) {
  for (const char* text : {"cp.reduce.async.bulk.commit;",
                           "mma.sync.aligned.m16n8k99.row.col.f32.f16.f16.f32 {%0}, {%0}, {%0}, {%0};",
                           "cp.async.ca.shared.global [%0], [%0], 12;",
                           "wgmma.mma_async.sync.aligned.m64n8k32.f32.f16.f16 {%0}, %0, %0, 1, 1, 1, 0, 0;",
                           "tcgen05.ld.sync.aligned.16x32bx2.x1.b32 {%0}, [%0];",
                           "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%0}, {%0}, %0, 1;"}) {
    auto module = cuda80("__global__ void k(unsigned* x) { unsigned r = x[0]; asm volatile(\"" +
                         std::string(text) + "\" : \"+r\"(r)); x[1] = r; }\n");
    ASSERT_FALSE(module) << text;
    EXPECT_NE(module.error().message.find(std::string(text).substr(0, 8)), std::string::npos)
        << to_string(module.error());
  }
}

} // namespace
