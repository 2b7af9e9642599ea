// Which variant is better on the GeForce 8800, as section 4 of Baghsorkhi et al. (PPoPP 2010) says it in
// words; its figures carry no numbers in the text.
#include "engine/predict.h"
#include "engine/published/models.h"
#include "launch/parse.h"
#include "test_folders.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace forewarp::engine {
namespace {

PredictRequest request_on_8800(const std::string& kernel, const std::string& variant) {
  std::string path = (test_folders::root / "corpus" / kernel / "default.toml").string();
  if (!variant.empty())
    path += ":" + variant;
  const auto file = launch::read_launch_file(path);
  EXPECT_TRUE(file) << (file ? "" : file.error().message);
  PredictRequest request;
  request.launch = file->launch;
  request.compile.path = file->source;
  request.kernel = file->kernel;
  request.compile.defines = file->defines;
  request.gpus.push_back(*gpu::Catalogue::open(test_folders::root / "data/gpus")->find("geforce 8800 gtx"));
  return request;
}

facts::Prediction on_8800(const std::string& kernel, const std::string& variant = "") {
  const auto predictions = predict(request_on_8800(kernel, variant));
  EXPECT_TRUE(predictions) << (predictions ? "" : predictions.error().message);
  return predictions ? predictions->front() : facts::Prediction{};
}

/// By the paper's own model.
double wfg_ms(const std::string& kernel, const std::string& variant) {
  const auto inputs = model_inputs(request_on_8800(kernel, variant));
  EXPECT_TRUE(inputs) << (inputs ? "" : inputs.error().message);
  const auto answer = evaluate_models(inputs->front(), {{"wfg"}});
  EXPECT_TRUE(answer) << (answer ? "" : answer.error().message);
  return answer->rows.front().prediction->time_ms;
}

double ms(const std::string& kernel, const std::string& variant) {
  return on_8800(kernel, variant).time_ms;
}

// Section 4.1: "the measured performance improves as the tile size increases", 16 x 16 to 16 x 192.
TEST(Baghsorkhi, WiderTilesOfTheMatrixProductAreFaster) {
  double last = ms("matrix_multiply_strip", "width16");
  for (const char* width : {"width32", "", "width128", "width192"}) {
    const double now = ms("matrix_multiply_strip", width);
    EXPECT_LT(now, last) << width;
    last = now;
  }
}

// Section 4.1: radix-16 spills and has fewer active warps, in global and in shared memory.
TEST(Baghsorkhi, Radix16SpillsAndLosesWarps) {
  const facts::Prediction two = on_8800("fft_radix2_global"), sixteen = on_8800("fft_radix16_global");
  EXPECT_EQ(two.resources.spill_bytes_per_thread, 0);
  EXPECT_GT(sixteen.resources.spill_bytes_per_thread, 0);
  EXPECT_LT(sixteen.occupancy.fraction, two.occupancy.fraction);
  const facts::Prediction shared = on_8800("fft_radix16_shared", "by_parts");
  EXPECT_GT(shared.resources.spill_bytes_per_thread, 0);
  EXPECT_LE(shared.occupancy.fraction, on_8800("fft_radix2_shared").occupancy.fraction);
}

struct Scan {
  double init, init_b, div, div_b;
};

Scan scan(const std::string& group, double (*time)(const std::string&, const std::string&)) {
  const std::string padded = group.empty() ? "banks16" : "banks16_" + group;
  return {time("scan_tree", group), time("scan_tree_padded", padded), time("scan_tree_packed", group),
          time("scan_tree_packed_padded", padded)};
}

// Section 4.2: with padding the version with less divergence rises, the initial one degrades; less divergence
// alone costs a little more than the initial version; larger groups cost more.
void check_scans(double (*time)(const std::string&, const std::string&)) {
  const Scan by_64 = scan("group64", time), by_128 = scan("", time), by_256 = scan("group256", time);
  for (const Scan& s : {by_64, by_128, by_256}) {
    EXPECT_GT(s.init_b, s.init);
    EXPECT_LT(s.div_b, s.div);
    EXPECT_LT(s.div, 1.1 * s.init);
  }
  EXPECT_GT(by_256.init, by_128.init);
  EXPECT_GT(by_256.init_b, by_128.init_b);
  EXPECT_GT(by_256.div, by_128.div);
  EXPECT_GT(by_256.div_b, by_128.div_b);
}

TEST(Baghsorkhi, ScanVariants) {
  check_scans(&ms);
}

TEST(Baghsorkhi, ScanVariantsByTheirModel) {
  check_scans(&wfg_ms);
}

/// Compressed rows of the given lengths; columns run through the vector in steps of 37.
facts::Prediction spmv(const std::string& kernel, unsigned items_a_row,
                       const std::vector<std::int32_t>& lengths) {
  std::vector<std::int32_t> starts{0}, columns;
  const auto rows = static_cast<std::int32_t>(lengths.size());
  for (const std::int32_t length : lengths) {
    starts.push_back(starts.back() + length);
    for (std::int32_t k = 0; k < length; ++k)
      columns.push_back((static_cast<std::int32_t>(columns.size()) * 37) % rows);
  }
  const auto buffer = [](const std::vector<std::int32_t>& numbers) {
    facts::BufferValue value{facts::ScalarType::i32, numbers.size(), {}};
    value.contents.kind = facts::BufferContents::Kind::bytes;
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(numbers.data());
    value.contents.bytes.assign(bytes, bytes + 4 * numbers.size());
    return value;
  };
  PredictRequest request;
  request.compile.path = (test_folders::root / "corpus" / kernel / "kernel.cl").string();
  request.compile.defines = {"LANES=16"};
  request.launch.global_items = facts::Dim3{(lengths.size() * items_a_row + 127) / 128 * 128, 1, 1};
  request.launch.group_size = facts::Dim3{128, 1, 1};
  request.launch.arguments = {{"row_begin", buffer(starts)},
                              {"column", buffer(columns)},
                              {"value", facts::BufferValue{facts::ScalarType::f32, columns.size(), {}}},
                              {"x", facts::BufferValue{facts::ScalarType::f32, lengths.size(), {}}},
                              {"y", facts::BufferValue{facts::ScalarType::f32, lengths.size(), {}}},
                              {"rows", facts::ScalarValue{std::to_string(rows)}}};
  request.gpus.push_back(*gpu::Catalogue::open(test_folders::root / "data/gpus")->find("geforce 8800 gtx"));
  const auto predictions = predict(request);
  EXPECT_TRUE(predictions) << (predictions ? "" : predictions.error().message);
  return predictions ? predictions->front() : facts::Prediction{};
}

// Section 4.3. As many entries, evenly or one long row among 32: a work-item a row waits for the longest of
// its warp, (31 x 4 + 516) / 32 = 20 entries a row either way. Row starts come once into shared memory. Rows
// of 50 do not begin at multiples of 16: Coalesced asks for less memory than Consecutive.
TEST(Baghsorkhi, SparseMatrixVariants) {
  std::vector<std::int32_t> even(8192, 20), uneven(8192, 4), unaligned(8192, 50);
  for (std::size_t row = 0; row < uneven.size(); row += 32)
    uneven[row] = 516;
  EXPECT_GT(spmv("spmv_csr_scalar", 1, uneven).time_ms, 2 * spmv("spmv_csr_scalar", 1, even).time_ms);
  EXPECT_LT(spmv("spmv_csr_shared", 1, even).dram_bytes, spmv("spmv_csr_scalar", 1, even).dram_bytes);
  const facts::Prediction consecutive = spmv("spmv_csr_vector", 16, unaligned),
                          coalesced = spmv("spmv_csr_aligned", 16, unaligned);
  EXPECT_LT(coalesced.dram_bytes, consecutive.dram_bytes);
  EXPECT_LT(coalesced.time_ms, consecutive.time_ms);
}

} // namespace
} // namespace forewarp::engine
