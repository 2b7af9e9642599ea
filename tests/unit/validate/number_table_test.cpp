#include "validate/number_table.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace forewarp::validate {
namespace {

TEST(NumberTable, NumbersOfALineByName) {
  const auto path =
      (std::filesystem::temp_directory_path() / ("forewarp_numbers_" + std::to_string(getpid()))).string();
  std::ofstream(path) << "clock: 1410 1410\nblock  occ% | init 3pt\n  16  2  0.8%  |  GB/s:  53\n"
                         "  64 kB  5ms  1.0%  125 GB/s\n 7 8\n";
  const auto table = read_numbers(path, {"a", "b", "percent", "rate"});
  std::filesystem::remove(path);
  ASSERT_TRUE(table);
  using Row = std::vector<std::string>;
  EXPECT_EQ(table->rows, (std::vector<Row>{{"16", "2", "0.8", "53"}, {"64", "5", "1.0", "125"}}));
  EXPECT_EQ(table->malformed_rows, 1u); // the last line; titles and clocks are no rows
  EXPECT_EQ(table->column("rate"), 3);
  EXPECT_FALSE(read_numbers(path, {"a"}));
}

TEST(NumberTable, WordsInFrontOfTheNumbersAsAColumn) {
  const auto path =
      (std::filesystem::temp_directory_path() / ("forewarp_words_" + std::to_string(getpid()))).string();
  std::ofstream(path) << "clock: 1410 1410 1410\n\nfloat stride     2    2    2.00\ndouble block  1  4098  "
                         "9.2\n 7 8 9\nend\n";
  const auto table = read_numbers(path, {words_column, "a", "b", "cycles"});
  const auto fewer = read_numbers(path, {words_column, "a", "b", "cycles", "hits?"});
  std::filesystem::remove(path);
  ASSERT_TRUE(table);
  using Row = std::vector<std::string>;
  EXPECT_EQ(table->rows, (std::vector<Row>{{"clock:", "1410", "1410", "1410"},
                                           {"float stride", "2", "2", "2.00"},
                                           {"double block", "1", "4098", "9.2"},
                                           {"", "7", "8", "9"}}));
  EXPECT_EQ(table->malformed_rows, 0u);
  ASSERT_TRUE(fewer);
  EXPECT_EQ(fewer->column("hits"), 4);
  EXPECT_EQ(fewer->rows.at(1), (Row{"float stride", "2", "2", "2.00", ""}));
}

} // namespace
} // namespace forewarp::validate
