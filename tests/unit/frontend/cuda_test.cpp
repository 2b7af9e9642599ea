// CUDA C++: kernels, templates, signatures, what device code becomes.
#include "unit/frontend/compile_text.h"

#include <gtest/gtest.h>

namespace {

using namespace forewarp;

constexpr auto nvidia = ir::TargetFamily::nvidia;
constexpr auto amd = ir::TargetFamily::amd;

Result<ir::KernelModule> cuda(const std::string& text, ir::TargetFamily family = nvidia) {
  return test::compile_text(text, family, "", ".cu");
}

Result<ir::KernelModule> cuda_for(const std::string& target, const std::string& text,
                                  std::vector<std::string> options = {}) {
  test::TemporaryFile file(text, ".cu");
  frontend::CompileRequest request = test::request_for(nvidia);
  request.path = file.path();
  request.target = target;
  request.extra_options = std::move(options);
  return frontend::compile(request);
}

bool has(const ir::KernelModule& module, const std::string& text) {
  return test::ir_text(module).find(text) != std::string::npos;
}

unsigned count(const ir::KernelModule& module, const std::string& text) {
  std::string ir = test::ir_text(module);
  unsigned found = 0;
  for (std::size_t at = ir.find(text); at != std::string::npos; at = ir.find(text, at + 1))
    ++found;
  return found;
}

std::vector<std::string> names(const ir::KernelModule& module) {
  std::vector<std::string> list;
  for (const auto& kernel : module.kernels)
    list.push_back(kernel.name);
  return list;
}

TEST(Cuda, SignatureOfAPlainKernel) {
  auto module = cuda(
      "__global__ void __launch_bounds__(256, 2) add(float4* out, const int* __restrict__ in, double a) {\n"
      "  __shared__ float tile[64];\n"
      "  tile[threadIdx.x] = a;\n"
      "  __syncthreads();\n"
      "  out[in[blockIdx.x * blockDim.x + threadIdx.x]].y = tile[threadIdx.x ^ 1];\n"
      "}\n");
  ASSERT_TRUE(module) << to_string(module.error());
  ASSERT_EQ(module->kernels.size(), 1u);
  const ir::KernelSignature& kernel = module->kernels[0];
  EXPECT_EQ(module->language, ir::SourceLanguage::cuda);
  EXPECT_EQ(kernel.name, "add");
  EXPECT_EQ(kernel.max_group_threads, 256u);
  EXPECT_EQ(kernel.min_groups_per_sm, 2u);
  EXPECT_EQ(kernel.static_shared_bytes, 256u);
  EXPECT_FALSE(kernel.uses_dynamic_shared);
  EXPECT_EQ(kernel.location.line, 1u);
  ASSERT_EQ(kernel.parameters.size(), 3u);
  EXPECT_EQ(kernel.parameters[0].type_name, "float4");
  EXPECT_EQ(kernel.parameters[0].components, 4u);
  EXPECT_EQ(kernel.parameters[0].space, ir::AddressSpace::global);
  EXPECT_TRUE(kernel.parameters[1].is_const && kernel.parameters[1].is_restrict);
  EXPECT_EQ(kernel.parameters[2].scalar, facts::ScalarType::f64);
}

TEST(Cuda, TemplatesByExplicitInstantiationAndByLaunch) {
  auto module =
      cuda("namespace ns { template <int N, class T> __global__ void scale(T* x) { x[threadIdx.x] *= N; } }\n"
           "template __global__ void ns::scale<3, float>(float*);\n"
           "int main() { double* d; cudaMalloc(&d, 80); ns::scale<4><<<1, 10>>>(d); }\n");
  ASSERT_TRUE(module) << to_string(module.error());
  EXPECT_EQ(names(*module), (std::vector<std::string>{"ns::scale<3, float>", "ns::scale<4, double>"}));
  EXPECT_TRUE(frontend::select_kernel(*module, "ns::scale<4, double>"));
}

TEST(Cuda, OverloadsAreToldApartByTheirParameters) {
  auto module = cuda("__global__ void add(float* p, int n) { p[n] += 1; }\n"
                     "__global__ void add(unsigned* p, int n) { p[n] += 1; }\n"
                     "template <int N> __global__ void set(int* p) { *p = N; }\n"
                     "template __global__ void set<3>(int*);\n");
  ASSERT_TRUE(module) << to_string(module.error());
  const auto floats = frontend::select_kernel(*module, "add(float *, int)");
  const auto words = frontend::select_kernel(*module, "add(unsigned int*, int)");
  ASSERT_TRUE(floats && words);
  EXPECT_EQ((*floats)->symbol, "_Z3addPfi");
  EXPECT_EQ((*words)->symbol, "_Z3addPji");
  EXPECT_TRUE(frontend::select_kernel(*module, "set<3>(int*)"));
  EXPECT_FALSE(frontend::select_kernel(*module, "add(double*, int)"));
}

TEST(Cuda, DynamicSharedAndDeviceVariables) {
  auto module =
      cuda("__constant__ float weights[16]; __device__ int counter; __device__ float table[256];\n"
           "__global__ void k(float* x) {\n"
           "  extern __shared__ float tile[];\n"
           "  tile[threadIdx.x] = x[threadIdx.x] * weights[threadIdx.x & 15] + table[threadIdx.x];\n"
           "  __syncthreads();\n"
           "  x[threadIdx.x] = tile[threadIdx.x ^ 1];\n"
           "  atomicAdd(&counter, 1);\n"
           "}\n"
           "void host(float* w) { cudaMemcpyToSymbol(weights, w, 64); }\n");
  ASSERT_TRUE(module) << to_string(module.error());
  EXPECT_TRUE(module->kernels[0].uses_dynamic_shared);
  EXPECT_TRUE(has(*module, "ptr addrspace(4) @weights"));
  EXPECT_TRUE(has(*module, "atomicrmw add ptr addrspace(1) @counter"));
}

TEST(Cuda, VectorAccessesStayWideAndReadOnlyLoadsAreMarked) {
  auto module = cuda("__global__ void k(float4* o, const float4* a, const float* b) {\n"
                     "  float4 v = __ldg(a + threadIdx.x);\n"
                     "  v.x += __ldg(b + threadIdx.x);\n"
                     "  o[threadIdx.x] = v;\n"
                     "}\n");
  ASSERT_TRUE(module) << to_string(module.error());
  EXPECT_EQ(count(*module, "= load <4 x float>, ptr addrspace(1)"), 1u);
  EXPECT_EQ(count(*module, "store <4 x float>"), 1u);
  EXPECT_EQ(count(*module, "!invariant.load"), 2u);
}

TEST(Cuda, MathReachesTheSameOperationsAsOpenCl) {
  auto module =
      cuda("__global__ void k(float* x, double* d) {\n"
           "  x[0] = sinf(x[1]) + sqrtf(x[2]) + erff(x[3]) + powf(x[4], x[5]) + fmaf(x[6], x[7], x[8]);\n"
           "  x[1] = __sinf(x[1]) + __expf(x[2]) + __fdividef(x[3], x[4]) + rsqrtf(x[5]);\n"
           "  d[0] = sin(d[1]) + atan2(d[2], d[3]) + fmin(d[4], d[5]) + pow(d[6], 2);\n"
           "}\n");
  ASSERT_TRUE(module) << to_string(module.error());
  for (const char* call :
       {"@llvm.sin.f32", "@llvm.sqrt.f32", "@forewarp.math.erf.f32", "@forewarp.math.pow.f32",
        "@llvm.fma.f32", "@llvm.nvvm.sin.approx.f", "@llvm.nvvm.ex2.approx.f", "@llvm.nvvm.div.approx.f",
        "@llvm.nvvm.rsqrt.approx.f", "@llvm.sin.f64", "@forewarp.math.atan2.f64", "@llvm.minnum.f64"})
    EXPECT_TRUE(has(*module, call)) << call;
}

TEST(Cuda, FastMathTakesTheApproximations) {
  const char* text =
      "__global__ void k(float* x, double* d) { x[0] = cosf(x[1]) / sqrtf(x[2]); d[0] = d[1] / d[2]; }\n";
  auto precise = cuda_for("sm_75", text), fast = cuda_for("sm_75", text, {"-use_fast_math"});
  ASSERT_TRUE(precise) << to_string(precise.error());
  ASSERT_TRUE(fast) << to_string(fast.error());
  EXPECT_TRUE(has(*precise, "@llvm.cos.f32") && has(*precise, "fdiv contract float"));
  EXPECT_TRUE(has(*fast, "@llvm.nvvm.cos.approx.f") && has(*fast, "@llvm.nvvm.sqrt.approx.f"));
  EXPECT_TRUE(has(*fast, "fdiv arcp contract afn float"));
  EXPECT_TRUE(has(*fast, "fdiv contract double"));
}

TEST(Cuda, ArchitectureMacroFollowsTheTarget) {
  const char* text =
      "#if __CUDA_ARCH__ < 600\n"
      "__device__ double atomicAdd(double* p, double v) {\n" // what programs for older GPUs define
      "  unsigned long long* word = (unsigned long long*)p; unsigned long long old = *word, seen;\n"
      "  do { seen = old; old = atomicCAS(word, seen, __double_as_longlong(v + "
      "__longlong_as_double(seen)));\n"
      "  } while (seen != old);\n"
      "  return __longlong_as_double(old);\n"
      "}\n"
      "#endif\n"
      "__global__ void k(double* d) { atomicAdd(d, 1.0); }\n";
  auto old = cuda_for("sm_35", text), now = cuda_for("sm_70", text);
  ASSERT_TRUE(old) << to_string(old.error());
  ASSERT_TRUE(now) << to_string(now.error());
  EXPECT_TRUE(has(*old, "cmpxchg"));
  EXPECT_TRUE(has(*now, "atomicrmw fadd"));
}

TEST(Cuda, WrappingAtomicsAreOneOperation) {
  for (auto family : {nvidia, amd}) {
    auto module = cuda(
        "__global__ void k(unsigned* p) { p[threadIdx.x] = atomicInc(p, 7) + atomicDec(p + 1, p[3]); }\n",
        family);
    ASSERT_TRUE(module) << to_string(module.error());
    EXPECT_EQ(count(*module, "atomicrmw uinc_wrap ptr addrspace(1)"), 1u);
    EXPECT_EQ(count(*module, "atomicrmw udec_wrap ptr addrspace(1)"), 1u);
    EXPECT_EQ(count(*module, "cmpxchg"), 0u);
  }
}

TEST(Cuda, ShufflesOfTheWholeWarpAreOneExchange) {
  auto module = cuda("__global__ void k(float* x, int* y) {\n"
                     "  float v = x[threadIdx.x];\n"
                     "  for (int by = 16; by > 0; by /= 2) v += __shfl_down_sync(0xffffffff, v, by);\n"
                     "  x[threadIdx.x] = v;\n"
                     "  y[threadIdx.x] = __shfl_xor(y[threadIdx.x], 1, 8) + __ballot_sync(~0u, v > 0);\n"
                     "}\n");
  ASSERT_TRUE(module) << to_string(module.error());
  EXPECT_EQ(count(*module, "call noundef float @forewarp.warp.shuffle_down.f32"), 5u);
  EXPECT_EQ(count(*module, "call noundef i32 @forewarp.warp.shuffle.i32"), 1u);
  EXPECT_EQ(count(*module, "i64 @forewarp.warp.ballot(i1 %"), 1u);
}

TEST(Cuda, HalfPairsAreVectorOperations) {
  auto module = cuda("#include <cuda_fp16.h>\n"
                     "__global__ void k(half2* a, const half2* b) { a[threadIdx.x] = __hfma2(a[threadIdx.x], "
                     "b[threadIdx.x], b[0]); }\n");
  ASSERT_TRUE(module) << to_string(module.error());
  EXPECT_EQ(count(*module, "call contract <2 x half> @llvm.fma.v2f16"), 1u);
}

TEST(Cuda, TextureReadsAreMarkers) {
  auto module = cuda("texture<float, 2> image; texture<int4, 1> list;\n"
                     "__global__ void k(float* o, cudaTextureObject_t t) {\n"
                     "  int4 v = tex1Dfetch(list, threadIdx.x);\n"
                     "  o[threadIdx.x] = tex2D(image, 0.5f, 1.5f) + tex2D<float4>(t, 0.5f, 1.5f).w + v.z;\n"
                     "}\n"
                     "void bind(cudaArray* a) { image.filterMode = cudaFilterModeLinear; "
                     "cudaBindTextureToArray(image, a); }\n");
  ASSERT_TRUE(module) << to_string(module.error());
  EXPECT_EQ(count(*module, "call noundef <4 x float> @forewarp.image.read.2d.f32.f32"), 2u);
  EXPECT_EQ(count(*module, "call noundef <4 x i32> @forewarp.image.read.1db.i32.i32"), 1u);
}

TEST(Cuda, AmdTargetsCompileAsHip) {
  auto module = cuda("__global__ void k(int* out, const int* in) {\n"
                     "  __shared__ int tile[256];\n"
                     "  tile[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];\n"
                     "  __syncthreads();\n"
                     "  out[gridDim.x] = __shfl(tile[threadIdx.x ^ 1], 3) + warpSize;\n"
                     "}\n"
                     "void host(int* p) { k<<<1, 256>>>(p, p); }\n",
                     amd);
  ASSERT_TRUE(module) << to_string(module.error());
  EXPECT_EQ(module->language, ir::SourceLanguage::hip);
  EXPECT_EQ(module->kernels[0].static_shared_bytes, 1024u);
  for (const char* text :
       {"@llvm.amdgcn.workitem.id.x", "@llvm.amdgcn.s.barrier", "@forewarp.item.local_size.x",
        "@forewarp.item.num_groups.x", "@forewarp.warp.shuffle.i32", ", 64"})
    EXPECT_TRUE(has(*module, text)) << text;
}

TEST(Cuda, LaunchBoundsReachAmdsBackEnd) {
  auto module = cuda("__global__ void __launch_bounds__(64) k(int* x) { x[threadIdx.x] = 1; }\n", amd);
  ASSERT_TRUE(module) << to_string(module.error());
  EXPECT_TRUE(has(*module, "\"amdgpu-flat-work-group-size\"=\"1,64\""));
}

TEST(Cuda, WhatIsNotModelledIsNamed) {
  auto expect = [](const std::string& body, const std::string& name) {
    auto module = cuda("#include <cooperative_groups.h>\n#include <curand_kernel.h>\n__global__ void "
                       "k(float* x, curandState* s) { " +
                       body + " }\n");
    ASSERT_FALSE(module) << name;
    EXPECT_EQ(module.error().code, ErrorCode::unsupported);
    EXPECT_NE(module.error().message.find(name), std::string::npos) << to_string(module.error());
  };
  expect("x[0] = erfcxf(x[1]);", "erfcx");
  expect("asm volatile(\"bar.nothing 1, 64;\");", "assembly");
}

} // namespace
