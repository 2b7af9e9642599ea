#include "engine/embedded_ptx.h"

#include "frontend/store/file_log.h"
#include "sass/container.h"
#include "support/text_file.h"

#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <span>

namespace forewarp::engine {
namespace {

constexpr std::uint64_t largest_file = std::uint64_t{1} << 30;

/// 0: no GPU of NVIDIA's.
unsigned sm_of(const std::string& target) {
  unsigned sm = 0;
  if (target.starts_with("sm_"))
    std::from_chars(target.data() + 3, target.data() + target.size(), sm);
  return sm;
}

} // namespace

Result<std::string> write_ptx(const std::string& ptx, const std::string& cache_folder) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path base =
      cache_folder.empty() ? fs::temp_directory_path(error) / "forewarp" : fs::path(cache_folder);
  fs::create_directories(base / "machine_code", error);
  const frontend::ContentHash name = frontend::hash_of(ptx);
  std::string path = (base / "machine_code" / fmt::format("{:016x}{:016x}.ptx", name[0], name[1])).string();
  if (fs::exists(path, error))
    return path;
  FOREWARP_TRY(write_whole_file(path, ptx, "--cache-dir names another folder"));
  return path;
}

bool has_only_ptx(const std::string& path, const std::string& target) {
  const unsigned sm = sm_of(target);
  const auto bytes = sm == 0 ? Result<std::string>("") : read_file(path, "machine code", largest_file);
  return bytes && !bytes->empty() && sass::only_ptx_fits(std::as_bytes(std::span(*bytes)), sm);
}

Result<toolkit::Assembled> assembled_of_file(const std::string& path, const std::string& target,
                                             const std::string& kernel, const std::string& cache_folder) {
  const auto bytes = read_file(path, "machine code", largest_file);
  FOREWARP_TRY(bytes);
  const auto ptx = sass::ptx_in(std::as_bytes(std::span(*bytes)), path, sm_of(target), kernel);
  FOREWARP_TRY(ptx);
  const auto written = write_ptx(*ptx, cache_folder);
  FOREWARP_TRY(written);
  toolkit::AssembleRequest asked;
  asked.path = *written;
  asked.told_as = path;
  asked.target = target;
  asked.cache_folder = cache_folder;
  return toolkit::assemble(asked);
}

} // namespace forewarp::engine
