#include "program/inside/talk.h"

#include "program/inside/clock/virtual_clock.h"

#include <cmath>
#include <cstdlib>
#include <mutex>
#include <sys/syscall.h>
#include <unistd.h>

namespace forewarp::program {
namespace {

struct Line {
  std::mutex talking; ///< a question and its answer
  std::optional<Connection> connection;
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

} // namespace

std::optional<nlohmann::json> greet() {
  const char* name = std::getenv("FOREWARP_RUN");
  if (!name)
    return std::nullopt;
  {
    const std::lock_guard lock(line().talking);
    line().connection = Connection::to(name);
  }
  auto answer =
      ask({{{"op", "hello"}, {"pid", ::getpid()}, {"folder", working_folder()}, {"now", virtual_now()}}});
  return answer ? std::optional(std::move(answer->text)) : std::nullopt;
}

void tell(const nlohmann::json& text) {
  const std::lock_guard lock(line().talking);
  if (line().connection && !line().connection->send({text}))
    line().connection.reset();
}

std::optional<Message> ask(const Message& question) {
  const std::lock_guard lock(line().talking);
  if (!line().connection)
    return std::nullopt;
  if (line().connection->send(question))
    if (auto answer = line().connection->receive())
      return answer;
  line().connection.reset();
  return std::nullopt;
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
