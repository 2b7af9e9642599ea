// Host code in a .cu file: parsed, passed over where it cannot be understood, never a reason to lose a
// kernel.
#include "unit/frontend/compile_text.h"

#include <gtest/gtest.h>

namespace {

using namespace forewarp;

Result<ir::KernelModule> cuda(const std::string& text, std::vector<std::string> options = {}) {
  test::TemporaryFile file(text, ".cu");
  frontend::CompileRequest request = test::request_for(ir::TargetFamily::nvidia);
  request.path = file.path();
  request.extra_options = std::move(options);
  return frontend::compile(request);
}

std::string notes(const ir::KernelModule& module) {
  std::string text;
  for (const facts::Note& note : module.notes)
    text += note.text + "\n";
  return text;
}

bool mentions(const std::string& text, const std::string& word) {
  return text.find(word) != std::string::npos;
}

TEST(CudaHostCode, TheRuntimeApiParsesWithoutANote) {
  auto module = cuda(R"(
#include <cuda.h>
#include <cuda_runtime.h>
#include <cuda_runtime_api.h>
#include <device_launch_parameters.h>
#include <cuda_profiler_api.h>
#include <math_constants.h>
#include <vector>
#include <iostream>
#include <algorithm>
#include <cmath>
#include <cstdio>
using namespace std;
#define CHECK(call) do { cudaError_t e = (call); if (e != cudaSuccess) { fprintf(stderr, "%s\n", cudaGetErrorString(e)); exit(1); } } while (0)
__constant__ float weights[4];
__device__ int total;
__global__ void k(float* x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] = max(x[i], weights[i & 3]); }
int main(int argc, char** argv) {
  vector<float> h(1000, 1.0f);
  float *d, *pinned, *managed; size_t pitch;
  CHECK(cudaMalloc(&d, h.size() * sizeof(float)));
  CHECK(cudaMalloc((void**)&d, 4)); CHECK(cudaMallocHost(&pinned, 4)); CHECK(cudaMallocManaged(&managed, 4));
  CHECK(cudaMallocPitch(&d, &pitch, 4, 4));
  CHECK(cudaMemcpy(d, h.data(), 4000, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpyToSymbol(weights, h.data(), sizeof(weights)));
  CHECK(cudaMemcpyFromSymbol(&argc, total, sizeof(int)));
  cudaDeviceProp p; cudaGetDeviceProperties(&p, 0); cout << p.name << p.sharedMemPerBlock << p.multiProcessorCount << endl;
  cudaEvent_t a, b; cudaEventCreate(&a); cudaEventCreate(&b); cudaEventRecord(a); cudaStream_t s; cudaStreamCreate(&s);
  dim3 grid((1000 + 255) / 256), block(256);
  k<<<grid, block>>>(d, 1000); k<<<grid, block, 0, s>>>(d, 1000);
  cudaFuncSetCacheConfig(k, cudaFuncCachePreferL1);
  cudaEventRecord(b); cudaEventSynchronize(b); float ms; cudaEventElapsedTime(&ms, a, b);
  printf("%f %f %d %d\n", sqrt(2.0f), std::sin(ms), isnan(ms), min(argc, 3));
  cudaFree(d); return cudaDeviceSynchronize() == cudaSuccess && std::max(1.0f, ms) > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
})");
  ASSERT_TRUE(module) << to_string(module.error());
  EXPECT_EQ(notes(*module), "");
  EXPECT_EQ(module->diagnostics, "");
}

TEST(CudaHostCode, ErrorsInHostFunctionsAreNotes) {
  auto module = cuda("template <class T> __global__ void k(T* x) { x[threadIdx.x] = 1; }\n"
                     "void helper() { unknown_call(3); Timer t; auto f = [&] { t.start(); }; }\n"
                     "int main() { float* p; k<<<1, 32>>>(p); return other(); }\n");
  ASSERT_TRUE(module) << to_string(module.error());
  ASSERT_EQ(module->kernels.size(), 1u);
  EXPECT_EQ(module->kernels[0].name, "k<float>");
  EXPECT_TRUE(mentions(notes(*module), "helper, main"));
  EXPECT_TRUE(mentions(notes(*module), ":2: use of undeclared identifier 'unknown_call'"));
}

TEST(CudaHostCode, MissingHeadersArePassedOver) {
  auto module = cuda("#include <tensors/tensor.h>\n#include \"stop_watch.h\"\n"
                     "__global__ void k(int* x) { x[threadIdx.x] = 1; }\n"
                     "tensors::tensor<int> all;\n"
                     "void run(StopWatch& watch) { tensors::sort(all.begin(), all.end()); }\n");
  ASSERT_TRUE(module) << to_string(module.error());
  EXPECT_TRUE(mentions(notes(*module), "tensors/tensor.h, stop_watch.h"));
}

TEST(CudaHostCode, ErrorsInDeviceCodeStayErrors) {
  for (const char* text : {"__global__ void k(int* x) { x[0] = unknown(1); }\n",
                           "#include <missing.h>\n__global__ void k(Missing* x) { x[0] = 1; }\n",
                           "#include <missing.h>\n__device__ float f(float x) { return missing(x); "
                           "}\n__global__ void k(float* x) { x[0] = f(x[0]); }\n",
                           "int count = 3;\n__global__ void k(int* x) { x[0] = count; }\n",
                           "Unknown global;\n__global__ void k(int* x) { x[0] = 1; }\n"}) {
    auto module = cuda(text);
    ASSERT_FALSE(module) << text;
    EXPECT_EQ(module.error().code, ErrorCode::compile) << text;
    EXPECT_TRUE(mentions(module.error().message, "error:")) << to_string(module.error());
  }
  auto module = cuda("#include <missing.h>\n__global__ void k(Missing* x) { x[0] = 1; }\n");
  EXPECT_TRUE(mentions(module.error().hint, "missing.h"));
}

TEST(CudaHostCode, HostErrorsDoNotHideDeviceErrors) {
  auto module =
      cuda("void f() { unknown(); }\n__global__ void k(int* x) { x[0] = wrong; }\nvoid g() { unknown(); }\n");
  ASSERT_FALSE(module);
  EXPECT_TRUE(mentions(module.error().message, "'wrong'"));
  EXPECT_FALSE(mentions(module.error().message, "'unknown'"));
}

TEST(CudaHostCode, ALaunchWithErrorsStillInstantiates) {
  auto module = cuda("template <class T, int N> __global__ void k(T* x) { x[threadIdx.x] = N; }\n"
                     "void run() { auto f = [&] { k<float, 3><<<1, 32>>>(unknown); }; }\n");
  ASSERT_TRUE(module) << to_string(module.error());
  ASSERT_EQ(module->kernels.size(), 1u);
  EXPECT_EQ(module->kernels[0].name, "k<float, 3>");
}

TEST(CudaHostCode, TemplatesWithoutAnInstanceAreNamed) {
  auto none = cuda("namespace ns { template <class T> __global__ void k(T* x) { x[0] = 1; } }\n");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::bad_input);
  EXPECT_TRUE(mentions(none.error().hint, "ns::k"));
  ASSERT_EQ(none.error().possible_kernels.size(), 1U);
  EXPECT_TRUE(mentions(none.error().possible_kernels.front(), "ns::k<"));
  auto other = cuda(
      "template <class T> __global__ void k(T* x) { x[0] = 1; }\n__global__ void f(int* x) { x[0] = 1; }\n");
  ASSERT_TRUE(other) << to_string(other.error());
  EXPECT_TRUE(mentions(notes(*other), "without an instance are not listed; --kernel makes one: k<float>"));
}

