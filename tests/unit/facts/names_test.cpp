#include "facts/launch.h"
#include "facts/op_class.h"
#include "facts/prediction.h"

#include <gtest/gtest.h>
#include <set>

namespace forewarp::facts {
namespace {

TEST(Names, ScalarTypesReadBack) {
  for (int i = 0; i <= static_cast<int>(ScalarType::f64); ++i) {
    const auto type = static_cast<ScalarType>(i);
    EXPECT_EQ(scalar_type_from_string(to_string(type)), type);
  }
  EXPECT_EQ(size_bytes(ScalarType::f16), 2U);
  EXPECT_EQ(size_bytes(ScalarType::u64), 8U);
  EXPECT_FALSE(scalar_type_from_string("float"));
}

TEST(Names, OpClassesReadBackAndDiffer) {
  std::set<std::string_view> names;
  for (int i = 0; i < op_class_count; ++i) {
    const auto op = static_cast<OpClass>(i);
    EXPECT_EQ(op_class_from_string(to_string(op)), op);
    EXPECT_TRUE(names.insert(to_string(op)).second) << to_string(op);
  }
}

TEST(Names, LastEnumeratorsHaveTheirOwnNames) {
  EXPECT_EQ(to_string(Limiter::launch_overhead), "launch_overhead");
  EXPECT_EQ(to_string(AccessClass::unknown), "unknown");
  EXPECT_EQ(to_string(MemorySpace::parameter), "parameter");
}

} // namespace
} // namespace forewarp::facts
