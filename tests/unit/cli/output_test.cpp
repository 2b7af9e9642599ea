#include "cli/output.h"

#include <gtest/gtest.h>
#include <set>

namespace forewarp::cli {
namespace {

// Whatever is refused without a hint of its own has one on standard error, and each class its own.
TEST(Output, EveryClassOfErrorsHasAWayOut) {
  std::set<std::string> ways;
  for (int code = 0; code <= static_cast<int>(ErrorCode::internal); ++code)
    ways.insert(usual_way_out(static_cast<ErrorCode>(code)));
  EXPECT_EQ(ways.size(), static_cast<std::size_t>(ErrorCode::internal) + 1);
  EXPECT_FALSE(ways.contains(""));
}

} // namespace
} // namespace forewarp::cli
