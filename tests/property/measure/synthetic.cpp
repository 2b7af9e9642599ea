#include "synthetic.h"

#include "bundle/kernel_code.h"
#include "bundle/launch_data.h"
#include "frontend/compile.h"

#include <cstdlib>
#include <ctime>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace forewarp::measure {

Synthetic::Synthetic(const std::string& gpu) {
  const auto catalogue = gpu::Catalogue::load(FOREWARP_SOURCE_DIR "/data/gpus");
  gpu_ = catalogue->find(gpu).value();
  machine_ = gpu::resolve(gpu_.file).value();
  json_ = {{"format", "forewarp-measured"},
           {"version", 1},
           {"date", "2026-01-01T00:00:00Z"},
           {"device",
            {{"name", gpu_.file.name},
             {"driver", "none"},
             {"target", gpu_.file.target},
             {"backend", "synthetic"},
             {"attributes", {{"sm_count", machine_.sm_count}}}}},
           {"kernels", nlohmann::json::array()},
           {"measurements", nlohmann::json::array()}};
}

void Synthetic::measure(const std::string& file, const std::string& prefix,
                        const std::function<bool(const Values&)>& wanted) {
  const auto kernels =
      bundle::read_benchmark(fmt::format(FOREWARP_SOURCE_DIR "/data/microbenchmarks/{}.toml", file));
  ASSERT_TRUE(kernels) << to_string(kernels.error());
  std::size_t taken = 0;
  for (const bundle::BenchmarkKernel& kernel : *kernels)
    if (kernel.name.starts_with(prefix)) {
      add(kernel, wanted);
      ++taken;
    }
  EXPECT_GT(taken, 0U) << prefix;
}

void Synthetic::add(const bundle::BenchmarkKernel& kernel, const std::function<bool(const Values&)>& wanted) {
  auto code = bundle::KernelCode::compile({kernel.source, "", kernel.defines, {}, {}}, gpu_.file.target);
  ASSERT_TRUE(code) << kernel.name << ": " << to_string(code.error());
  const auto signature = frontend::select_kernel(code->module(), kernel.kernel);
  ASSERT_TRUE(signature) << to_string(signature.error());
  BundleKernel made;
  made.name = kernel.name;
  made.symbol = kernel.kernel;
  made.file = "none";
  made.kind = "micro";
  for (const bundle::BenchmarkPoint& point : kernel.points) {
    if (wanted && !wanted(point.micro["values"].get<Values>()))
      continue;
    auto launch = bundle::launch_data(code->module(), **signature, point.launch);
    ASSERT_TRUE(launch) << to_string(launch.error());
    launch->name = point.name;
    launch->micro = point.micro;
    made.launches.push_back(*launch);
    json_["measurements"].push_back(predicted(kernel, point));
  }
  json_["kernels"].push_back(to_json(made, false));
}

nlohmann::json Synthetic::predicted(const bundle::BenchmarkKernel& kernel,
                                    const bundle::BenchmarkPoint& point) {
  engine::PredictRequest request;
  request.compile.path = kernel.source;
  request.compile.defines = kernel.defines;
  request.kernel = kernel.kernel;
  request.launch = point.launch;
  if (point.groups_per_sm)
    request.launch.groups->x *= machine_.sm_count;
  request.gpus = {gpu_};
  request.cache = engine::CacheState::warm;
  const std::clock_t begin = std::clock();
  const auto prediction = session_.predict(request);
  EXPECT_TRUE(prediction) << kernel.name << ' ' << point.name << ": " << to_string(prediction.error());
  const double us = prediction ? prediction->front().time_ms * 1e3 : 0;
  if (std::getenv("FOREWARP_SHOW"))
    fmt::print("{} {}: {:.3f} us ({:.0f} ms of this processor)\n", kernel.name, point.name, us,
               static_cast<double>(std::clock() - begin) * 1e3 / CLOCKS_PER_SEC);
  return {{"kernel", kernel.name},
          {"launch", point.name},
          {"what", "time"},
          {"l2", "warm"},
          {"median_us", us},
          {"minimum_us", us},
          {"spread", 0.0},
          {"times_us", {us}},
          {"clocks_after", {{"sm_mhz_in_kernel", machine_.sm_clock_mhz}}}};
}

Calibration Synthetic::calibrated() const {
  const auto measured = measured_from_json(json_, "synthetic");
  EXPECT_TRUE(measured) << to_string(measured.error());
  auto calibration = fit(*measured, gpu_.file);
  EXPECT_TRUE(calibration) << to_string(calibration.error());
  return std::move(*calibration);
}

} // namespace forewarp::measure
