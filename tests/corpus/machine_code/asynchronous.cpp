// asynchronous.cu as machine code: lifted, run, and held against what the kernels say in C.
//   machine_code_asynchronous FILE.cubin   one line a kernel: "ok" or what is wrong
#include "launch/parse.h"
#include "lifted_file.h"
#include "simt/run.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <functional>
#include <span>

namespace forewarp {
namespace {

constexpr unsigned tile = 256, tiles = 7, groups = 2;
constexpr unsigned count = tile * tiles * groups;

/// Of the first buffer.
float element(unsigned index) {
  return static_cast<float>(index % 97) - 40;
}

float pipelined(unsigned index) {
  return 2 * element(index) + static_cast<float>(index % tile);
}

float summed(unsigned index) {
  float sum = 0;
  for (unsigned i = 0; i < tiles; ++i)
    sum += element((index / tile * tiles + i) * tile + index % tile) * static_cast<float>(i + 1);
  return sum;
}

/// Four matrices of 8 rows of four words. A lane gives the words that it holds of each: row lane / 4, word
/// lane % 4.
unsigned word_of(unsigned lane, unsigned matrix) {
  return (4 * lane + matrix) * 0x10001 + 0x8000;
}
unsigned plain_row(unsigned index) {
  const unsigned row = index / 4 % 8, matrix = index / 32;
  return word_of(row * 4 + index % 4, matrix);
}
/// Transposed: halves 2 w and 2 w + 1 of row r are the halves of column r in rows 2 w and 2 w + 1.
unsigned turned_row(unsigned index) {
  const unsigned column = index / 4 % 8, matrix = index / 32;
  unsigned both = 0;
  for (unsigned half = 0; half < 2; ++half) {
    const unsigned row = 2 * (index % 4) + half;
    both |= (word_of(row * 4 + column / 2, matrix) >> 16 * (column % 2) & 0xFFFF) << 16 * half;
  }
  return both;
}

struct Kernel {
  const char* name;
  unsigned groups, threads;
  unsigned elements;                  ///< of the first buffer
  std::vector<std::string> arguments; ///< the first buffer is filled by `element`, or by `word_of`
  std::function<bool(std::span<const std::vector<std::uint8_t>>, std::string&)> check;
};

template <class Value, class Expected>
bool equal(const std::vector<std::uint8_t>& bytes, unsigned elements, Expected expected, std::string& what) {
  for (unsigned i = 0; i < elements; ++i) {
    Value got{};
    std::memcpy(&got, bytes.data() + i * sizeof got, sizeof got);
    if (got != expected(i)) {
      what = fmt::format("element {} is {}, not {}", i, got, expected(i));
      return false;
    }
  }
  return true;
}

using Buffers = std::span<const std::vector<std::uint8_t>>;

std::vector<Kernel> kernels() {
  const std::string floats = fmt::format("buffer:float[{}]", count);
  return {
      {"bulk_pipeline",
       groups,
       tile,
       count,
       {floats, floats + ":zeros", std::to_string(tiles)},
       [](Buffers b, std::string& what) { return equal<float>(b[1], count, pipelined, what); }},
      {"specialised",
       groups,
       384,
       count,
       {floats, fmt::format("buffer:float[{}]:zeros", groups * tile), std::to_string(tiles)},
       [](Buffers b, std::string& what) { return equal<float>(b[1], groups * tile, summed, what); }},
      {"named_barriers",
       groups,
       tile,
       count,
       {floats, floats + ":zeros", std::to_string(tiles)},
       [](Buffers b, std::string& what) {
         return equal<float>(b[1], count, [](unsigned i) { return element(i) + 1; }, what);
       }},
      {"matrices",
       1,
       32,
       128,
       {"buffer:uint[128]", "buffer:uint[128]:zeros", "buffer:uint[128]:zeros"},
       [](Buffers b, std::string& what) {
         return equal<unsigned>(b[1], 128, plain_row, what) && equal<unsigned>(b[2], 64, turned_row, what);
       }},
      {"states",
       1,
       64,
       64,
       {"buffer:float[64]", "buffer:float[64]:zeros", "4"},
       [](Buffers b, std::string& what) {
         return equal<float>(b[1], 64, [](unsigned i) { return 4 * element(63 - i); }, what);
       }},
      // Products of warp groups have no values: that it ends is all that is asked.
      {"group_product_32",
       1,
       128,
       0,
       {"buffer:half[65536]", "buffer:half[65536]", "buffer:float[4096]:zeros", "256"},
       [](Buffers, std::string&) { return true; }},
  };
}

Result<facts::Launch> launch_of(const Kernel& kernel, const std::string& folder) {
  facts::Launch launch;
  launch.groups = facts::Dim3{kernel.groups, 1, 1};
  launch.group_size = facts::Dim3{kernel.threads, 1, 1};
  for (std::size_t i = 0; i < kernel.arguments.size(); ++i) {
    std::string word = kernel.arguments[i];
    if (i == 0) {
      const std::string path = fmt::format("{}{}.bin", folder, kernel.name);
      std::ofstream file(path, std::ios::binary);
      for (unsigned e = 0; e < kernel.elements; ++e) {
        const float real = element(e);
        const unsigned bits = word_of(e / 4, e % 4);
        const bool words = word.find("uint") != std::string::npos;
        file.write(words ? reinterpret_cast<const char*>(&bits) : reinterpret_cast<const char*>(&real), 4);
      }
      if (word.find("half") == std::string::npos)
        word += ":@" + path;
    }
    auto argument = launch::parse_argument(fmt::format("{}={}", i, word), "");
    FOREWARP_TRY(argument);
    launch.arguments.insert(std::move(*argument));
  }
  return launch;
}

Result<std::string> check(const Kernel& kernel, const ir::KernelModule& module, const std::string& folder) {
  for (const ir::KernelModule::Refusal& refused : module.refused)
    if (refused.symbol == kernel.name)
      return tl::unexpected<Error>(refused.error);
  const auto signature = std::ranges::find(module.kernels, kernel.name, &ir::KernelSignature::symbol);
  if (signature == module.kernels.end())
    return fail(ErrorCode::not_found, "no such kernel");
  const auto launch = launch_of(kernel, folder);
  FOREWARP_TRY(launch);
  simt::RunOptions options;
  options.whole_grid = true;
  const auto run = simt::run(module, *signature, *launch, options);
  FOREWARP_TRY(run);
  std::vector<std::vector<std::uint8_t>> buffers;
  for (const auto& buffer : run->buffers)
    buffers.push_back(buffer.bytes);
  std::string what;
  return kernel.check(buffers, what) ? "ok" : "wrong: " + what;
}

int run(const std::string& path) {
  return check_each(path, false, kernels(), [](const Kernel& kernel) { return kernel.name; }, check);
}

} // namespace
} // namespace forewarp

int main(int count, char** words) {
  if (count != 2) {
    std::fprintf(stderr, "usage: machine_code_asynchronous FILE.cubin\n");
    return 2;
  }
  return forewarp::run(words[1]);
}
