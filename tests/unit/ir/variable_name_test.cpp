#include "ir/variable_name.h"

#include <gtest/gtest.h>

namespace forewarp::ir {
namespace {

TEST(VariableName, IsTheSourcesName) {
  EXPECT_EQ(variable_name("k.tile", "k"), "tile");
  EXPECT_EQ(variable_name("k_$_tile", "k"), "tile");
  EXPECT_EQ(variable_name("_ZZ1kPfE4tile", "_Z1kPf"), "tile");
  EXPECT_EQ(variable_name("_ZZ1kIfEvPT_E4tile", "_Z1kIfEvPf"), "tile");
  EXPECT_EQ(variable_name("_ZL5table", "_Z1kPf"), "table");
  EXPECT_EQ(variable_name("weights", "k"), "weights");
  EXPECT_EQ(variable_name("kernel_weights", "kernel"), "kernel_weights");
}

} // namespace
} // namespace forewarp::ir
