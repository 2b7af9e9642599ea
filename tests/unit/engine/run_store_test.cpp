// Sampled runs that serve several GPUs.
#include "engine/session.h"
#include "unit/frontend/compile_text.h"

#include <gtest/gtest.h>

namespace forewarp::engine {
namespace {

/// `rounds` decide how much a group does: after much, the sample ends before groups of the first wave.
constexpr const char* counted_source = "__kernel void k(__global float* a, int rounds) { float s = 0;\n"
                                       "for (int i = 0; i < rounds; ++i) s += a[(i * i) & 1023];\n"
                                       "a[get_global_id(0)] = s; }";

class KeptRuns : public testing::Test {
protected:
  double time_ms(Session& session, const std::string& gpu, const std::string& rounds) {
    static const auto catalogue = gpu::Catalogue::open(std::string(FOREWARP_SOURCE_DIR) + "/data/gpus");
    PredictRequest request;
    request.compile.path = file.path();
    request.launch.global_items = facts::Dim3{1U << 20U, 1, 1};
    request.launch.group_size = facts::Dim3{128, 1, 1};
    request.launch.arguments["a"] = facts::BufferValue{facts::ScalarType::f32, 1U << 20U, {}};
    request.launch.arguments["rounds"] = facts::ScalarValue{rounds};
    request.gpus.push_back(*catalogue->find(gpu));
    const auto predictions = session.predict(request);
    EXPECT_TRUE(predictions) << to_string(predictions.error());
    return predictions ? predictions->front().time_ms : 0;
  }
  Session keeping() { return Session(shared_simulations(), 2); }
  const test::TemporaryFile file{counted_source, ".cl"};
};

TEST_F(KeptRuns, ServeGpusThatSampleTheSameGroups) {
  Session kept = keeping(), fresh;
  for (const char* gpu : {"rtx 2080 ti", "rtx 3090", "rtx 2080 ti"})
    EXPECT_EQ(time_ms(kept, gpu, "20000"), time_ms(fresh, gpu, "20000")) << gpu;
  EXPECT_EQ(kept.sampled_runs(), 1U);
  EXPECT_EQ(fresh.sampled_runs(), 3U);
}

TEST_F(KeptRuns, AreMadeAnewForOtherGroupsAndOtherLaunches) {
  Session kept = keeping(), fresh;
  for (const char* gpu : {"rtx 2080 ti", "rtx 3090"}) // another first wave
    EXPECT_EQ(time_ms(kept, gpu, "2"), time_ms(fresh, gpu, "2")) << gpu;
  EXPECT_EQ(kept.sampled_runs(), 2U);
  EXPECT_EQ(time_ms(kept, "rtx 2080 ti", "3"), time_ms(fresh, "rtx 2080 ti", "3"));
  EXPECT_EQ(kept.sampled_runs(), 3U);
  time_ms(kept, "rtx 2080 ti", "2"); // no longer kept
  EXPECT_EQ(kept.sampled_runs(), 4U);
}

} // namespace
} // namespace forewarp::engine
