// products.cu as machine code: lifted, run, and held against plain sums of products.
//   machine_code_products FILE.cubin   one line a kernel: "ok" or what is wrong
#include "launch/parse.h"
#include "lifted_file.h"
#include "simt/run.h"

#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <fstream>

namespace forewarp {
namespace {

struct Product {
  std::string kernel;
  unsigned k;
  bool of_halves; ///< a and b are halves with the bits 0, 1, 2, ..., in units of 2^-24
};
const Product products[] = {{"product_pipelined", 48, true},
                            {"product_half_sums", 16, false},
                            {"product_bfloat", 16, false},
                            {"product_tf32", 16, false},
                            {"product_bytes", 16, false}};
constexpr unsigned rows = 16, columns = 8;

/// Of a matrix, by its place: what both sides use.
std::int64_t element(unsigned index, bool of_halves) {
  return of_halves ? index : static_cast<std::int64_t>(index % 7) - 3;
}

template <class Value> void write(unsigned count, bool of_halves, const std::string& path) {
  std::ofstream file(path, std::ios::binary);
  for (unsigned i = 0; i < count; ++i) {
    const auto value = static_cast<Value>(element(i, of_halves));
    file.write(reinterpret_cast<const char*>(&value), sizeof value);
  }
}

Result<void> add_arguments(const Product& product, const std::string& folder, facts::Launch& launch) {
  std::vector<std::string> words;
  for (const auto& [name, count] : {std::pair{"a", rows * product.k}, std::pair{"b", product.k * columns}}) {
    const std::string path = fmt::format("{}/{}_{}.bin", folder, product.kernel, name);
    if (product.of_halves)
      write<std::uint16_t>(count, true, path);
    else
      write<std::int32_t>(count, false, path);
    words.push_back(fmt::format("{}=buffer:{}[{}]:@{}", name == std::string("a") ? 0 : 1,
                                product.of_halves ? "half" : "int", count, path));
  }
  words.push_back(fmt::format("2=buffer:float[{}]:zeros", rows * columns));
  if (product.of_halves)
    words.push_back(fmt::format("3={}", product.k));
  for (const std::string& word : words) {
    auto argument = launch::parse_argument(word, "");
    FOREWARP_TRY(argument);
    launch.arguments.insert(std::move(*argument));
  }
  return {};
}

double expected(const Product& product, unsigned row, unsigned column) {
  double sum = 0;
  for (unsigned k = 0; k < product.k; ++k)
    sum += static_cast<double>(element(row * product.k + k, product.of_halves)) *
           static_cast<double>(element(k * columns + column, product.of_halves));
  constexpr double unit = 1.0 / (1 << 24);
  return product.of_halves ? sum * unit * unit : sum;
}

Result<std::string> check(const Product& product, const ir::KernelModule& module, const std::string& folder) {
  for (const ir::KernelModule::Refusal& refused : module.refused)
    if (refused.symbol == product.kernel)
      return tl::unexpected<Error>(refused.error);
  const ir::KernelSignature* signature = nullptr;
  for (const ir::KernelSignature& one : module.kernels)
    if (one.symbol == product.kernel)
      signature = &one;
  if (signature == nullptr)
    return fail(ErrorCode::not_found, "no such kernel");
  facts::Launch launch;
  launch.groups = facts::Dim3{1, 1, 1};
  launch.group_size = facts::Dim3{32, 1, 1};
  FOREWARP_TRY(add_arguments(product, folder, launch));
  simt::RunOptions options;
  options.whole_grid = true;
  const auto run = simt::run(module, *signature, launch, options);
  FOREWARP_TRY(run);
  const std::vector<std::uint8_t>& bytes = run->buffers.back().bytes;
  for (unsigned i = 0; i < rows * columns; ++i) {
    float got = 0;
    std::memcpy(&got, bytes.data() + i * sizeof got, sizeof got);
    const double wanted = expected(product, i / columns, i % columns);
    if (got != wanted)
      return fmt::format("wrong: element {}, {} is {}, not {}", i / columns, i % columns, got, wanted);
  }
  return "ok";
}

int run(const std::string& path) {
  return check_each(
      path, true, products, [](const Product& product) { return product.kernel; },
      [](const Product& product, const ir::KernelModule& module, const std::string& folder) {
        return check(product, module, folder + ".");
      });
}

} // namespace
} // namespace forewarp

int main(int count, char** words) {
  if (count != 2) {
    std::fprintf(stderr, "usage: machine_code_products FILE.cubin\n");
    return 2;
  }
  return forewarp::run(words[1]);
}
