#include "frontend/project/missing_macros.h"

#include "frontend/project/build_options.h"
#include "frontend/project/source_text.h"
#include "support/text_file.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <optional>
#include <set>

namespace forewarp::frontend::project {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t most_files = 400;

std::string line_from(const std::string& text, std::size_t at) {
  return text.substr(at, std::min(text.find('\n', at), text.size()) - at);
}

std::string place_at(const std::string& path, const std::string& text, std::size_t at) {
  return path + ":" +
         std::to_string(1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

/// A macro's body without comments and blanks at its ends; empty: it has none, or goes on in the next line.
std::string body_of(std::string line) {
  for (const char* comment : {"//", "/*"})
    line = line.substr(0, line.find(comment));
  line.erase(0, std::min(line.find_first_not_of(" \t"), line.size()));
  while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back())))
    line.pop_back();
  return line.ends_with('\\') ? std::string() : line;
}

/// Calls `use` with each place behind `before` + `name` where no longer word stands, until it gives a value.
template <class Use>
std::optional<std::string> behind(const std::string& text, const std::string& word, std::size_t& place,
                                  const Use& use) {
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if (end < text.size() && is_word(text[end]) && is_word(word.back()))
      continue;
    if (auto value = use(end)) {
      place = at;
      return value;
    }
  }
  return std::nullopt;
}

std::optional<std::string> number_at(const std::string& text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && (is_word(text[end]) || text[end] == '.'))
    ++end;
  if (end == at || !std::isdigit(static_cast<unsigned char>(text[at])))
    return std::nullopt;
  return text.substr(at, end - at);
}

std::optional<std::string> defined_in(const std::string& text, const std::string& name, std::size_t& place) {
  for (const char* before : {"#define ", "# define ", "#define\t"})
    if (auto value = behind(text, before + name, place, [&](std::size_t end) -> std::optional<std::string> {
          if (end >= text.size() || !std::isblank(static_cast<unsigned char>(text[end])))
            return std::nullopt;
          std::string body = body_of(line_from(text, end));
          return body.empty() || body == name ? std::nullopt : std::optional(body);
        }))
      return value;
  return std::nullopt;
}

std::string word_at(const std::string& text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_word(text[end]))
    ++end;
  return text.substr(at, end - at);
}

std::optional<std::string> value_of_variable(const std::string& text, const std::string& variable);

/// What an option's value is made of: `"-DN=" << n`, `"-DN=" + std::to_string(n)`, `"-DN=%d -DM=%d", n, m`.
std::optional<std::string> value_of_option(const std::string& text, std::size_t at) {
  const std::size_t stop = std::min(text.find(';', at), text.size());
  const std::size_t quote = text.find('"', at);
  if (quote >= stop)
    return std::nullopt;
  std::size_t wanted = 0; // argument of a format
  if (text[at] == '%') {
    const std::size_t start = text.rfind('"', at);
    wanted = static_cast<std::size_t>(std::count(text.begin() + static_cast<std::ptrdiff_t>(start),
                                                 text.begin() + static_cast<std::ptrdiff_t>(at), '%'));
  } else if (quote != at) {
    return std::nullopt;
  }
  std::size_t from = quote + 1;
  for (std::size_t k = 0; k < wanted && from < stop; ++k)
    from = text.find(',', from + 1);
  for (std::size_t word = from; word < stop; ++word) {
    if (text[word] == '"')
      return std::nullopt;
    if (!is_word(text[word]))
      continue;
    const std::string name = word_at(text, word);
    const bool is_number = std::isdigit(static_cast<unsigned char>(name.front())) != 0;
    if (auto value = is_number ? std::optional(name) : value_of_variable(text, name); value && *value != "0")
      return value;
    word += name.size();
  }
  return std::nullopt;
}

std::optional<std::string> option_in(const std::string& text, const std::string& name, std::size_t& place) {
  for (const char* before : {"-D", "-D "})
    if (auto value = behind(text, before + name + "=", place, [&](std::size_t end) {
          auto number = number_at(text, end);
          return number || end >= text.size() ? number : value_of_option(text, end);
        }))
      return value;
  return std::nullopt;
}

