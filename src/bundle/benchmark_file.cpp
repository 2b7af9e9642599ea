#include "bundle/benchmark_file.h"

#include "bundle/toml_texts.h"
#include "launch/argument.h"
#include "launch/parse.h"
#include "support/expression.h"
#include "support/text_file.h"
#include "support/toml.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <set>

namespace forewarp::bundle {
namespace {

using Values = std::map<std::string, double>;

constexpr std::size_t max_points = 512;

/// Text with {expressions} of the sweep's values, as whole numbers where they are whole.
Result<std::string> filled(const std::string& text, const Values& values, const std::string& where) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t open = text.find('{', at);
    result += text.substr(at, open - at);
    if (open == std::string::npos)
      break;
    const std::size_t close = text.find('}', open);
    if (close == std::string::npos)
      return fail(ErrorCode::bad_input, fmt::format("'{}' lacks a closing brace", text), where);
    const auto expression = Expression::parse(text.substr(open + 1, close - open - 1), where);
    FOREWARP_TRY(expression);
    const auto value = expression->evaluate(values);
    FOREWARP_TRY(value);
    const bool whole = std::floor(*value) == *value && std::fabs(*value) < 9e15;
    result += whole ? fmt::format("{}", static_cast<std::int64_t>(*value)) : fmt::format("{}", *value);
    at = close + 1;
  }
  return result;
}

/// A number or a text with expressions.
Result<std::string> word(const toml::node* node, const Values& values, const std::string& where) {
  if (const auto number = node ? node->value_exact<std::int64_t>() : std::nullopt)
    return fmt::format("{}", *number);
  if (const auto real = node ? node->value_exact<double>() : std::nullopt)
    return fmt::format("{}", *real);
  if (const auto text = node ? node->value_exact<std::string>() : std::nullopt)
    return filled(*text, values, where);
  return fail(ErrorCode::bad_input, "a number or a text is missing", where);
}

/// Cross product of the sweep's lists, first name slowest.
Result<std::vector<Values>> product(const toml::table* sweep, const std::string& where) {
  std::vector<Values> all = {{}};
  if (!sweep)
    return all;
  for (const auto& [key, node] : *sweep) {
    const toml::array* list = node.as_array();
    std::vector<Values> longer;
    for (const Values& before : all)
      for (std::size_t i = 0; list && i < list->size(); ++i) {
        Values values = before;
        values[std::string(key.str())] = (*list)[i].value_or(0.0);
        longer.push_back(std::move(values));
      }
    if (longer.empty() || longer.size() > max_points)
      return fail(ErrorCode::bad_input,
                  fmt::format("sweep.{} is no list, or the sweep is too long", key.str()), where);
    all = std::move(longer);
  }
  return all;
}

/// Texts with expressions become numbers.
Result<nlohmann::json> json_of(const toml::table* table, const Values& values, const std::string& where) {
  nlohmann::json json = nlohmann::json::object();
  if (table)
    for (const auto& [key, node] : *table) {
      const std::string name(key.str());
      if (const toml::table* inner = node.as_table()) {
        auto filled_inner = json_of(inner, values, where);
        FOREWARP_TRY(filled_inner);
        json[name] = std::move(*filled_inner);
        continue;
      }
      const auto text = word(&node, values, where + ": " + name);
      FOREWARP_TRY(text);
      const bool number = !node.is_string() || node.value_or(std::string()).starts_with('{');
      json[name] = number ? nlohmann::json(std::stod(*text)) : nlohmann::json(*text);
    }
  return json;
}

struct Parts {
  std::string name, where; ///< of the benchmark, of the file
  const toml::table* file;
  const toml::table* variant;
  const toml::table* type;
  const toml::table* mode;
  /// Later ones count before earlier ones.
  std::array<const toml::table*, 4> all() const { return {file, mode, type, variant}; }
};

/// The mode's table counts before the file's.
const toml::node* find(const Parts& parts, const char* key) {
  const toml::node* of_mode = parts.mode->get(key);
  return of_mode ? of_mode : parts.file->get(key);
}

Result<facts::Launch> launch_of(const Parts& parts, const Values& values) {
  facts::Launch launch;
  const bool per_sm = find(parts, "groups_per_sm");
  auto groups = word(find(parts, per_sm ? "groups_per_sm" : "groups"), values, parts.where + ": groups");
  FOREWARP_TRY(groups);
  auto size = word(find(parts, "group_size"), values, parts.where + ": group_size");
  FOREWARP_TRY(size);
  const auto grid = launch::parse_dim3(*groups, parts.where + ": groups");
  FOREWARP_TRY(grid);
  const auto group = launch::parse_dim3(*size, parts.where + ": group_size");
  FOREWARP_TRY(group);
  launch.groups = *grid;
  launch.group_size = *group;
  for (const toml::table* from : parts.all())
    if (const toml::table* arguments = (*from)["arguments"].as_table())
      for (const auto& [key, node] : *arguments) {
        const std::string name(key.str());
        auto text = word(&node, values, parts.where + ": arguments." + name);
        FOREWARP_TRY(text);
        auto value = launch::parse_value(*text, ".", parts.where + ": arguments." + name);
        FOREWARP_TRY(value);
        launch.arguments[name] = std::move(*value);
      }
  return launch;
}

