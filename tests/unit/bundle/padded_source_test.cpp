#include "bundle/padded_source.h"

#include <gtest/gtest.h>

namespace forewarp::bundle {
namespace {

TEST(PaddedSource, AddsAParameterToDefinitionAndPrototype) {
  EXPECT_EQ(
      with_unused_local(
          "__kernel void f(__global int* a);\n"
          "__kernel __attribute__((reqd_work_group_size(8, 1, 1))) void f(__global int* a) { a[0] = 1; }",
          "f"),
      "__kernel void f(__global int* a, __local char* forewarp_unused);\n"
      "__kernel __attribute__((reqd_work_group_size(8, 1, 1))) void f(__global int* a, __local char* "
      "forewarp_unused) "
      "{ a[0] = 1; }");
  EXPECT_EQ(with_unused_local("kernel void f() {}", "f"), "kernel void f(__local char* forewarp_unused) {}");
}

TEST(PaddedSource, LooksAtNoCommentLiteralMacroCallOrOtherName) {
  const std::string before =
      "// f(int a)\n/* f(int a) { */\n#define F(x) \\\n  f(x) {\nvoid ff(int f) { g(\"f(\"); f(1); }\n";
  EXPECT_EQ(with_unused_local(before, "f"), "");
  EXPECT_EQ(with_unused_local(before + "kernel void f(global int* a /* ) */, int (*b)[2]) {}", "f"),
            before + "kernel void f(global int* a /* ) */, int (*b)[2], __local char* forewarp_unused) {}");
  EXPECT_EQ(with_unused_local("KERNEL(f) { }", "f"), "");
}

} // namespace
} // namespace forewarp::bundle
