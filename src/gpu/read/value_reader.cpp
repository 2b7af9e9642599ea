#include "gpu/read/value_reader.h"

#include "gpu/read/derived_from.h"
#include "gpu/schema/schema.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace forewarp::gpu {
namespace {

tl::unexpected<Error> wrong(const toml::node& node, const std::string& path, std::string message,
                            std::string hint) {
  return fail(ErrorCode::bad_input, std::move(message), place(node, path), std::move(hint));
}

/// A key that only a misspelling explains is said as such before its value is looked at.
Result<void> check_known(const toml::node& node, const std::string& key, const std::string& path) {
  if (rule_of(key))
    return {};
  const auto near = nearest_keys(key);
  return wrong(
      node, path, fmt::format("unknown key '{}'", key),
      near.empty()
          ? std::string(
                "docs/reference/gpu_files.md lists the keys; free keys are allowed in [value_sets.NAME]")
          : fmt::format("did you mean '{}'?", fmt::join(near, "' or '")));
}

Result<std::string> text_of(const toml::table& table, std::string_view field, const std::string& key,
                            const std::string& path) {
  const toml::node* node = table.get(field);
  const char* what = field == "unit" ? "unit" : field == "ref" ? "ref" : "source";
  if (!node)
    return wrong(table, path, fmt::format("'{}' has no {}", key, what),
                 field == "source"
                     ? "source = one of datasheet, whitepaper, microbenchmark, paper, derived, proxy, assumed"
                     : fmt::format("{} = \"...\"", what));
  const auto text = node->value_exact<std::string>();
  if (!text)
    return wrong(*node, path, fmt::format("{} of '{}' has to be a string", what, key),
                 fmt::format("{} = \"...\"", what));
  return *text;
}

Result<std::variant<double, std::string, std::vector<double>>>
content(const toml::node& node, const std::string& key, const std::string& path) {
  using Content = std::variant<double, std::string, std::vector<double>>;
  if (const auto flag = node.value_exact<bool>())
    return Content{*flag ? 1.0 : 0.0};
  if (node.is_number())
    return Content{*node.value<double>()};
  if (const auto text = node.value_exact<std::string>())
    return Content{*text};
  const toml::array* array = node.as_array();
  if (!array)
    return wrong(node, path,
                 fmt::format("value of '{}' has to be a number, a string or a list of numbers", key), "");
  std::vector<double> list;
  for (const toml::node& item : *array) {
    if (!item.is_number())
      return wrong(item, path, fmt::format("'{}' holds something that is not a number", key),
                   "value = [0, 8, 16]");
    list.push_back(*item.value<double>());
  }
  return Content{std::move(list)};
}

Result<void> check_fields(const toml::table& table, const std::string& key, const std::string& path) {
  for (const auto& [name, node] : table)
    if (name.str() != "value" && name.str() != "unit" && name.str() != "source" && name.str() != "ref" &&
        name.str() != "derived_from")
      return wrong(node, path, fmt::format("'{}' has a field '{}'", key, name.str()),
                   "a value has the fields value, unit, source, ref and derived_from");
  return {};
}

} // namespace

std::string place(const toml::node& node, const std::string& path) {
  return fmt::format("{}:{}:{}", path, node.source().begin.line, node.source().begin.column);
}

Result<std::vector<MeasuredRows>> read_rows_behind(const toml::node& value, const std::string& key,
                                                   const std::string& path) {
  const toml::node* rows = value.as_table() ? value.as_table()->get("derived_from") : nullptr;
  return rows ? read_derived_from(*rows, "'" + key + "'", path) : std::vector<MeasuredRows>{};
}

Result<Value> read_value(const toml::node& node, const std::string& key, const std::string& path,
                         bool free_form) {
  if (!free_form)
    FOREWARP_TRY(check_known(node, key, path));
  const toml::table* table = node.as_table();
  if (!table || !table->contains("value"))
    return wrong(
        node, path, fmt::format("'{}' has no value with unit and source", key),
        fmt::format("write {} = {{ value = ..., unit = \"...\", source = \"...\", ref = \"...\" }}", key));
  FOREWARP_TRY(check_fields(*table, key, path));
  Value value;
  auto what = content(*table->get("value"), key, path);
  FOREWARP_TRY(what);
  value.value = std::move(*what);
  auto unit = text_of(*table, "unit", key, path);
  FOREWARP_TRY(unit);
  value.unit = std::move(*unit);
  auto source_name = text_of(*table, "source", key, path);
  FOREWARP_TRY(source_name);
  const auto source = source_from_string(*source_name);
  if (!source)
    return wrong(*table->get("source"), path, fmt::format("source of '{}' is '{}'", key, *source_name),
                 "one of datasheet, whitepaper, microbenchmark, paper, derived, proxy, assumed");
  value.source = *source;
  if (value.source != ValueSource::assumed || table->contains("ref")) {
    auto ref = text_of(*table, "ref", key, path);
    FOREWARP_TRY(ref);
    value.ref = std::move(*ref);
  }
  if (const auto rule = rule_of(key)) {
    auto checked = check_value(*rule, key, value);
    if (!checked) {
      Error error = checked.error();
      error.where = place(*table->get("value"), path);
      return tl::unexpected<Error>(std::move(error));
    }
  }
  return value;
}

} // namespace forewarp::gpu
