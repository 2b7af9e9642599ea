#include "validate/draw.h"

#include "support/counter_random.h"

#include <algorithm>
#include <bit>
#include <set>
#include <tuple>
#include <unordered_map>

namespace forewarp::validate {
namespace {

using Names = std::set<std::string>;

void add(const Expression& expression, Names& names) {
  names.insert(expression.names().begin(), expression.names().end());
}

void add(const Template& text, Names& names) {
  for (const Expression& hole : text.holes)
    add(hole, names);
}

/// Names on which a kernel's code hangs, and all on which its launch does.
struct KernelNames {
  Names code, configuration;
  explicit KernelNames(const SuiteKernel& kernel) {
    add(kernel.kernel, code);
    for (const auto& [name, text] : kernel.defines)
      add(text, code);
    configuration = code;
    for (const auto* sizes : {&kernel.grid, &kernel.block})
      for (const Expression& size : *sizes)
        add(size, configuration);
    if (kernel.dynamic_shared)
      add(*kernel.dynamic_shared, configuration);
    for (const auto& [name, text] : kernel.arguments)
      add(text, configuration);
  }
};

/// Of the names' values; the same in every run.
std::uint64_t hash_of(const Names& names, const Values& values) {
  std::uint64_t hash = 0;
  for (const std::string& name : names)
    if (const auto value = values.find(name); value != values.end())
      hash = counter_random(hash, std::bit_cast<std::uint64_t>(value->second));
  return hash;
}

/// A configuration that was measured again is another one: both are as likely to be drawn.
std::vector<DrawnRow> with_configurations(std::vector<Row> rows) {
  std::map<const SuiteKernel*, KernelNames> names;
  std::unordered_map<std::uint64_t, std::uint64_t> times; // never iterated
  std::vector<DrawnRow> drawn;
  drawn.reserve(rows.size());
  for (Row& row : rows) {
    const KernelNames& used = names.try_emplace(row.kernel, *row.kernel).first->second;
    const std::uint64_t code = hash_of(used.code, row.values);
    std::uint64_t configuration = hash_of(used.configuration, row.values);
    configuration = counter_random(configuration, times[configuration]++);
    drawn.push_back({std::move(row), 0, code, configuration});
  }
  return drawn;
}

/// The chosen rows of a space, in the data's order: by configuration, so that every GPU gets the same ones,
/// where it has them.
std::vector<DrawnRow> chosen(std::vector<DrawnRow> rows, std::size_t sample, std::uint64_t seed) {
  if (sample == 0 || rows.size() <= sample)
    return rows;
  const auto earlier = [&](const DrawnRow& a, const DrawnRow& b) {
    return std::pair(counter_random(seed, a.configuration), a.row.index) <
           std::pair(counter_random(seed, b.configuration), b.row.index);
  };
  std::nth_element(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(sample), rows.end(), earlier);
  rows.resize(sample);
  std::sort(rows.begin(), rows.end(),
            [](const DrawnRow& a, const DrawnRow& b) { return a.row.index < b.row.index; });
  return rows;
}

bool ends_here(const Part& part, const DrawnRow& next) {
  constexpr std::size_t few = 8, many = 32;
  const DrawnRow& last = part.back();
  const bool shares = last.code == next.code && last.row.kernel->name == next.row.kernel->name;
  return part.size() >= (shares ? many : few);
}

} // namespace

std::vector<Part> draw(Spaces spaces, std::size_t sample, std::uint64_t seed) {
  std::vector<DrawnRow> all;
  for (auto& [key, rows] : spaces)
    for (DrawnRow& row : chosen(with_configurations(std::move(rows)), sample, seed)) {
      row.place = all.size();
      all.push_back(std::move(row));
    }
  const auto shared_first = [](const DrawnRow& row) {
    return std::tie(row.row.kernel->name, row.code, row.configuration, row.place);
  };
  std::sort(all.begin(), all.end(),
            [&](const DrawnRow& a, const DrawnRow& b) { return shared_first(a) < shared_first(b); });
  std::vector<Part> parts;
  for (DrawnRow& row : all) {
    if (parts.empty() || ends_here(parts.back(), row))
      parts.emplace_back();
    parts.back().push_back(std::move(row));
  }
  return parts;
}

} // namespace forewarp::validate
