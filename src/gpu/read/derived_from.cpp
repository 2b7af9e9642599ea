#include "gpu/read/derived_from.h"

#include "gpu/read/value_reader.h"
#include "support/suggest.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace forewarp::gpu {
namespace {

constexpr const char* example =
    "derived_from = [{ suite = \"pmpp\", kernels = [\"...\"], gpus = [\"...\"] }]";

Result<std::vector<std::string>> names(const toml::table& table, const char* field, const std::string& what,
                                       const std::string& path) {
  std::vector<std::string> all;
  const toml::node* node = table.get(field);
  if (!node)
    return all;
  const toml::array* array = node->as_array();
  if (!array || array->empty())
    return fail(ErrorCode::bad_input,
                fmt::format("'{}' in derived_from of {} has to be a list of names", field, what),
                place(*node, path), fmt::format("{} = [\"...\"], or leave it out to mean all", field));
  for (const toml::node& item : *array) {
    const auto name = item.value_exact<std::string>();
    if (!name || name->empty())
      return fail(ErrorCode::bad_input,
                  fmt::format("'{}' in derived_from of {} holds something that is no name", field, what),
                  place(item, path), example);
    all.push_back(*name);
  }
  return all;
}

Result<MeasuredRows> one(const toml::node& node, const std::string& what, const std::string& path) {
  const toml::table* table = node.as_table();
  const toml::node* suite = table ? table->get("suite") : nullptr;
  const auto name = suite ? suite->value_exact<std::string>() : std::nullopt;
  if (!name)
    return fail(ErrorCode::bad_input, fmt::format("derived_from of {} has an entry without a suite", what),
                place(node, path), example);
  for (const auto& [key, value] : *table)
    if (key != "suite" && key != "kernels" && key != "gpus")
      return fail(ErrorCode::bad_input, fmt::format("derived_from of {} has a field '{}'", what, key.str()),
                  place(value, path), "an entry has the fields suite, kernels and gpus");
  const auto& known = suite_names();
  if (std::find(known.begin(), known.end(), *name) == known.end()) {
    const auto near = nearest_names(*name, known);
    return fail(ErrorCode::bad_input,
                fmt::format("derived_from of {} names the suite '{}', which nobody knows", what, *name),
                place(*suite, path),
                near.empty() ? fmt::format("known suites: {}", fmt::join(known, ", "))
                             : fmt::format("did you mean '{}'?", fmt::join(near, "' or '")));
  }
  auto kernels = names(*table, "kernels", what, path), gpus = names(*table, "gpus", what, path);
  FOREWARP_TRY(kernels);
  FOREWARP_TRY(gpus);
  return MeasuredRows{*name, std::move(*kernels), std::move(*gpus)};
}

} // namespace

Result<std::vector<MeasuredRows>> read_derived_from(const toml::node& node, const std::string& what,
                                                    const std::string& path) {
  const toml::array* array = node.as_array();
  if (!array || array->empty())
    return fail(ErrorCode::bad_input, fmt::format("derived_from of {} has to be a list of tables", what),
                place(node, path), example);
  std::vector<MeasuredRows> all;
  for (const toml::node& item : *array) {
    auto rows = one(item, what, path);
    FOREWARP_TRY(rows);
    all.push_back(std::move(*rows));
  }
  return all;
}

} // namespace forewarp::gpu
