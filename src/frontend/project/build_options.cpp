#include "frontend/project/build_options.h"

#include "support/text_file.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <optional>

namespace forewarp::frontend::project {
namespace {

namespace fs = std::filesystem;
constexpr std::uint64_t largest_build_file = 1 << 20;
constexpr int most_levels = 2;

struct Line {
  std::string text;
  unsigned number = 0;
};

/// Without comments; lines that end in a backslash are one.
std::vector<Line> lines_of(const std::string& text) {
  std::vector<Line> lines;
  unsigned number = 0;
  bool goes_on = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string line = text.substr(at, end - at);
    at = end + 1;
    ++number;
    line = line.substr(0, line.find('#'));
    while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back())))
      line.pop_back();
    const bool continues = line.ends_with('\\');
    if (continues)
      line.pop_back();
    if (goes_on)
      lines.back().text += " " + line;
    else
      lines.push_back({line, number});
    goes_on = continues;
  }
  return lines;
}

bool is_name(std::string_view text) {
  if (text.empty() || std::isdigit(static_cast<unsigned char>(text[0])))
    return false;
  for (const char c : text)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_')
      return false;
  return true;
}

using Variables = std::map<std::string, std::string>;

/// `text` with the variables put in, which stand in `open`...`close`; empty: one is not known.
std::optional<std::string> expanded(const std::string& text, const Variables& variables, char open,
                                    int depth = 0) {
  const char close = open == '(' ? ')' : '}';
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '$' || at + 1 >= text.size() || (text[at + 1] != open && text[at + 1] != '{')) {
      out += text[at];
      continue;
    }
    const std::size_t end = text.find(text[at + 1] == '{' ? '}' : close, at);
    if (end == std::string::npos || depth > 8)
      return std::nullopt;
    const auto known = variables.find(text.substr(at + 2, end - at - 2));
    if (known == variables.end())
      return std::nullopt;
    const auto inner = expanded(known->second, variables, open, depth + 1);
    if (!inner)
      return std::nullopt;
    out += *inner;
    at = end;
  }
  return out;
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : text + " ") {
    if (!std::isspace(static_cast<unsigned char>(c)) && c != ';') {
      if (c != '"' && c != '\'')
        word += c;
    } else if (!word.empty()) {
      words.push_back(std::move(word));
      word.clear();
    }
  }
  return words;
}

/// A vendor's headers stay out: the program has its own in their place, and both do not go together.
bool is_toolkit(const std::string& folder) {
  std::error_code error;
  return fs::exists(fs::path(folder) / "cuda_runtime.h", error) ||
         fs::exists(fs::path(folder) / "hip" / "hip_runtime.h", error);
}

void add_folder(BuildOptions& options, const fs::path& base, const std::string& word) {
  std::error_code error;
  const fs::path folder = (base / word).lexically_normal();
  const std::string text = folder.string();
  if (!word.empty() && fs::is_directory(folder, error) && !is_toolkit(text) &&
      std::find(options.folders.begin(), options.folders.end(), text) == options.folders.end())
    options.folders.push_back(text);
}

void add_macro(BuildOptions& options, const std::string& word, const std::string& place) {
  const std::string_view name = std::string_view(word).substr(0, word.find('='));
  const auto is_same = [&](const BuildOptions::Macro& macro) {
    return std::string_view(macro.definition).substr(0, macro.definition.find('=')) == name;
  };
  if (is_name(name) && std::ranges::none_of(options.macros, is_same))
    options.macros.push_back({word, place});
}

/// "-Iinclude", "-I include", "-DN=4", "-D N=4" among the words.
void take_words(BuildOptions& options, const fs::path& base, const std::vector<std::string>& words,
                const std::string& place) {
  for (std::size_t k = 0; k < words.size(); ++k) {
    const bool is_folder = words[k].starts_with("-I"), is_macro = words[k].starts_with("-D");
    if (const std::size_t equals = words[k].find("-std="); equals <= 1)
      options.standard = words[k].substr(equals + 5);
    if (!is_folder && !is_macro)
      continue;
    std::string value = words[k].substr(2);
    if (value.empty() && k + 1 < words.size())
      value = words[++k];
    if (is_folder)
      add_folder(options, base, value);
    else
      add_macro(options, value, place);
  }
}

