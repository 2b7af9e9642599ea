#include "program/inside/talk.h"

#include "program/inside/clock/virtual_clock.h"

#include <cmath>
#include <cstdlib>
#include <mutex>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace forewarp::program {
namespace {

struct Line {
  std::mutex talking; ///< a question and its answer
  std::optional<Connection> connection;
  bool forked = false; ///< this process is a child that has said nothing yet
};

/// Never destroyed: other threads may outlive `main`.
Line& line() {
  static auto* only = new Line;
  return *only;
}

std::string working_folder() {
  char path[4096];
  return ::getcwd(path, sizeof(path)) ? path : ".";
}

/// Under the lock.
std::optional<Message> exchange(const Message& question) {
  std::optional<Connection>& connection = line().connection;
  if (!connection)
    return std::nullopt;
  if (connection->send(question))
    if (auto answer = connection->receive())
      return answer;
  connection.reset();
  return std::nullopt;
}

/// Under the lock.
std::optional<nlohmann::json> say_hello() {
  const char* name = std::getenv("FOREWARP_RUN");
  if (!name)
    return std::nullopt;
  line().connection = Connection::to(name);
  auto answer = exchange(
      {{{"op", "hello"}, {"pid", ::getpid()}, {"folder", working_folder()}, {"now", virtual_now()}}});
  return answer ? std::optional(std::move(answer->text)) : std::nullopt;
}

/// The line is the parent's: a child that was forked has its own, if it has anything to say.
void use_own_line() {
  if (std::exchange(line().forked, false))
    say_hello();
}

void before_fork() {
  line().talking.lock();
  hold_clock();
}

void in_parent() {
  let_clock_go();
  line().talking.unlock();
}

void in_child() {
  restart_clock();
  line().connection.reset();
  line().forked = true;
  line().talking.unlock();
}

} // namespace

std::optional<nlohmann::json> greet() {
  static const int registered = ::pthread_atfork(before_fork, in_parent, in_child);
  static_cast<void>(registered);
  const std::lock_guard lock(line().talking);
  return say_hello();
}

void tell(const nlohmann::json& text) {
  const std::lock_guard lock(line().talking);
  use_own_line();
  if (line().connection && !line().connection->send({text}))
    line().connection.reset();
}

std::optional<Message> ask(const Message& question) {
  const std::lock_guard lock(line().talking);
  use_own_line();
  return exchange(question);
}

std::string hex(const void* data, std::size_t bytes) {
  static constexpr char digits[] = "0123456789abcdef";
  const auto* at = static_cast<const unsigned char*>(data);
  std::string text;
  for (std::size_t k = 0; k < bytes; ++k) {
    text += digits[at[k] >> 4];
    text += digits[at[k] & 15];
  }
  return text;
}

long thread_number() {
  static thread_local const long number = ::syscall(SYS_gettid);
  return number;
}

std::int64_t copy_ns(double bytes, double gbps) {
  return gbps > 0 ? std::llround(bytes / gbps) : 0;
}

} // namespace forewarp::program
