#include "port/helper/process.h"

#include "port/helper/serialise.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <fstream>

namespace forewarp::port {
namespace {

constexpr double grace_seconds = 3; ///< beyond the program's own clock: compile, write the result

std::uint64_t address_space_now() {
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

/// `words`: takes what the program writes to its standard error.
void limit_child(const Budget& budget, const std::string& input, int words) {
  prctl(PR_SET_PDEATHSIG, SIGKILL); // does not outlive the command
  setpgid(0, 0);
  const rlim_t bytes =
      address_space_now() + budget.memory_bytes + budget.shadow_bytes + budget.detail_words * 24;
  const rlimit memory = {bytes, bytes};
  setrlimit(RLIMIT_AS, &memory);
  const rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  const int source = input.empty() ? -1 : open(input.c_str(), O_RDONLY | O_CLOEXEC);
  dup2(source >= 0 ? source : nothing, 0);
  dup2(nothing, 1);
  dup2(words >= 0 ? words : nothing, 2);
}

/// False: the time was up and the child was ended.
bool wait_for(pid_t child, double seconds, int& status) {
  const int handle = static_cast<int>(syscall(SYS_pidfd_open, child, 0));
  bool in_time = true;
  if (handle >= 0) {
    pollfd wanted = {handle, POLLIN, 0};
    int ready = 0;
    do
      ready = poll(&wanted, 1, static_cast<int>(seconds * 1000));
    while (ready < 0 && errno == EINTR);
    in_time = ready != 0;
    close(handle);
  } else { // old kernel
    for (double waited = 0; waited < seconds; waited += 0.01) {
      if (waitpid(child, &status, WNOHANG) == child)
        return true;
      usleep(10000);
    }
    in_time = false;
  }
  if (!in_time)
    kill(-child, SIGKILL);
  waitpid(child, &status, 0);
  return in_time;
}

std::string read_all(int file) {
  std::string bytes;
  const off_t size = lseek(file, 0, SEEK_END);
  if (size <= 0)
    return bytes;
  bytes.resize(static_cast<std::size_t>(size));
  std::size_t at = 0;
  while (at < bytes.size()) {
    const ssize_t got = pread(file, bytes.data() + at, bytes.size() - at, static_cast<off_t>(at));
    if (got <= 0)
      break;
    at += static_cast<std::size_t>(got);
  }
  return bytes;
}

constexpr std::size_t most_words = 200;

/// Last line of what lies in the pipe.
std::string last_line(int pipe) {
  std::string text(1U << 16, '\0');
  const ssize_t got = pipe < 0 ? 0 : read(pipe, text.data(), text.size());
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  while (!text.empty() && static_cast<unsigned char>(text.back()) <= ' ')
    text.pop_back();
  text.erase(0, text.rfind('\n') + 1);
  return text.substr(0, most_words);
}

} // namespace

Result<RunResult> run_in_process(RuntimeRequest request, const std::function<void(RuntimeRequest)>& inside) {
  void* page = mmap(nullptr, sizeof(SharedStatus), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  const int file = memfd_create("forewarp-run", MFD_CLOEXEC);
  if (page == MAP_FAILED || file < 0)
    return fail(ErrorCode::internal, "no memory for the helper process");
  std::array<int, 2> words = {-1, -1};
  if (pipe2(words.data(), O_NONBLOCK | O_CLOEXEC) != 0) // full: the program's further words are lost
    words = {-1, -1};
  auto* status = new (page) SharedStatus;
  request.status = status;
  request.result_file = file;
  const pid_t child = fork();
  if (child < 0) {
    close(words[0]);
    close(words[1]);
    close(file);
    munmap(page, sizeof(SharedStatus));
    return fail(ErrorCode::internal, "no helper process could be started");
  }
  if (child == 0) {
    limit_child(request.budget, request.input, words[1]);
    inside(request);
    _exit(1);
  }
  int ended = 0;
  const bool in_time = wait_for(child, request.budget.seconds + grace_seconds, ended);
  RunResult lost;
  lost.region = status->region;
  lost.end = in_time ? RunResult::End::lost : RunResult::End::time_budget;
  if (in_time && WIFSIGNALED(ended)) {
    lost.end = RunResult::End::signal;
    lost.code = WTERMSIG(ended);
  }
  Result<RunResult> result = lost;
  if (status->finished != 0)
    result = from_bytes(read_all(file));
  if (result)
    result->last_words = last_line(words[0]);
  close(words[0]);
  close(words[1]);
  close(file);
  munmap(page, sizeof(SharedStatus));
  return result;
}

} // namespace forewarp::port
