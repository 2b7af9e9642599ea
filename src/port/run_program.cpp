#include "port/run_program.h"

#include "port/helper/process.h"

namespace forewarp::port {

SourceRequest source_request(const ProgramRequest& request) {
  return {request.files, request.defines, request.include_directories, request.libraries, request.standard};
}

void complete(ProgramCode& code, const ProgramRequest& request) {
  code.libraries = request.libraries;
  code.arguments = request.arguments;
}

Result<RunResult> run_once(const ProgramCode& code, RunKind kind, const std::vector<RegionPlan>& plans,
                           const RecordedProgram* recorded, const ProgramRequest& asked) {
  RuntimeRequest request;
  request.kind = kind;
  request.regions = plans;
  request.budget = asked.budget;
  request.input = asked.input;
  if (recorded) {
    request.features = kind == RunKind::features ? recorded->features : std::vector<FeaturePlan>{};
    request.globals = recorded->globals;
    request.stack = recorded->stack;
    request.slack_words = recorded->slack_words;
  }
  auto result = run_in_process(std::move(request),
                               [&](RuntimeRequest inside) { run_program(code, std::move(inside)); });
  FOREWARP_TRY(result);
  if (result->end == RunResult::End::jit_error)
    return fail(ErrorCode::compile, "the program cannot be run: " + result->message, "",
                "name every file and library (-l) of the program");
  return result;
}

} // namespace forewarp::port