TEST(CudaHostCode, TemplatesOfEnumerationsNameOneOfTheirWords) {
  const auto none =
      cuda("namespace n { enum class Kind { left, right }; }\nenum Type { TYPE_A = 3, TYPE_B };\n"
           "template <Type t, n::Kind k, bool b> __global__ void f(int* x) { x[0] = t + b; }\n");
  ASSERT_FALSE(none);
  ASSERT_EQ(none.error().possible_kernels.size(), 1U);
  EXPECT_EQ(none.error().possible_kernels.front(), "f<TYPE_A, n::Kind::left, true>");
  // The word that templates are written out for.
  const auto known = cuda("enum Type { TYPE_A, TYPE_B };\ntemplate <Type t> struct Traits;\n"
                          "template <> struct Traits<TYPE_B> { static constexpr int bits = 4; };\n"
                          "template <Type t> __global__ void f(int* x) { x[0] = Traits<t>::bits; }\n");
  ASSERT_FALSE(known);
  EXPECT_EQ(known.error().possible_kernels.front(), "f<TYPE_B>");
}

TEST(CudaHostCode, Latin1Compiles) {
  auto module = cuda("// ma\xf1"
                     "ana\n__global__ void k(int* x) { x[0] = 1; /* \xe9 */ }\nconst char* s = \"\xe9\";\n");
  EXPECT_TRUE(module) << to_string(module.error());
}

TEST(CudaHostCode, OptionsOfNvccAreUnderstood) {
  auto module = cuda("__global__ void k(int* x) { auto f = [](auto v) { return v; }; x[0] = f(N); }\n",
                     {"-std=c++14", "--expt-relaxed-constexpr", "-lineinfo", "-DN=3", "--use_fast_math"});
  EXPECT_TRUE(module) << to_string(module.error());
}

TEST(CudaHostCode, BehindAMissingHeaderOnlyKernelsThatUseABrokenFunctionAreLost) {
  auto module = cuda(R"(
#include "not_there.cuh"
template <class T> __device__ T twice(T x) { return x + x; }
__device__ float narrow(float x) { there::narrow_type y = x; return y; }
struct Helper { static __device__ float wide(float x) { return there::wide(x); } };
__device__ inline there::pair<float> both(float x) { return {x, x}; }
__global__ void good(float* p) { p[0] = twice(p[1]); }
__global__ void uses(float* p) { p[0] = narrow(p[1]); }
__global__ void member(float* p) { p[0] = Helper::wide(p[1]); }
)");
  ASSERT_TRUE(module) << to_string(module.error());
  EXPECT_TRUE(mentions(notes(*module), "narrow ("));
  EXPECT_TRUE(frontend::select_kernel(*module, "good"));
  for (const char* name : {"uses", "member"}) {
    const auto kernel = frontend::select_kernel(*module, name);
    ASSERT_FALSE(kernel) << name;
    EXPECT_EQ(kernel.error().code, ErrorCode::compile);
    EXPECT_TRUE(mentions(kernel.error().message, "undeclared identifier 'there'")) << kernel.error().message;
    EXPECT_TRUE(mentions(kernel.error().hint, "not_there.cuh"));
  }
}

