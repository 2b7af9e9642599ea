#include "report/numbers.h"
#include "report/table.h"

#include <gtest/gtest.h>
#include <limits>

namespace forewarp::report {
namespace {

TEST(Numbers, FourDigits) {
  EXPECT_EQ(number(0), "0");
  EXPECT_EQ(number(1.5), "1.500");
  EXPECT_EQ(number(0.012345), "0.01235");
  EXPECT_EQ(number(123456.7), "123457");
  EXPECT_EQ(number(16), "16");
  EXPECT_EQ(number(-2.5), "-2.500");
  EXPECT_EQ(number(0.00001234), "1.234e-05");
  EXPECT_EQ(number(2.5e12), "2.500e+12");
  EXPECT_EQ(number(std::numeric_limits<double>::infinity()), "-");
}

TEST(Numbers, BytesInDecimalUnits) {
  EXPECT_EQ(bytes(0), "0 B");
  EXPECT_EQ(bytes(999), "999 B");
  EXPECT_EQ(bytes(4194304), "4.194 MB");
  EXPECT_EQ(bytes(2e12), "2 TB");
}

TEST(TableText, PadsByCharactersAndEndsLinesClean) {
  Table table({{"name", Align::left}, {"n"}});
  table.add_row({"\xC3\xA9", "10"});
  table.add_row({"ab", ""});
  EXPECT_EQ(table.to_string(1), " name   n\n ----  --\n \xC3\xA9     10\n ab\n");
}

} // namespace
} // namespace forewarp::report
