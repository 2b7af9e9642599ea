// The control word of an instruction as a fact for the timing.
#pragma once

#include "facts/machine_program.h"
#include "sass/program.h"

namespace forewarp::lift {

/// HGMMA and its kin: the warps of the group go on while it is made.
bool is_product_of_group(const sass::Instruction& instruction);
facts::IssueControl issue_control_of(const sass::Kernel& kernel, std::size_t index);

} // namespace forewarp::lift
