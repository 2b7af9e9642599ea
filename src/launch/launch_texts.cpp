#include "launch/launch_texts.h"

#include "launch/parse.h"
#include "launch/variants.h"
#include "support/text_file.h"

#include <fmt/format.h>

namespace forewarp::launch {
namespace {

std::string text_of(const toml::node& node) {
  if (const auto* text = node.as_string())
    return text->get();
  if (const auto* number = node.as_integer())
    return std::to_string(number->get());
  if (const auto* number = node.as_floating_point())
    return fmt::format("{}", number->get());
  if (const auto* truth = node.as_boolean())
    return truth->get() ? "1" : "0";
  return "";
}

/// "AxBxC" and "A,B,C", but for what stands in braces.
std::vector<std::string> sizes_of(const toml::node* node) {
  std::vector<std::string> sizes;
  if (node == nullptr)
    return sizes;
  if (const auto* array = node->as_array()) {
    for (const toml::node& element : *array)
      sizes.push_back(text_of(element));
    return sizes;
  }
  sizes.emplace_back();
  int open = 0;
  for (const char c : text_of(*node)) {
    open += c == '{' ? 1 : c == '}' ? -1 : 0;
    if (open == 0 && (c == 'x' || c == ','))
      sizes.emplace_back();
    else
      sizes.back() += c;
  }
  return sizes;
}

void add_texts(const toml::node* node, std::vector<std::string>& to) {
  if (node == nullptr)
    return;
  if (const auto* array = node->as_array())
    for (const toml::node& element : *array)
      to.push_back(text_of(element));
  else
    to.push_back(text_of(*node));
}

} // namespace

Result<LaunchTexts> read_launch_texts(const std::string& path) {
  const auto checked = read_launch_file(path);
  FOREWARP_TRY(checked);
  const auto [file, variant] = split_variant(path);
  constexpr std::uint64_t most_bytes = 1 << 20;
  const auto text = read_text_file(file, "launch file", most_bytes);
  FOREWARP_TRY(text);
  toml::parse_result parsed = toml::parse(*text);
  if (!parsed) // it was read a moment ago
    return fail(ErrorCode::bad_input, "is not TOML", file);
  const toml::table table = std::move(parsed).table();
  LaunchTexts texts;
  texts.file = file;
  auto values = values_of_file(table, variant, file);
  FOREWARP_TRY(values);
  texts.values = *std::move(values);
  texts.global = sizes_of(table.get("global"));
  texts.grid = sizes_of(table.get("grid"));
  const toml::node* local = table.get("local");
  texts.local = sizes_of(local != nullptr ? local : table.get("block"));
  for (const char* key : {"defines", "options"})
    add_texts(table.get(key), texts.source_texts);
  if (const toml::node* dynamic = table.get("dynamic_shared"))
    texts.source_texts.push_back(text_of(*dynamic));
  const toml::node* arguments = table.get("arguments");
  if (arguments != nullptr && arguments->as_table() != nullptr)
    for (const auto& [key, node] : *arguments->as_table())
      if (node.as_table() == nullptr && node.as_array() == nullptr)
        texts.arguments.emplace(std::string(key.str()), text_of(node));
  if (arguments != nullptr && arguments->as_array() != nullptr)
    for (const toml::node& element : *arguments->as_array())
      if (const auto* words = element.as_string()) {
        const std::size_t equals = words->get().find('=');
        if (equals != std::string::npos)
          texts.arguments.emplace(words->get().substr(0, equals), words->get().substr(equals + 1));
      }
  return texts;
}

} // namespace forewarp::launch
