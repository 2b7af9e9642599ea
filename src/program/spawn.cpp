#include "program/spawn.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

extern char** environ;

namespace forewarp::program {
namespace {

std::string with_before(const char* variable, const std::string& value) {
  const char* old = std::getenv(variable);
  return fmt::format("{}={}{}{}", variable, value, old && *old ? ":" : "", old ? old : "");
}

std::vector<std::string> merged(const Environment& environment) {
  std::vector<std::string> all;
  for (char** at = environ; *at; ++at) {
    const std::string word = *at;
    const std::string name = word.substr(0, word.find('=') + 1);
    const bool replaced = std::any_of(environment.begin(), environment.end(),
                                      [&](const std::string& other) { return other.starts_with(name); });
    if (!replaced)
      all.push_back(word);
  }
  all.insert(all.end(), environment.begin(), environment.end());
  return all;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> out;
  for (std::string& word : words)
    out.push_back(word.data());
  out.push_back(nullptr);
  return out;
}

/// PoCL's setting that makes it show this processor so many times; its own is one of this kind.
std::string pocl_devices(std::size_t count) {
  const char* given = std::getenv("POCL_DEVICES");
  std::string kind = given ? given : "";
  kind.resize(std::min(kind.find(' '), kind.size()));
  if (kind.empty())
    kind = "pthread";
  std::string all = "POCL_DEVICES=" + kind;
  for (std::size_t k = 1; k < count; ++k)
    all += " " + kind;
  return all;
}

} // namespace

Result<std::string> library_beside(const std::string& name) {
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  const auto folder = program.parent_path();
  for (const auto& path : {folder / name, folder / "../lib/forewarp" / name})
    if (std::filesystem::exists(path, error))
      return std::filesystem::canonical(path, error).string();
  return fail(ErrorCode::unsupported, fmt::format("{} is not beside the program", name), folder.string(),
              "it is built with forewarp; OpenCL's only where its headers are (package opencl-c-headers)");
}

Result<Environment> opencl_environment(const std::string& server_name, std::size_t devices) {
  const auto file = library_beside("libforewarp-opencl.so");
  FOREWARP_TRY(file);
  Environment environment = {with_before("OPENCL_LAYERS", *file), with_before("LD_PRELOAD", *file),
                             "FOREWARP_RUN=" + server_name};
  if (devices > 1)
    environment.push_back(pocl_devices(devices));
  return environment;
}

Environment cuda_environment(const std::string& server_name) {
  return {"FOREWARP_RUN=" + server_name};
}

Result<Child> Child::start(const std::vector<std::string>& words, const Environment& environment,
                           const std::string& file) {
  std::vector<std::string> arguments = words, variables = merged(environment);
  pid_t pid = 0;
  const int status = ::posix_spawnp(&pid, (file.empty() ? arguments.front() : file).c_str(), nullptr, nullptr,
                                    pointers(arguments).data(), pointers(variables).data());
  if (status != 0)
    return fail(ErrorCode::not_found, fmt::format("the program cannot be started: {}", std::strerror(status)),
                arguments.front(), "give the program and its words behind --");
  const auto descriptor = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
  if (descriptor < 0)
    return fail(ErrorCode::unsupported, "the system has no pidfd_open", "forewarp run",
                "a Linux of 5.3 or later has it");
  return Child(pid, descriptor);
}

Child::Child(Child&& other) noexcept
    : pid_(std::exchange(other.pid_, 0)), descriptor_(std::exchange(other.descriptor_, -1)) {}

Child::~Child() {
  if (descriptor_ >= 0)
    ::close(descriptor_);
}

Child::End Child::wait() {
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status))
    return {WEXITSTATUS(status), 0};
  return {std::nullopt, WTERMSIG(status)};
}

} // namespace forewarp::program
