// Private arrays from the source to the transactions, by hand.
#include "engine/predict.h"

#include "frontend/compile.h"
#include "gpu/gpu_file.h"

#include <fstream>
#include <gtest/gtest.h>

namespace forewarp::engine {
namespace {

const char* const rotate_source = R"(
__kernel void rotate_sum(__global int* keys, int n) {
  int own[16];
  for (int k = 0; k < 16; ++k)
    own[k] = keys[k * 1024 + get_global_id(0)];
  int sum = 0;
  for (int k = 0; k < 16; ++k)
    sum += own[(k + n) & 15];
  keys[get_global_id(0)] = sum;
})";

// All lanes use the same element: word k of 32 lanes lies side by side, 32 x 4 B = one line of 4 sectors, as
// for the coalesced loads of the keys. A warp's area is 16 x 128 B = 2 KiB; 64 warps fit L1, so loads hit
// what earlier loads brought: misses are the first touches, 16 lines of 16 requests at most.
TEST(PrivateMemory, OneElementInAllLanesIsFourSectors) {
  PredictRequest request;
  request.compile.path = testing::TempDir() + "rotate_sum.cl";
  std::ofstream(request.compile.path) << rotate_source;
  request.launch.global_items = facts::Dim3{65536, 1, 1};
  request.launch.group_size = facts::Dim3{256, 1, 1};
  facts::BufferValue keys;
  keys.type = facts::ScalarType::i32;
  keys.count = 16 * 1024 + 65536;
  request.launch.arguments["keys"] = keys;
  request.launch.arguments["n"] = facts::ScalarValue{"3"};
  const auto catalogue = gpu::Catalogue::open(std::string(FOREWARP_SOURCE_DIR) + "/data/gpus");
  ASSERT_TRUE(catalogue);
  request.gpus.push_back(*catalogue->find("v100"));
  const auto predictions = predict(request);
  ASSERT_TRUE(predictions) << to_string(predictions.error());
  const facts::Prediction& prediction = predictions->front();
  double requests = 0;
  for (std::size_t s = 0; s < prediction.sites.size(); ++s) {
    if (prediction.sites[s].space != facts::MemorySpace::local)
      continue;
    const facts::SiteProfile& profile = prediction.memory[s];
    requests += profile.requests;
    EXPECT_DOUBLE_EQ(profile.sectors_per_request, 4);
    EXPECT_EQ(profile.access, facts::AccessClass::coalesced);
    EXPECT_DOUBLE_EQ(profile.bytes_asked, profile.requests * 128);
  }
  EXPECT_DOUBLE_EQ(requests, 2048 * 32); // 2048 warps, 16 stores and 16 loads each
}

} // namespace
} // namespace forewarp::engine
