#include "toolkit/machine_code.h"

#include "support/memory_file.h"
#include "support/text_file.h"
#include "toolkit/tools.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <sstream>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace forewarp::toolkit {
namespace {

namespace fs = std::filesystem;

std::string hash_of(const std::string& bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

std::optional<std::string> read_all(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

/// Files that a make rule names behind its colon.
std::vector<std::string> dependencies(const std::string& rule) {
  std::vector<std::string> files;
  const std::size_t colon = rule.find(": ");
  std::istringstream words(colon == std::string::npos ? "" : rule.substr(colon + 2));
  for (std::string word; words >> word;)
    if (word != "\\")
      files.push_back(word);
  return files;
}

/// "HASH PATH" a line.
std::string record_of(const std::vector<std::string>& files) {
  std::string text;
  for (const std::string& file : files)
    if (const auto bytes = read_all(file))
      text += hash_of(*bytes) + " " + file + "\n";
  return text;
}

bool still_holds(const std::string& record) {
  std::istringstream lines(record);
  bool any = false;
  for (std::string line; std::getline(lines, line);) {
    constexpr std::size_t hash_letters = 32;
    const auto bytes =
        line.size() > hash_letters + 1 ? read_all(line.substr(hash_letters + 1)) : std::nullopt;
    if (!bytes || hash_of(*bytes) != line.substr(0, hash_letters))
      return false;
    any = true;
  }
  return any;
}

std::vector<std::string> command_of(const AssembleRequest& request, const Tool& tool) {
  if (tool.name == "ptxas")
    return {tool.path, "-lineinfo", "-arch=" + request.target, request.path};
  std::vector<std::string> words = {tool.path, "-lineinfo", "-arch=" + request.target, request.path};
  if (tool.name == nvrtc_name)
    words.insert(words.begin(), nvrtc_runner());
  else
    words.insert(words.begin() + 1, "-cubin");
  for (const std::string& define : request.defines)
    words.push_back("-D" + define);
  for (const std::string& folder : request.include_folders)
    words.push_back("-I" + folder);
  words.insert(words.end(), request.options.begin(), request.options.end());
  return words;
}

fs::path folder_of(const AssembleRequest& request) {
  std::error_code error;
  const fs::path base = request.cache_folder.empty() ? fs::temp_directory_path(error) / "forewarp"
                                                     : fs::path(request.cache_folder);
  return base / "machine_code";
}

} // namespace

bool may_include(const std::string& source, const std::vector<std::string>& options) {
  for (std::size_t at = source.find('#'); at != std::string::npos; at = source.find('#', at + 1)) {
    const std::size_t word = source.find_first_not_of(" \t", at + 1);
    if (word != std::string::npos && source.compare(word, 7, "include") == 0)
      return true;
  }
  return std::any_of(options.begin(), options.end(), [](const std::string& option) {
    return option.find("include") != std::string::npos; // -include, --pre-include=FILE
  });
}

namespace {

/// A source in memory as a file of the folder, by its contents: a tool of another process cannot open it, and
/// asks a name what language it is.
Result<std::string> on_disk(const AssembleRequest& request, const std::string& ending) {
  const auto source = read_all(request.path);
  const fs::path folder = folder_of(request);
  std::error_code error;
  fs::create_directories(folder, error);
  std::string path = (folder / (hash_of(source.value_or("")) + ending)).string();
  FOREWARP_TRY(write_whole_file(path, source.value_or(""), "--cache-dir names another folder"));
  return path;
}

/// The tool's file goes to its place if it is machine code: what is wrong is not kept for the next run.
Result<void> taken_over(const std::string& fresh, const std::string& place, const Tool& tool) {
  const auto code = read_all(fresh);
  if (!code || !code->starts_with("\177ELF"))
    return fail(ErrorCode::unsupported,
                code ? "left a file that is no cubin" : "ended without a complaint, but left no cubin",
                tool.path, "does it run by hand? `forewarp setup-toolkit` says which tools are found");
  std::error_code error;
  fs::rename(fresh, place, error);
  if (error)
    return fail(ErrorCode::not_found, "cannot be written: " + error.message(), place,
                "--cache-dir names another folder");
  return {};
}

/// What the result is for: older code and that of AMD's GPUs is not what is read afterwards (sass/program.h).
bool is_readable(const std::string& target) {
  constexpr int oldest = 75;
  return target.starts_with("sm_") && std::atoi(target.c_str() + 3) >= oldest;
}

} // namespace

Result<Assembled> assemble(const AssembleRequest& given) {
  AssembleRequest request = given;
  const std::string name_in_memory = MemoryFile::name_of(given.path);
  const std::string& name = name_in_memory.empty() ? given.path : name_in_memory;
  const bool cuda = name.ends_with(".cu");
  if (cuda && !name_in_memory.empty()) {
    const auto path = on_disk(given, ".cu");
    FOREWARP_TRY(path);
    request.path = *path;
  }
  if (!cuda && !name.ends_with(".ptx"))
    return fail(ErrorCode::unsupported, "the vendor's tools make machine code of .cu and .ptx files",
                request.path, "give a .cu, .ptx or .cubin file");
  if (!is_readable(request.target))
    return fail(ErrorCode::unsupported, "machine code is read of sm_75 and later, not of " + request.target,
                "--gpu", "name a newer GPU of NVIDIA's; `predict --code imitated` needs no machine code");
  const auto source = read_all(request.path);
  if (!source)
    return fail(ErrorCode::not_found, "no such file", request.path,
                "check the name; it is looked for from this folder on");
  const Tool tool = cuda ? find_cuda_compiler() : find_tool("ptxas");
  const bool nvrtc = tool.name == nvrtc_name;
  if (tool.path.empty() && !tool.found.empty())
    return fail(ErrorCode::not_found, "FOREWARP_CUDA_COMPILER names no compiler", tool.found,
                "name an nvcc or a libnvrtc.so, or leave the variable away");
  if (nvrtc && nvrtc_runner().empty())
    return fail(ErrorCode::not_found, "forewarp-nvrtc is not beside the program", request.path,
                "it is built with forewarp; or name an nvcc in FOREWARP_CUDA_COMPILER");
  if (tool.path.empty())
    return fail(ErrorCode::not_found, "no " + tool.name + " on this machine",
                given.told_as.empty() ? given.path : given.told_as,
                "`forewarp setup-toolkit` says what installs it");
  std::vector<std::string> words = command_of(request, tool);
  std::string identity = tool.version + *source;
  for (const std::string& word : words)
    identity += '\0' + word;
  const fs::path folder = folder_of(request);
  std::error_code error;
  fs::create_directories(folder, error);
  const std::string base = (folder / hash_of(identity)).string();
  Assembled made{base + ".cubin", tool.name + " " + tool.version, false};
  const auto record = read_all(base + ".files");
  if (record && still_holds(*record) && fs::exists(made.path, error)) {
    made.kept = true;
    return made;
  }
  // Written beside and renamed, so that two runs at a time do not see half a file.
  const std::string fresh = base + "." + std::to_string(getpid());
  words.insert(words.end(), {"-o", fresh});
  if (cuda && !nvrtc)
    words.insert(words.end(), {"-MD", "-MF", fresh + ".d"});
  const auto output = run_tool(words);
  const auto rule = read_all(fresh + ".d");
  fs::remove(fresh + ".d", error);
  const auto taken = output ? taken_over(fresh, made.path, tool) : tl::unexpected<Error>(output.error());
  if (!taken)
    fs::remove(fresh, error);
  FOREWARP_TRY(taken);
  std::vector<std::string> files = {request.path};
  if (rule && cuda)
    files = dependencies(*rule);
  files.push_back(made.path);
  // NVRTC does not say which files it read: what includes some is compiled again each time.
  if (!nvrtc || !may_include(*source, request.options))
    std::ofstream(base + ".files", std::ios::binary) << record_of(files);
  return made;
}

} // namespace forewarp::toolkit
