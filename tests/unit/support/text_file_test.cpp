#include "support/text_file.h"

#include <gtest/gtest.h>

namespace forewarp {
namespace {

TEST(TextFile, Utf8) {
  EXPECT_TRUE(check_text("plain\n", "f", "file"));
  EXPECT_TRUE(check_text("\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80", "f", "file"));
  for (const char* text :
       {"\x80", "\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xC3", "\xFF\xFE"})
    EXPECT_FALSE(check_text(text, "f", "file")) << text;
}

TEST(TextFile, PlaceOfTheFirstBadByte) {
  EXPECT_EQ(check_text("ab\n\xC3\xA9x\xFF", "f", "file").error().where, "f:2:3");
}

TEST(TextFile, MissingFolderAndDevice) {
  EXPECT_EQ(read_file("/nonexistent/file", "launch file", 10).error().code, ErrorCode::not_found);
  EXPECT_EQ(read_file("/", "launch file", 10).error().code, ErrorCode::not_found);
  EXPECT_EQ(read_file("/dev/zero", "launch file", 10).error().code, ErrorCode::not_found);
}

} // namespace
} // namespace forewarp
