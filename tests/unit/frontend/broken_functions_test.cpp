// Errors in device code refuse the kernels that need it, and no others.
#include "unit/frontend/compile_text.h"

#include <gtest/gtest.h>

namespace {

using namespace forewarp;
using namespace forewarp::frontend;
using namespace forewarp::test;

Result<ir::KernelModule> apart(const std::string& text, const std::string& ending) {
  const TemporaryFile file(text, ending);
  CompileRequest request = request_for(ir::TargetFamily::nvidia);
  request.path = file.path();
  request.broken_kernels_apart = true;
  return frontend::compile(request);
}

constexpr const char* cuda = R"(
__device__ float lost(float x) { return x + nothing_here; }
template <typename T> __global__ void generic(T* x) { x[0] = T(lacking); }
template __global__ void generic<float>(float*);
__global__ void wrong(float* x) { x[0] = missing(x[1]); }
__global__ void through(float* x) { x[0] = lost(x[1]); }
__global__ void declared(Unknown* x) { x[0] = 1; }
__global__ void right(float* x) { x[threadIdx.x] = 2 * x[threadIdx.x]; }
)";

constexpr const char* opencl = R"(
float lost(float x) { return x + nothing_here; }
kernel void wrong(global float* x) { x[0] = missing_value; }
kernel void through(global float* x) { x[0] = lost(x[1]); }
kernel void right(global float* x) { x[get_global_id(0)] *= 2; }
)";

void expect_refused(const ir::KernelModule& module, const std::string& kernel, const std::string& line,
                    const std::string& says) {
  const auto chosen = select_kernel(module, kernel);
  ASSERT_FALSE(chosen) << kernel;
  EXPECT_NE(chosen.error().where.find(line), std::string::npos) << chosen.error().where;
  EXPECT_NE(chosen.error().message.find(says), std::string::npos) << chosen.error().message;
  EXPECT_FALSE(chosen.error().hint.empty());
}

TEST(BrokenFunctions, OfCudaRefuseTheirKernels) {
  const auto module = apart(cuda, ".cu");
  ASSERT_TRUE(module) << to_string(module.error());
  EXPECT_TRUE(select_kernel(*module, "right"));
  expect_refused(*module, "wrong", ".cu:5", "missing");
  expect_refused(*module, "generic<float>", ".cu:3", "lacking");
  expect_refused(*module, "through", ".cu:2", "nothing_here");
  expect_refused(*module, "declared", ".cu:7", "Unknown");
}

TEST(BrokenFunctions, OfOpenClRefuseTheirKernels) {
  const auto module = apart(opencl, ".cl");
  ASSERT_TRUE(module) << to_string(module.error());
  EXPECT_TRUE(select_kernel(*module, "right"));
  expect_refused(*module, "wrong", ".cl:3", "missing_value");
  expect_refused(*module, "through", ".cl:2", "nothing_here");
}

TEST(BrokenFunctions, OtherErrorsRefuseTheFile) {
  for (const char* text : {"__constant__ Unknown table[4];\n__global__ void k(float* x) { x[0] = 1; }\n",
                           "static_assert(sizeof(int) == 3);\n__global__ void k(float* x) { x[0] = 1; }\n"}) {
    const auto module = apart(text, ".cu");
    ASSERT_FALSE(module) << text;
    EXPECT_EQ(module.error().code, ErrorCode::compile);
    EXPECT_NE(module.error().message.find(":1:"), std::string::npos) << module.error().message;
  }
}

TEST(BrokenFunctions, ThatNobodyAsksForChangeNothing) {
  const TemporaryFile file(cuda, ".cu");
  CompileRequest request = request_for(ir::TargetFamily::nvidia);
  request.path = file.path();
  request.only_kernel = "right";
  request.broken_kernels_apart = true;
  const auto module = frontend::compile(request);
  ASSERT_TRUE(module) << to_string(module.error());
  EXPECT_TRUE(select_kernel(*module, "right"));
}

} // namespace
