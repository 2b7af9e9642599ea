#include "frontend/languages/quoted_source.h"
#include "unit/frontend/compile_text.h"

#include <gtest/gtest.h>

namespace forewarp::frontend {
namespace {

TEST(QuotedSource, RawStringsAndTheirLines) {
  EXPECT_EQ(without_quotes("// head\nR\"(\nint a;\n)\"\n// tail\n"), "// head\n   \nint a;\n  \n// tail\n");
  EXPECT_EQ(without_quotes("R\"x(int a;)x\"\nR\"(int b;)\";\n"), "    int a;   \n   int b;   \n");
  EXPECT_EQ(without_quotes("R\"(int a;)\" int b;"), "");
  EXPECT_EQ(without_quotes("R\"(int a;"), "");
}

TEST(QuotedSource, OneMacroAroundAll) {
  EXPECT_EQ(without_quotes("STR(\n\\n#define N 2\nkernel void k() { f(1); }\n)\n"),
            "    \n  #define N 2\nkernel void k() { f(1); }\n \n");
  EXPECT_EQ(without_quotes("kernel void k() { }\n"), "");
  EXPECT_EQ(without_quotes("MAKE(float)\nkernel void k() { f(1); }\n"), "");
  EXPECT_EQ(without_quotes(""), "");
}

TEST(QuotedSource, Compiles) {
  const test::TemporaryFile file("R\"(\nkernel void k(global int* x) { x[get_global_id(0)] = 1; }\n)\"\n",
                                 ".cl");
  CompileRequest request;
  request.path = file.path();
  const auto module = compile(request);
  ASSERT_TRUE(module) << to_string(module.error());
  EXPECT_EQ(module->kernels.front().location.line, 2U);
}

} // namespace
} // namespace forewarp::frontend
