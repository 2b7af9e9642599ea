#include "facts/op_class.h"

#include <array>

namespace forewarp::facts {
namespace {

constexpr std::array<std::string_view, op_class_count> names = {
    "fp16_add",      "fp16_mul",      "fp16_fma",        "fp32_add",
    "fp32_mul",      "fp32_fma",      "fp32_minmax_cmp", "fp64_add",
    "fp64_mul",      "fp64_fma",      "fp64_minmax_cmp", "sfu",
    "int_add",       "int_logic",     "int_shift",       "int_mul",
    "int_mul_wide",  "int_mul_hi",    "int_minmax_cmp",  "int_bitcount",
    "int_bitfield",  "cvt_narrow",    "cvt_32",          "cvt_64",
    "move",          "tensor_mma",    "branch",          "barrier",
    "shuffle",       "vote",          "fence",           "load_global",
    "store_global",  "atomic_global", "load_shared",     "store_shared",
    "atomic_shared", "load_local",    "store_local",     "load_constant",
    "load_texture",  "scalar_alu",    "scalar_load",     "nop"};

} // namespace

std::string_view to_string(OpClass op) {
  return names[static_cast<std::size_t>(op)];
}

std::optional<OpClass> op_class_from_string(std::string_view name) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == name)
      return static_cast<OpClass>(i);
  return std::nullopt;
}

} // namespace forewarp::facts