TEST(CudaHostCode, WithoutAMissingHeaderABrokenDeviceFunctionIsAnError) {
  auto module =
      cuda("__device__ float f(float x) { return y; }\n__global__ void k(float* p) { p[0] = 1; }\n");
  ASSERT_FALSE(module);
  EXPECT_EQ(module.error().code, ErrorCode::compile);
  EXPECT_TRUE(mentions(module.error().message, "undeclared identifier 'y'"));
}

TEST(CudaHostCode, AKernelOfAClassWithoutALayoutIsAnError) {
  auto module = cuda(
      "#include <missing.h>\n"
      "template <class T> struct D { there::word<T>* host; T* p; __device__ void put(T v) { *p = v; } };\n"
      "__global__ void k(D<int> d) { d.put(3); }\n");
  ASSERT_FALSE(module);
  EXPECT_EQ(module.error().code, ErrorCode::compile) << to_string(module.error());
  EXPECT_TRUE(mentions(module.error().message, "could not be understood")) << to_string(module.error());
}

/// nvcc's cuda_runtime.h brings <cmath> and <assert.h> along.
TEST(CudaHostCode, NamesThatTheToolkitBringsAlongAreThere) {
  auto module = cuda(R"(
__global__ void k(float* x, int n) {
  assert(n > 0);
  x[threadIdx.x] = std::exp(x[threadIdx.x]) + std::max(n, 3);
}
)");
  ASSERT_TRUE(module) << to_string(module.error());
  EXPECT_EQ(module->kernels.size(), 1U);
}

TEST(CudaHostCode, ANameThatNoHeaderHasIsTheFirstError) {
  auto module = cuda("__global__ void k(float* x) { x[0] = std::no_such_function(x[1]); }");
  ASSERT_FALSE(module);
  EXPECT_TRUE(mentions(module.error().message, "no_such_function")) << module.error().message;
}

/// The started kernel is predicted by itself; that it is not in the time is said.
TEST(CudaHostCode, AKernelThatStartsKernelsKeepsItsOwnWork) {
  auto module = cuda(R"(
__global__ void child(float* x) { x[threadIdx.x] += 1; }
__global__ void parent(float* x, int n) {
  x[threadIdx.x] *= 2;
  if (n > 1) {
    cudaStream_t s;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    child<<<1, 32, 0, s>>>(x);
    parent<<<1, 32>>>(x, n - 1);
    cudaDeviceSynchronize();
  }
}
)");
  ASSERT_TRUE(module) << to_string(module.error());
  EXPECT_EQ(module->kernels.size(), 2U);
  EXPECT_TRUE(mentions(notes(*module), "kernels that they start are not in the time")) << notes(*module);
  EXPECT_TRUE(mentions(notes(*module), "child (")) << notes(*module);
}

TEST(CudaHostCode, ThrustsPointerToAnything) {
  auto module = cuda(R"(
#include <thrust/device_ptr.h>
__global__ void k(float* x) { x[threadIdx.x] += 1; }
thrust::device_ptr<void> held(thrust::device_ptr<float> p) { return p; }
int main() { thrust::device_ptr<void> p = held(thrust::device_ptr<float>()); return p.get() != nullptr; }
)");
  ASSERT_TRUE(module) << to_string(module.error());
}

TEST(CudaHostCode, ACallOfOnesOwnHostFunctionInAKernelIsAnError) {
  auto module = cuda("void own(float*); __global__ void k(float* x) { own(x); }");
  ASSERT_FALSE(module);
  EXPECT_TRUE(mentions(module.error().message, "own")) << module.error().message;
}

/// Own headers stand for the toolkit's and lack some of its names: what a kernel does not need is passed
/// over.
TEST(CudaHostCode, AToolkitsNameThatIsNotThereIsPassedOverInDeclarations) {
  auto module = cuda(R"(
struct Shared { int n; cudaSomeNewTypeExportData data[4]; };
__global__ void k(float* x) { x[threadIdx.x] += 1; }
)");
  ASSERT_TRUE(module) << to_string(module.error());
  EXPECT_EQ(module->kernels.size(), 1U);
  EXPECT_FALSE(cuda("struct Shared { int n; TypeOfMine data[4]; };\n__global__ void k(Shared s) { }"));
  EXPECT_FALSE(cuda(
      "struct Shared { int n; cudaSomeNewType d; };\n__global__ void k(Shared s, int* x) { x[0] = s.n; }"));
}

} // namespace
