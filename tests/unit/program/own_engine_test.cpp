#include "program/own_engine.h"

#include "support/temporary_file.h"

#include <gtest/gtest.h>

namespace forewarp::program {
namespace {

ir::KernelModule compiled(const std::string& text) {
  auto file = TemporaryFile::write(text, ".cl");
  engine::SourceRequest source;
  source.path = file->path();
  auto module = compile_for_own_engine(source);
  EXPECT_TRUE(module) << to_string(module.error());
  return *std::move(module);
}

TEST(OwnEngine, WhatStandsInHasTheSameParametersAndNothingElse) {
  const auto module =
      compiled("typedef struct { float a[3]; } three;\n"
               "kernel __attribute__((reqd_work_group_size(8, 2, 1)))\n"
               "void k(global float* a, local int* b, constant float4* c, three d, double e, float3 f)\n"
               "{ a[get_global_id(0)] = b[0] + c[0].x + d.a[1] + e + f.y; }\n");
  EXPECT_EQ(
      stand_in_text(module),
      "struct of_12_bytes { char bytes[12]; };\nstruct of_16_bytes { char bytes[16]; };\n"
      "__kernel __attribute__((reqd_work_group_size(8, 2, 1))) void k(__global char* a, __local char* b, "
      "__constant char* c, struct of_12_bytes d, long e, struct of_16_bytes f) {}\n");
}

TEST(OwnEngine, ALaunchChangesTheBuffersThatWereSent) {
  const auto module = compiled("kernel void twice(global const uchar* from, global uchar* to)\n"
                               "{ int i = get_global_id(0); to[i] = 2 * from[i]; }\n");
  engine::KernelDescription kernel;
  kernel.name = kernel.symbol = "twice";
  for (const char* name : {"from", "to"})
    kernel.parameters.push_back({name, "uchar*", "global", true, facts::ScalarType::u8});
  Message question{{{"global", {2, 1, 1}},
                    {"arguments", {{{"buffer", 4}}, {{"as", "&0+2"}}}},
                    {"contents", {{{"key", "0"}, {"at", 0}, {"bytes", 4}}}}}};
  question.bytes = {3, 5, 9, 9};
  const auto done = execute_launch(module, kernel, question);
  ASSERT_TRUE(done) << to_string(done.error());
  EXPECT_EQ(done->text["contents"][0]["key"], "0");
  EXPECT_EQ(done->bytes, (std::vector<std::uint8_t>{3, 5, 6, 10}));
}

} // namespace
} // namespace forewarp::program
