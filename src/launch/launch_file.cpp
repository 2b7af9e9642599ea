// The launch file (docs/reference/launch_file.md). Words and variants stand in files of their own.
#include "launch/argument.h"
#include "launch/launch_template.h"
#include "launch/variants.h"
#include "launch/words.h"
#include "support/suggest.h"
#include "support/text_file.h"

#include "support/toml.h"
#include <filesystem>
#include <fmt/format.h>

namespace forewarp::launch {
namespace {

constexpr std::uint64_t max_launch_file_bytes = 1 << 20;

/// A node with the names that its errors need.
struct Place {
  const toml::node& node;
  std::string file, key;
  const std::string& base_directory;

  std::string where() const {
    return fmt::format("{}:{}:{}", file, node.source().begin.line, node.source().begin.column);
  }
  Place inner(const toml::node& child, std::string_view name) const {
    return {child, file, std::string(name), base_directory};
  }
  tl::unexpected<Error> wrong(const std::string& message, const std::string& hint) const {
    return fail(ErrorCode::bad_input, fmt::format("'{}' {}", key, message), where(), hint);
  }
};

/// Errors of the --arg grammar are errors of the file's contents here.
template <class T> Result<T> as_file_error(Result<T> result) {
  if (!result && result.error().code == ErrorCode::usage)
    result.error().code = ErrorCode::bad_input;
  return result;
}

Result<std::string> text_of(const Place& place) {
  if (const auto* text = place.node.as_string())
    return text->get();
  return place.wrong("is not a text", fmt::format("write {} = \"...\"", place.key));
}

Result<std::vector<std::string>> texts_of(const Place& place) {
  if (const auto* text = place.node.as_string())
    return std::vector<std::string>{text->get()};
  std::vector<std::string> texts;
  if (const auto* array = place.node.as_array()) {
    for (const toml::node& element : *array) {
      const auto text = text_of(place.inner(element, place.key));
      FOREWARP_TRY(text);
      texts.push_back(*text);
    }
    return texts;
  }
  return place.wrong("is not a list of texts", fmt::format("write {} = [\"...\", \"...\"]", place.key));
}

Result<std::uint64_t> whole_of(const Place& place) {
  if (const auto* text = place.node.as_string())
    if (const auto digits = whole_number(text->get()))
      return *digits;
  const auto* number = place.node.as_integer();
  if (number == nullptr || number->get() < 0)
    return place.wrong("is not a whole number", fmt::format("write {} = 1024", place.key));
  return static_cast<std::uint64_t>(number->get());
}

/// "X,Y", [X, Y] or X.
Result<facts::Dim3> dim3_of(const Place& place) {
  std::string text;
  if (const auto* words = place.node.as_string())
    text = words->get();
  else if (const auto* number = place.node.as_integer())
    text = std::to_string(number->get());
  else if (const auto* array = place.node.as_array())
    for (const toml::node& element : *array) {
      const auto size = whole_of(place.inner(element, place.key));
      FOREWARP_TRY(size);
      text += (text.empty() ? "" : ",") + std::to_string(*size);
    }
  return as_file_error(parse_dim3(text, fmt::format("{}: {}", place.where(), place.key)));
}

/// A number, a truth value, a list of numbers, or a text in the --arg grammar.
Result<facts::ArgumentValue> plain_value(const Place& place) {
  std::string text;
  const auto append = [&](const toml::node& node) {
    text += text.empty() ? "" : ",";
    if (const auto* integer = node.as_integer())
      text += std::to_string(integer->get());
    else if (const auto* real = node.as_floating_point())
      text += fmt::format("{}", real->get());
    else if (const auto* truth = node.as_boolean())
      text += truth->get() ? "1" : "0";
    else
      return false;
    return true;
  };
  if (const auto* words = place.node.as_string()) {
    text = words->get();
  } else if (const auto* array = place.node.as_array()) {
    for (const toml::node& element : *array)
      if (!append(element))
        return place.wrong("holds something that is no number",
                           "a vector is a list of numbers: [1, 2, 3, 4]");
  } else if (!append(place.node)) {
    return place.wrong("is neither a number nor a text nor a table", "see docs/reference/launch_file.md");
  }
  return as_file_error(
      parse_value(text, place.base_directory, fmt::format("{}: argument '{}'", place.where(), place.key)));
}

Result<void> known_keys(const Place& place, const toml::table& table, const std::vector<std::string>& known) {
  for (const auto& [key, node] : table) {
    const std::string name(key.str());
    if (std::find(known.begin(), known.end(), name) != known.end())
      continue;
    const auto nearest = nearest_names(name, known, 1);
    const std::string hint = nearest.empty() ? fmt::format("keys are {}", fmt::join(known, ", "))
                                             : fmt::format("did you mean '{}'?", nearest.front());
    return fail(ErrorCode::bad_input, fmt::format("unknown key '{}'", name),
                fmt::format("{}:{}:{}", place.file, key.source().begin.line, key.source().begin.column),
                hint);
  }
  return {};
}

Result<facts::ArgumentValue> buffer_of(const Place& place, const toml::table& table) {
  const std::string where = fmt::format("{}: argument '{}'", place.where(), place.key);
  facts::BufferValue buffer;
  const toml::node* type = table.get("type");
  if (type == nullptr)
    return place.wrong("has no 'type'", "a buffer is { type = \"f32\", count = 1024, contents = \"zeros\" }");
  const auto type_name = text_of(place.inner(*type, "type"));
  FOREWARP_TRY(type_name);
  const auto scalar = as_file_error(parse_type(*type_name, where));
  FOREWARP_TRY(scalar);
  buffer.type = *scalar;
  const toml::node *count = table.get("count"), *contents = table.get("contents"), *file = table.get("file");
  if (count != nullptr) {
    const Place at = place.inner(*count, "count");
    std::string words;
    if (const auto* text = count->as_string()) {
      words = text->get();
    } else {
      const auto number = whole_of(at);
      FOREWARP_TRY(number);
      words = std::to_string(*number);
    }
    const auto elements = as_file_error(parse_count(words, buffer.type, where));
    FOREWARP_TRY(elements);
    buffer.count = *elements;
  } else if (file == nullptr) {
    return place.wrong("has no 'count'", "give the number of elements, or a 'file' that has it");
  }
  if (contents != nullptr && file != nullptr)
    return place.wrong("has both 'contents' and 'file'", "give one of the two");
  if (contents != nullptr || file != nullptr) {
    const auto words = text_of(
        place.inner(contents != nullptr ? *contents : *file, contents != nullptr ? "contents" : "file"));
    FOREWARP_TRY(words);
    FOREWARP_TRY(as_file_error(
        parse_contents(file != nullptr ? "@" + *words : *words, buffer, place.base_directory, where)));
  }
  return buffer;
}

Result<facts::ArgumentValue> argument_of(const Place& place) {
  const auto* table = place.node.as_table();
  if (table == nullptr)
    return plain_value(place);
  FOREWARP_TRY(known_keys(place, *table, {"name", "value", "type", "count", "contents", "file"}));
  const toml::node* value = table->get("value");
  if (value == nullptr)
    return buffer_of(place, *table);
  for (const char* other : {"type", "count", "contents", "file"})
    if (table->get(other) != nullptr)
      return place.wrong(fmt::format("has both 'value' and '{}'", other), "a buffer has no 'value'");
  return plain_value(place.inner(*value, place.key));
}

Result<void> add_argument(facts::Launch& launch, const Place& place, const std::string& name,
                          facts::ArgumentValue value) {
  if (!is_argument_key(name))
    return fail(ErrorCode::bad_input, fmt::format("'{}' is no argument name", name), place.where(),
                "use the parameter's name or its position");
  if (!launch.arguments.emplace(name, std::move(value)).second)
    return fail(ErrorCode::bad_input, fmt::format("argument '{}' is given twice", name), place.where(),
                "keep one");
  return {};
}

/// One element of `arguments = [...]`: a text in the --arg grammar or a table with `name`.
Result<void> listed_argument(const Place& place, facts::Launch& launch) {
  if (const auto* text = place.node.as_string()) {
    auto argument = as_file_error(parse_argument(text->get(), place.base_directory));
    if (!argument) {
      argument.error().where = fmt::format("{}: {}", place.where(), argument.error().where);
      return tl::unexpected<Error>(argument.error());
    }
    return add_argument(launch, place, argument->first, std::move(argument->second));
  }
  const auto* table = place.node.as_table();
  const toml::node* name = table != nullptr ? table->get("name") : nullptr;
  if (name == nullptr)
    return place.wrong("has an element that is neither \"NAME=VALUE\" nor a table with 'name'",
                       "see docs/reference/launch_file.md");
  const auto words = text_of(place.inner(*name, "name"));
  FOREWARP_TRY(words);
  auto value = argument_of(place.inner(place.node, *words));
  FOREWARP_TRY(value);
  return add_argument(launch, place, *words, *std::move(value));
}

Result<void> arguments_of(const Place& place, facts::Launch& launch) {
  if (const auto* array = place.node.as_array()) {
    for (const toml::node& element : *array)
      FOREWARP_TRY(listed_argument(place.inner(element, place.key), launch));
    return {};
  }
  const auto* table = place.node.as_table();
  if (table == nullptr)
    return place.wrong("is neither a table nor a list", "see docs/reference/launch_file.md");
  for (const auto& [key, node] : *table) {
    const std::string name(key.str());
    auto value = argument_of(place.inner(node, name));
    FOREWARP_TRY(value);
    FOREWARP_TRY(add_argument(launch, place.inner(node, name), name, *std::move(value)));
  }
  return {};
}

template <class T, class Member> Result<void> store(Result<T> result, Member& member) {
  FOREWARP_TRY(result);
  member = *std::move(result);
  return {};
}

Result<void> read_key(const std::string& key, const Place& place, LaunchFile& file) {
  if (key == "source")
    return store(text_of(place), file.source);
  if (key == "kernel")
    return store(text_of(place), file.kernel);
  if (key == "std")
    return store(text_of(place), file.standard);
  if (key == "defines")
    return store(texts_of(place), file.defines);
  if (key == "include_directories")
    return store(texts_of(place), file.include_directories);
  if (key == "options")
    return store(texts_of(place), file.options);
  if (key == "global")
    return store(dim3_of(place), file.launch.global_items);
  if (key == "grid")
    return store(dim3_of(place), file.launch.groups);
  if (key == "local" || key == "block")
    return store(dim3_of(place), file.launch.group_size);
  if (key == "cluster")
    return store(dim3_of(place), file.launch.cluster);
  if (key == "dynamic_shared")
    return store(whole_of(place), file.launch.dynamic_shared_bytes);
  if (key == "out_of_bounds") {
    const auto text = text_of(place);
    FOREWARP_TRY(text);
    if (*text != "fault" && *text != "read-zero")
      return place.wrong("is neither \"fault\" nor \"read-zero\"", "as --out-of-bounds");
    file.outside_reads_zero = *text == "read-zero";
    return {};
  }
  return arguments_of(place, file.launch);
}

Result<void> no_contradiction(const toml::table& table, const std::string& where) {
  for (const auto& [one, other] : {std::pair{"global", "grid"}, std::pair{"local", "block"}})
    if (table.get(one) != nullptr && table.get(other) != nullptr)
      return fail(ErrorCode::bad_input, fmt::format("'{}' and '{}' are both given", one, other), where,
                  "keep one");
  return {};
}

Result<toml::table> parse_table(const std::string& text, const std::string& where) {
  FOREWARP_TRY(check_text(text, where, "launch file"));
  toml::parse_result parsed = toml::parse(text);
  if (!parsed) {
    const toml::source_position at = parsed.error().source().begin;
    return fail(ErrorCode::bad_input, fmt::format("is not TOML: {}", parsed.error().description()),
                fmt::format("{}:{}:{}", where, at.line, at.column),
                "docs/reference/launch_file.md has an example");
  }
  return std::move(parsed).table();
}

Result<toml::table> read_table(const std::string& path) {
  const auto text = read_text_file(path, "launch file", max_launch_file_bytes);
  FOREWARP_TRY(text);
  return parse_table(*text, path);
}

Result<LaunchFile> launch_of(toml::table table, const std::string& variant, const std::string& where,
                             const std::string& base_directory,
                             const std::map<std::string, double>& values = {}, const Templates& parsed = {}) {
  static const std::vector<std::string> keys = {
      "source", "kernel", "std",   "defines",        "include_directories", "options", "global",
      "grid",   "local",  "block", "dynamic_shared", "arguments",           "cluster", "out_of_bounds"};
  FOREWARP_TRY(fill_values(table, variant, where, values, parsed));
  const Place root{table, where, "launch file", base_directory};
  FOREWARP_TRY(known_keys(root, table, keys));
  FOREWARP_TRY(no_contradiction(table, where));
  LaunchFile file;
  for (const std::string& key : keys)
    if (const toml::node* node = table.get(key))
      FOREWARP_TRY(read_key(key, root.inner(*node, key), file));
  if (!file.source.empty())
    file.source = below(base_directory, file.source);
  for (std::string& directory : file.include_directories)
    directory = below(base_directory, directory);
  return file;
}

std::string folder_of(const std::string& file) {
  return std::filesystem::path(file).parent_path().string();
}

} // namespace

Result<LaunchFile> parse_launch_file(const std::string& text, const std::string& where,
                                     const std::string& base_directory) {
  auto table = parse_table(text, where);
  FOREWARP_TRY(table);
  return launch_of(*std::move(table), "", where, base_directory);
}

Result<LaunchFile> read_launch_file(const std::string& path, const std::map<std::string, double>& values) {
  const auto [file, variant] = split_variant(path);
  auto table = read_table(file);
  FOREWARP_TRY(table);
  return launch_of(*std::move(table), variant, file, folder_of(file), values);
}

struct LaunchTemplate::Contents {
  toml::table table;
  std::string path, file, variant;
  Templates templates;
};

Result<LaunchTemplate> LaunchTemplate::open(const std::string& path) {
  const auto [file, variant] = split_variant(path);
  auto table = read_table(file);
  FOREWARP_TRY(table);
  Templates templates = templates_of(*table);
  LaunchTemplate out;
  out.contents_ = std::make_shared<const Contents>(
      Contents{*std::move(table), path, file, variant, std::move(templates)});
  return out;
}

Result<LaunchFile> LaunchTemplate::with(const std::map<std::string, double>& values) const {
  const Contents& c = *contents_;
  auto file = launch_of(c.table, c.variant, c.file, folder_of(c.file), values, c.templates);
  if (!file) // a copied table does not know the places that its errors name
    return read_launch_file(c.path, values);
  return file;
}

Result<std::map<std::string, double>> launch_file_values(const std::string& path) {
  const auto [file, variant] = split_variant(path);
  const auto table = read_table(file);
  FOREWARP_TRY(table);
  return values_of_file(*table, variant, file);
}

Result<std::vector<std::string>> variant_names(const std::string& path) {
  const auto table = read_table(path);
  FOREWARP_TRY(table);
  return names_of_variants(*table);
}

} // namespace forewarp::launch