/// The first number of the list that begins in front of `stop`, or the number there.
std::optional<std::string> first_number(const std::string& text, std::size_t at, std::size_t stop) {
  const std::size_t brace = text.find_first_of("{[", at);
  const std::size_t value = text.find_first_not_of(" \t\n", brace < stop ? brace + 1 : at);
  return value < stop ? number_at(text, value) : std::nullopt;
}

/// What a variable is set to: "n = 600", "n{1, 2}", "n = {1, 2}", "n = std::vector<int>{1, 2}".
std::optional<std::string> value_of_variable(const std::string& text, const std::string& variable) {
  std::size_t place = 0;
  return behind(text, variable, place, [&](std::size_t end) -> std::optional<std::string> {
    const std::size_t sign = text.find_first_not_of(" \t", end);
    if (sign == std::string::npos || (text[sign] != '=' && text[sign] != '{'))
      return std::nullopt;
    return first_number(text, text[sign] == '=' ? sign + 1 : sign,
                        std::min(text.find(';', sign), text.size()));
  });
}

/// The first number of a list behind `at`, or of the variable that stands there or is the list's first.
std::optional<std::string> first_of_list(const std::string& text, std::size_t at) {
  const std::size_t stop = std::min(text.find(';', at), text.size());
  if (auto number = first_number(text, at, stop))
    return number;
  const std::size_t brace = text.find_first_of("{[", at);
  const std::size_t word = text.find_first_not_of(" \t\n", brace < stop ? brace + 1 : at);
  const std::string variable = word < stop ? word_at(text, word) : "";
  return variable.empty() ? std::nullopt : value_of_variable(text, variable);
}

/// `const int N = 16;`, `constexpr unsigned N{4};`
std::optional<std::string> constant_in(const std::string& text, const std::string& name, std::size_t& place) {
  return behind(text, " " + name, place, [&](std::size_t end) -> std::optional<std::string> {
    const std::size_t line = text.rfind('\n', end) + 1;
    const std::string front = text.substr(line, end - line);
    const std::size_t equals = text.find_first_not_of(" \t", end);
    if (front.find("const") == std::string::npos || equals == std::string::npos || text[equals] != '=')
      return std::nullopt;
    const std::size_t stop = text.find(';', equals);
    if (stop == std::string::npos || stop > text.find('\n', equals))
      return std::nullopt;
    std::string value = body_of(text.substr(equals + 1, stop - equals - 1));
    return value.empty() || value.find('{') != std::string::npos ? std::nullopt
                                                                 : std::optional("(" + value + ")");
  });
}

/// The last number of the list that begins in front of `stop`.
std::optional<std::string> last_of_list(const std::string& text, std::size_t at) {
  const std::size_t stop = std::min(text.find(';', at), text.size());
  const std::size_t open = text.find_first_of("{[", at), close = text.find_first_of("}]", at);
  if (open >= stop || close >= stop)
    return std::nullopt;
  const std::size_t comma = text.rfind(',', close);
  const std::size_t value =
      text.find_first_not_of(" \t\n", comma > open && comma < close ? comma + 1 : open + 1);
  return value < close ? number_at(text, value) : std::nullopt;
}

std::optional<std::string> tuned_in(const std::string& text, const std::string& name, std::size_t& place,
                                    TunedValue tuned) {
  return behind(text, "\"" + name + "\"", place, [&](std::size_t end) -> std::optional<std::string> {
    const std::size_t comma = text.find_first_not_of(" \t\n", end);
    if (comma == std::string::npos || (text[comma] != ',' && text[comma] != ':' && text[comma] != ']'))
      return std::nullopt;
    std::size_t from = comma + 1;
    if (text[comma] == ']') {
      from = text.find('=', comma);
      if (from == std::string::npos || from > comma + 4)
        return std::nullopt;
      ++from;
    }
    if (tuned == TunedValue::last)
      if (auto last = last_of_list(text, from))
        return last;
    return first_of_list(text, from);
  });
}

