#include "launch/matrix_market.h"

#include <gtest/gtest.h>

namespace forewarp::launch {
namespace {

using Numbers = std::vector<std::uint64_t>;

TEST(MatrixMarket, GeneralMatrixBecomesCompressedRows) {
  const auto matrix = parse_matrix_market("%%MatrixMarket matrix coordinate real general\n% a comment\n\n"
                                          "3 4 4\n3 1 2.5\n1 4 -1e2\n1 2 7\n3 3 0.5\n",
                                          "m.mtx");
  ASSERT_TRUE(matrix) << matrix.error().message;
  EXPECT_EQ(matrix->row_starts, (Numbers{0, 2, 2, 4}));
  EXPECT_EQ(matrix->column, (Numbers{1, 3, 0, 2}));
  EXPECT_EQ(matrix->value, (std::vector<double>{7, -100, 2.5, 0.5}));
}

TEST(MatrixMarket, SymmetricEntriesAreWrittenTwiceButForTheDiagonal) {
  const auto matrix =
      parse_matrix_market("%%MatrixMarket matrix coordinate pattern symmetric\n2 2 2\n1 1\n2 1\n", "m.mtx");
  ASSERT_TRUE(matrix) << matrix.error().message;
  EXPECT_EQ(matrix->row_starts, (Numbers{0, 2, 3}));
  EXPECT_EQ(matrix->column, (Numbers{0, 1, 0}));
  EXPECT_EQ(matrix->value, (std::vector<double>{1, 1, 1}));
}

TEST(MatrixMarket, SkewSymmetricEntriesChangeTheirSign) {
  const auto matrix =
      parse_matrix_market("%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 3\n", "m.mtx");
  ASSERT_TRUE(matrix) << matrix.error().message;
  EXPECT_EQ(matrix->value, (std::vector<double>{-3, 3}));
}

TEST(MatrixMarket, BadFilesAreRefusedWithTheirLine) {
  const auto error = [](const char* text) {
    const auto matrix = parse_matrix_market(text, "m.mtx");
    return matrix ? std::string("none") : matrix.error().where + " " + matrix.error().message;
  };
  const std::string head = "%%MatrixMarket matrix coordinate real general\n";
  EXPECT_NE(error("").find("first line"), std::string::npos);
  EXPECT_NE(error("%%MatrixMarket matrix array real general\n1 1\n1\n").find("not sparse"),
            std::string::npos);
  EXPECT_NE(error((head + "2 2 1\n3 1 1\n").c_str()).find("m.mtx:3 entry (3, 1)"), std::string::npos);
  EXPECT_NE(error((head + "2 2 2\n1 1 1\n").c_str()).find("ends after 1"), std::string::npos);
  EXPECT_NE(error((head + "2 2 1\n1 1 1\n1 2 1\n").c_str()).find("more than the 1"), std::string::npos);
  EXPECT_NE(error((head + "2 2 1\n1 1\n").c_str()).find("ROW COLUMN VALUE"), std::string::npos);
}

} // namespace
} // namespace forewarp::launch
