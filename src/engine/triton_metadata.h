// What Triton keeps beside a compiled kernel: NAME.json with NAME.llir, .ptx, .cubin or .hsaco.
#pragma once

#include "engine/request.h"
#include "support/result.h"

namespace forewarp::ir {
class KernelModule;
struct KernelSignature;
} // namespace forewarp::ir

namespace forewarp::engine {

/// Reads what lies beside the request's source, if anything does, and gives the launch the shared memory and
/// the group that it says, where the launch has none (`shared_given`: a launch without dynamic shared memory
/// is meant so). Errors: bad_input with key, launch where the launch asks for less shared memory or for
/// another group.
Result<void> take_triton_metadata(PredictRequest& request, bool shared_given);

/// bad_input where the metadata are of another compile than the file: another kernel, group, cluster or GPU.
Result<void> check_triton_metadata(const PredictRequest& request, const ir::KernelModule& module,
                                   const ir::KernelSignature& kernel);

/// `error` with, where the kernel runs out of the shared memory that the metadata say, a hint that names
/// them.
Error told_of_triton_metadata(Error error, const PredictRequest& request);

} // namespace forewarp::engine
