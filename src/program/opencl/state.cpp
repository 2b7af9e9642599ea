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

} // namespace forewarp::program
