#include "support/memory_file.h"

#include "support/text_file.h"

#include <gtest/gtest.h>

namespace forewarp {
namespace {

TEST(MemoryFile, IsReadByItsPathAndKnowsItsName) {
  const auto file = MemoryFile::write("kernel void f() {}", "program.cl");
  ASSERT_TRUE(file);
  EXPECT_EQ(read_file(file->path(), "text", 1000).value(), "kernel void f() {}");
  EXPECT_EQ(MemoryFile::name_of(file->path()), "program.cl");
  ASSERT_TRUE(file->rewrite("f"));
  EXPECT_EQ(read_file(file->path(), "text", 1000).value(), "f");
}

TEST(MemoryFile, OtherPathsHaveNoSuchName) {
  EXPECT_EQ(MemoryFile::name_of("/tmp/program.cl"), "");
  EXPECT_EQ(MemoryFile::name_of("/proc/self/fd/99999"), "");
  EXPECT_EQ(MemoryFile::name_of(""), "");
}

} // namespace
} // namespace forewarp
