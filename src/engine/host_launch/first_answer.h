// From a file and GPUs to an answer with nothing else given.
#pragma once

#include "engine/host_launch/host_launch.h"
#include "engine/predict.h"

namespace forewarp::engine {

/// Predicts; a request without sizes takes the launch of the host code. Where a kernel leaves the host's
/// buffers (which rest on assumed numbers), their sizes are looked for instead, and said so. What was
/// inferred stands among the assumptions. Of a file that holds one kernel template and instantiates it
/// nowhere, the instance that is proposed is taken. Errors: those of launch_from_host and of predict.
Result<std::vector<facts::Prediction>> first_answer(const PredictRequest& request, const HostSource& host);

/// The same from a launch that was found.
Result<std::vector<facts::Prediction>> answer_found(const FoundRequest& found);

/// Whether `forewarp template` may give what `first_answer` refused: nothing starts the kernel, or a loop
/// whose sizes rest on numbers that nothing settles.
bool is_for_template(const Error& error);

/// What `template_request` would write, predicted as it stands, where first_answer refused for one of these.
Result<std::vector<facts::Prediction>> template_answer(const PredictRequest& request, const Error& refused);

/// What `forewarp template` writes: the host's launch, else a usual one, with every argument. The source is
/// compiled as its project does where it does not compile alone (as_project.h).
Result<FoundRequest> template_request(const PredictRequest& request, const HostSource& host);

/// The kernels of a source that is compiled as its project does where it does not compile alone.
Result<std::vector<KernelDescription>> kernels_of_project(const PredictRequest& request);

/// The request with every argument: what `first_answer` would run, and what was assumed.
Result<FoundRequest> completed_request(const FoundRequest& found);

} // namespace forewarp::engine
