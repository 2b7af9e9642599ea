#include "launch/variants.h"

#include "support/suggest.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace forewarp::launch {
namespace {

using Values = std::map<std::string, double>;

std::string place(const toml::node& node, const std::string& file) {
  return fmt::format("{}:{}:{}", file, node.source().begin.line, node.source().begin.column);
}

std::string nearest_hint(const std::string& name, const std::vector<std::string>& known,
                         const std::string& what) {
  const auto nearest = nearest_names(name, known, 1);
  if (!nearest.empty())
    return fmt::format("did you mean '{}'?", nearest.front());
  return known.empty() ? fmt::format("the file has no {}", what)
                       : fmt::format("{} are {}", what, fmt::join(known, ", "));
}

/// The numbers of a table `name`; every key must be one of `known` unless that is null.
Result<Values> numbers_of(const toml::node& node, const std::string& name, const std::string& file,
                          const Values* known) {
  const toml::table* table = node.as_table();
  if (table == nullptr)
    return fail(ErrorCode::bad_input, fmt::format("'{}' is not a table", name), place(node, file),
                "write NAME = NUMBER in it");
  Values values;
  for (const auto& [key, value] : *table) {
    const std::string number(key.str());
    const auto read = value.is_number() ? value.value<double>() : std::nullopt;
    if (!read)
      return fail(ErrorCode::bad_input, fmt::format("'{}.{}' is not a number", name, number),
                  place(value, file), "values are numbers");
    if (known != nullptr && !known->contains(number)) {
      std::vector<std::string> names;
      for (const auto& [each, unused] : *known)
        names.push_back(each);
      return fail(ErrorCode::bad_input, fmt::format("'{}' sets '{}', which is not in [values]", name, number),
                  place(value, file), nearest_hint(number, names, "values"));
    }
    values.emplace(number, *read);
  }
  return values;
}

bool has_holes(const std::string& text) {
  return text.find_first_of("{}") != std::string::npos;
}

/// Where and with what the texts of a file are filled.
struct Filling {
  const Values& values;
  const Templates& parsed;
  const std::string& file;
};

Result<void> fill_text(toml::value<std::string>& text, const Filling& filling) {
  if (!has_holes(text.get()))
    return {};
  const auto fill = [&](const Template& known) -> Result<void> {
    auto filled = known.fill(filling.values);
    FOREWARP_TRY(filled);
    text = *std::move(filled);
    return {};
  };
  if (const auto known = filling.parsed.find(text.get()); known != filling.parsed.end())
    return fill(known->second);
  const auto parsed = Template::parse(text.get(), place(text, filling.file));
  FOREWARP_TRY(parsed);
  return fill(*parsed);
}

Result<void> fill_node(toml::node& node, const Filling& filling) {
  if (auto* text = node.as_string())
    return fill_text(*text, filling);
  if (auto* array = node.as_array())
    for (toml::node& element : *array)
      FOREWARP_TRY(fill_node(element, filling));
  if (auto* table = node.as_table())
    for (auto&& [key, child] : *table)
      FOREWARP_TRY(fill_node(child, filling));
  return {};
}

void add_templates(const toml::node& node, Templates& templates) {
  if (const auto* text = node.as_string(); text != nullptr && has_holes(text->get()))
    if (auto parsed = Template::parse(text->get(), ""))
      templates.emplace(text->get(), *std::move(parsed));
  if (const auto* array = node.as_array())
    for (const toml::node& element : *array)
      add_templates(element, templates);
  if (const auto* table = node.as_table())
    for (const auto& [key, child] : *table)
      add_templates(child, templates);
}

/// All variants are read, so that a mistake in one is seen whichever is asked for.
Result<Values> values_of(const toml::table& table, const std::string& variant, const std::string& file) {
  auto values = numbers_of(*table.get("values"), "values", file, nullptr);
  FOREWARP_TRY(values);
  const toml::node* node = table.get("variants");
  if (node == nullptr)
    return values;
  if (!node->is_table())
    return fail(ErrorCode::bad_input, "'variants' is not a table", place(*node, file),
                "write NAME = { VALUE = NUMBER } in it");
  Values chosen = *values;
  for (const auto& [key, each] : *node->as_table()) {
    const std::string name(key.str());
    const auto differs = numbers_of(each, "variants." + name, file, &*values);
    FOREWARP_TRY(differs);
    if (name == variant)
      for (const auto& [value, number] : *differs)
        chosen[value] = number;
  }
  return chosen;
}

} // namespace

std::pair<std::string, std::string> split_variant(const std::string& path) {
  const std::size_t colon = path.rfind(':');
  std::error_code ignored;
  if (colon == std::string::npos || std::filesystem::exists(path, ignored))
    return {path, ""};
  return {path.substr(0, colon), path.substr(colon + 1)};
}

std::vector<std::string> names_of_variants(const toml::table& table) {
  std::vector<std::string> names;
  if (const toml::table* variants = table["variants"].as_table())
    for (const auto& [key, unused] : *variants)
      names.emplace_back(key.str());
  std::sort(names.begin(), names.end());
  return names;
}

Result<std::map<std::string, double>> values_of_file(const toml::table& table, const std::string& variant,
                                                     const std::string& file) {
  if (table.get("values") == nullptr)
    return std::map<std::string, double>();
  return values_of(table, variant, file);
}

Templates templates_of(const toml::node& table) {
  Templates templates;
  add_templates(table, templates);
  return templates;
}

Result<void> fill_values(toml::table& table, const std::string& variant, const std::string& file,
                         const std::map<std::string, double>& instead, const Templates& parsed) {
  const std::vector<std::string> names = names_of_variants(table);
  if (!variant.empty() && std::find(names.begin(), names.end(), variant) == names.end())
    return fail(ErrorCode::bad_input, fmt::format("no variant '{}'", variant), file,
                nearest_hint(variant, names, "variants"));
  if (table.get("values") == nullptr) {
    if (const toml::node* variants = table.get("variants"))
      return fail(ErrorCode::bad_input, "'variants' without 'values'", place(*variants, file),
                  "variants change numbers of [values]");
    return {};
  }
  auto values = values_of(table, variant, file);
  FOREWARP_TRY(values);
  for (const auto& [name, number] : instead)
    values->insert_or_assign(name, number);
  table.erase("values");
  table.erase("variants");
  return fill_node(table, {*values, parsed, file});
}

} // namespace forewarp::launch
