#include "program/inside/log.h"

namespace forewarp::program {
namespace {

void tell_any_wait(nlohmann::json what, std::int64_t entered_at, std::int64_t left_at) {
  what.update(
      {{"op", "wait"}, {"entered_at", entered_at}, {"left_at", left_at}, {"thread", thread_number()}});
  tell(what);
}

} // namespace

void tell_command(const Command& command, const char* name, const nlohmann::json& detail) {
  nlohmann::json text = {{"op", "command"},
                         {"id", command.id},
                         {"queue", command.queue},
                         {"in_order", command.in_order},
                         {"barrier", command.barrier},
                         {"kind", static_cast<int>(command.kind)},
                         {"name", name},
                         {"called_at", command.called_at},
                         {"duration", command.duration},
                         {"thread", thread_number()},
                         {"after", command.after}};
  if (command.device > 0)
    text["device"] = command.device;
  text.update(detail);
  tell(text);
}

void tell_wait(const std::vector<std::uint64_t>& commands, std::int64_t entered_at, std::int64_t left_at) {
  tell_any_wait(nlohmann::json{{"for", commands}}, entered_at, left_at);
}

void tell_queue_wait(std::uint64_t queue, std::int64_t entered_at, std::int64_t left_at) {
  tell_any_wait(nlohmann::json{{"queue", queue}}, entered_at, left_at);
}

} // namespace forewarp::program
