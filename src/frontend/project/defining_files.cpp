#include "frontend/project/defining_files.h"

#include "frontend/languages/source_language.h"
#include "frontend/project/source_text.h"
#include "support/text_file.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <span>
#include <string_view>

namespace forewarp::frontend::project {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t most_files = 200;

/// Behind the parenthesis that closes the one at `open`; npos: none does.
std::size_t behind_parentheses(const std::string& text, std::size_t open) {
  int depth = 0;
  for (std::size_t at = open; at < text.size(); ++at) {
    depth += text[at] == '(' ? 1 : text[at] == ')' ? -1 : 0;
    if (depth == 0)
      return at + 1;
  }
  return std::string::npos;
}

/// "type name(...) {", not a call: a type's word, a star or an ampersand stands in front, a body behind.
bool defines(const std::string& text, const std::string& function) {
  for (std::size_t at = text.find(function); at != std::string::npos; at = text.find(function, at + 1)) {
    const std::size_t end = at + function.size();
    if ((at > 0 && is_word(text[at - 1])) || (end < text.size() && is_word(text[end])))
      continue;
    const std::size_t open = text.find_first_not_of(" \t\n\r", end);
    const std::size_t before = at == 0 ? std::string::npos : text.find_last_not_of(" \t\n\r", at - 1);
    if (open == std::string::npos || text[open] != '(' || before == std::string::npos ||
        !(is_word(text[before]) || text[before] == '*' || text[before] == '&'))
      continue;
    const std::size_t behind = behind_parentheses(text, open);
    const std::size_t body = behind == std::string::npos ? behind : text.find_first_not_of(" \t\n\r", behind);
    if (body != std::string::npos && text[body] == '{')
      return true;
  }
  return false;
}

fs::path folder_of(const std::string& source) {
  const fs::path folder = fs::path(source).parent_path();
  return folder.empty() ? fs::path(".") : folder;
}

/// The files of these endings in the folder, but the source.
std::vector<std::string> files_in(const fs::path& folder, std::span<const std::string_view> endings,
                                  const std::string& source) {
  std::vector<std::string> files;
  std::error_code error;
  for (auto at = fs::directory_iterator(folder, fs::directory_options::skip_permission_denied, error);
       !error && at != fs::directory_iterator() && files.size() < most_files; at.increment(error))
    if (at->is_regular_file(error) &&
        std::ranges::count(endings, std::string_view(at->path().extension().string())) > 0 &&
        at->path().filename() != fs::path(source).filename())
      files.push_back(at->path().lexically_normal().string());
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<std::string> sources_beside(const std::string& source) {
  static constexpr std::string_view endings[] = {".cu", ".cuh", ".hip", ".cpp", ".cc", ".c", ".cl", ".inl"};
  return files_in(folder_of(source), endings, source);
}

/// The word's next place at or behind `at`; npos: none.
std::size_t find_word(const std::string& text, const std::string& word, std::size_t at) {
  for (at = text.find(word, at); at != std::string::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end])))
      break;
  }
  return at;
}

/// "#define name" or "typedef ... name;".
bool declares(const std::string& text, const std::string& name) {
  for (std::size_t at = find_word(text, name, 0); at != std::string::npos;
       at = find_word(text, name, at + 1)) {
    const std::size_t statement = at == 0 ? std::string::npos : text.find_last_of("\n;{}", at - 1);
    std::string before = text.substr(statement + 1, at - statement - 1); // npos + 1 is 0
    std::erase_if(before, [](unsigned char c) { return std::isspace(c) != 0; });
    const std::size_t behind = text.find_first_not_of(" \t", at + name.size());
    if (before == "#define" ||
        (before.starts_with("typedef") && behind != std::string::npos && text[behind] == ';'))
      return true;
  }
  return defines(text, name);
}

bool holds_kernel(const std::string& text) {
  return find_word(text, "__kernel", 0) != std::string::npos ||
         find_word(text, "kernel void", 0) != std::string::npos;
}

} // namespace

std::vector<std::string> undefined_functions(const std::string& message) {
  constexpr std::string_view before = "call of '", behind = "', which is neither defined here";
  std::vector<std::string> names;
  for (std::size_t at = message.find(before); at != std::string::npos; at = message.find(before, at + 1)) {
    const std::size_t start = at + before.size(), end = message.find('\'', start);
    if (end == std::string::npos || message.compare(end, behind.size(), behind) != 0)
      continue;
    std::string name = message.substr(start, end - start);
    if (std::ranges::find(names, name) == names.end())
      names.push_back(std::move(name));
  }
  return names;
}

std::vector<std::string> files_defining(const std::string& source,
                                        const std::vector<std::string>& functions) {
  std::vector<std::string> found;
  if (functions.empty())
    return found;
  for (const std::string& file : sources_beside(source)) {
    const auto text = read_file(file, "neighbour", largest_source_bytes);
    if (!text || defines(*text, "main"))
      continue;
    if (std::ranges::any_of(functions, [&](const std::string& name) { return defines(*text, name); }))
      found.push_back(file);
  }
  return found;
}

std::vector<std::string> files_declaring(const std::string& source, const std::vector<std::string>& names) {
  std::vector<std::string> found;
  const std::string ending = fs::path(source).extension().string();
  if (names.empty() || !is_opencl_source(source))
    return found;
  const std::string_view endings[] = {ending};
  for (const fs::path& folder : {folder_of(source), (folder_of(source) / "..").lexically_normal()})
    for (const std::string& file : files_in(folder, endings, source)) {
      const auto text = read_file(file, "neighbour", largest_source_bytes);
      if (text && !holds_kernel(*text) &&
          std::ranges::any_of(names, [&](const std::string& name) { return declares(*text, name); }))
        found.push_back(file);
    }
  return found;
}

} // namespace forewarp::frontend::project
