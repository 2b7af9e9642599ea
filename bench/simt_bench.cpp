// Speed of the interpreter: warp instructions a second with trace recording, and the cost of one more launch
// of a prepared kernel.
#include "frontend/compile.h"
#include "simt/prepared.h"
#include "support/allocator.h"

#include <benchmark/benchmark.h>

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace {

using namespace forewarp;

const char* const tiled_multiply = R"(
__kernel void mm(int n, __global const float* A, __global const float* B, __global float* C) {
  __local float a[16][16]; __local float b[16][16];
  int tx = get_local_id(0), ty = get_local_id(1);
  int row = get_group_id(1) * 16 + ty, col = get_group_id(0) * 16 + tx;
  float s = 0;
  for (int t = 0; t < n / 16; ++t) {
    a[ty][tx] = A[row * n + t * 16 + tx]; b[ty][tx] = B[(t * 16 + ty) * n + col];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 16; ++k) s = fma(a[ty][k], b[k][tx], s);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  C[row * n + col] = s;
})";

const char* const arithmetic = R"(
__kernel void k(int n, __global float* out) {
  int i = get_global_id(0);
  float x = i; unsigned h = i;
#pragma unroll 1
  for (int k = 0; k < n; ++k) {
    h = h * 1664525u + 1013904223u;
    x = fma(x, 0.5f, (float)(h >> 9));
    if (x > 100000.0f) x -= 50000.0f;
  }
  out[i] = x;
})";

ir::KernelModule compile(const char* source) {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("forewarp_bench_" + std::to_string(::getpid()) + ".cl"))
          .string();
  std::ofstream(path) << source;
  frontend::CompileRequest request;
  request.path = path;
  auto module = frontend::compile(request);
  std::remove(path.c_str());
  if (!module)
    throw std::runtime_error(to_string(module.error()));
  return std::move(*module);
}

facts::BufferValue random_floats(std::uint64_t count) {
  facts::BufferValue buffer{facts::ScalarType::f32, count, {}};
  buffer.contents.kind = facts::BufferContents::Kind::random;
  return buffer;
}

void measure(benchmark::State& state, const char* source, const facts::Launch& launch,
             simt::RunOptions options) {
  const ir::KernelModule module = compile(source);
  auto kernel = simt::PreparedKernel::prepare(module, module.kernels.front());
  std::uint64_t instructions = 0;
  for (auto _ : state) {
    auto run = kernel->run(launch, options);
    if (!run) {
      state.SkipWithError(to_string(run.error()).c_str());
      break;
    }
    for (const auto& group : run->trace.groups)
      for (const auto& warp : group.warps)
        instructions += warp.ir_instructions;
  }
  state.counters["warp_instructions/s"] =
      benchmark::Counter(static_cast<double>(instructions), benchmark::Counter::kIsRate);
}

facts::Launch multiply_launch() {
  facts::Launch launch;
  launch.global_items = facts::Dim3{1024, 1024, 1};
  launch.group_size = facts::Dim3{16, 16, 1};
  launch.arguments = {{"n", facts::ScalarValue{"1024", {}}},
                      {"A", random_floats(1 << 20)},
                      {"B", random_floats(1 << 20)},
                      {"C", random_floats(1 << 20)}};
  return launch;
}

void one_more_launch_of_the_tiled_multiply(benchmark::State& state) {
  measure(state, tiled_multiply, multiply_launch(), {});
}

void tiled_multiply_20_groups(benchmark::State& state) {
  simt::RunOptions options;
  options.sample_groups = 20;
  measure(state, tiled_multiply, multiply_launch(), options);
}

void arithmetic_loop(benchmark::State& state) {
  facts::Launch launch;
  launch.global_items = facts::Dim3{256, 1, 1};
  launch.group_size = facts::Dim3{256, 1, 1};
  launch.arguments = {{"n", facts::ScalarValue{"2000", {}}}, {"out", random_floats(256)}};
  measure(state, arithmetic, launch, {});
}

} // namespace

const bool kept = [] {
  forewarp::keep_freed_memory();
  return true;
}();

BENCHMARK(one_more_launch_of_the_tiled_multiply)->Unit(benchmark::kMillisecond);
BENCHMARK(tiled_multiply_20_groups)->Unit(benchmark::kMillisecond);
BENCHMARK(arithmetic_loop)->Unit(benchmark::kMillisecond);