std::string trimmed(std::string text) {
  text.erase(0, std::min(text.find_first_not_of(" \t"), text.size()));
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())))
    text.pop_back();
  return text;
}

/// "NAME = text", with +=, :=, ?= as make means them.
void assign(Variables& variables, const std::string& line) {
  const std::size_t equals = line.find('=');
  if (line.starts_with('\t') || equals == std::string::npos)
    return;
  std::size_t end = equals;
  char kind = '=';
  while (end > 0 && std::string_view("+:?").find(line[end - 1]) != std::string_view::npos)
    kind = line[--end];
  std::string name = trimmed(line.substr(0, end));
  for (const char* word : {"override ", "export "})
    if (name.starts_with(word))
      name = trimmed(name.substr(std::string_view(word).size()));
  if (!is_name(name))
    return;
  const std::string value = trimmed(line.substr(equals + 1));
  if (kind == '+')
    variables[name] += " " + value;
  else if (kind != '?' || !variables.contains(name))
    variables[name] = value;
}

/// make's ifeq, ifneq, ifdef, ifndef, else and endif. A condition on what is not known does not hold.
class Conditions {
public:
  /// Whether the line is such a word.
  bool reads(const std::string& line, const Variables& variables) {
    const std::string word = line.substr(0, line.find_first_of(" \t("));
    if (word == "ifeq" || word == "ifneq")
      open_.push_back(compares(line.substr(word.size()), variables, word == "ifeq"));
    else if (word == "ifdef" || word == "ifndef")
      open_.push_back(variables.contains(trimmed(line.substr(word.size()))) == (word == "ifdef"));
    else if (word == "else" && !open_.empty())
      open_.back() = !open_.back();
    else if (word == "endif" && !open_.empty())
      open_.pop_back();
    else
      return false;
    return true;
  }
  bool hold() const { return std::ranges::find(open_, false) == open_.end(); }

private:
  static bool compares(const std::string& text, const Variables& variables, bool equal) {
    const std::size_t open = text.find('('), comma = text.find(','), close = text.rfind(')');
    if (open == std::string::npos || comma == std::string::npos || close == std::string::npos ||
        close < comma)
      return false;
    const auto left = expanded(trimmed(text.substr(open + 1, comma - open - 1)), variables, '(');
    const auto right = expanded(trimmed(text.substr(comma + 1, close - comma - 1)), variables, '(');
    return left && right && (trimmed(*left) == trimmed(*right)) == equal;
  }
  std::vector<bool> open_;
};

std::vector<std::string> arguments_of(const std::string& text, std::string_view command, std::size_t from,
                                      std::size_t& next) {
  next = std::string::npos;
  const std::size_t at = text.find(command, from);
  if (at == std::string::npos)
    return {};
  next = at + command.size();
  const std::size_t open = text.find_first_not_of(" \t", next);
  const bool is_whole_name =
      at == 0 || (!std::isalnum(static_cast<unsigned char>(text[at - 1])) && text[at - 1] != '_');
  if (open == std::string::npos || text[open] != '(' || !is_whole_name)
    return {};
  return words_of(text.substr(open + 1, text.find(')', open) - open - 1));
}

bool is_cmake_keyword(const std::string& word) {
  return word == "PRIVATE" || word == "PUBLIC" || word == "INTERFACE" || word == "SYSTEM" || word == "BEFORE";
}

std::string without_comments(const std::string& text) {
  std::string out;
  for (const Line& line : lines_of(text))
    out += line.text + "\n";
  return out;
}

} // namespace

