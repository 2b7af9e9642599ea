// Loads of rows' numbers go to right before the asynchronous copies whose addresses they make.
#include "unit/frontend/compile_text.h"

#include <gtest/gtest.h>

namespace {

using namespace forewarp;

/// Two numbers of rows are loaded under predicates, then two rows are copied, in a loop. `between` stands
/// between loads and copies.
std::string ir_of(const std::string& between) {
  const test::TemporaryFile file(R"(
__device__ long long row(const long long* rows, int k, int n) {
  long long made;
  asm volatile("{ .reg .pred p; setp.lt.s32 p, %2, %3; mov.b64 %0, 0; @p ld.global.b64 %0, [%1]; }"
               : "=l"(made) : "l"(rows + k), "r"(k), "r"(n));
  return made;
}
__device__ void copy(float4* to, const float4* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"((unsigned)__cvta_generic_to_shared(to)), "l"(from));
}
__global__ void k(const float4* a, const long long* rows, float* b, long long* c, int n) {
  __shared__ float4 s[64];
  float sum = 0;
  for (int k = 0; k < n; k += 2) {
    long long first = row(rows, k + threadIdx.x, n), second = row(rows, k + threadIdx.x + 1, n);
    )" + between + R"(
    copy(&s[threadIdx.x], a + 32 * first);
    copy(&s[threadIdx.x + 32], a + 32 * second);
    asm volatile("cp.async.wait_all;");
    __syncthreads();
    sum += s[63 - threadIdx.x].x;
    __syncthreads();
  }
  b[threadIdx.x] = sum;
})",
                                 ".cu");
  frontend::CompileRequest request = test::request_for(ir::TargetFamily::nvidia);
  request.path = file.path();
  request.target = "sm_80";
  auto module = frontend::compile(request);
  return module ? test::ir_text(*module) : to_string(module.error());
}

/// "r": a row's number is loaded, "c": a row is copied; in the order of the text.
std::string order_of(const std::string& ir) {
  std::string order;
  for (std::size_t at = 0; (at = ir.find(" = load ", at)) != std::string::npos; ++at)
    order += ir.compare(at + 8, 3, "i64") == 0 ? "r" : ir.compare(at + 8, 8, "volatile") == 0 ? "c" : "";
  return order;
}

TEST(SinkCopyAddresses, EachLoadBeforeItsCopy) {
  const std::string ir = ir_of("");
  EXPECT_EQ(order_of(ir), "rcrc") << ir;
}

TEST(SinkCopyAddresses, NotPastWhatOrdersMemory) {
  const std::string ir = ir_of("__syncthreads();");
  EXPECT_EQ(order_of(ir), "rrcc") << ir;
  const std::string stored = ir_of("c[k] = n;");
  EXPECT_EQ(order_of(stored), "rrcc") << stored;
}

TEST(SinkCopyAddresses, NotWhatOthersReadToo) {
  const std::string ir = ir_of("sum += (float)(first + second);");
  EXPECT_EQ(order_of(ir), "rrcc") << ir;
}

} // namespace
