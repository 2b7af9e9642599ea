#include "measure/run/supervise.h"

#include "measure/run/worker.h"

#include <algorithm>
#include <cstring>
#include <ctime>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace forewarp::measure {
namespace {

using Clock = std::chrono::steady_clock;

/// A line from the worker, or why there is none.
enum class Heard { line, ended, late };

/// The child process and the pipe from it.
class Worker {
public:
  Worker(const Bundle& bundle, const MeasureOptions& options, const std::vector<Task>& tasks,
         std::size_t first, Clock::time_point deadline) {
    int ends[2];
    if (pipe(ends) != 0)
      return;
    child_ = fork();
    if (child_ == 0) {
      close(ends[0]);
      run_worker(bundle, options, tasks, first, deadline, ends[1]);
      _exit(0); // no destructors of a driver that may hang
    }
    close(ends[1]);
    from_ = ends[0];
  }
  ~Worker() {
    if (from_ >= 0)
      close(from_);
    if (child_ > 0)
      end();
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  Heard next(double seconds, std::string& line) {
    const auto until =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    for (;;) {
      if (const std::size_t end = buffer_.find('\n'); end != std::string::npos) {
        line = buffer_.substr(0, end);
        buffer_.erase(0, end + 1);
        return Heard::line;
      }
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count();
      pollfd waiting{from_, POLLIN, 0};
      if (left <= 0 || poll(&waiting, 1, static_cast<int>(left)) == 0)
        return Heard::late;
      char block[65536];
      const ssize_t n = read(from_, block, sizeof block);
      if (n <= 0)
        return Heard::ended;
      buffer_.append(block, static_cast<std::size_t>(n));
    }
  }

  /// How the process ended, in words.
  std::string fate() {
    int status = 0;
    if (child_ <= 0 || waitpid(child_, &status, 0) != child_)
      return "the measuring process is gone";
    child_ = -1;
    if (WIFSIGNALED(status))
      return fmt::format("the measuring process was ended by signal {} ({})", WTERMSIG(status),
                         strsignal(WTERMSIG(status)));
    return "the measuring process ended early";
  }

private:
  /// A process that waits inside a driver may not go at once; it is left behind then.
  void end() {
    kill(child_, SIGKILL);
    for (int i = 0; i < 50; ++i) {
      if (waitpid(child_, nullptr, WNOHANG) != 0)
        return;
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
  }

  pid_t child_ = -1;
  int from_ = -1;
  std::string buffer_;
};

class Supervisor {
public:
  Supervisor(const Bundle& bundle, const MeasureOptions& options)
      : bundle_(bundle), options_(options),
        tasks_(options.once ? plan_once(bundle, options.wanted) : plan_tasks(bundle, options.wanted)),
        begin_(Clock::now()), deadline_(begin_ + std::chrono::duration_cast<Clock::duration>(
                                                     std::chrono::duration<double>(options.budget_s))) {}

  Result<MeasureReport> run() {
    if (tasks_.empty())
      return fail(ErrorCode::not_found, "nothing to measure", bundle_.folder, "check --only and the bundle");
    start();
    std::size_t next = 0;
    while (next < tasks_.size()) {
      const auto reached = one_worker(next);
      FOREWARP_TRY(reached);
      next = *reached;
    }
    report_.json["seconds"] = std::chrono::duration<double>(Clock::now() - begin_).count();
    return std::move(report_);
  }

private:
  static constexpr double start_seconds = 60; ///< for a driver to start

  void start() {
    nlohmann::json kernels = nlohmann::json::array();
    for (const BundleKernel& kernel : bundle_.kernels)
      kernels.push_back(to_json(kernel, false));
    report_.json = {
        {"format", "forewarp-measured"},
        {"version", 1},
        {"date", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)))},
        {"bundle",
         {{"language", bundle_.language}, {"target", bundle_.target}, {"made_by", bundle_.made_by}}},
        {"budget_s", options_.budget_s},
        {"kernels", kernels},
        {"measurements", nlohmann::json::array()},
        {"failures", nlohmann::json::array()},
        {"skipped", nlohmann::json::array()}};
  }

  void failed(std::size_t task, const std::string& reason) {
    ++report_.failed;
    const std::string line = fmt::format("{}: {}", tasks_[task].name, reason);
    report_.json["failures"].push_back({{"task", tasks_[task].name}, {"reason", reason}});
    say(line);
  }
  void say(const std::string& text) const {
    if (options_.progress)
      options_.progress(text);
  }

  void skip(std::size_t task) {
    report_.json["skipped"].push_back(tasks_[task].name);
    ++report_.skipped;
  }

  /// Index of the next task for the next worker; the number of tasks when all is done.
  Result<std::size_t> one_worker(std::size_t first) {
    Worker worker(bundle_, options_, tasks_, first, deadline_);
    std::size_t current = first;
    bool device_known = false, in_task = false;
    std::string line;
    for (;;) {
      const double patience = device_known ? options_.timeout_s : start_seconds;
      const Heard heard = worker.next(patience, line);
      if (heard == Heard::line) {
        const auto json = nlohmann::json::parse(line, nullptr, false);
        if (json.is_discarded())
          return fail(ErrorCode::internal, "the measuring process wrote no JSON");
        if (json.contains("no_device"))
          return fail(ErrorCode::not_found, json["no_device"], "",
                      "is the driver installed and the device visible?");
        if (json.contains("mismatch"))
          return fail(ErrorCode::unsupported, json["mismatch"], bundle_.folder,
                      "make a bundle for this device: forewarp bundle --target ...");
        if (json.contains("device")) {
          report_.json["device"] = json["device"];
          device_known = true;
        } else if (json.contains("begin")) {
          current = json["begin"];
          in_task = true;
          say(fmt::format("{}/{} {}", current + 1, tasks_.size(), tasks_[current].name));
        } else if (json.contains("end")) {
          in_task = false;
          take(current, json);
          ++current;
        } else if (json.contains("skipped")) {
          current = json["skipped"];
          skip(current);
          ++current;
        } else if (json.contains("lost")) {
          return current;
        } else {
          return tasks_.size(); // finished
        }
        continue;
      }
      if (!device_known)
        return fail(ErrorCode::not_found,
                    heard == Heard::late ? "the driver did not start within 60 s" : worker.fate());
      if (!in_task && heard == Heard::ended)
        return fail(ErrorCode::internal, worker.fate());
      failed(current, heard == Heard::late
                          ? fmt::format("timed out: no result within {} s", options_.timeout_s)
                          : worker.fate());
      return current + 1;
    }
  }

  void take(std::size_t task, const nlohmann::json& json) {
    for (const auto& entry : json["entries"])
      report_.json["measurements"].push_back(entry);
    if (json.contains("failure"))
      failed(task, json["failure"]);
    else
      ++report_.done;
  }

  const Bundle& bundle_;
  const MeasureOptions& options_;
  std::vector<Task> tasks_;
  Clock::time_point begin_, deadline_;
  MeasureReport report_;
};

} // namespace

Result<MeasureReport> measure_bundle(const Bundle& bundle, const MeasureOptions& options) {
  return Supervisor(bundle, options).run();
}

} // namespace forewarp::measure
