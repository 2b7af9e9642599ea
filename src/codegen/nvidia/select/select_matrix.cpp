// Matrix products of warps, and the waits of asynchronous copies.
#include "codegen/nvidia/select/lowering.h"

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
  unsigned bits = 0;
  return type.drop_front().getAsInteger(10, bits) ? 16 : bits;
}

/// A product as its name says.
struct Product {
  double multiply_adds = 0;   ///< of all who make it together
  unsigned element_bits = 16; ///< of a factor
  bool is_double = false;
  bool float_sums = false; ///< sums of 32 bits of factors that are floats
};

void name_factor(Product& product, llvm::StringRef type) {
  product.element_bits = std::max(1U, type.starts_with("e") ? 8 : factor_bits(type)); // e4m3, e5m2
  product.is_double = type == "f64";
  product.float_sums = type == "f32" || type == "bf16" || type == "tf32";
}

/// "llvm.nvvm.mma.m16n8k16.row.col.f32.f32" and its like.
Product product_of_warp(llvm::StringRef name) {
  Product product;
  bool type_is_next = false;
  for (const llvm::StringRef word : llvm::split(name, '.')) {
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
  return product;
}

/// Its multiply-adds as many of halves, by the time that they take.
double as_halves(const Product& product, const gpu::Machine& machine) {
  const gpu::MatrixRates& rates = machine.matrix_rates;
  const double each = product.is_double
                          ? 1 / rates.f64
                          : product.element_bits / 16.0 / (product.float_sums ? rates.float_sums : 1);
  return product.multiply_adds * each;
}

/// Of one of `operations` that are the whole product.
facts::TensorWork work_of(const Product& product, unsigned operations, const gpu::Machine& machine) {
  const double fastest = std::max(machine.warpgroup_product_rate, machine.tensor_memory_product_rate);
  const double halves = as_halves(product, machine);
  return {static_cast<float>(2 * product.multiply_adds / operations),
          static_cast<float>(2 * machine.tensor_multiply_adds * fastest * product.multiply_adds /
                             std::max(halves, 1.0))};
}

/// Operations of class tensor_mma, of tensor_multiply_adds of halves each.
unsigned operations_of_warp(const Product& product, const gpu::Machine& machine) {
  const double each = machine.tensor_multiply_adds;
  return std::max(1U, static_cast<unsigned>(std::ceil(as_halves(product, machine) / each)));
}

constexpr unsigned warps_of_group = 4;

/// Operations of one of the four warps in a product of their group. `unit.tensor.lanes` is the rate of a
/// warp's own products; `warpgroup_product_rate` what a group's reach of it.
unsigned operations_of_group(const Product& product, const gpu::Machine& machine) {
  const double each =
      warps_of_group * std::floor(machine.tensor_multiply_adds * machine.warpgroup_product_rate);
  return std::max(1U, static_cast<unsigned>(as_halves(product, machine) / each + 0.5));
}

} // namespace

/// The operations of one product take parts of its factors and sums: none waits for another. The sums of a
/// warp group's product are ready for whoever waits for its group; the next product takes them over inside
/// the tensor core. NOT modelled: what such products read of shared memory beside the loads of warps.
void Lowering::select_matrix_product(const llvm::CallBase& call, llvm::StringRef name) {
  if (name.consume_front("forewarp.wgmma.wait.")) {
    llvm::SmallVector<std::uint32_t, 8> sums;
    if (name.starts_with("0.")) // newer groups hang on the tensor core's own order
      collect(call.getArgOperand(0), sums);
    emit_void(OpClass::fence, sums);
    Registers held;
    for (const llvm::Value* sum : call.args())
      held.push_back(registers_of(sum).front());
    return define(call, held);
  }
  llvm::SmallVector<std::uint32_t, 8> sources;
  unsigned operations = 0;
  facts::TensorWork work;
  if (name.consume_front("forewarp.wgmma.")) {
    for (unsigned i = 0; i + components(call.getType()) < call.arg_size(); ++i)
      collect(call.getArgOperand(i), sources);
    const Product product = product_of_words(name);
    operations = operations_of_group(product, machine_);
    work = work_of(product, operations * warps_of_group, machine_);
  } else {
    sources = sources_of(call);
    const Product product = product_of_warp(name);
    operations = operations_of_warp(product, machine_);
    work = work_of(product, operations, machine_);
  }
  std::reverse(sources.begin(), sources.end()); // the sums first: an operation holds four
  std::uint32_t made = facts::no_value;
  for (unsigned i = operations; i > 0; --i)
    made = emit_product(work, sources, llvm::Type::getInt32Ty(call.getContext()));
  if (!call.getType()->isVoidTy())
    define(call, Registers(components(call.getType()), made));
}