BuildOptions options_of_makefile(const std::string& text, const std::string& path) {
  BuildOptions options;
  const fs::path base = fs::path(path).parent_path();
  Variables variables{{"CURDIR", "."}, {"PWD", "."}, {"EXTRA_CFLAGS", ""}};
  Conditions conditions;
  for (const Line& line : lines_of(text)) {
    if (conditions.reads(trimmed(line.text), variables) || !conditions.hold())
      continue;
    assign(variables, line.text);
    std::vector<std::string> whole;
    for (const std::string& each : words_of(line.text))
      if (const auto known = expanded(each, variables, '('))
        for (std::string& part : words_of(*known))
          whole.push_back(std::move(part));
    take_words(options, base, whole, path + ":" + std::to_string(line.number));
  }
  return options;
}

BuildOptions options_of_cmake(const std::string& text, const std::string& path) {
  BuildOptions options;
  const fs::path base = fs::path(path).parent_path();
  const std::string plain = without_comments(text);
  Variables variables{{"CMAKE_CURRENT_SOURCE_DIR", "."},
                      {"CMAKE_CURRENT_LIST_DIR", "."},
                      {"CMAKE_SOURCE_DIR", "."},
                      {"PROJECT_SOURCE_DIR", "."}};
  const auto each = [&](std::string_view command, const auto& take) {
    for (std::size_t at = 0, next = 0; at != std::string::npos; at = next) {
      std::vector<std::string> known;
      for (const std::string& word : arguments_of(plain, command, at, next))
        if (const auto whole = expanded(word, variables, '{'))
          for (std::string& part : words_of(*whole))
            known.push_back(std::move(part));
      take(known);
    }
  };
  each("set", [&](const std::vector<std::string>& words) {
    if (words.size() < 2 || !is_name(words[0]))
      return;
    std::string value;
    for (std::size_t k = 1; k < words.size(); ++k)
      value += (k > 1 ? ";" : "") + words[k];
    variables.try_emplace(words[0], value);
  });
  const auto folders = [&](const std::vector<std::string>& words) {
    for (const std::string& word : words)
      if (!is_cmake_keyword(word))
        add_folder(options, base, word);
  };
  each("include_directories", folders);
  each("target_include_directories", folders);
  const auto macros = [&](const std::vector<std::string>& words) {
    for (std::string word : words) {
      if (word.starts_with("-D"))
        word.erase(0, 2);
      if (word.find('=') != std::string::npos || !is_cmake_keyword(word))
        add_macro(options, word, path);
    }
  };
  each("add_definitions", macros);
  each("add_compile_definitions", macros);
  if (const auto known = variables.find("CMAKE_CXX_STANDARD"); known != variables.end())
    options.standard = "c++" + known->second;
  each("target_compile_features", [&](const std::vector<std::string>& words) {
    for (const std::string& word : words)
      if (word.starts_with("cxx_std_"))
        options.standard = "c++" + word.substr(8);
  });
  each("target_compile_definitions", [&](const std::vector<std::string>& words) {
    macros({words.begin() + (words.empty() ? 0 : 1), words.end()});
  });
  return options;
}

BuildOptions build_options(const std::string& folder) {
  fs::path at = folder.empty() ? fs::path(".") : fs::path(folder);
  for (int level = 0; level <= most_levels; ++level, at = (at / "..").lexically_normal()) {
    BuildOptions found;
    for (const char* name : {"Makefile", "makefile", "GNUmakefile", "CMakeLists.txt"}) {
      const std::string path = (at / name).lexically_normal().string();
      const auto text = read_file(path, "build file", largest_build_file);
      if (!text)
        continue;
      const bool is_cmake = path.ends_with(".txt");
      BuildOptions more = is_cmake ? options_of_cmake(*text, path) : options_of_makefile(*text, path);
      for (std::string& each : more.folders)
        add_folder(found, "", each);
      found.macros.insert(found.macros.end(), more.macros.begin(), more.macros.end());
      if (found.standard.empty())
        found.standard = more.standard;
    }
    if (!found.folders.empty() || !found.macros.empty() || !found.standard.empty())
      return found;
  }
  return {};
}

} // namespace forewarp::frontend::project
