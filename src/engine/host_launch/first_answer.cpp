#include "engine/host_launch/first_answer.h"

#include "engine/open_arguments/open_launch.h"
#include "engine/predict.h"

#include <algorithm>

namespace forewarp::engine {
namespace {

const facts::Note sizes_do_not_hold{
    facts::Note::Severity::assumption,
    "the kernel leaves buffers of the sizes that the host code gives them (with the "
    "numbers that are assumed): they are as large as the launch touches instead",
    {},
    "--arg NAME=buffer:TYPE[COUNT]"};

/// A launch whose work-items all return at once has a time, but not that of the kernel's work.
bool is_vacuous(const facts::Prediction& prediction) {
  const bool reaches_memory =
      std::any_of(prediction.sites.begin(), prediction.sites.end(),
                  [](const facts::MemorySite& site) { return site.space == facts::MemorySpace::global; });
  return reaches_memory && prediction.l2_bytes == 0;
}

const facts::Note nothing_is_done{
    facts::Note::Severity::info,
    "with these arguments no work-item touches global memory: the time is that of a "
    "launch that does nothing",
    {},
    "--arg NAME=VALUE"};

} // namespace

Result<std::vector<facts::Prediction>> answer_found(const FoundRequest& found) {
  auto notes = found.notes;
  auto predictions = predict(found.request);
  if (!predictions && predictions.error().code == ErrorCode::kernel_fault) {
    auto again = predict(with_open_buffers(found.request));
    if (again) {
      predictions = std::move(again);
      notes.push_back(sizes_do_not_hold);
    }
  }
  FOREWARP_TRY(predictions);
  for (facts::Prediction& prediction : *predictions) {
    prediction.notes.insert(prediction.notes.begin(), notes.begin(), notes.end());
    if (is_vacuous(prediction))
      prediction.notes.push_back(nothing_is_done);
  }
  return predictions;
}

Result<std::vector<facts::Prediction>> first_answer(const PredictRequest& request, const HostSource& host) {
  if (!needs_launch(request))
    return predict(request);
  if (request.progress)
    request.progress("reading host code");
  const auto found = launch_from_host(request, host);
  if (!found && found.error().code == ErrorCode::launch) {
    // What is wrong with the file itself goes first.
    auto without = predict(request);
    if (without || without.error().code != ErrorCode::launch)
      return without;
  }
  FOREWARP_TRY(found);
  return answer_found(*found);
}

Result<FoundRequest> completed_request(const FoundRequest& found) {
  Planner planner;
  auto targets = planner.plan(found.request);
  FOREWARP_TRY(targets);
  FoundRequest complete = found;
  auto open = complete_open(found.request, planner, *targets);
  if (!open && open.error().code == ErrorCode::kernel_fault) {
    open = complete_open(with_open_buffers(found.request), planner, *targets);
    complete.notes.push_back(sizes_do_not_hold);
  }
  FOREWARP_TRY(open);
  if (*open) {
    complete.request.launch = (*open)->request.launch;
    complete.notes.insert(complete.notes.end(), (*open)->completed.notes.begin(),
                          (*open)->completed.notes.end());
  }
  return complete;
}

} // namespace forewarp::engine
