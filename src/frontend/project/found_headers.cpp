#include "frontend/project/found_headers.h"

#include "frontend/languages/cuda/cuda_headers.h"
#include "frontend/project/build_options.h"
#include "frontend/project/source_text.h"
#include "support/text_file.h"

#include <algorithm>
#include <deque>
#include <filesystem>
#include <optional>
#include <set>

namespace forewarp::frontend::project {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t most_files = 300, most_entries = 2000;
constexpr int levels_above = 4;

struct Include {
  std::string name;
  bool in_quotes = false;
};

std::vector<Include> includes_of(const std::string& text) {
  std::vector<Include> found;
  for (std::size_t at = text.find('#'); at != std::string::npos; at = text.find('#', at + 1)) {
    std::size_t word = text.find_first_not_of(" \t", at + 1);
    if (word == std::string::npos || text.compare(word, 7, "include") != 0)
      continue;
    word = text.find_first_not_of(" \t", word + 7);
    if (word == std::string::npos || (text[word] != '"' && text[word] != '<'))
      continue;
    const std::size_t end = text.find(text[word] == '"' ? '"' : '>', word + 1);
    const std::size_t line = text.find('\n', word);
    if (end != std::string::npos && end < line)
      found.push_back({text.substr(word + 1, end - word - 1), text[word] == '"'});
  }
  return found;
}

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

/// A header of the machine or of our own, which the source may mean with quotes, too.
bool is_known_to_the_compiler(const std::string& header) {
  if (is_file(fs::path("/usr/include") / header))
    return true;
  return std::ranges::any_of(own_headers(), [&](const auto& own) { return own.first == header; });
}

std::string folder_of(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  return folder.empty() ? "." : folder.string();
}

/// The one folder below `folder` that holds the header; empty: none or several do.
std::optional<fs::path> only_child_with(const fs::path& folder, const std::string& header) {
  std::optional<fs::path> only;
  std::size_t entries = 0;
  std::error_code error;
  for (auto at = fs::directory_iterator(folder, fs::directory_options::skip_permission_denied, error);
       !error && at != fs::directory_iterator(); at.increment(error)) {
    if (++entries > most_entries)
      return std::nullopt;
    if (!at->is_directory(error) || !is_file(at->path() / header))
      continue;
    if (only)
      return std::nullopt;
    only = at->path();
  }
  return only;
}

std::optional<std::string> folder_above_with(const std::string& start, const std::string& header) {
  fs::path at = start;
  for (int level = 0; level <= levels_above; ++level, at = (at / "..").lexically_normal()) {
    for (const char* below : {"", "include", "inc", "common", "Common", "src", "utils"})
      if (is_file(at / below / header))
        return (at / below).lexically_normal().string();
    if (const auto child = only_child_with(at, header))
      return child->lexically_normal().string();
    std::error_code error;
    if (fs::exists(at / ".git", error))
      break;
  }
  return std::nullopt;
}

class Search {
public:
  Search(const std::string& source, const std::vector<std::string>& known)
      : start_(folder_of(source)), known_(known), build_(build_options(start_)) {
    queue_.push_back(source);
  }
  std::vector<HeaderFolder> run() {
    while (!queue_.empty() && read_.size() < most_files) {
      const std::string file = queue_.front();
      queue_.pop_front();
      if (!read_.insert(file).second)
        continue;
      if (const auto text = read_file(file, "source", largest_source_bytes))
        for (const Include& include : includes_of(*text))
          follow(include, folder_of(file));
    }
    return std::move(found_);
  }

private:
  void follow(const Include& include, const std::string& beside) {
    if (include.name.starts_with('/') || !asked_.insert(beside + '\n' + include.name).second)
      return;
    if (include.in_quotes && take(beside, include.name))
      return;
    for (const std::string& folder : known_)
      if (take(folder, include.name))
        return;
    for (const HeaderFolder& folder : found_)
      if (take(folder.folder, include.name))
        return;
    for (const std::string& folder : build_.folders)
      if (take(folder, include.name))
        return found_.push_back({folder, include.name});
    if (!include.in_quotes || is_known_to_the_compiler(include.name))
      return;
    for (const std::string& from : {beside, start_})
      if (const auto folder = folder_above_with(from, include.name)) {
        take(*folder, include.name);
        return found_.push_back({*folder, include.name});
      }
  }

  bool take(const std::string& folder, const std::string& name) {
    const fs::path path = (fs::path(folder) / name).lexically_normal();
    if (!is_file(path))
      return false;
    queue_.push_back(path.string());
    return true;
  }

  std::string start_;
  const std::vector<std::string>& known_;
  BuildOptions build_;
  std::deque<std::string> queue_;
  std::set<std::string> read_, asked_;
  std::vector<HeaderFolder> found_;
};

bool is_kernel_host(const fs::path& path) {
  static const std::set<std::string> endings = {".cu", ".hip", ".cpp", ".cc", ".cxx", ".cuh", ".cl"};
  return endings.contains(path.extension().string());
}

} // namespace

std::vector<HeaderFolder> header_folders(const std::string& source, const std::vector<std::string>& known) {
  return Search(source, known).run();
}

std::vector<std::string> files_including(const std::string& source) {
  const fs::path wanted = fs::path(source).lexically_normal();
  std::vector<std::string> found;
  for (const char* folder : {".", ".."}) {
    std::vector<fs::path> files;
    std::error_code error;
    const fs::path from = (fs::path(folder_of(source)) / folder).lexically_normal();
    for (auto at = fs::directory_iterator(from, fs::directory_options::skip_permission_denied, error);
         !error && at != fs::directory_iterator() && files.size() < most_files; at.increment(error))
      if (at->is_regular_file(error) && is_kernel_host(at->path()))
        files.push_back(at->path().lexically_normal());
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) {
      const auto text = read_file(file.string(), "source", largest_source_bytes);
      if (file == wanted || !text)
        continue;
      for (const Include& include : includes_of(*text))
        if ((file.parent_path() / include.name).lexically_normal() == wanted) { // in brackets too, with -I.
          found.push_back(file.string());
          break;
        }
    }
  }
  std::stable_partition(found.begin(), found.end(),
                        [](const std::string& file) { return !file.ends_with(".cuh"); });
  return found;
}

} // namespace forewarp::frontend::project
