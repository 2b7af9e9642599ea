#include "program/opencl/state.h"

namespace forewarp::program {

State& state() {
  static auto* only = new State;
  return *only;
}

QueueFacts& State::queue(cl_command_queue handle) {
  QueueFacts& facts = queue_of[handle];
  if (facts.id == 0)
    facts.id = ++queues;
  return facts;
}

void tell(const nlohmann::json& text) {
  State& s = state();
  const std::lock_guard lock(s.talking);
  if (s.connection && !s.connection->send({text}))
    s.connection.reset();
}

std::optional<Message> ask(const Message& question) {
  State& s = state();
  const std::lock_guard lock(s.talking);
  if (!s.connection)
    return std::nullopt;
  if (s.connection->send(question))
    if (auto answer = s.connection->receive())
      return answer;
  s.connection.reset();
  return std::nullopt;
}

} // namespace forewarp::program
