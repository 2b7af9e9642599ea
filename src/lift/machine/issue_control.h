// The control word of an instruction as a fact for the timing.
#pragma once

#include "facts/machine_program.h"
#include "sass/program.h"

namespace forewarp::lift {

facts::IssueControl issue_control_of(const sass::Kernel& kernel, std::size_t index);

} // namespace forewarp::lift
