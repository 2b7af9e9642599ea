#include "program/run_program.h"

#include "program/spawn.h"

namespace forewarp::program {

Result<RunLog> run_program(const RunRequest& request) {
  RunLog log;
  log.program = request.words;
  for (const gpu::GpuChoice& choice : request.gpus) {
    auto device = make_device(choice, request.value_set);
    FOREWARP_TRY(device);
    log.devices.push_back(*std::move(device));
  }
  auto server = Server::listen(log, request.options);
  FOREWARP_TRY(server);
  const auto environment = environment_of(server->name());
  FOREWARP_TRY(environment);
  auto child = Child::start(request.words, *environment);
  FOREWARP_TRY(child);
  server->serve(child->ended());
  const Child::End end = child->wait();
  log.exit_code = end.exit_code;
  log.signal = end.signal;
  return log;
}

} // namespace forewarp::program
