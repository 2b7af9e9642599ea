#include "bundle/reference.h"

#include "support/temporary_file.h"
#include "support/text_file.h"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace forewarp::bundle {
namespace {

using measure::BundleArgument;

/// Runs a program and waits; its standard error goes to `errors`. -1: it could not be started.
int run_program(const std::vector<std::string>& words, const std::string& errors) {
  const pid_t child = fork();
  if (child == 0) {
    if (!freopen(errors.c_str(), "w", stderr))
      _exit(127);
    std::vector<char*> pointers;
    for (const std::string& word : words)
      pointers.push_back(const_cast<char*>(word.c_str()));
    pointers.push_back(nullptr);
    execvp(pointers[0], pointers.data());
    _exit(127);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child)
    return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

struct Memory {
  std::vector<std::vector<std::uint8_t>> bytes; ///< in kernel order
  std::vector<void*> pointers() {
    std::vector<void*> result;
    for (auto& argument : bytes)
      result.push_back(argument.data());
    return result;
  }
};

Result<Memory> memory_of(const measure::BundleLaunch& launch) {
  Memory memory;
  for (const BundleArgument& argument : launch.arguments) {
    if (const auto* scalar = std::get_if<measure::ScalarBytes>(&argument.value)) {
      memory.bytes.push_back(scalar->bytes);
    } else if (const auto* local = std::get_if<measure::LocalBytes>(&argument.value)) {
      memory.bytes.emplace_back(local->bytes);
    } else {
      const auto& buffer = std::get<facts::BufferValue>(argument.value);
      std::vector<std::uint8_t> contents(buffer.size_in_bytes());
      if (buffer.contents.kind == facts::BufferContents::Kind::bytes) {
        std::copy(buffer.contents.bytes.begin(), buffer.contents.bytes.end(), contents.begin());
      } else {
        auto generated = measure::contents_of(argument, "");
        FOREWARP_TRY(generated);
        contents = std::move(*generated);
      }
      memory.bytes.push_back(std::move(contents));
    }
  }
  return memory;
}

bool among(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// In the child: results as JSON, or "error: ...".
std::string computed(const std::string& object, const std::string& function,
                     const measure::BundleLaunch& launch, const CorpusFolder& folder) {
  void* library = dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* symbol = library ? dlsym(library, function.c_str()) : nullptr;
  if (!symbol)
    return fmt::format("error: the reference has no function '{}'", function);
  auto memory = memory_of(launch);
  if (!memory)
    return "error: " + to_string(memory.error());
  reinterpret_cast<void (*)(void**)>(symbol)(memory->pointers().data());
  nlohmann::json results = nlohmann::json::array();
  for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
    const BundleArgument& argument = launch.arguments[i];
    if (!among(folder.outputs, argument.name))
      continue;
    const auto* buffer = std::get_if<facts::BufferValue>(&argument.value);
    if (!buffer)
      return fmt::format("error: output '{}' is no buffer", argument.name);
    results.push_back(
        measure::to_json(measure::summarise(argument.name, buffer->type, memory->bytes[i], folder.tolerance,
                                            among(folder.unordered, argument.name))));
  }
  if (results.size() != folder.outputs.size())
    return "error: an output of kernel.toml is no parameter of the kernel";
  return results.dump();
}

/// What the child wrote until it ended or `seconds` were over; `late` says which.
std::string read_all(int from, double seconds, bool& late) {
  std::string text;
  char block[65536];
  const auto left_ms = static_cast<int>(seconds * 1000);
  pollfd waiting{from, POLLIN, 0};
  late = poll(&waiting, 1, left_ms) == 0; // nothing is written before the reference is done
  if (late)
    return text;
  for (ssize_t n = 0; (n = read(from, block, sizeof block)) > 0;)
    text.append(block, static_cast<std::size_t>(n));
  return text;
}

} // namespace

Reference::Reference(std::string object, std::string function)
    : object_(std::move(object)), function_(std::move(function)) {}
Reference::Reference(Reference&& other) noexcept
    : object_(std::exchange(other.object_, {})), function_(std::move(other.function_)) {}
Reference& Reference::operator=(Reference&& other) noexcept {
  std::swap(object_, other.object_);
  std::swap(function_, other.function_);
  return *this;
}
Reference::~Reference() {
  std::error_code ignored;
  if (!object_.empty())
    std::filesystem::remove(object_, ignored);
}

Result<Reference> Reference::compile(const std::string& path, const std::string& name) {
  auto place = TemporaryFile::write("-", ".err");
  FOREWARP_TRY(place);
  const std::string object = place->path() + ".so";
  const char* given = std::getenv("CC");
  const std::string compiler = given && *given ? given : "cc";
  const int status = run_program(
      {compiler, "-x", "c", "-O2", "-ffp-contract=off", "-fPIC", "-shared", "-w", "-o", object, path, "-lm"},
      place->path());
  Reference reference(object, "reference_" + name);
  if (status == 0)
    return reference;
  if (status == 127 || status < 0)
    return fail(ErrorCode::not_found, fmt::format("the C compiler '{}' cannot be run", compiler), path,
                "install one (package gcc), or name it in CC: it compiles the C references");
  const auto words = read_file(place->path(), "compiler's messages", 1 << 20);
  return fail(ErrorCode::compile, words ? *words : "the C compiler refused it", path);
}

Result<std::vector<measure::Expected>> Reference::run(const measure::BundleLaunch& launch,
                                                      const CorpusFolder& folder, double seconds) const {
  int ends[2];
  if (pipe(ends) != 0)
    return fail(ErrorCode::internal, "no pipe to the reference's process");
  const pid_t child = fork();
  if (child < 0)
    return fail(ErrorCode::internal, "no process for the reference");
  if (child == 0) {
    close(ends[0]);
    const std::string text = computed(object_, function_, launch, folder);
    for (std::size_t at = 0; at < text.size();) {
      const ssize_t n = write(ends[1], text.data() + at, text.size() - at);
      if (n <= 0)
        break;
      at += static_cast<std::size_t>(n);
    }
    _exit(0);
  }
  close(ends[1]);
  bool late = false;
  const std::string text = read_all(ends[0], seconds, late);
  close(ends[0]);
  if (late)
    kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  if (late)
    return std::vector<measure::Expected>();
  if (!WIFEXITED(status))
    return fail(ErrorCode::kernel_fault, "the C reference crashed", function_, "check its sizes");
  if (text.starts_with("error: "))
    return fail(ErrorCode::bad_input, text.substr(7), function_);
  std::vector<measure::Expected> expected;
  for (const auto& json : nlohmann::json::parse(text))
    expected.push_back(measure::expected_from_json(json));
  return expected;
}

} // namespace forewarp::bundle
