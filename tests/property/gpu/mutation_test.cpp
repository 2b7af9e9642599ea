// Whatever happens to a GPU file's bytes: an error with message and place, or a machine of finite numbers.
#include "gpu/describe.h"
#include "gpu/machine.h"
#include "support/counter_random.h"
#include "test_folders.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>

namespace forewarp::gpu {
namespace {

namespace fs = std::filesystem;

std::string text_of(const char* name) {
  std::ifstream in(test_folders::gpus / name, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string mutated(std::string text, std::uint64_t seed) {
  const std::uint64_t changes = 1 + counter_random(seed, 0) % 8;
  for (std::uint64_t i = 1; i <= changes; ++i) {
    const std::uint64_t r = counter_random(seed, i);
    const std::size_t at = (r >> 8) % text.size();
    switch (r % 4) {
    case 0:
      text[at] = static_cast<char>(r >> 40);
      break;
    case 1:
      text.erase(at, (r >> 40) % 20);
      break;
    case 2:
      text.insert(at, text, (r >> 20) % text.size(), (r >> 50) % 40);
      break;
    default:
      text.insert(at, 1, "\"{}[]=.,-9e\n"[(r >> 40) % 12]);
    }
    if (text.empty())
      return text;
  }
  return text;
}

void expect_error_or_finite_machine(const std::string& text) {
  const auto file = parse_gpu_text(text, "mutated.toml", test_folders::gpus);
  if (!file) {
    EXPECT_FALSE(file.error().message.empty());
    EXPECT_TRUE(file.error().where.find(".toml") != std::string::npos) << to_string(file.error());
    return;
  }
  const auto machine = resolve(*file);
  if (!machine) {
    EXPECT_EQ(machine.error().code, ErrorCode::bad_input) << to_string(machine.error());
    return;
  }
  for (const OpTiming& op : machine->ops)
    EXPECT_TRUE(std::isfinite(op.issue_cycles) && op.issue_cycles > 0 && std::isfinite(op.latency_cycles));
  EXPECT_TRUE(std::isfinite(machine->memory.l2_bytes_per_cycle));
  EXPECT_FALSE(describe(*file).empty());
}

TEST(GpuFileMutation, AGpu) {
  const std::string text = text_of("quadro-k620.toml");
  for (std::uint64_t seed = 0; seed < 3000; ++seed)
    expect_error_or_finite_machine(mutated(text, seed));
}

TEST(GpuFileMutation, AFileThatStandsAlone) {
  std::string text = text_of("family-volta.toml");
  text.replace(text.find("abstract = true"), 15, "name = \"Whole\"");
  for (std::uint64_t seed = 0; seed < 1000; ++seed)
    expect_error_or_finite_machine(mutated(text, seed + 100000));
}

TEST(GpuFileMutation, DeepNesting) {
  expect_error_or_finite_machine("a = " + std::string(5000, '[') + std::string(5000, ']'));
  std::string keys = "a";
  for (int i = 0; i < 3000; ++i)
    keys += ".a";
  expect_error_or_finite_machine(keys + " = 1\n");
  expect_error_or_finite_machine("[" + keys + "]\nb = 1\n");
}

} // namespace
} // namespace forewarp::gpu
