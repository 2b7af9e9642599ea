#include "frontend/store/module_store.h"

#include "frontend/driver.h"
#include "frontend/languages/cuda/cuda_headers.h"
#include "frontend/languages/source_language.h"
#include "frontend/store/build_identity.h"
#include "frontend/store/module_bytes.h"
#include "support/text_file.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace forewarp::frontend {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::string_view magic = "forewarp module 1\n";
constexpr const char* ending = ".module";

std::optional<std::string> bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return std::nullopt;
  return std::string((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
}

std::string text_of(const ContentHash& hash) {
  return fmt::format("{:016x}{:016x}", hash[1], hash[0]);
}

/// Everything that the compiler is told, and what it is.
std::string key_text(const CompileRequest& request) {
  json key = {build_identity(),
              request.path,
              static_cast<int>(request.family),
              request.target,
              request.capability,
              request.standard,
              request.defines,
              request.include_directories,
              request.extra_options,
              request.compiler,
              request.warp_width,
              request.only_kernel,
              request.read_host_functions,
              request.broken_kernels_apart};
  if (is_cuda_source(request.path))
    if (const auto resources = resource_directory())
      key.push_back(system_header_arguments(*resources)); // which versions are installed
  const auto source = bytes_of(request.path);
  key.push_back(source ? text_of(hash_of(*source)) : "");
  std::string text;
  json::to_msgpack(key, text); // as bytes: paths need not be UTF-8
  return text;
}

json json_of(const FileLog& log) {
  json files = json::array();
  for (const auto& [path, seen] : log.seen)
    files.push_back({path, static_cast<int>(seen.kind), seen.content[0], seen.content[1]});
  return files;
}

FileLog log_of(const json& files) {
  FileLog log;
  for (const json& file : files)
    log.seen[file.at(0)] = {static_cast<FileSeen::Kind>(file.at(1).get<int>()), {file.at(2), file.at(3)}};
  return log;
}

struct Entry {
  FileLog files;
  bool compiled = false;
  std::string payload;
};

std::string entry_bytes(const Entry& entry) {
  std::string body;
  json::to_msgpack(json::array({json_of(entry.files), entry.compiled,
                                json::binary({entry.payload.begin(), entry.payload.end()})}),
                   body);
  return std::string(magic) + text_of(hash_of(body)) + body;
}

std::optional<Entry> entry_of(std::string_view bytes) {
  constexpr std::size_t hash_size = 32;
  if (!bytes.starts_with(magic) || bytes.size() < magic.size() + hash_size)
    return std::nullopt;
  const std::string_view body = bytes.substr(magic.size() + hash_size);
  if (bytes.substr(magic.size(), hash_size) != text_of(hash_of(body)))
    return std::nullopt;
  try {
    const json all = json::from_msgpack(body);
    const auto& payload = all.at(2).get_binary();
    return Entry{log_of(all.at(0)), all.at(1), {payload.begin(), payload.end()}};
  } catch (const json::exception&) {
    return std::nullopt;
  }
}

/// These depend on the source and its headers alone.
bool can_be_kept(const Result<ir::KernelModule>& outcome) {
  return outcome || outcome.error().code == ErrorCode::compile ||
         outcome.error().code == ErrorCode::unsupported;
}

} // namespace

std::string ModuleStore::path_of(const CompileRequest& request) const {
  return (fs::path(folder_) / "modules" / (text_of(hash_of(key_text(request))) + ending)).string();
}

std::optional<Result<ir::KernelModule>> ModuleStore::find(const CompileRequest& request) const {
  if (build_identity().empty())
    return std::nullopt;
  const std::string path = path_of(request);
  const auto bytes = bytes_of(path);
  const auto entry = bytes ? entry_of(*bytes) : std::nullopt;
  if (!entry || !still_the_same(entry->files))
    return std::nullopt;
  std::error_code ignored;
  fs::last_write_time(path, fs::file_time_type::clock::now(), ignored); // used last
  if (entry->compiled) {
    auto module = module_of_bytes(entry->payload);
    return module ? std::optional(std::move(module)) : std::nullopt;
  }
  auto error = error_of_bytes(entry->payload);
  if (!error)
    return std::nullopt;
  return Result<ir::KernelModule>(tl::unexpected<Error>(*std::move(error)));
}

void ModuleStore::keep(const CompileRequest& request, const FileLog& log,
                       const Result<ir::KernelModule>& outcome) const {
  if (build_identity().empty() || !can_be_kept(outcome))
    return;
  const fs::path path = path_of(request);
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  if (error)
    return;
  const std::string bytes = entry_bytes(
      {log, outcome.has_value(), outcome ? module_bytes(*outcome) : error_bytes(outcome.error())});
  (void)write_whole_file(path.string(), bytes, ""); // what cannot be kept is made again
  // The folder is read whole: not at every write, but at the first one of a process.
  static std::atomic<std::uint64_t> written{UINT64_MAX / 2};
  constexpr std::uint64_t parts = 16;
  const std::uint64_t since_last = written += bytes.size();
  if (since_last > most_bytes_ / parts) {
    written = 0;
    make_room();
  }
}

/// Down to three quarters. Other processes may do the same at the same time.
void ModuleStore::make_room() const {
  struct File {
    fs::path path;
    fs::file_time_type used;
    std::uint64_t bytes = 0;
  };
  std::vector<File> files;
  std::uint64_t sum = 0;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(fs::path(folder_) / "modules", error)) {
    std::error_code gone;
    File file{entry.path(), entry.last_write_time(gone), 0};
    file.bytes = gone ? 0 : entry.file_size(gone);
    if (gone)
      continue;
    sum += file.bytes;
    files.push_back(std::move(file));
  }
  if (sum <= most_bytes_)
    return;
  std::sort(files.begin(), files.end(), [](const File& a, const File& b) { return a.used < b.used; });
  for (const File& file : files) {
    if (sum <= most_bytes_ / 4 * 3)
      return;
    fs::remove(file.path, error);
    sum -= file.bytes;
  }
}

std::string default_cache_folder() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache == '/')
    return std::string(cache) + "/forewarp";
  if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/')
    return std::string(home) + "/.cache/forewarp";
  return "";
}

} // namespace forewarp::frontend
