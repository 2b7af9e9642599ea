// Each thing that can be wrong with a GPU file is said with file, line and column and the way out.
#include "gpu/gpu_file.h"
#include "gpu/machine.h"
#include "test_folders.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace forewarp::gpu {
namespace {

namespace fs = std::filesystem;

Error error_of(const std::string& text) {
  const auto file = parse_gpu_text(text, "my.toml", test_folders::gpus);
  EXPECT_FALSE(file) << "no error";
  return file ? Error{} : file.error();
}

const std::string head = "name = \"Mine\"\nextends = \"tesla-v100-sxm2\"\n"; // two lines

TEST(BadGpuFile, UnknownKeyIsSuggested) {
  const Error error =
      error_of(head + "sm_cout = { value = 80, unit = \"count\", source = \"datasheet\", ref = \"x\" }\n");
  EXPECT_EQ(error.code, ErrorCode::bad_input);
  EXPECT_EQ(error.message, "unknown key 'sm_cout'");
  EXPECT_EQ(error.where, "my.toml:3:11");
  EXPECT_NE(error.hint.find("sm_count"), std::string::npos);
}

TEST(BadGpuFile, UnknownOperationIsSuggested) {
  const Error error = error_of(
      head + "[throughput]\nfp32_fam = { value = 1, unit = \"results/clk/SM\", source = \"assumed\" }\n");
  EXPECT_EQ(error.message, "unknown key 'throughput.fp32_fam'");
  EXPECT_EQ(error.where, "my.toml:4:12");
  EXPECT_NE(error.hint.find("throughput.fp32_fma"), std::string::npos);
}

TEST(BadGpuFile, WrongUnit) {
  const Error error =
      error_of(head + "sm_clock_mhz = { value = 1.5, unit = \"GHz\", source = \"assumed\" }\n");
  EXPECT_EQ(error.message, "'sm_clock_mhz' has unit 'GHz'");
  EXPECT_EQ(error.hint, "its unit is 'MHz'; convert the value");
  EXPECT_TRUE(error.where.starts_with("my.toml:3:")) << error.where;
}

TEST(BadGpuFile, MissingUnitSourceAndRef) {
  EXPECT_EQ(error_of(head + "sm_count = { value = 80, source = \"assumed\" }\n").message,
            "'sm_count' has no unit");
  EXPECT_EQ(error_of(head + "sm_count = { value = 80, unit = \"count\" }\n").message,
            "'sm_count' has no source");
  EXPECT_EQ(error_of(head + "sm_count = { value = 80, unit = \"count\", source = \"paper\" }\n").message,
            "'sm_count' has no ref");
}

TEST(BadGpuFile, UnknownSource) {
  const Error error =
      error_of(head + "sm_count = { value = 80, unit = \"count\", source = \"rumour\", ref = \"x\" }\n");
  EXPECT_EQ(error.message, "source of 'sm_count' is 'rumour'");
}

TEST(BadGpuFile, BareNumber) {
  const Error error = error_of(head + "sm_count = 80\n");
  EXPECT_EQ(error.message, "'sm_count' has no value with unit and source");
  EXPECT_EQ(error.where, "my.toml:3:12");
}

TEST(BadGpuFile, OutOfRange) {
  for (const char* value : {"0", "-3", "1e9", "nan", "inf"}) {
    const Error error =
        error_of(head + "sm_count = { value = " + value + ", unit = \"count\", source = \"assumed\" }\n");
    EXPECT_NE(error.message.find("outside 1 to 4096"), std::string::npos) << error.message;
  }
}

TEST(BadGpuFile, WrongKind) {
  EXPECT_EQ(
      error_of(head + "sm_count = { value = \"many\", unit = \"count\", source = \"assumed\" }\n").message,
      "'sm_count' is a string, wanted a number");
}

TEST(BadGpuFile, UnknownField) {
  EXPECT_EQ(
      error_of(head + "sm_count = { value = 1, unit = \"count\", source = \"assumed\", note = \"x\" }\n")
          .message,
      "'sm_count' has a field 'note'");
}

TEST(BadGpuFile, SyntaxError) {
  const Error error = error_of(head + "sm_count = { value = \n");
  EXPECT_TRUE(error.message.starts_with("not valid TOML")) << error.message;
  EXPECT_TRUE(error.where.starts_with("my.toml:")) << error.where;
}

// Found by fuzzing: toml++ takes for granted that a key follows a comma.
TEST(BadGpuFile, TwoCommas) {
  EXPECT_EQ(error_of(head + "sm_count = { value = 80, , unit = \"count\" }\n").code, ErrorCode::bad_input);
}

TEST(BadGpuFile, EmptyBinaryAndLatin1) {
  EXPECT_EQ(error_of("").code, ErrorCode::bad_input);
  EXPECT_EQ(error_of(" \n\t\n").message, "the GPU file is empty");
  EXPECT_EQ(error_of(std::string("name\0=", 6)).code, ErrorCode::bad_input);
  EXPECT_EQ(error_of("name = \"Gr\xfc\x6e\"\n").code, ErrorCode::bad_input);
}

TEST(BadGpuFile, MissingBaseIsSuggested) {
  const Error error = error_of("name = \"Mine\"\nextends = \"tesla-v100-sxm3\"\n");
  EXPECT_EQ(error.where, "my.toml:2:11");
  EXPECT_NE(error.hint.find("tesla-v100-sxm2"), std::string::npos) << error.hint;
}

TEST(BadGpuFile, AnExtendsPathIsRefused) {
  EXPECT_FALSE(parse_gpu_text("extends = \"../gpus/l4\"", "my.toml", test_folders::gpus));
}

TEST(BadGpuFile, CircleOfExtends) {
  const fs::path place = fs::temp_directory_path() / "forewarp-gpu-circle";
  fs::create_directories(place);
  std::ofstream(place / "a.toml") << "name = \"A\"\nextends = \"b\"\n";
  std::ofstream(place / "b.toml") << "name = \"B\"\nextends = \"a\"\n";
  const auto file = read_gpu_file(place / "a.toml", place);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().message, "extends goes in a circle: a -> b -> a");
  fs::remove_all(place);
}

