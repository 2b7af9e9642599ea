// PTX of some 3,000 lines from text to kernel IR; aim: under 50 ms. $FOREWARP_BENCH_PTX: a file of one's own
// for sm_90, beside the lines that are made here.
#include "frontend/compile.h"
#include "support/allocator.h"

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace {

using namespace forewarp;

/// Loads, multiply-adds and stores of one thread, `lines` of them.
std::string straight_line(int lines) {
  std::string text = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 a)\n{\n"
                     ".reg .b64 %rd<4>; .reg .f32 %f<4000>; .reg .b32 %r<4>;\n"
                     "ld.param.u64 %rd1, [a];\ncvta.to.global.u64 %rd2, %rd1;\nmov.u32 %r1, %tid.x;\n"
                     "mul.wide.s32 %rd3, %r1, 4;\nadd.s64 %rd3, %rd2, %rd3;\nmov.f32 %f0, 0f00000000;\n";
  for (int i = 1; i + 12 < lines; ++i)
    text += i % 2 == 1 ? "ld.global.f32 %f" + std::to_string(i) + ", [%rd3+" + std::to_string(4 * i) + "];\n"
                       : "fma.rn.f32 %f" + std::to_string(i) + ", %f" + std::to_string(i - 1) +
                             ", 0f40000000, %f" + std::to_string(i - 2) + ";\n";
  return text + "st.global.f32 [%rd3], %f" + std::to_string(((lines - 14) / 2) * 2) + ";\nret;\n}\n";
}

void read(benchmark::State& state, const std::string& path, const std::string& target) {
  frontend::CompileRequest request;
  request.path = path;
  request.target = target;
  for (auto _ : state)
    if (const auto module = frontend::compile(request); !module)
      throw std::runtime_error(to_string(module.error()));
}

void ReadPtx(benchmark::State& state) {
  const auto path = std::filesystem::temp_directory_path() / "forewarp_bench.ptx";
  std::ofstream(path) << straight_line(static_cast<int>(state.range(0)));
  read(state, path.string(), "sm_80");
  std::filesystem::remove(path);
}
BENCHMARK(ReadPtx)->Arg(300)->Arg(3000)->Unit(benchmark::kMillisecond);

const bool registered = [] {
  if (const char* path = std::getenv("FOREWARP_BENCH_PTX"))
    benchmark::RegisterBenchmark("ReadFile", [path](benchmark::State& state) {
      read(state, path, "sm_90");
    })->Unit(benchmark::kMillisecond);
  return true;
}();

} // namespace
