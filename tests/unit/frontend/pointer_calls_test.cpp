// Calls through pointers lead to the functions of their type whose address is taken.
#include "unit/frontend/compile_text.h"

#include <gtest/gtest.h>

namespace {

using namespace forewarp;
using namespace forewarp::frontend;
using namespace forewarp::test;

Result<ir::KernelModule> cuda(const std::string& text) {
  return compile_text(text, ir::TargetFamily::nvidia, "", ".cu");
}

std::string notes(const ir::KernelModule& module) {
  std::string all;
  for (const facts::Note& note : module.notes)
    all += note.text + "\n";
  return all;
}

constexpr const char* table = R"(
typedef float (*Function)(float);
__device__ float twice(float x) { return x + x; }
__device__ float square(float x) { return x * x; }
__device__ float alone(float x) { return x - 1; }
__device__ double wide(double x) { return x; }
__device__ Function functions[2] = {twice, square};
__device__ double (*other)(double) = wide;
__global__ void k(float* x, int which) { x[threadIdx.x] = functions[which](alone(x[threadIdx.x])); }
)";

TEST(PointerCalls, OfATableOfFunctions) {
  const auto module = cuda(table);
  ASSERT_TRUE(module) << to_string(module.error());
  const std::string said = notes(*module);
  EXPECT_NE(said.find("'twice', 'square'"), std::string::npos) << said;
  EXPECT_EQ(said.find("wide"), std::string::npos) << said;
  EXPECT_EQ(said.find("alone"), std::string::npos) << said;
}

TEST(PointerCalls, OfVirtualFunctions) {
  const auto module = cuda(R"(
struct Shape { __device__ virtual float area() const = 0; };
struct Square : Shape { float a; __device__ Square(float x) : a(x) {} __device__ float area() const override { return a * a; } };
struct Circle : Shape { float r; __device__ Circle(float x) : r(x) {} __device__ float area() const override { return 3 * r; } };
__global__ void make(Shape** s) { s[0] = new Square(1); s[1] = new Circle(2); }
__global__ void k(Shape** s, float* out) { out[threadIdx.x] = s[threadIdx.x]->area(); }
)");
  ASSERT_TRUE(module) << to_string(module.error());
  EXPECT_EQ(module->refused.size(), 0U);
  EXPECT_NE(notes(*module).find("'area'"), std::string::npos) << notes(*module);
}

TEST(PointerCalls, ThatTheCompilerSettlesNeedNoAssumption) {
  const auto module = cuda(R"(
__device__ float twice(float x) { return x + x; }
__device__ float apply(float (*f)(float), float x) { return f(x); }
__global__ void k(float* x) { x[threadIdx.x] = apply(twice, x[threadIdx.x]); }
)");
  ASSERT_TRUE(module) << to_string(module.error());
  EXPECT_EQ(notes(*module), "");
}

TEST(PointerCalls, WithNothingToCallOrRoundInACircleAreRefusedByLine) {
  for (const char* text : {"__global__ void k(float* x, float (*f)(float)) { x[0] = f(x[0]); }\n",
                           "typedef int (*F)(int);\n__device__ F next;\n__device__ int f(int n) { return n ? "
                           "next(n - 1) : 0; }\n"
                           "__device__ F own = f;\n__global__ void k(int* x) { x[0] = f(x[0]); }\n"}) {
    const auto module = cuda(text);
    ASSERT_FALSE(module) << text;
    EXPECT_EQ(module.error().code, ErrorCode::unsupported);
    EXPECT_NE(module.error().message.find("function pointer"), std::string::npos) << module.error().message;
    EXPECT_NE(module.error().where.find(".cu:"), std::string::npos);
  }
}

TEST(TorchHeaders, NameInstancesAndLetTheRestPass) {
  const auto module = cuda(R"(
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
template <typename scalar_t, int N>
__global__ void k(const at::PackedTensorAccessor32<scalar_t, 2, at::RestrictPtrTraits> in, scalar_t* out) {
  out[threadIdx.x] = in[blockIdx.x][threadIdx.x] * N;
}
void run(torch::Tensor in, torch::Tensor out) {
  TORCH_CHECK(in.is_cuda(), "no GPU");
  AT_DISPATCH_FLOATING_TYPES_AND_HALF(in.scalar_type(), "run", [&] {
    k<scalar_t, 7><<<in.size(0), 128, 0, at::cuda::getCurrentCUDAStream()>>>(
        in.packed_accessor32<scalar_t, 2, at::RestrictPtrTraits>(), out.data_ptr<scalar_t>());
  });
}
torch::Unheard of(torch::Tensor x) { return x.unheard(); }
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("run", &run, "runs"); }
)");
  ASSERT_TRUE(module) << to_string(module.error());
  ASSERT_EQ(module->kernels.size(), 1U);
  EXPECT_EQ(module->kernels[0].name, "k<float, 7>");
}

TEST(DeviceCode, ThatStartsKernelsInAFunctionLeavesThemOut) {
  const auto module = cuda("__global__ void child(int* x) { x[0] = 1; }\n"
                           "__device__ void start(int* x) { child<<<1, 1>>>(x); }\n"
                           "__global__ void k(int* x) { x[1] = 2; start(x); }\n");
  ASSERT_TRUE(module) << to_string(module.error());
  EXPECT_NE(notes(*module).find("left out"), std::string::npos) << notes(*module);
}

} // namespace
