#include "codegen/nvidia/select/matrix/products.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>
#include <cmath>

namespace forewarp::codegen {
namespace {

/// m * n * k of "...m16n8k16..."; 0: no such word.
unsigned multiply_adds(llvm::StringRef word) {
  unsigned m = 0, n = 0, k = 0;
  const bool shape = word.consume_front("m") && !word.consumeInteger(10, m) && word.consume_front("n") &&
                     !word.consumeInteger(10, n) && word.consume_front("k") && !word.consumeInteger(10, k);
  return shape && word.empty() ? m * n * k : 0;
}

/// Bits of a factor's element: a product of halves names the types of its sums instead.
unsigned factor_bits(llvm::StringRef type) {
  if (type == "f16" || type == "f32" || type == "bf16")
    return 16;
  if (type == "tf32")
    return 32;
  if (type == "fp4")
    return 4;
  unsigned bits = 0;
  return type.drop_front().getAsInteger(10, bits) ? 16 : bits;
}

/// A product as its name says.
struct Product {
  double multiply_adds = 0;   ///< of all who make it together
  unsigned element_bits = 16; ///< of a factor
  bool is_double = false;
  bool float_sums = false; ///< sums of 32 bits of factors that are floats
  bool is_sparse = false;  ///< half of the factors' elements are zeros that nobody multiplies
};

void name_factor(Product& product, llvm::StringRef type) {
  product.element_bits = std::max(1U, type.starts_with("e") ? 8 : factor_bits(type)); // e4m3, e5m2
  product.is_double = type == "f64";
  product.float_sums = type == "f32" || type == "bf16" || type == "tf32";
}

/// "llvm.nvvm.mma.m16n8k16.row.col.f32.f32", "forewarp.mma.m16n8k32.row.col.e4m3.e4m3.f32" and their like.
Product product_of_warp(llvm::StringRef name) {
  Product product;
  bool type_is_next = false;
  const bool is_marker = name.starts_with("forewarp.");
  for (const llvm::StringRef word : llvm::split(name, '.')) {
    product.is_sparse |= word == "sparse";
    product.float_sums |= is_marker && word == "f32" && product.element_bits >= 8 && !type_is_next;
    if (const unsigned found = multiply_adds(word))
      product.multiply_adds = found;
    if (word == "row" || word == "col") {
      type_is_next = true; // behind the layouts
    } else if (type_is_next && word != "satfinite") {
      name_factor(product, word);
      type_is_next = false;
    }
  }
  return product;
}

/// "m64n128k16.f16.memory2.f32x64": of a warp group; "m128n128k16.b16": into tensor memory.
Product product_of_words(llvm::StringRef name) {
  llvm::SmallVector<llvm::StringRef, 4> words;
  name.split(words, '.');
  Product product{.multiply_adds = static_cast<double>(multiply_adds(words.front()))};
  name_factor(product, words.size() > 1 ? words[1] : "");
  product.is_sparse = std::find(words.begin(), words.end(), "sparse") != words.end();
  return product;
}

/// Its multiply-adds as many of halves, by the time that they take.
double as_halves(const Product& product, const gpu::Machine& machine) {
  const gpu::MatrixRates& rates = machine.matrix_rates;
  const double each = product.is_double
                          ? 1 / rates.f64
                          : product.element_bits / 16.0 / (product.float_sums ? rates.float_sums : 1);
  return product.multiply_adds * each / (product.is_sparse ? 2 : 1);
}

/// Of one of `operations` that are the whole product.
facts::TensorWork work_of(const Product& product, unsigned operations, const gpu::Machine& machine) {
  const double fastest = std::max(machine.warpgroup_product_rate, machine.tensor_memory_product_rate);
  const double halves = as_halves(product, machine);
  return {static_cast<float>(2 * product.multiply_adds / operations),
          static_cast<float>(2 * machine.tensor_multiply_adds * fastest * product.multiply_adds /
                             std::max(halves, 1.0))};
}

} // namespace

/// As many operations as it takes of tensor_multiply_adds of halves each.
lift::ProductWork work_of_warp(llvm::StringRef name, const gpu::Machine& machine) {
  const Product product = product_of_warp(name);
  const double each = machine.tensor_multiply_adds;
  const auto operations = std::max(1U, static_cast<unsigned>(std::ceil(as_halves(product, machine) / each)));
  return {operations, work_of(product, operations, machine)};
}

/// `unit.tensor.lanes` is the rate of a warp's own products; `warpgroup_product_rate` what a group's reach of
/// it.
lift::ProductWork work_of_group(llvm::StringRef name, const gpu::Machine& machine) {
  constexpr unsigned warps = 4;
  const Product product = product_of_words(name);
  const double each = warps * std::floor(machine.tensor_multiply_adds * machine.warpgroup_product_rate);
  const auto operations = std::max(1U, static_cast<unsigned>(as_halves(product, machine) / each + 0.5));
  return {operations, work_of(product, operations * warps, machine)};
}

/// A product of the whole SM, a quarter of it on each of its tensor cores. One warp asks for it, so its own
/// stands for all four.
lift::ProductWork work_of_tensor_memory(llvm::StringRef name, const gpu::Machine& machine) {
  constexpr unsigned cores = 4;
  const Product product = product_of_words(name);
  const double each = cores * machine.tensor_multiply_adds * machine.tensor_memory_product_rate;
  const auto operations = std::max(1U, static_cast<unsigned>(as_halves(product, machine) / each + 0.5));
  return {operations, work_of(product, operations, machine)};
}

std::optional<lift::ProductWork> work_of_call(const llvm::CallBase& call, const gpu::Machine& machine) {
  llvm::StringRef name = call.getCalledFunction() ? call.getCalledFunction()->getName() : "";
  if (name.starts_with("llvm.nvvm.mma."))
    return work_of_warp(name, machine);
  if (name.consume_front("forewarp.wgmma."))
    return work_of_group(name, machine);
  return std::nullopt;
}

} // namespace forewarp::codegen
