#include "program/build_options.h"

#include <gtest/gtest.h>

namespace forewarp::program {
namespace {

engine::SourceRequest read(const std::string& options) {
  engine::SourceRequest source;
  read_build_options(options, "/home/user", source);
  return source;
}

using Texts = std::vector<std::string>;

TEST(BuildOptions, DefinesTogetherAndApart) {
  EXPECT_EQ(read("-DN=4 -D M -D K=\"a b\"").defines, (Texts{"N=4", "M", "K=a b"}));
}

TEST(BuildOptions, FoldersBeginWhereTheProgramRuns) {
  EXPECT_EQ(read("-I include -I/opt/x").include_directories, (Texts{"/home/user/include", "/opt/x"}));
}

TEST(BuildOptions, StandardAndOthers) {
  const engine::SourceRequest source = read("-cl-std=CL2.0 -cl-fast-relaxed-math -cl-kernel-arg-info -w");
  EXPECT_EQ(source.standard, "CL2.0");
  EXPECT_EQ(source.extra_options, (Texts{"-cl-fast-relaxed-math"}));
}

TEST(BuildOptions, CutOffIsNoDefine) {
  EXPECT_TRUE(read("-D").defines.empty());
  EXPECT_TRUE(read("").extra_options.empty());
}

} // namespace
} // namespace forewarp::program
