#include "support/suggest.h"

#include <gtest/gtest.h>

namespace forewarp {
namespace {

TEST(Suggest, EditDistance) {
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U); // substitute k, substitute e, insert g
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("same", "same"), 0U);
}

TEST(Suggest, NearestFirstAndOnlyNearOnes) {
  EXPECT_EQ(nearest_names("globl", {"local", "global", "grid"}).front(), "global");
  EXPECT_TRUE(nearest_names("zzzzzz", {"local", "global"}).empty());
}

} // namespace
} // namespace forewarp
