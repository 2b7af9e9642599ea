#include "validate/evidence.h"

#include "gpu/read/derived_from.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace forewarp::validate {
namespace {

const std::vector<std::string> rule_keys = {"name",    "code",    "text",        "what",        "affects",
                                            "vendors", "targets", "generations", "derived_from"};

constexpr std::array<std::string_view, 3> affected = {"times", "intervals", "rankings"}; // as Affects

std::string place(const toml::node& node, const std::string& path) {
  return fmt::format("{}:{}", path, node.source().begin.line);
}

tl::unexpected<Error> wrong(const toml::node& node, const std::string& path, std::string what,
                            std::string hint) {
  return fail(ErrorCode::bad_input, std::move(what), place(node, path), std::move(hint));
}

Result<std::string> word(const toml::table& table, const std::string& key, const std::string& path) {
  const toml::node* node = table.get(key);
  const auto text = node != nullptr ? node->value_exact<std::string>() : std::nullopt;
  if (!text || text->empty())
    return wrong(node != nullptr ? *node : static_cast<const toml::node&>(table), path,
                 fmt::format("the rule has no '{}'", key), fmt::format("{} = \"...\"", key));
  return *text;
}

Result<std::vector<std::string>> words(const toml::table& table, const std::string& key,
                                       const std::string& path) {
  std::vector<std::string> all;
  const toml::node* node = table.get(key);
  if (node == nullptr)
    return all;
  if (const toml::array* array = node->as_array())
    for (const toml::node& item : *array)
      if (const auto text = item.value_exact<std::string>())
        all.push_back(*text);
  if (all.empty())
    return wrong(*node, path, fmt::format("'{}' has to be a list of names", key),
                 fmt::format("{} = [\"...\"], or leave it out to mean every GPU", key));
  return all;
}

Result<Rule> read_rule(const toml::table& table, const std::string& path) {
  for (const auto& [key, node] : table)
    if (std::find(rule_keys.begin(), rule_keys.end(), key.str()) == rule_keys.end())
      return wrong(node, path, fmt::format("unknown key '{}'", key.str()),
                   fmt::format("a rule has {}", fmt::join(rule_keys, ", ")));
  Rule rule;
  for (const auto& [key, field] :
       {std::pair{"name", &rule.name}, {"code", &rule.code}, {"text", &rule.text}, {"what", &rule.what}}) {
    auto text = word(table, key, path);
    FOREWARP_TRY(text);
    *field = std::move(*text);
  }
  for (const auto& [key, field] : {std::pair{"vendors", &rule.vendors},
                                   {"generations", &rule.generations},
                                   {"targets", &rule.targets}}) {
    auto list = words(table, key, path);
    FOREWARP_TRY(list);
    *field = std::move(*list);
  }
  const auto affects = word(table, "affects", path);
  FOREWARP_TRY(affects);
  const auto kind = std::find(affected.begin(), affected.end(), *affects);
  if (kind == affected.end())
    return wrong(*table.get("affects"), path, fmt::format("rule '{}' affects '{}'", rule.name, *affects),
                 fmt::format("affects = one of {}", fmt::join(affected, ", ")));
  rule.affects = static_cast<Affects>(kind - affected.begin());
  const toml::node* rows = table.get("derived_from");
  if (rows == nullptr)
    return wrong(table, path, fmt::format("rule '{}' has no derived_from", rule.name),
                 "derived_from = [{ suite = \"...\" }]");
  auto derived = gpu::read_derived_from(*rows, "rule '" + rule.name + "'", path);
  FOREWARP_TRY(derived);
  rule.derived_from = std::move(*derived);
  return rule;
}

} // namespace

std::string rules_path(const std::string& gpu_folder) {
  return (std::filesystem::path(gpu_folder).parent_path() / "evidence" / "rules.toml").string();
}

Result<std::vector<Rule>> read_rules(const std::string& path) {
  const toml::parse_result parsed = toml::parse_file(path);
  if (!parsed && parsed.error().source().begin.line == 0)
    return fail(ErrorCode::not_found, "the table of rules cannot be opened", path,
                "it lies in data/evidence, beside data/gpus");
  if (!parsed)
    return fail(ErrorCode::bad_input, std::string(parsed.error().description()),
                fmt::format("{}:{}", path, parsed.error().source().begin.line));
  std::vector<Rule> all;
  const toml::node* rules = parsed.table().get("rule");
  if (rules == nullptr || !rules->is_array_of_tables())
    return fail(ErrorCode::bad_input, "the table holds no [[rule]]", path,
                "docs/develop/validation.md has an example");
  for (const toml::node& node : *rules->as_array()) {
    auto rule = read_rule(*node.as_table(), path);
    FOREWARP_TRY(rule);
    all.push_back(std::move(*rule));
  }
  return all;
}

} // namespace forewarp::validate