Result<BenchmarkPoint> point_of(const Parts& parts, const Values& values) {
  BenchmarkPoint point;
  point.groups_per_sm = find(parts, "groups_per_sm") != nullptr;
  auto launch = launch_of(parts, values);
  FOREWARP_TRY(launch);
  point.launch = std::move(*launch);
  if (const toml::node* stage = find(parts, "stage")) {
    const auto text = word(stage, values, parts.where + ": stage");
    FOREWARP_TRY(text);
    point.stage = static_cast<unsigned>(std::strtoul(text->c_str(), nullptr, 10));
  }
  point.micro = nlohmann::json::object();
  for (const toml::table* part : parts.all()) {
    const auto micro = json_of((*part)["micro"].as_table(), values, parts.where + ": micro");
    FOREWARP_TRY(micro);
    point.micro.update(*micro);
  }
  point.micro["benchmark"] = parts.name;
  point.micro["variant"] = (*parts.variant)["name"].value_or(std::string());
  point.micro["mode"] = (*parts.mode)["name"].value_or(std::string());
  point.micro["values"] = values;
  for (const auto& [name, value] : values)
    point.name += fmt::format("{}{}={}", point.name.empty() ? "" : ",", name, value);
  if (point.name.empty())
    point.name = "default";
  return point;
}

Result<BenchmarkKernel> kernel_of(const Parts& parts, const std::string& folder) {
  BenchmarkKernel kernel;
  kernel.name = parts.name;
  for (const toml::table* part : {parts.variant, parts.type, parts.mode})
    if (const auto name = (*part)["name"].value<std::string>())
      kernel.name += '.' + *name;
  kernel.source = folder + '/' + (*parts.file)["source"].value_or(std::string());
  kernel.kernel = (*parts.file)["kernel"].value_or(std::string());
  for (const toml::table* part : parts.all()) {
    for (std::string& define : texts(*part, "defines"))
      kernel.defines.push_back(std::move(define));
    kernel.only_ptx = kernel.only_ptx || (*part)["only_ptx"].value_or(false);
    kernel.least_target = std::max(kernel.least_target, (*part)["least_target"].value_or(0));
    kernel.kernel = (*part)["kernel"].value_or(kernel.kernel);
  }
  const toml::node* sweep = find(parts, "sweep");
  const auto points = product(sweep ? sweep->as_table() : nullptr, parts.where);
  FOREWARP_TRY(points);
  for (const Values& values : *points) {
    auto point = point_of(parts, values);
    FOREWARP_TRY(point);
    kernel.points.push_back(std::move(*point));
  }
  return kernel;
}

/// The tables of an array; one empty table where there is none.
std::vector<const toml::table*> tables(const toml::table& file, const char* key) {
  static const toml::table none;
  std::vector<const toml::table*> result;
  if (const toml::array* array = file[key].as_array())
    for (const toml::node& node : *array)
      if (const toml::table* table = node.as_table())
        result.push_back(table);
  if (result.empty())
    result.push_back(&none);
  return result;
}

/// A variant may name the types that it is for.
bool has_type(const toml::table& variant, const toml::table& type) {
  const std::vector<std::string> only = texts(variant, "types");
  return only.empty() ||
         std::find(only.begin(), only.end(), type["name"].value_or(std::string())) != only.end();
}

} // namespace

Result<std::vector<BenchmarkKernel>> read_benchmark(const std::string& path) {
  const auto text = read_text_file(path, "micro-benchmark file", 1 << 20);
  FOREWARP_TRY(text);
  const toml::parse_result parsed = toml::parse(*text, path);
  if (!parsed)
    return fail(ErrorCode::bad_input,
                fmt::format("is not TOML: {}", std::string(parsed.error().description())),
                fmt::format("{}:{}", path, parsed.error().source().begin.line));
  const toml::table& file = parsed.table();
  const std::filesystem::path place(path);
  std::vector<BenchmarkKernel> kernels;
  for (const toml::table* variant : tables(file, "variant"))
    for (const toml::table* type : tables(file, "type"))
      for (const toml::table* mode : tables(file, "mode")) {
        if (!has_type(*variant, *type))
          continue;
        auto kernel = kernel_of({place.stem().string(), path, &file, variant, type, mode},
                                place.parent_path().string());
        FOREWARP_TRY(kernel);
        kernels.push_back(std::move(*kernel));
      }
  return kernels;
}

} // namespace forewarp::bundle
