// The door: files, endings, choice of a kernel.
#include "unit/frontend/compile_text.h"

#include <gtest/gtest.h>

namespace {

using namespace forewarp;

Error error_of(const std::string& path) {
  auto request = test::request_for(ir::TargetFamily::nvidia);
  request.path = path;
  auto module = frontend::compile(request);
  return module ? Error{ErrorCode::internal, "compiled"} : module.error();
}

TEST(Door, MissingFile) {
  Error error = error_of("/nowhere/kernel.cl");
  EXPECT_EQ(error.code, ErrorCode::not_found);
  EXPECT_EQ(error.where, "/nowhere/kernel.cl");
}

TEST(Door, FolderEmptyBinaryAndUnknownEnding) {
  EXPECT_EQ(error_of("/tmp").code, ErrorCode::bad_input);
  test::TemporaryFile empty("", ".cl"),
      binary(std::string("\x7f"
                         "ELF\0\0\0\1",
                         8),
             ".cl"),
      odd("text", ".xyz");
  EXPECT_NE(error_of(empty.path()).message.find("empty"), std::string::npos);
  EXPECT_NE(error_of(binary.path()).message.find("binary"), std::string::npos);
  EXPECT_NE(error_of(odd.path()).hint.find(".cl"), std::string::npos);
}

TEST(Door, OtherEndingsOfTheSameLanguages) {
  for (const char* ending : {".opencl", ".ocl"})
    EXPECT_TRUE(test::compile_text("kernel void k(global float* x) { x[0] = 1; }", ir::TargetFamily::nvidia,
                                   "", ending))
        << ending;
  for (const char* ending : {".cpp", ".cc", ".cxx"})
    EXPECT_TRUE(test::compile_text("#include <hip/hip_runtime.h>\n__global__ void k(float* x) { x[0] = 1; }",
                                   ir::TargetFamily::amd, "", ending))
        << ending;
}

TEST(Door, HugeFileIsRefusedUnread) {
  test::TemporaryFile file("x", ".cl");
  std::filesystem::resize_file(file.path(), 65ULL << 20); // sparse
  EXPECT_NE(error_of(file.path()).message.find("64 MB"), std::string::npos);
}

TEST(Door, Latin1InACommentCompiles) {
  auto module = test::compile_text("// \xe9t\xe9\nkernel void k(global int* p) { p[0] = 1; }");
  EXPECT_TRUE(module) << to_string(module.error());
}

TEST(Door, SelectKernel) {
  auto module = test::compile_text("kernel void reduce_sum(global int* p) { p[0] = 1; }\n"
                                   "kernel void transpose(global int* p) { p[0] = 2; }");
  ASSERT_TRUE(module) << to_string(module.error());
  auto found = frontend::select_kernel(*module, "transpose");
  ASSERT_TRUE(found);
  EXPECT_EQ((*found)->name, "transpose");
  auto near = frontend::select_kernel(*module, "transpos");
  ASSERT_FALSE(near);
  EXPECT_EQ(near.error().code, ErrorCode::not_found);
  EXPECT_NE(near.error().hint.find("transpose"), std::string::npos);
  auto ambiguous = frontend::select_kernel(*module, "");
  ASSERT_FALSE(ambiguous);
  EXPECT_NE(ambiguous.error().message.find("reduce_sum, transpose"), std::string::npos);
}

} // namespace