std::uint32_t Lowering::emit_product(const facts::TensorWork& work, llvm::ArrayRef<std::uint32_t> sources,
                                     const llvm::Type* result) {
  const std::uint32_t made = emit(OpClass::tensor_mma, sources, result);
  block_->ops.back().tensor = work;
  return made;
}

/// "mma.m128n128k16.b16": a product of the whole SM, a quarter of it on each of its tensor cores. One warp
/// asks for it, so its own stands for all four. "ld.x32", "st.x32": a register a lane and cycle.
void Lowering::select_tensor_memory(const llvm::CallBase& call, llvm::StringRef name) {
  if (name.consume_front("mma.")) {
    constexpr unsigned cores = 4;
    const Product product = product_of_words(name);
    const double each = cores * machine_.tensor_multiply_adds * machine_.tensor_memory_product_rate;
    const auto operations = std::max(1U, static_cast<unsigned>(as_halves(product, machine_) / each + 0.5));
    const facts::TensorWork work = work_of(product, operations, machine_);
    std::uint32_t made = facts::no_value;
    for (unsigned i = operations; i > 0; --i)
      made = emit_product(work, {}, llvm::Type::getInt1Ty(call.getContext())); // holds no register
    return products_.add_load(*call.getParent(), made);
  }
  llvm::SmallVector<std::uint32_t, 8> sources;
  for (const llvm::Value* value : call.args())
    collect(value, sources);
  const unsigned moves = std::max<unsigned>(components(call.getType()), call.arg_size());
  Registers results;
  for (unsigned i = 0; i < moves; ++i)
    if (call.getType()->isVoidTy())
      emit_void(OpClass::move, sources);
    else
      results.push_back(emit(OpClass::move, {}, llvm::Type::getInt32Ty(call.getContext())));
  if (!results.empty())
    define(call, results);
}

/// "take", "give": part of the load or store of rows; "transpose": between lanes (MOVM), for which no rate is
/// published: as a shuffle.
void Lowering::select_matrix_exchange(const llvm::CallBase& call, llvm::StringRef name) {
  if (name == "transpose")
    return define(call, {emit(OpClass::shuffle, sources_of(call), call.getType())});
  Registers held;
  for (const llvm::Value* word : call.args())
    for (const std::uint32_t each : registers_of(word))
      held.push_back(each);
  held.resize(components(call.getType()), facts::no_value);
  define(call, std::move(held));
}

/// llvm.nvvm.cp.async.{commit.group, wait.group, wait.all}
void Lowering::select_copy_group(const llvm::CallBase& call, llvm::StringRef name) {
  if (name.contains(".commit")) {
    emit_void(OpClass::nop, {}); // names the group's end: nothing waits for it
    copies_.add_commit(*call.getParent());
    return;
  }
  const auto* spared = call.arg_empty() ? nullptr : llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0));
  emit_void(OpClass::fence, {});
  copies_.add_wait(*call.getParent(), block_->ops.size() - 1,
                   spared ? static_cast<unsigned>(spared->getZExtValue()) : 0);
}

} // namespace forewarp::codegen
