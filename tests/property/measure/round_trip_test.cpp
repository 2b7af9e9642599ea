// Calibration turned round: measurements made by the predictor for a known GPU file, fitted, give that file's
// values again within 3 %. It holds the micro-benchmarks, the fit and the predictor against each other.
#include "bundle/benchmark_file.h"
#include "bundle/kernel_code.h"
#include "bundle/launch_data.h"
#include "engine/session.h"
#include "frontend/compile.h"
#include "measure/calibrate/fit.h"

#include <cstdlib>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <set>
#include <string_view>

namespace forewarp::measure {
namespace {

constexpr const char* benchmarks = FOREWARP_SOURCE_DIR "/data/microbenchmarks/";

/// Measures by prediction.
class Synthetic {
public:
  explicit Synthetic(const std::string& name) {
    const auto catalogue = gpu::Catalogue::load(FOREWARP_SOURCE_DIR "/data/gpus");
    gpu_ = catalogue->find(name).value();
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

  /// The kernels of a file whose names are among `names` ("operation.fp32_fma.latency"); points that `wanted`
  /// takes.
  template <class Wanted>
  void measure(const std::string& file, const std::set<std::string>& names, Wanted wanted) {
    const auto kernels = bundle::read_benchmark(std::string(benchmarks) + file);
    ASSERT_TRUE(kernels) << to_string(kernels.error());
    for (const bundle::BenchmarkKernel& kernel : *kernels)
      if (names.count(kernel.name))
        add(kernel, wanted);
  }

  const gpu::Machine& machine() const { return machine_; }
  const gpu::GpuFile& file() const { return gpu_.file; }
  const nlohmann::json& json() const { return json_; }

private:
  template <class Wanted> void add(const bundle::BenchmarkKernel& kernel, Wanted wanted) {
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
      if (!wanted(point))
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

  nlohmann::json predicted(const bundle::BenchmarkKernel& kernel, const bundle::BenchmarkPoint& point) {
    engine::PredictRequest request;
    request.compile.path = kernel.source;
    request.compile.defines = kernel.defines;
    request.kernel = kernel.kernel;
    request.launch = point.launch;
    if (point.groups_per_sm)
      request.launch.groups->x *= machine_.sm_count;
    request.gpus = {gpu_};
    request.cache = memory::ProfileOptions::CacheState::warm;
    const auto prediction = session_.predict(request);
    EXPECT_TRUE(prediction) << kernel.name << ' ' << point.name << ": " << to_string(prediction.error());
    const double us = prediction ? prediction->front().time_ms * 1e3 : 0;
    if (std::getenv("FOREWARP_SHOW"))
      fmt::print("{} {}: {:.3f} us\n", kernel.name, point.name, us);
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

  gpu::GpuChoice gpu_;
  gpu::Machine machine_;
  engine::Session session_;
  nlohmann::json json_;
};

double fitted(const Calibration& calibration, const std::string& key) {
  for (const FittedValue& value : calibration.values)
    if (value.key == key)
      return value.value;
  ADD_FAILURE() << key << " was not fitted";
  return 0;
}

Calibration calibrated(const Synthetic& synthetic) {
  const auto measured = measured_from_json(synthetic.json(), "synthetic");
  EXPECT_TRUE(measured) << to_string(measured.error());
  const auto calibration = fit(*measured, synthetic.file());
  EXPECT_TRUE(calibration) << to_string(calibration.error());
  return *calibration;
}

/// Cycles of an SM for a warp instruction of the class.
double sm_cycles(const gpu::Machine& machine, facts::OpClass op) {
  const gpu::OpTiming& timing = machine.timing(op);
  const auto instances = [&](int unit) {
    return machine.units[static_cast<std::size_t>(unit)].per_scheduler ? machine.schedulers_per_sm : 1U;
  };
  const unsigned all = instances(timing.unit) + (timing.second_unit >= 0 ? instances(timing.second_unit) : 0);
  return timing.issue_cycles * timing.instructions / all;
}

class RoundTrip : public testing::TestWithParam<const char*> {};

TEST_P(RoundTrip, OperationsComeBackWithinThreePercent) {
  Synthetic synthetic(GetParam());
  std::set<std::string> names;
  const char* const operations[] = {"fp32_add", "fp64_fma", "fp32_mul", "sfu", "int_mul"};
  for (const char* operation : operations)
    for (const char* mode : {"latency", "throughput"})
      names.insert(fmt::format("operation.{}.{}", operation, mode));
  synthetic.measure("operation.toml", names, [](const bundle::BenchmarkPoint& point) {
    const auto& values = point.micro["values"];
    return !values.contains("groups") || values["groups"] == 8.0;
  });
  const Calibration calibration = calibrated(synthetic);
  for (const char* operation : operations) {
    const auto op = *facts::op_class_from_string(operation);
    const gpu::OpTiming& timing = synthetic.machine().timing(op);
    const double latency = timing.latency_cycles * timing.instructions;
    EXPECT_NEAR(fitted(calibration, std::string("latency.") + operation), latency, 0.03 * latency)
        << operation;
    const double throughput =
        32 / std::max(sm_cycles(synthetic.machine(), op), 1.0 / synthetic.machine().schedulers_per_sm);
    EXPECT_NEAR(fitted(calibration, std::string("throughput.") + operation), throughput, 0.03 * throughput)
        << operation;
  }
}

TEST_P(RoundTrip, MemoryComesBackWithinThreePercent) {
  Synthetic synthetic(GetParam());
  // What makes an address is measured too, and taken off.
  synthetic.measure("operation.toml", {"operation.int_add.latency", "operation.int_shift.latency"},
                    [](const bundle::BenchmarkPoint&) { return true; });
  synthetic.measure("chase.toml", {"chase.shared", "chase.global"}, [](const bundle::BenchmarkPoint& point) {
    const double footprint = point.micro["values"]["footprint"];
    return footprint == 8192 || footprint == 524288;
  });
  synthetic.measure("shared.toml", {"shared.banks"}, [](const bundle::BenchmarkPoint& point) {
    return point.micro["values"]["stride"] == 1.0;
  });
  const Calibration calibration = calibrated(synthetic);
  const gpu::MemoryTiming& memory = synthetic.machine().memory;
  const auto near = [&](const char* key, double value) {
    EXPECT_NEAR(fitted(calibration, key), value, 0.03 * value) << key;
  };
  near("smem_latency_cycles", memory.shared_latency_cycles);
  near("l1_latency_cycles", memory.l1_latency_cycles);
  near("l2_latency_cycles", memory.l2_latency_cycles);
  if (std::string_view(GetParam()) != "h200") // its words of four bytes take two cycles: another value
    near("smem_bw_bytes_per_clk_per_sm", memory.shared_bytes_per_cycle_per_sm);
}

INSTANTIATE_TEST_SUITE_P(Gpus, RoundTrip, testing::Values("h200", "v100"),
                         [](const auto& gpu) { return std::string(gpu.param); });

} // namespace
} // namespace forewarp::measure
