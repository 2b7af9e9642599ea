#include "program/run_program.h"

#include "program/spawn.h"

#include <sys/resource.h>

namespace forewarp::program {
namespace {

/// Each text of a program that the run hands over takes a file in memory. The program has its own limit.
void allow_many_files() {
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0)
    return;
  files.rlim_cur = files.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &files);
}

/// Starts it, serves it, and waits for its end. `built`: the program, where it is ours.
Result<void> run(RunLog& log, Server& server, const Environment& environment, const Progress& progress,
                 std::optional<MemoryFile> built) {
  auto child = Child::start(log.program, environment, built ? built->path() : "");
  FOREWARP_TRY(child);
  built.reset();
  allow_many_files();
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
  log.as_devices = request.options.as_devices;
  for (const gpu::GpuChoice& choice : request.gpus) {
    auto device = make_device(choice, request.value_set);
    FOREWARP_TRY(device);
    log.devices.push_back(*std::move(device));
  }
  auto server = Server::listen(log, request.options);
  FOREWARP_TRY(server);
  if (!request.build) {
    const auto environment = opencl_environment(server->name(), log.as_devices ? log.devices.size() : 1);
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
