// Classes of machine operations: what the machine step (codegen) emits, what a GPU file gives latency and
// throughput for, and what the pipeline simulator issues. One class = one row of a GPU's operation table.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace forewarp::facts {

enum class OpClass : std::uint8_t {
  // arithmetic
  fp16_add,
  fp16_mul,
  fp16_fma, // one packed (half2) instruction
  fp32_add,
  fp32_mul,
  fp32_fma,
  fp32_minmax_cmp,
  fp64_add,
  fp64_mul,
  fp64_fma,
  fp64_minmax_cmp,
  sfu,       // one MUFU: rcp, rsqrt, sin, cos, ex2, lg2
  int_add,   // add, sub, 3-input add, lea
  int_logic, // and, or, xor, lop3
  int_shift,
  int_mul,      // 32-bit multiply or multiply-add (one instruction of the target)
  int_mul_wide, // 32x32 -> 64
  int_mul_hi,
  int_minmax_cmp, // min, max, setp, select
  int_bitcount,   // popc, clz, brev, ffs
  int_bitfield,   // bfe, bfi, prmt, funnel shift
  cvt_narrow,     // 8/16-bit <-> 32-bit
  cvt_32,         // int <-> float, float <-> half
  cvt_64,         // any conversion with a 64-bit side
  move,           // register move, predicate move, special register read
  tensor_mma,
  // control and exchange
  branch,
  barrier,
  shuffle,
  vote,
  fence,
  // memory
  load_global,
  store_global,
  atomic_global,
  load_shared,
  store_shared,
  atomic_shared,
  load_local,
  store_local, // private arrays and spills
  load_constant,
  load_texture,
  // scalar unit of AMD GPUs
  scalar_alu,
  scalar_load,
  nop,
};

inline constexpr int op_class_count = static_cast<int>(OpClass::nop) + 1;

/// Name as it stands in GPU files, JSON and tables: the enumerator's name.
std::string_view to_string(OpClass op);
std::optional<OpClass> op_class_from_string(std::string_view name);

constexpr bool is_memory(OpClass op) {
  return op >= OpClass::load_global && op <= OpClass::load_texture;
}
constexpr bool is_load(OpClass op) {
  return op == OpClass::load_global || op == OpClass::load_shared || op == OpClass::load_local ||
         op == OpClass::load_constant || op == OpClass::load_texture || op == OpClass::atomic_global ||
         op == OpClass::atomic_shared;
}

} // namespace forewarp::facts
