#include "program/run_program.h"

#include "program/spawn.h"

namespace forewarp::program {
namespace {

/// Starts it, serves it, and waits for its end. `built`: the program, where it is ours.
Result<void> run(RunLog& log, Server& server, const Environment& environment, const Progress& progress,
                 std::optional<MemoryFile> built) {
  auto child = Child::start(log.program, environment, built ? built->path() : "");
  FOREWARP_TRY(child);
  built.reset();
  server.serve(child->ended(), progress);
  const Child::End end = child->wait();
  log.exit_code = end.exit_code;
  log.signal = end.signal;
  return {};
}

} // namespace

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
  if (!request.build) {
    const auto environment = opencl_environment(server->name());
    FOREWARP_TRY(environment);
    FOREWARP_TRY(run(log, *server, *environment, request.progress, std::nullopt));
    return log;
  }
  auto program = build_in_helper(*request.build, log.devices.front(), request.limits);
  FOREWARP_TRY(program);
  log.built = true;
  log.program.insert(log.program.begin(), request.build->sources.front());
  for (const auto& [name, source] : program->sources)
    server->book().add_source(name, source);
  FOREWARP_TRY(
      run(log, *server, cuda_environment(server->name()), request.progress, std::move(program->file)));
  return log;
}

} // namespace forewarp::program
