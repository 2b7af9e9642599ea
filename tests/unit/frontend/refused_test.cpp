// What is not modelled refuses the kernels that reach it, and no others.
#include "unit/frontend/compile_text.h"

#include <gtest/gtest.h>

namespace forewarp::frontend {
namespace {

constexpr const char* refused_source =
    "float helper(float x);\n"
    "float never_called(float x) { return helper(x); }\n"
    "float between(float x) { return helper(x); }\n"
    "kernel void good(global float* a) { a[get_global_id(0)] = 1; }\n"
    "kernel void bad(global float* a) { a[get_global_id(0)] = between(2); }\n";

TEST(Refused, OnlyTheKernelThatReachesIt) {
  const auto module = test::compile_text(refused_source);
  ASSERT_TRUE(module) << to_string(module.error());
  EXPECT_EQ(module->kernels.size(), 2U);
  EXPECT_TRUE(select_kernel(*module, "good"));
  const auto bad = select_kernel(*module, "bad");
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().code, ErrorCode::unsupported);
  EXPECT_NE(bad.error().message.find("helper"), std::string::npos) << bad.error().message;
  const llvm::Function* left = module->module().getFunction("bad");
  EXPECT_TRUE(left == nullptr || left->getInstructionCount() <= 1) << "optimised for nothing";
}

TEST(Refused, TheFileWhereNoKernelIsLeft) {
  const auto module = test::compile_text("float helper(float x);\n"
                                         "kernel void bad(global float* a) { a[0] = helper(2); }\n");
  ASSERT_FALSE(module);
  EXPECT_EQ(module.error().code, ErrorCode::unsupported);
}

// Each kernel is refused for its own reason.
TEST(Refused, AllKernelsOfTheFile) {
  const auto module = test::compile_text("float helper(float x);\nfloat other(float x);\n"
                                         "kernel void a(global float* p) { p[0] = helper(2); }\n"
                                         "kernel void b(global float* p) { p[0] = other(2); }\n");
  ASSERT_TRUE(module) << to_string(module.error());
  const auto b = select_kernel(*module, "b");
  ASSERT_FALSE(b);
  EXPECT_NE(b.error().message.find("'other'"), std::string::npos) << b.error().message;
  EXPECT_EQ(b.error().message.find("'helper'"), std::string::npos) << b.error().message;
}

// Own headers have no lines: the user's call has.
TEST(Refused, ATypeThatTheGpuLacksIsToldWithItsLine) {
  const test::TemporaryFile file(
      "#include <mma.h>\n"
      "using namespace nvcuda;\n"
      "__global__ void k(const float* a, float* c) {\n"
      "  wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> x;\n"
      "  wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::col_major> y;\n"
      "  wmma::fragment<wmma::accumulator, 16, 16, 8, float> z;\n"
      "  wmma::fill_fragment(z, 0.f);\n"
      "  wmma::mma_sync(z, x, y, z);\n"
      "}\n",
      ".cu");
  CompileRequest request = test::request_for(ir::TargetFamily::nvidia);
  request.path = file.path();
  test::set_target(request, "sm_70");
  const auto module = compile(request);
  ASSERT_FALSE(module);
  EXPECT_NE(module.error().where.find(".cu:8"), std::string::npos) << to_string(module.error());
  EXPECT_NE(module.error().hint.find("--gpu"), std::string::npos);
}

} // namespace
} // namespace forewarp::frontend
