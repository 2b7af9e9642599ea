#include "program/build_helper.h"

#include "frontend/guard.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace forewarp::program {
namespace {

/// Of AddressSanitizer, whose shadow is larger than any limit.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool limits_memory = false;
#else
constexpr bool limits_memory = true;
#endif

constexpr unsigned wall_per_processor_time = 10; // a machine may have much else to do

void limit(const BuildLimits& limits) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (limits.seconds > 0) {
    const rlimit seconds{limits.seconds, limits.seconds};
    ::setrlimit(RLIMIT_CPU, &seconds);
  }
  const rlimit memory{limits.memory_bytes, limits.memory_bytes}, no_core{0, 0};
  if (limits_memory)
    ::setrlimit(RLIMIT_AS, &memory);
  ::setrlimit(RLIMIT_CORE, &no_core);
  for (const int crash : {SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE})
    ::signal(crash, SIG_DFL);
}

/// What the child says, a line each: the file that it is at, and at the end its answer.
void say(int to, const nlohmann::json& words) {
  const std::string line = words.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  for (std::size_t done = 0; done < line.size();) {
    const ssize_t written = ::write(to, line.data() + done, line.size() - done);
    if (written <= 0)
      return;
    done += static_cast<std::size_t>(written);
  }
}

[[noreturn]] void run_child(int to, const BuildRequest& request, const Device& device,
                            const BuildLimits& limits, const MemoryFile& program, const std::string& room) {
  frontend::leave_unguarded();
  limit(limits);
  const auto built = build_program(
      request, device, {program, room, [to](const std::string& what) { say(to, {{"at", what}}); }});
  nlohmann::json answer;
  if (built) {
    answer["sources"] = *built;
  } else {
    const Error& error = built.error();
    answer["error"] = {static_cast<int>(error.code), error.message, error.where, error.hint};
  }
  say(to, answer);
  ::_exit(0);
}

/// What it says until it has gone. Past `seconds` (0: never) it is ended.
std::string read_all(int from, pid_t child, unsigned seconds) {
  std::string text;
  char part[4096];
  const auto last = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  while (true) {
    pollfd watched{from, POLLIN, 0};
    const int ready = ::poll(&watched, 1, seconds > 0 ? 1000 : -1);
    if (seconds > 0 && std::chrono::steady_clock::now() > last)
      ::kill(child, SIGKILL);
    if (ready <= 0)
      continue;
    const ssize_t got = ::read(from, part, sizeof(part));
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return text;
    text.append(part, static_cast<std::size_t>(got));
  }
}

Error crash(int status, const std::string& at, const BuildLimits& limits) {
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  if (signal == SIGXCPU || (signal == SIGKILL && limits.seconds > 0))
    return {ErrorCode::budget,
            fmt::format("compiling took longer than {} s of processor time", limits.seconds), at,
            "--build-seconds N gives it more time (0: no limit); a template or a constant expression may "
            "have no end"};
  return {ErrorCode::compile,
          fmt::format("the compiler crashed ({})",
                      signal ? ::strsignal(signal) : fmt::format("exit code {}", WEXITSTATUS(status))),
          at, "leave out what stands there, or give the file as an object (.o) that another compiler made"};
}

Result<std::vector<BuiltSource>> answer_of(const std::string& said, int status, const BuildLimits& limits) {
  std::string at = "forewarp run";
  for (std::size_t begin = 0; begin < said.size();) {
    const std::size_t end = std::min(said.find('\n', begin), said.size());
    const auto words = nlohmann::json::parse(said.substr(begin, end - begin), nullptr, false);
    begin = end + 1;
    if (!words.is_object())
      continue;
    if (words.contains("at"))
      at = words["at"].get<std::string>();
    if (words.contains("sources"))
      return words["sources"].get<std::vector<BuiltSource>>();
    if (words.contains("error")) {
      const nlohmann::json& e = words["error"];
      return tl::unexpected(Error{static_cast<ErrorCode>(e.at(0).get<int>()), e.at(1), e.at(2), e.at(3)});
    }
  }
  return tl::unexpected(crash(status, at, limits));
}

} // namespace

Result<BuiltProgram> build_in_helper(const BuildRequest& request, const Device& device,
                                     const BuildLimits& limits) {
  auto program = MemoryFile::write("", "program");
  FOREWARP_TRY(program);
  auto room = TemporaryFile::write("", ""); // the linker wants a place on a disk; it goes with this scope
  FOREWARP_TRY(room);
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return fail(ErrorCode::internal, "no pipe for the compiling process", "forewarp run");
  const pid_t child = ::fork();
  if (child == 0)
    run_child(ends[1], request, device, limits, *program, room->path());
  ::close(ends[1]);
  const std::string said =
      child > 0 ? read_all(ends[0], child, wall_per_processor_time * limits.seconds) : "";
  ::close(ends[0]);
  if (child < 0)
    return fail(ErrorCode::internal, "no process to compile in", "forewarp run", "free some memory");
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  const auto sources = answer_of(said, status, limits);
  FOREWARP_TRY(sources);
  BuiltProgram built{*std::move(program), {}};
  for (const auto& [name, path, with_libraries] : *sources) {
    engine::SourceRequest source = request.compile;
    source.path = path;
    if (with_libraries)
      source.defines.emplace_back(run_define);
    built.sources.emplace_back(name, std::move(source));
  }
  return built;
}

} // namespace forewarp::program