/// Texts beside the source, then below in the usual folders, then above.
std::vector<std::string> neighbours(const std::string& source) {
  static const std::set<std::string> endings = {".h",  ".hpp", ".hh",   ".cuh", ".cu",  ".c",
                                                ".cc", ".cpp", ".cxx",  ".cl",  ".hip", ".inc",
                                                ".py", ".ini", ".json", ".def"};
  const fs::path base =
      fs::path(source).parent_path().empty() ? fs::path(".") : fs::path(source).parent_path();
  std::vector<std::string> files;
  std::vector<fs::path> folders;
  for (const char* folder : {".", "inc", "include", "src", "..", "../inc", "../include"})
    folders.push_back(base / folder);
  for (const std::string& folder : build_options(base.string()).folders)
    folders.emplace_back(folder);
  for (const fs::path& folder : folders) {
    std::vector<std::string> here;
    std::error_code error;
    for (auto at = fs::directory_iterator(folder, fs::directory_options::skip_permission_denied, error);
         !error && at != fs::directory_iterator() && here.size() < most_files; at.increment(error))
      if (at->is_regular_file(error) && endings.contains(at->path().extension().string()))
        here.push_back(at->path().lexically_normal().string());
    std::sort(here.begin(), here.end());
    files.insert(files.end(), here.begin(), here.end());
  }
  return files;
}

} // namespace

std::vector<std::string> undeclared_names(const std::string& diagnostics) {
  std::vector<std::string> names;
  for (const std::string_view before : {"use of undeclared identifier '", "unknown type name '"})
    for (std::size_t at = diagnostics.find(before); at != std::string::npos;
         at = diagnostics.find(before, at + 1)) {
      const std::size_t start = at + before.size();
      const std::string name = diagnostics.substr(start, diagnostics.find('\'', start) - start);
      if (std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(name);
    }
  return names;
}

std::vector<std::string> names_in_conditions(const std::string& source, Directives directives) {
  const auto text = read_file(source, "source", largest_source_bytes);
  std::vector<std::string> names;
  for (std::size_t line = 0; text && line < text->size(); line = text->find('\n', line) + 1) {
    const std::size_t start = text->find_first_not_of(" \t", line);
    const std::string words = start < text->size() ? line_from(*text, start) : "";
    if (words.starts_with("#if ") || words.starts_with("#elif ") ||
        (directives == Directives::conditions_and_macros && words.starts_with("#define ")))
      for (std::size_t at = words.find(' '); at < words.size(); ++at)
        if (const std::string name = word_at(words, at); !name.empty()) {
          std::size_t place = 0;
          if (!std::isdigit(static_cast<unsigned char>(name.front())) && name != "defined" &&
              std::find(names.begin(), names.end(), name) == names.end() && !defined_in(*text, name, place))
            names.push_back(name);
          at += name.size();
        }
    if (text->find('\n', line) == std::string::npos)
      break;
  }
  return names;
}

std::vector<FoundMacro> find_macros(const std::string& source, const std::vector<std::string>& names,
                                    TunedValue tuned) {
  std::vector<FoundMacro> found;
  std::set<std::string> open(names.begin(), names.end());
  for (const BuildOptions::Macro& macro : build_options(fs::path(source).parent_path().string()).macros) {
    const std::size_t equals = macro.definition.find('=');
    if (open.erase(macro.definition.substr(0, equals)) > 0)
      found.push_back({macro.definition.substr(0, equals),
                       equals == std::string::npos ? "1" : macro.definition.substr(equals + 1), macro.place});
  }
  for (const std::string& file : neighbours(source)) {
    if (open.empty())
      break;
    const auto text = read_file(file, "neighbour", largest_source_bytes);
    if (!text)
      continue;
    for (auto name = open.begin(); name != open.end();) {
      std::size_t at = 0;
      auto value = defined_in(*text, *name, at);
      if (!value)
        value = constant_in(*text, *name, at);
      if (!value)
        value = option_in(*text, *name, at);
      if (!value)
        value = tuned_in(*text, *name, at, tuned);
      if (value)
        found.push_back({*name, *value, place_at(file, *text, at)});
      name = value ? open.erase(name) : std::next(name);
    }
  }
  return found;
}

} // namespace forewarp::frontend::project
