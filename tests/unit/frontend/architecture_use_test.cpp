// Which CUDA sources may be another program on another architecture.
#include "frontend/passes/compiler_generation.h"
#include "unit/frontend/compile_text.h"

#include <gtest/gtest.h>

#include <regex>

namespace forewarp::frontend {
namespace {

CompileRequest request_of(const test::TemporaryFile& file, const std::string& target) {
  CompileRequest request = test::request_for(ir::TargetFamily::nvidia);
  request.path = file.path();
  test::set_target(request, target);
  return request;
}

std::optional<bool> asks(const std::string& text, const std::string& target = "sm_70") {
  const test::TemporaryFile file(text, ".cu");
  CompileRequest request = request_of(file, target);
  std::optional<bool> answer;
  request.asks_architecture = &answer;
  const auto module = compile(request);
  EXPECT_TRUE(module) << to_string(module.error());
  return answer;
}

TEST(ArchitectureUse, PlainArithmeticAsksNothing) {
  EXPECT_EQ(asks("__global__ void k(float* a) { a[threadIdx.x] = sqrtf(a[threadIdx.x]) + 1; }"), false);
}

TEST(ArchitectureUse, TheArchitecturesNumberIsAsked) {
  EXPECT_EQ(asks("#if __CUDA_ARCH__ >= 600\n#define S 2\n#else\n#define S 3\n#endif\n"
                 "__global__ void k(float* a) { a[0] = S; }"),
            true);
  EXPECT_EQ(asks("#define A __CUDA_ARCH__\n__global__ void k(int* a) { a[0] = A; }"), true);
}

TEST(ArchitectureUse, WhetherThisIsTheDeviceIsNot) {
  EXPECT_EQ(asks("#ifdef __CUDA_ARCH__\n#define S 2\n#else\n#define S 3\n#endif\n"
                 "__global__ void k(float* a) { a[0] = S; }"),
            false);
}

TEST(ArchitectureUse, AtomicsAndHalvesAreAnothersCode) {
  EXPECT_EQ(asks("__global__ void k(int* a) { atomicAdd(a, 1); }"), true);
  EXPECT_EQ(asks("__global__ void k(int* a) { atomicCAS(a, 1, 2); }"), true);
  EXPECT_EQ(asks("__global__ void k(_Float16* a) { a[0] = a[1] * a[2]; }"), true);
  EXPECT_EQ(asks("#include <cuda_fp16.h>\n__global__ void k(float* a) { a[0] = 2; }"), true);
}

TEST(ArchitectureUse, FunctionsOfNewerArchitecturesAsk) {
  EXPECT_EQ(asks("__global__ void k(int* a) { a[0] = __dp4a(a[1], a[2], a[3]); }"), true);
}

TEST(ArchitectureUse, CopiesPastRegistersAskInOwnHeaders) {
  EXPECT_EQ(asks("#include <cuda_pipeline_primitives.h>\n__global__ void k(float* a) { a[0] = 2; }"), true);
}

TEST(ArchitectureUse, OtherFamiliesAndLanguagesSayNothing) {
  const test::TemporaryFile file("kernel void k(global float* a) { a[0] = 2; }", ".cl");
  CompileRequest request = test::request_for(ir::TargetFamily::nvidia);
  request.path = file.path();
  std::optional<bool> answer;
  request.asks_architecture = &answer;
  ASSERT_TRUE(compile(request));
  EXPECT_FALSE(answer);
}

/// Code of the target's own name apart.
std::string code_for(const std::string& target) {
  const test::TemporaryFile file(R"(
struct Body { double3 at; float mass; };
__constant__ float weights[64];
__global__ void k(const Body* __restrict__ bodies, float2* out, int n, unsigned m) {
  __shared__ float tile[32][33];
  float acc = 0, weight = __ldg(&out[threadIdx.x].x);
  for (int i = 0; i < n; ++i) {
    tile[threadIdx.y][threadIdx.x] = rsqrtf(bodies[i * m + threadIdx.x].mass) * weights[i % 64];
    __syncthreads();
#pragma unroll
    for (int j = 0; j < 32; ++j) acc = fmaf(tile[j][threadIdx.x], weight, acc) + __shfl_xor_sync(~0u, acc, j);
    __syncthreads();
  }
  out[threadIdx.x] = make_float2(acc, float(bodies[m / 7].at.x / bodies[m % 13].at.y) + __popc(m) + (n % 5));
}
)",
                                 ".cu");
  const auto module = compile(request_of(file, target));
  EXPECT_TRUE(module) << to_string(module.error());
  std::string text;
  llvm::raw_string_ostream out(text);
  for (const ir::KernelSignature& kernel : module->kernels)
    module->module().getFunction(kernel.symbol)->print(out);
  return text;
}

TEST(ArchitectureUse, CodeThatAsksNothingIsTheSameForAGeneration) {
  for (const char* kepler : {"sm_30", "sm_37"})
    EXPECT_EQ(code_for(kepler), code_for("sm_35")) << kepler;
  for (const char* maxwell : {"sm_50", "sm_53"})
    EXPECT_EQ(code_for(maxwell), code_for("sm_52")) << maxwell;
  for (const char* later : {"sm_60", "sm_61", "sm_72"})
    EXPECT_EQ(code_for(later), code_for("sm_70")) << later;
  for (const char* since_turing : {"sm_80", "sm_86", "sm_89", "sm_90"})
    EXPECT_EQ(code_for(since_turing), code_for("sm_75")) << since_turing;
}

/// Without the marks of generations.
TEST(ArchitectureUse, CodeWithoutMarkedLoopsIsTheSameForAllGenerations) {
  const auto code = [](const std::string& target) {
    const test::TemporaryFile file(
        "__global__ void k(float* a, const float* __restrict__ b, int n) {\n"
        "  __shared__ float s[256]; float sum = 0; s[threadIdx.x] = b[threadIdx.x / n];\n"
        "  __syncthreads();\n#pragma unroll\n"
        "  for (int i = 0; i < 25; i++)\n#pragma unroll\n"
        "    for (int j = 0; j < 25; j++) sum += s[(threadIdx.x ^ i) + j] * b[i * 25 + j];\n"
        "  if (n > 3) sum = sqrtf(sum) / n;\n  a[threadIdx.x] = sum; }",
        ".cu");
    const auto module = compile(request_of(file, target));
    EXPECT_TRUE(module) << to_string(module.error());
    const llvm::Function& kernel = *module->module().getFunction(module->kernels.front().symbol);
    for (const LoopRule& rule : loop_rules)
      EXPECT_FALSE(kernel.hasFnAttribute(rule.mark));
    std::string text;
    llvm::raw_string_ostream out(text);
    kernel.print(out);
    return text;
  };
  for (const char* target : {"sm_35", "sm_52", "sm_75", "sm_90"})
    EXPECT_EQ(code(target), code("sm_70")) << target;
}

} // namespace
} // namespace forewarp::frontend
