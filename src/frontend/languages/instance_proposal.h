// The instance of a kernel template that an error proposes where a file instantiates none: what is written
// into the error's hint is read out of it here, and nowhere else.
#pragma once

#include "support/result.h"

#include <optional>
#include <string>
#include <vector>

namespace forewarp::frontend {

struct InstanceProposal {
  std::string kernel;  ///< with template arguments, as for --kernel
  bool is_only = true; ///< the file has no other kernel template
};

/// The hint of an error of a file whose kernel templates have no instance; `kernels`: one or more, with
/// arguments.
std::string hint_of_instances(const std::vector<std::string>& kernels);

/// Nothing: the error's hint proposes none.
std::optional<InstanceProposal> proposed_instance(const Error& error);

} // namespace forewarp::frontend
