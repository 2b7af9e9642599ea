#include "codegen/markers/expansions.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace forewarp::codegen {
namespace {

using facts::OpClass;

constexpr std::string_view guard_word = "guard";

struct Share {
  OpClass op;
  int count;
};

std::vector<Share> parse(std::string_view mix) {
  std::vector<Share> shares;
  while (!mix.empty()) {
    std::string_view word = mix.substr(0, mix.find(' '));
    mix.remove_prefix(std::min(mix.size(), word.size() + 1));
    const auto colon = word.find(':');
    int count = 1;
    if (colon != std::string_view::npos)
      std::from_chars(word.data() + colon + 1, word.data() + word.size(), count);
    if (word == guard_word)
      shares.push_back({OpClass::fp32_minmax_cmp, 1});
    else if (auto op = facts::op_class_from_string(word.substr(0, colon)))
      shares.push_back({*op, count});
  }
  return shares;
}

bool guarded(std::string_view mix) {
  return mix.find(guard_word) != std::string_view::npos;
}

std::vector<OpClass> in_order(const std::vector<Share>& shares) {
  std::vector<OpClass> ops;
  for (const Share& share : shares)
    ops.insert(ops.end(), static_cast<std::size_t>(share.count), share.op);
  return ops;
}

/// Interleaves the classes by their share, so that no unit sees its operations in one lump.
std::vector<OpClass> spread(const std::vector<Share>& shares) {
  std::vector<std::pair<double, OpClass>> placed;
  for (const Share& share : shares)
    for (int i = 0; i < share.count; ++i)
      placed.push_back({(i + 0.5) / share.count, share.op});
  std::stable_sort(placed.begin(), placed.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<OpClass> ops;
  for (const auto& [at, op] : placed)
    ops.push_back(op);
  return ops;
}

// Prefix of the callee's name -> row. Longer prefixes first where one contains the other.
constexpr std::array<std::pair<std::string_view, std::string_view>, 41> names = {{
    {"llvm.sin.", "sin"},
    {"llvm.sinh.", "sinh"},
    {"llvm.asin.", "asin"},
    {"llvm.cos.", "cos"},
    {"llvm.cosh.", "cosh"},
    {"llvm.acos.", "acos"},
    {"llvm.tan.", "tan"},
    {"llvm.tanh.", "tanh"},
    {"llvm.atan.", "atan"},
    {"llvm.exp.", "exp"},
    {"llvm.exp2.", "exp2"},
    {"llvm.exp10.", "exp10"},
    {"llvm.log.", "log"},
    {"llvm.log2.", "log2"},
    {"llvm.log10.", "log10"},
    {"llvm.pow.", "pow"},
    {"llvm.powi.", "pow"},
    {"llvm.sqrt.", "sqrt"},
    {"llvm.floor.", "floor"},
    {"llvm.ceil.", "ceil"},
    {"llvm.trunc.", "trunc"},
    {"llvm.rint.", "rint"},
    {"llvm.nearbyint.", "rint"},
    {"llvm.roundeven.", "rint"},
    {"llvm.round.", "round"},
    {"llvm.ldexp.", "ldexp"},
    {"llvm.frexp.", "frexp"},
    {"llvm.nvvm.sin.approx", "sin_approx"},
    {"llvm.nvvm.cos.approx", "cos_approx"},
    {"llvm.nvvm.ex2.approx", "exp2_approx"},
    {"llvm.nvvm.lg2.approx", "log2_approx"},
    {"llvm.nvvm.rsqrt.approx.d", "rsqrt"}, // what CUDA makes of rsqrt(double): refined
    {"llvm.nvvm.rsqrt.approx", "rsqrt_approx"},
    {"llvm.nvvm.sqrt.approx", "sqrt_approx"},
    {"llvm.nvvm.sqrt", "sqrt"},
    {"llvm.nvvm.rcp.approx", "rcp_approx"},
    {"llvm.nvvm.rcp", "rcp"},
    {"llvm.nvvm.div.approx", "div_approx"},
    {"llvm.nvvm.div.full", "div_full"},
    {"llvm.nvvm.div", "div"},
    {"llvm.copysign.", "copysign"},
}};

} // namespace

std::vector<OpClass> expansion(std::string_view function, std::string_view type) {
  for (const Expansion& row : expansion_table())
    if (row.function == function && row.type == type)
      return guarded(row.mix) ? in_order(parse(row.mix)) : spread(parse(row.mix));
  if (type == "f32z") // no scaling of denormals in it
    return expansion(function, "f32");
  return {};
}

std::size_t beside(std::string_view function, std::string_view type) {
  constexpr std::string_view word = "beside:";
  for (const Expansion& row : expansion_table()) {
    if (row.function != function || row.type != type)
      continue;
    std::size_t count = 0;
    if (const auto at = row.mix.find(word); at != std::string_view::npos)
      std::from_chars(row.mix.data() + at + word.size(), row.mix.data() + row.mix.size(), count);
    return count;
  }
  return type == "f32z" ? beside(function, "f32") : 0;
}

std::optional<std::size_t> guard(std::string_view function, std::string_view type) {
  for (const Expansion& row : expansion_table())
    if (row.function == function && row.type == type)
      return guarded(row.mix)
                 ? std::optional(in_order(parse(row.mix.substr(0, row.mix.find(guard_word)))).size())
                 : std::nullopt;
  return type == "f32z" ? guard(function, "f32") : std::nullopt;
}

std::string_view math_function(std::string_view callee) {
  constexpr std::string_view marker = "forewarp.math.";
  if (callee.starts_with(marker)) {
    callee.remove_prefix(marker.size());
    return callee.substr(0, callee.find('.'));
  }
  for (const auto& [prefix, row] : names)
    if (callee.starts_with(prefix))
      return row;
  return "";
}

} // namespace forewarp::codegen
