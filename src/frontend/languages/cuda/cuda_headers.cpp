#include "frontend/languages/cuda/cuda_headers.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

namespace forewarp::frontend {

namespace fs = std::filesystem;

const std::vector<std::pair<std::string_view, std::string_view>>& own_headers() {
  static const std::vector<std::pair<std::string_view, std::string_view>> headers = {
#include "cuda_headers.inc"
  };
  return headers;
}

namespace {

constexpr std::string_view library_folder = "/usr/include/c++";

/// Names of the entries of `folder` that are version numbers ("12", "13"), the largest first.
std::vector<std::string> versions_in(const fs::path& folder) {
  std::vector<std::pair<int, std::string>> versions;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    std::string name = entry.path().filename().string();
    int number = 0;
    if (std::from_chars(name.data(), name.data() + name.size(), number).ec == std::errc())
      versions.emplace_back(number, name);
  }
  std::sort(versions.rbegin(), versions.rend());
  std::vector<std::string> names;
  for (auto& [number, name] : versions)
    names.push_back(std::move(name));
  return names;
}

} // namespace

std::vector<std::string> system_header_arguments(const std::string& resource_folder) {
  std::vector<std::string> arguments;
  auto add = [&](const char* option, const fs::path& folder) {
    std::error_code error;
    if (fs::is_directory(folder, error))
      arguments.insert(arguments.end(), {option, folder.string()});
  };
  add("-internal-isystem", fs::path(resource_folder) / "include" / "cuda_wrappers");
  const fs::path base = library_folder;
  std::error_code error;
  for (const std::string& version : versions_in(base)) {
    if (!fs::exists(base / version / "vector", error))
      continue;
    add("-internal-isystem", base / version);
    add("-internal-isystem", fs::path("/usr/include/x86_64-linux-gnu/c++") / version);
    add("-internal-isystem", base / version / "x86_64-linux-gnu");
    add("-internal-isystem", base / version / "backward");
    break;
  }
  add("-internal-isystem", fs::path(resource_folder) / "include");
  add("-internal-externc-isystem", "/usr/include/x86_64-linux-gnu");
  add("-internal-externc-isystem", "/usr/include");
  return arguments;
}

bool is_standard_library(std::string_view path) {
  return path.starts_with(library_folder);
}

} // namespace forewarp::frontend
