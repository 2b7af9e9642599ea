#include "gpu/read/raw_file.h"

#include "gpu/read/value_reader.h"
#include "gpu/schema/schema.h"
#include "support/suggest.h"
#include "support/text_file.h"

#include "support/toml.h"
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace forewarp::gpu {
namespace {

const std::vector<std::string> identity_keys = {"name",    "vendor",      "target",   "generation", "aliases",
                                                "extends", "default_for", "prefixes", "abstract"};

bool is_identity(std::string_view key) {
  return std::find(identity_keys.begin(), identity_keys.end(), key) != identity_keys.end();
}

Result<std::string> word(const toml::node& node, std::string_view key, const std::string& path) {
  const auto text = node.value_exact<std::string>();
  if (!text || text->empty())
    return fail(ErrorCode::bad_input, fmt::format("'{}' has to be a string that is not empty", key),
                place(node, path), fmt::format("{} = \"...\"", key));
  return *text;
}

Result<std::vector<std::string>> words(const toml::node& node, std::string_view key,
                                       const std::string& path) {
  std::vector<std::string> all;
  const toml::array* array = node.as_array();
  if (!array)
    return fail(ErrorCode::bad_input, fmt::format("'{}' has to be a list of strings", key), place(node, path),
                fmt::format("{} = [\"...\", \"...\"]", key));
  for (const toml::node& item : *array) {
    auto one = word(item, key, path);
    FOREWARP_TRY(one);
    all.push_back(std::move(*one));
  }
  return all;
}

Result<void> read_identity(const toml::node& node, std::string_view key, const std::string& path,
                           RawFile& raw) {
  if (key == "abstract") {
    const auto flag = node.value_exact<bool>();
    if (!flag)
      return fail(ErrorCode::bad_input, "'abstract' has to be true or false", place(node, path));
    raw.file.abstract = *flag;
    return {};
  }
  if (key == "aliases" || key == "default_for" || key == "prefixes") {
    auto list = words(node, key, path);
    FOREWARP_TRY(list);
    raw.says_aliases |= key == "aliases";
    raw.says_default_for |= key == "default_for";
    (key == "aliases"    ? raw.file.aliases
     : key == "prefixes" ? raw.file.prefixes
                         : raw.file.default_for) = std::move(*list);
    return {};
  }
  auto text = word(node, key, path);
  FOREWARP_TRY(text);
  if (key == "extends") {
    raw.extends = std::move(*text);
    raw.extends_where = place(node, path);
  } else {
    (key == "name"     ? raw.file.name
     : key == "vendor" ? raw.file.vendor
     : key == "target" ? raw.file.target
                       : raw.file.generation) = std::move(*text);
  }
  return {};
}

/// Where values go, and the rows behind them.
struct Facts {
  std::map<std::string, Value>& values;
  Provenance& provenance;
};

Result<void> read_fact(const toml::node& node, const std::string& key, const std::string& path,
                       bool free_form, Facts out) {
  auto value = read_value(node, key, path, free_form);
  FOREWARP_TRY(value);
  auto rows = read_rows_behind(node, key, path);
  FOREWARP_TRY(rows);
  out.values.emplace(key, std::move(*value));
  if (!rows->empty())
    out.provenance.emplace(key, std::move(*rows));
  return {};
}

/// Walks tables down to values; a table with a `value` key is a value.
Result<void> read_facts(const toml::table& table, const std::string& prefix, const std::string& path,
                        bool free_form, int depth, Facts out) {
  for (const auto& [toml_key, node] : table) {
    const std::string key = prefix + std::string(toml_key.str());
    const toml::table* inner = node.as_table();
    if (inner && !inner->contains("value") && !inner->contains("unit") && depth < 4) {
      FOREWARP_TRY(read_facts(*inner, key + ".", path, free_form, depth + 1, out));
      continue;
    }
    FOREWARP_TRY(read_fact(node, key, path, free_form, out));
  }
  return {};
}

Result<void> read_value_sets(const toml::node& node, const std::string& path, GpuFile& file) {
  const toml::table* sets = node.as_table();
  if (!sets)
    return fail(ErrorCode::bad_input, "'value_sets' has to be a table of tables", place(node, path),
                "[value_sets.NAME]");
  for (const auto& [name, set] : *sets) {
    const toml::table* table = set.as_table();
    if (!table)
      return fail(ErrorCode::bad_input, fmt::format("value set '{}' has to be a table", name.str()),
                  place(set, path));
    Provenance unused; // no prediction takes values of a set unless it is asked for, and no suite asks
    FOREWARP_TRY(read_facts(*table, "", path, true, 0, {file.value_sets[std::string(name.str())], unused}));
  }
  return {};
}

Result<void> read_root(const toml::table& root, const std::string& path, RawFile& raw) {
  const Facts facts = {raw.file.values, raw.provenance};
  for (const auto& [key, node] : root) {
    if (is_identity(key.str())) {
      FOREWARP_TRY(read_identity(node, key.str(), path, raw));
    } else if (key.str() == "value_sets") {
      FOREWARP_TRY(read_value_sets(node, path, raw.file));
    } else if (node.is_table()) {
      const toml::table& table = *node.as_table();
      if (table.contains("value") || table.contains("unit"))
        FOREWARP_TRY(read_fact(node, std::string(key.str()), path, false, facts));
      else
        FOREWARP_TRY(read_facts(table, std::string(key.str()) + ".", path, false, 1, facts));
    } else {
      auto value = read_value(node, std::string(key.str()), path, false);
      FOREWARP_TRY(value);
    }
  }
  if (!raw.file.vendor.empty() && raw.file.vendor != "nvidia" && raw.file.vendor != "amd")
    return fail(ErrorCode::bad_input, fmt::format("vendor is '{}'", raw.file.vendor),
                place(*root.get("vendor"), path), "known vendors: nvidia, amd");
  return {};
}

} // namespace

Result<RawFile> parse_raw(std::string_view text, const std::string& path) {
  FOREWARP_TRY(check_text(text, path, "GPU file"));
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    return fail(ErrorCode::bad_input, "the GPU file is empty", path,
                "start from a copy of a shipped file, or write name = \"...\" and extends = \"...\"");
  RawFile raw;
  raw.file.path = path;
  const toml::parse_result parsed = toml::parse(text, path);
  if (!parsed) {
    const auto at = parsed.error().source().begin;
    return fail(ErrorCode::bad_input, "not valid TOML: " + std::string(parsed.error().description()),
                fmt::format("{}:{}:{}", path, at.line, at.column),
                "see docs/reference/gpu_files.md for the layout of a GPU file");
  }
  FOREWARP_TRY(read_root(parsed.table(), path, raw));
  return raw;
}

Result<RawFile> read_raw(const std::filesystem::path& path) {
  auto text = read_file(path.string(), "GPU file", max_gpu_file_bytes);
  FOREWARP_TRY(text);
  return parse_raw(*text, path.string());
}

} // namespace forewarp::gpu
