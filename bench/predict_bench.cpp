// Speed of predictions in one process: compiling, a first prediction, one more launch configuration of an
// analysed kernel.
#include "engine/session.h"
#include "gpu/gpu_file.h"
#include "launch/parse.h"
#include "support/allocator.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace forewarp;

const std::filesystem::path corpus = std::filesystem::path(FOREWARP_SOURCE_DIR) / "corpus";

template <class T> T need(Result<T> result) {
  if (!result)
    throw std::runtime_error(to_string(result.error()));
  return std::move(*result);
}

/// The default launch of a corpus kernel on one GPU.
engine::PredictRequest request_of(const std::string& name, const std::string& gpu) {
  const auto file = need(launch::read_launch_file((corpus / name / "default.toml").string()));
  engine::PredictRequest request;
  request.compile.path = file.source;
  request.compile.defines = file.defines;
  request.kernel = file.kernel;
  request.launch = file.launch;
  const auto catalogue = need(gpu::Catalogue::load_default());
  request.gpus.push_back(need(catalogue.find(gpu)));
  return request;
}

std::vector<std::string> corpus_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(corpus))
    if (std::filesystem::exists(entry.path() / "default.toml"))
      names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

void first_prediction(benchmark::State& state, const std::string& name) {
  const engine::PredictRequest request = request_of(name, "v100");
  for (auto _ : state) {
    engine::Session session;
    benchmark::DoNotOptimize(need(session.predict(request)));
  }
}

/// The same kernel again: everything but the compilation is done anew.
void one_more_launch(benchmark::State& state, const std::string& name) {
  engine::PredictRequest request = request_of(name, "v100");
  engine::Session session;
  need(session.predict(request));
  for (auto _ : state)
    benchmark::DoNotOptimize(need(session.predict(request)));
}

void compile(benchmark::State& state, const std::string& path) {
  frontend::CompileRequest request;
  request.path = (corpus / path).string();
  for (auto _ : state)
    benchmark::DoNotOptimize(need(frontend::compile(request)));
}

const bool registered = [] {
  keep_freed_memory();
  using benchmark::RegisterBenchmark;
  RegisterBenchmark("compile/opencl", compile, "matrix_multiply_tiled/kernel.cl")
      ->Unit(benchmark::kMillisecond);
  RegisterBenchmark("compile/cuda", compile, "matrix_multiply_tiled/kernel.cu")
      ->Unit(benchmark::kMillisecond);
  for (const char* name : {"matrix_multiply_tiled", "stencil_2d"})
    RegisterBenchmark((std::string("first_prediction/") + name).c_str(), first_prediction, name)
        ->Unit(benchmark::kMillisecond);
  for (const std::string& name : corpus_names())
    RegisterBenchmark(("one_more_launch/" + name).c_str(), one_more_launch, name)
        ->Unit(benchmark::kMillisecond);
  return true;
}();

} // namespace
