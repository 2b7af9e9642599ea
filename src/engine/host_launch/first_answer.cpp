#include "engine/host_launch/first_answer.h"

#include "engine/host_launch/as_project.h"
#include "engine/host_launch/guessed.h"
#include "engine/host_launch/told_launch.h"
#include "engine/host_launch/usual_launch.h"
#include "engine/open_arguments/open_launch.h"
#include "engine/predict.h"

#include <algorithm>
#include <fmt/format.h>

namespace forewarp::engine {
namespace {

/// A launch whose work-items all return at once has a time, but not that of the kernel's work.
using Predictions = std::vector<facts::Prediction>;

bool has_open_numbers(const PredictRequest& request) {
  Planner planner;
  const auto targets = planner.plan(request);
  return targets && !targets->empty() &&
         has_open_arguments(*targets->front().compiled->kernel, request.launch);
}

/// Sizes as given; where the kernel then runs too long and numbers are open, with smaller ones.
Result<Predictions> answer_given(const PredictRequest& request) {
  auto first = predict(request);
  if (first)
    tell_of_launch(request, *first);
  if (first || first.error().code != ErrorCode::budget || !has_open_numbers(request))
    return first;
  for (const std::uint64_t number : {128, 16}) {
    PredictRequest shorter = request;
    shorter.run.open_number = number;
    auto other = predict(shorter);
    if (!other)
      continue;
    for (facts::Prediction& prediction : *other)
      prediction.notes.push_back(
          {facts::Note::Severity::assumption,
           fmt::format("the kernel runs long: numbers that nothing settles are {} at most", number),
           {},
           "--arg NAME=VALUE, --max-instructions N"});
    return other;
  }
  return first;
}

/// A launch file or options with all sizes: predicted as it stands. Else what the host code starts.
Result<Predictions> answer_once(const PredictRequest& request, const HostSource& host) {
  if (!needs_launch(request))
    return answer_given(request);
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
  auto answer = answer_found(*found);
  // Too long with these numbers: with smaller ones.
  for (HostSource smaller = host;
       !answer && answer.error().code == ErrorCode::budget && found->rests_on_open;) {
    smaller.assumed /= 8;
    if (smaller.assumed < 16)
      break;
    if (const auto other = launch_from_host(request, smaller))
      if (auto shorter = answer_found(*other); shorter || shorter.error().code != ErrorCode::budget)
        return shorter;
  }
  return answer;
}

void put_in_front(const std::vector<facts::Note>& notes, Result<Predictions>& answer) {
  if (answer)
    for (facts::Prediction& prediction : *answer)
      prediction.notes.insert(prediction.notes.begin(), notes.begin(), notes.end());
}

/// The instance of the only kernel template, where no kernel is named and the file instantiates none.
std::string only_instance(const PredictRequest& request, const Error& error) {
  return request.kernel.empty() && error.possible_kernels.size() == 1 ? error.possible_kernels.front() : "";
}

PredictRequest with_kernel(PredictRequest request, const std::string& kernel) {
  request.kernel = kernel;
  request.compile.only_kernel = kernel;
  return request;
}

facts::Note instance_note(const std::string& kernel) {
  return {facts::Note::Severity::assumption,
          fmt::format("the file makes no instance of its kernel template: '{}' is taken", kernel),
          {},
          "--kernel 'NAME<ARGUMENTS>'"};
}

/// The host code's launch, else a usual one.
Result<FoundRequest> start_of(const PredictRequest& request, const HostSource& host) {
  if (!needs_launch(request))
    return FoundRequest{request, {}, {}};
  HostSource any = host;
  any.takes_open_loops = true; // whoever writes a template sees the sizes
  auto found = launch_from_host(request, any);
  if (found || found.error().code != ErrorCode::launch)
    return found;
  return usual_launch(request);
}

} // namespace

Result<Predictions> answer_found(const FoundRequest& found) {
  auto [predictions, notes] = predict_guessed(found);
  FOREWARP_TRY(predictions);
  for (facts::Prediction& prediction : *predictions)
    prediction.notes.insert(prediction.notes.begin(), notes.begin(), notes.end());
  tell_of_launch(found.request, *predictions);
  return predictions;
}

Result<Predictions> first_answer(const PredictRequest& request, const HostSource& host) {
  FoundRequest taken;
  auto answer = tried_as_project<Result<Predictions>>(
      request, taken, [&](const PredictRequest& each) { return answer_once(each, host); });
  put_in_front(taken.notes, answer);
  if (answer)
    return answer;
  const std::string instance = only_instance(request, answer.error());
  if (instance.empty())
    return answer;
  auto other = first_answer(with_kernel(request, instance), host);
  put_in_front({instance_note(instance)}, other);
  return other;
}

Result<Predictions> template_answer(const PredictRequest& request, const Error& refused) {
  FoundRequest taken;
  auto answer = tried_as_project<Result<Predictions>>(
      request, taken, [&](const PredictRequest& each) -> Result<Predictions> {
        const auto start = is_open_loop(refused) ? start_of(each, {}) : usual_launch(each);
        FOREWARP_TRY(start);
        const auto whole = completed_request(*start);
        FOREWARP_TRY(whole);
        return answer_found(*whole);
      });
  put_in_front(taken.notes, answer);
  return answer;
}

bool is_for_template(const Error& error) {
  return error.code == ErrorCode::launch || is_open_loop(error);
}

Result<FoundRequest> template_request(const PredictRequest& request, const HostSource& host) {
  FoundRequest taken;
  auto complete = tried_as_project<Result<FoundRequest>>(
      request, taken, [&](const PredictRequest& each) -> Result<FoundRequest> {
        const auto start = start_of(each, host);
        FOREWARP_TRY(start);
        return completed_request(*start);
      });
  if (complete) {
    complete->notes.insert(complete->notes.begin(), taken.notes.begin(), taken.notes.end());
    return complete;
  }
  const std::string instance = only_instance(request, complete.error());
  if (instance.empty())
    return complete;
  auto other = template_request(with_kernel(request, instance), host);
  if (other)
    other->notes.insert(other->notes.begin(), instance_note(instance));
  return other;
}

Result<std::vector<KernelDescription>> kernels_of_project(const PredictRequest& request) {
  FoundRequest taken;
  return tried_as_project<Result<std::vector<KernelDescription>>>(
      request, taken, [](const PredictRequest& each) { return list_kernels(each); });
}

} // namespace forewarp::engine
