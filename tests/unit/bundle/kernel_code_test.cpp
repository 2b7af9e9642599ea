// What goes into a PTX bundle: libclc's tables, constant pointers, and micro-benchmarks that are still whole.
#include "bundle/benchmark_file.h"
#include "bundle/kernel_code.h"
#include "frontend/compile.h"
#include "support/temporary_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace forewarp::bundle {
namespace {

std::size_t occurrences(const std::string& text, const std::string& word) {
  std::size_t found = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
    ++found;
  return found;
}

TEST(Microbenchmarks, KeepEveryStep) {
  const auto kernels = read_benchmark(FOREWARP_SOURCE_DIR "/data/microbenchmarks/operation.toml");
  ASSERT_TRUE(kernels) << to_string(kernels.error());
  const std::pair<const char*, const char*> instructions[] = {
      {"fp32_add", "add.rn.f32"},       {"fp32_fma", "fma.rn.f32"},    {"fp64_mul", "mul.rn.f64"},
      {"fp16_fma", "fma.rn.f16x2"},     {"sfu", "sin.approx.f32"},     {"int_mul", "mad.lo.s32"},
      {"int_logic", "xor.b32"},         {"int_bitcount", "popc.b32"},  {"int_mul_hi", "mul.hi.u32"},
      {"int_mul_wide", "mul.wide.u32"}, {"shuffle", "shfl.sync.bfly"}, {"vote", "vote.sync.ballot"},
      {"cvt_narrow", "cvt.rn.f32.s32"}, {"cvt_32", "cvt.rzi.s32.f32"}, {"int_bitfield", "cvt.s32.s8"}};
  std::size_t seen = 0;
  for (const BenchmarkKernel& kernel : *kernels)
    for (const auto& [operation, instruction] : instructions) {
      if (kernel.name != fmt::format("operation.{}.latency", operation))
        continue;
      ++seen;
      auto code = KernelCode::compile({kernel.source, "", kernel.defines, {}, {}}, "sm_90");
      ASSERT_TRUE(code) << to_string(code.error());
      const auto signature = frontend::select_kernel(code->module(), kernel.kernel);
      const auto ptx = code->ptx(**signature, "sm_90");
      ASSERT_TRUE(ptx) << to_string(ptx.error());
      EXPECT_GE(occurrences(*ptx, instruction), 1024U) << kernel.name; // steps of a round
    }
  EXPECT_EQ(seen, std::size(instructions));
}

// libclc declares the bits of 2 / pi, 158 bytes, as bytes, and loads 16 at a time.
TEST(KernelCode, TablesOfDeviceMathMayBeReadByVectors) {
  const auto file =
      TemporaryFile::write("__kernel void f(__global double* y) { y[0] = sin(y[0]); }\n", ".cl");
  auto code = KernelCode::compile({file->path(), "", {}, {}, {}}, "sm_70");
  ASSERT_TRUE(code) << to_string(code.error());
  const auto ptx = code->ptx(**frontend::select_kernel(code->module(), "f"), "sm_70");
  ASSERT_TRUE(ptx) << to_string(ptx.error());
  EXPECT_EQ(occurrences(*ptx, ".align 16 .b8 PIBITS_TBL[160]"), 1U);
  EXPECT_GE(occurrences(*ptx, "ld.const.v4"), 1U);
}

TEST(KernelCode, ConstantPointersAreOfGlobalMemory) {
  const auto file = TemporaryFile::write("__kernel void f(__constant float* c, __global float* y, int k) {\n"
                                         "  y[get_global_id(0)] = c[k] + c[2 * k + 1];\n}\n",
                                         ".cl");
  auto code = KernelCode::compile({file->path(), "", {}, {}, {}}, "sm_70");
  ASSERT_TRUE(code) << to_string(code.error());
  const auto ptx = code->ptx(**frontend::select_kernel(code->module(), "f"), "sm_70");
  ASSERT_TRUE(ptx) << to_string(ptx.error());
  EXPECT_EQ(occurrences(*ptx, "ld.const"), 0U);
  EXPECT_EQ(occurrences(*ptx, "ld.global"), 2U);
}

} // namespace
} // namespace forewarp::bundle
