// Laws that every prediction keeps, over the corpus at its small sizes.
#include "engine/compile_cache.h"
#include "engine/session.h"
#include "gpu/gpu_file.h"
#include "launch/parse.h"
#include "report/report.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace forewarp::engine {
namespace {

std::string source_path(const std::string& below) {
  return std::string(FOREWARP_SOURCE_DIR) + '/' + below;
}

std::vector<std::string> corpus() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(source_path("corpus")))
    if (std::filesystem::exists(entry.path() / "kernel.toml"))
      names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

gpu::GpuChoice find_gpu(const std::string& name) {
  const auto catalogue = gpu::Catalogue::open(source_path("data/gpus"));
  EXPECT_TRUE(catalogue);
  auto choice = catalogue->find(name);
  EXPECT_TRUE(choice) << name;
  return *choice;
}

PredictRequest request_of(const std::string& kernel, const std::vector<std::string>& gpus) {
  const auto file = launch::read_launch_file(source_path("corpus/" + kernel + "/check.toml"));
  EXPECT_TRUE(file);
  PredictRequest request;
  request.compile.path = source_path("corpus/" + kernel + "/kernel.cl");
  request.kernel = file->kernel;
  request.launch = file->launch;
  for (const std::string& name : gpus)
    request.gpus.push_back(find_gpu(name));
  return request;
}

std::vector<facts::Prediction> must(Result<std::vector<facts::Prediction>> predictions) {
  EXPECT_TRUE(predictions) << (predictions ? "" : to_string(predictions.error()));
  return predictions ? std::move(*predictions) : std::vector<facts::Prediction>(1);
}

class Laws : public testing::TestWithParam<std::string> {};

TEST_P(Laws, ASessionAnswersAsAFreshOneAndManyGpusAsOneEach) {
  const std::vector<std::string> names = {"k620", "v100"};
  Session session;
  const std::string first = report::write_json(must(session.predict(request_of(GetParam(), names))));
  EXPECT_EQ(report::write_json(must(session.predict(request_of(GetParam(), names)))), first);
  EXPECT_EQ(report::write_json(must(predict(request_of(GetParam(), names)))), first);
}

class History : public testing::TestWithParam<std::string> {};

/// What a session keeps was made from its key alone: requests in between that share some of it change
/// nothing.
TEST_P(History, DoesNotMatterToASession) {
  const PredictRequest plain = request_of(GetParam(), {"v100"});
  std::vector<PredictRequest> others(4, plain);
  others[0].registers_given = 60;
  others[1].sm_clock_mhz_given = 700;
  others[2].cache = CacheState::warm;
  others[3].gpus = {find_gpu("h200"), find_gpu("w6600")};
  for (auto& [key, value] : others[1].gpus[0].file.values) // same name and path, other numbers
    if (double* number = std::get_if<double>(&value.value); number && key.starts_with("dram_bw_"))
      *number /= 2;
  Session session;
  for (const PredictRequest& other : others)
    must(session.predict(other));
  EXPECT_EQ(report::write_json(must(session.predict(plain))), report::write_json(must(predict(plain))));
  EXPECT_EQ(report::write_json(must(session.predict(others[1]))),
            report::write_json(must(predict(others[1]))));
  EXPECT_EQ(session.machine_steps(), 5U);       // plain and warm are one
  EXPECT_EQ(session.compiled().compiles(), 3U); // NVIDIA before Turing and since, AMD
}

TEST_P(Laws, MoreDramBandwidthIsNeverSlower) {
  PredictRequest request = request_of(GetParam(), {"k620", "k620"});
  for (auto& [key, value] : request.gpus[1].file.values)
    if (key.starts_with("dram_bw_"))
      if (double* number = std::get_if<double>(&value.value))
        *number *= 2;
  const auto predictions = must(predict(request));
  ASSERT_EQ(predictions.size(), 2U);
  EXPECT_GT(predictions[1].dram_peak_gbps, 1.9 * predictions[0].dram_peak_gbps);
  // The schedule of warps may shift by some issue slots, which are per cents of kernels of 10 microseconds
  // (tiles between barriers: 7 %).
  EXPECT_LE(predictions[1].time_ms, predictions[0].time_ms * 1.08);
}

TEST(Clock, AComputeBoundKernelIsInverseToIt) {
  PredictRequest request = request_of("nbody", {"k620"});
  request.sm_clock_mhz_given = 1000;
  const auto slow = must(predict(request))[0];
  request.sm_clock_mhz_given = 2000;
  const auto fast = must(predict(request))[0];
  // 512 bodies are a few tens of microseconds; DRAM and fixed costs do not scale.
  EXPECT_NEAR(slow.time_ms / fast.time_ms, 2, 0.4);
}

TEST(Grid, TimeGrowsWithIt) {
  double before = 0;
  for (const std::uint64_t items : {5120U, 51200U, 512000U}) {
    PredictRequest request = request_of("vector_add", {"k620"});
    request.launch.global_items = facts::Dim3{items, 1, 1};
    for (auto& [name, value] : request.launch.arguments)
      if (auto* buffer = std::get_if<facts::BufferValue>(&value))
        buffer->count = items;
      else
        std::get<facts::ScalarValue>(value).text = std::to_string(items);
    const double now = must(predict(request))[0].time_ms;
    EXPECT_GT(now, before) << items;
    before = now;
  }
}

TEST_P(Laws, TimeIsPositiveAndInsideItsInterval) {
  for (const facts::Prediction& p : must(predict(request_of(GetParam(), {"k620", "v100", "h200"})))) {
    EXPECT_GT(p.time_ms, 0);
    EXPECT_LE(p.interval_ms[0], p.time_ms);
    EXPECT_GE(p.interval_ms[1], p.time_ms);
    for (const facts::UnitMix& unit : p.units)
      EXPECT_LE(unit.bound_ms, p.time_ms * 1.001) << unit.unit;
    EXPECT_GE(p.dram_bytes, 0);
  }
}

/// Every fifth: each costs two more compilations.
std::vector<std::string> some_of_the_corpus() {
  std::vector<std::string> some;
  const std::vector<std::string> all = corpus();
  for (std::size_t k = 0; k < all.size(); k += 5)
    some.push_back(all[k]);
  return some;
}

INSTANTIATE_TEST_SUITE_P(Corpus, History, testing::ValuesIn(some_of_the_corpus()),
                         [](const testing::TestParamInfo<std::string>& kernel) { return kernel.param; });
INSTANTIATE_TEST_SUITE_P(Corpus, Laws, testing::ValuesIn(corpus()),
                         [](const testing::TestParamInfo<std::string>& kernel) { return kernel.param; });

} // namespace
} // namespace forewarp::engine
