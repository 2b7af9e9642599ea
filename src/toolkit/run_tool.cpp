#include "toolkit/tools.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

extern char** environ; // NOLINT

namespace forewarp::toolkit {
namespace {

constexpr std::size_t most_words = 2000; ///< of a tool's output in an error
using Clock = std::chrono::steady_clock;

class SpawnActions {
public:
  explicit SpawnActions(int output) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addopen(&actions_, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions_, output, 1);
    posix_spawn_file_actions_adddup2(&actions_, output, 2);
    posix_spawnattr_init(&attributes_);
    // A group of its own, so that the tool's own children end with it.
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes_, 0);
  }
  ~SpawnActions() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;
  posix_spawn_file_actions_t* actions() { return &actions_; }
  posix_spawnattr_t* attributes() { return &attributes_; }

private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

/// False: the time was up. What exceeds the limit is read and dropped.
bool read_until_end(int pipe, Clock::time_point end, std::size_t most_bytes, std::string& text) {
  std::array<char, 4096> buffer;
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
    if (left.count() <= 0)
      return false;
    pollfd wait{pipe, POLLIN, 0};
    const int ready = poll(&wait, 1, static_cast<int>(left.count()));
    if (ready < 0 && errno == EINTR)
      continue;
    if (ready <= 0)
      return false;
    const ssize_t got = read(pipe, buffer.data(), buffer.size());
    if (got <= 0)
      return true;
    const std::size_t room = most_bytes - std::min(most_bytes, text.size());
    text.append(buffer.data(), std::min(room, static_cast<std::size_t>(got)));
  }
}

/// Waits for a child whose output is at its end: it may have closed that and go on. False: the time was up.
bool wait_until(pid_t child, Clock::time_point end, int& status) {
  constexpr std::chrono::milliseconds pause(1);
  while (true) {
    const pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child || (ended < 0 && errno != EINTR))
      return true;
    if (Clock::now() >= end)
      return false;
    std::this_thread::sleep_for(pause);
  }
}

/// Not an error of the source: other ways to compile it are not tried.
tl::unexpected<Error> broken(const std::string& what, const std::string& text, const std::string& tool) {
  return fail(ErrorCode::unsupported,
              what + ": " + (text.empty() ? "it said nothing" : text.substr(0, most_words)), tool,
              "does it run by hand? FOREWARP_CUDA_COMPILER names another CUDA compiler, "
              "`predict --code imitated` needs none");
}

} // namespace

Result<std::string> run_tool(const std::vector<std::string>& arguments, const RunLimits& limits) {
  if (arguments.empty())
    return fail(ErrorCode::internal, "no program to run");
  std::array<int, 2> ends = {-1, -1};
  if (pipe2(ends.data(), O_CLOEXEC) != 0)
    return fail(ErrorCode::internal, fmt::format("no pipe: {}", std::strerror(errno)));
  std::vector<char*> words;
  for (const std::string& argument : arguments)
    words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  SpawnActions spawn(ends[1]);
  pid_t child = 0;
  const int error =
      posix_spawnp(&child, words[0], spawn.actions(), spawn.attributes(), words.data(), environ);
  close(ends[1]);
  if (error != 0) {
    close(ends[0]);
    return fail(ErrorCode::not_found, fmt::format("cannot be started: {}", std::strerror(error)),
                arguments[0], "`forewarp setup-toolkit` says which tools are here");
  }
  std::string text;
  int status = 0;
  const auto end = Clock::now() +
                   std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limits.seconds));
  const bool in_time =
      read_until_end(ends[0], end, limits.output_bytes, text) && wait_until(child, end, status);
  close(ends[0]);
  if (!in_time) {
    kill(-child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return broken(fmt::format("ran longer than {:.0f} s and was ended", limits.seconds), text, arguments[0]);
  }
  if (WIFSIGNALED(status))
    return broken(fmt::format("crashed with signal {}", WTERMSIG(status)), text, arguments[0]);
  if (WEXITSTATUS(status) != 0 && text.empty())
    return broken(fmt::format("ended with status {}", WEXITSTATUS(status)), text, arguments[0]);
  if (WEXITSTATUS(status) != 0)
    return fail(ErrorCode::compile, text.substr(0, most_words), arguments[0]);
  return text;
}

} // namespace forewarp::toolkit