TEST(BadGpuFile, NoNameAndNoBase) {
  EXPECT_EQ(error_of("vendor = \"nvidia\"\n").message, "the GPU file has no 'name'");
  EXPECT_EQ(error_of("vendor = \"acme\"\n").message, "vendor is 'acme'");
}

TEST(BadGpuFile, WhatResolveNeedsIsNamedInOneMessage) {
  const auto file =
      parse_gpu_text("name = \"Mine\"\nvendor = \"nvidia\"\ntarget = \"sm_70\"\ngeneration = \"volta\"\n",
                     "my.toml", test_folders::gpus);
  ASSERT_TRUE(file) << to_string(file.error());
  const auto machine = resolve(*file);
  ASSERT_FALSE(machine);
  EXPECT_EQ(machine.error().code, ErrorCode::bad_input);
  EXPECT_TRUE(machine.error().message.starts_with("the GPU file lacks warp_size, sm_count"))
      << machine.error().message;
}

TEST(BadGpuFile, UnknownValueSet) {
  const auto file = parse_gpu_text(head, "my.toml", test_folders::gpus);
  ASSERT_TRUE(file);
  const auto machine = resolve(*file, "nobody");
  ASSERT_FALSE(machine);
  EXPECT_EQ(machine.error().code, ErrorCode::not_found);
}

TEST(BadGpuFile, ContradictionBetweenLimits) {
  const auto file = parse_gpu_text(
      head + "max_threads_per_block = { value = 4096, unit = \"threads\", source = \"assumed\" }\n",
      "my.toml", test_folders::gpus);
  ASSERT_TRUE(file);
  EXPECT_EQ(resolve(*file).error().message, "max_threads_per_block 4096 exceeds max_threads_per_sm 2048");
}

// As one channel a board would reach a fraction of its bandwidth.
TEST(GoodGpuFile, WithoutTheWidthOfTheBusRowsAreNotModelled) {
  const std::string least = "name = \"Mine\"\nextends = \"family-ada\"\n"
                            "sm_count = { value = 46, unit = \"count\", source = \"assumed\" }\n"
                            "sm_clock_mhz = { value = 2475, unit = \"MHz\", source = \"assumed\" }\n"
                            "dram_bw_peak_gbps = { value = 504, unit = \"GB/s\", source = \"assumed\" }\n";
  const auto rows = [](const std::string& text) {
    const auto file = parse_gpu_text(text, "my.toml", test_folders::gpus);
    return resolve(*file)->memory.dram_rows;
  };
  EXPECT_FALSE(rows(least).known);
  const auto wide = rows(least + "dram_bus_bits = { value = 192, unit = \"bits\", source = \"assumed\" }\n");
  EXPECT_TRUE(wide.known);
  EXPECT_EQ(wide.channels, 12); // 16 bits a channel
}

TEST(GoodGpuFile, AHypotheticalGpuTakesTheRestFromItsBase) {
  const auto file = parse_gpu_text(
      "name = \"V100 with twice the DRAM\"\nextends = \"tesla-v100-sxm2\"\n"
      "dram_bw_peak_gbps = { value = 1800, unit = \"GB/s\", source = \"assumed\" }\n"
      "[value_sets.tuned]\nsm_clock_mhz = { value = 1000, unit = \"MHz\", source = \"assumed\" }\n"
      "my_own_number = { value = 3, unit = \"apples\", source = \"paper\", ref = \"Table 1\" }\n",
      "my.toml", test_folders::gpus);
  ASSERT_TRUE(file) << to_string(file.error());
  EXPECT_EQ(file->vendor, "nvidia");
  EXPECT_EQ(file->values.at("sm_count").inherited_from, "tesla-v100-sxm2");
  EXPECT_EQ(file->values.at("dram_bw_peak_gbps").inherited_from, "");
  const auto machine = resolve(*file), tuned = resolve(*file, "tuned");
  ASSERT_TRUE(machine) << to_string(machine.error());
  ASSERT_TRUE(tuned) << to_string(tuned.error());
  EXPECT_EQ(machine->memory.dram_peak_gbps, 1800);
  EXPECT_EQ(machine->sm_count, 80U);
  EXPECT_EQ(tuned->sm_clock_mhz, 1000);
  EXPECT_EQ(tuned->value_set, "tuned");
}

} // namespace
} // namespace forewarp::gpu
