// docs/reference/gpu_files.md lists every key that a GPU file may have, with its unit.
#include "gpu/schema/schema.h"

#include <fstream>
#include <gtest/gtest.h>
#include <iterator>

namespace forewarp::gpu {
namespace {

TEST(GpuFileDocumentation, EveryKeyIsListedWithItsUnitAndMeaning) {
  std::ifstream in(FOREWARP_SOURCE_DIR "/docs/reference/gpu_files.md");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  ASSERT_FALSE(text.empty());
  for (const KeyRule& rule : key_rules()) {
    const std::string row = "| `" + std::string(rule.key) + "` | " + std::string(rule.unit) + " |";
    const std::size_t at = text.find(row);
    EXPECT_NE(at, std::string::npos) << row;
    EXPECT_NE(text.find(rule.meaning, at), std::string::npos) << rule.key;
  }
}

} // namespace
} // namespace forewarp::gpu
