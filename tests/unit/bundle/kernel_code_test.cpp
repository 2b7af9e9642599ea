// What goes into a PTX bundle: precise math from libclc, constant pointers, and micro-benchmarks that are
// still whole.
#include "bundle/benchmark_file.h"
#include "bundle/device_math.h"
#include "bundle/kernel_code.h"
#include "frontend/compile.h"
#include "simt/run.h"
#include "support/temporary_file.h"

#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace forewarp::bundle {
namespace {

constexpr std::uint64_t count = 1024;

/// f(x) for `count` values of [low, high), by libclc's code in the interpreter; and the values.
void evaluate(const std::string& expression, double low, double high, std::vector<float>& x,
              std::vector<float>& y) {
  const auto file =
      TemporaryFile::write(fmt::format("__kernel void f(__global const float* x, __global float* y) {{\n"
                                       "  int i = get_global_id(0);\n  y[i] = {};\n}}\n",
                                       expression),
                           ".cl");
  frontend::CompileRequest request;
  request.path = file->path();
  auto module = frontend::compile(request);
  ASSERT_TRUE(module) << to_string(module.error());
  const auto linked = link_device_math(*module);
  ASSERT_TRUE(linked) << to_string(linked.error());
  facts::BufferValue in{facts::ScalarType::f32, count, {facts::BufferContents::Kind::random}};
  in.contents.seed = 1;
  in.contents.low = low;
  in.contents.high = high;
  facts::Launch launch;
  launch.global_items = facts::Dim3{count, 1, 1};
  launch.group_size = facts::Dim3{128, 1, 1};
  launch.arguments = {
      {"x", in},
      {"y", facts::BufferValue{facts::ScalarType::f32, count, {facts::BufferContents::Kind::zeros}}}};
  simt::RunOptions options;
  options.whole_grid = true;
  const auto run = simt::run(*module, **frontend::select_kernel(*module, "f"), launch, options);
  ASSERT_TRUE(run) << expression << ": " << to_string(run.error());
  for (const simt::BufferResult& buffer : run->buffers) {
    std::vector<float>& to = buffer.name == "x" ? x : y;
    to.resize(count);
    std::memcpy(to.data(), buffer.bytes.data(), buffer.bytes.size());
  }
}

/// Largest error in units in the last place of the exact value.
double error_ulp(const std::vector<float>& x, const std::vector<float>& y, double (*exact)(double)) {
  double worst = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double value = exact(x[i]);
    const double ulp = std::ldexp(1.0, std::max(std::ilogb(value), -126) - 23);
    worst = std::max(worst, std::fabs(y[i] - value) / ulp);
  }
  return worst;
}

struct Function {
  const char* name;
  double low, high;
  double (*exact)(double);
  double most_ulp; ///< OpenCL 1.2, section 7.4
};

TEST(DeviceMath, IsAsExactAsOpenclAsks) {
  const Function functions[] = {
      {"sin(x[i])", -100, 100, std::sin, 4},
      {"cos(x[i])", -100, 100, std::cos, 4},
      {"exp(x[i])", -80, 80, std::exp, 3},
      {"log(x[i])", 1e-3, 1e3, std::log, 3},
      {"exp2(x[i])", -100, 100, std::exp2, 3},
      {"log2(x[i])", 1e-3, 1e3, std::log2, 3},
      {"tanh(x[i])", -5, 5, std::tanh, 5},
      {"erf(x[i])", -3, 3, std::erf, 16},
      {"pow(x[i], 1.75f)", 1e-2, 1e2, [](double v) { return std::pow(v, 1.75); }, 16},
  };
  for (const Function& function : functions) {
    std::vector<float> x, y;
    evaluate(function.name, function.low, function.high, x, y);
    ASSERT_EQ(y.size(), count) << function.name;
    EXPECT_LE(error_ulp(x, y, function.exact), function.most_ulp) << function.name;
  }
}

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
