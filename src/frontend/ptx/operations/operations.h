// The rows of the table of operations, by subject; expansion.h is the door.
#pragma once

#include "frontend/ptx/expansion.h"

#include <span>

namespace forewarp::frontend::ptx {

std::span<const Operation> arithmetic_rows();
std::span<const Operation> comparison_rows();
std::span<const Operation> conversion_rows();
std::span<const Operation> move_rows();
std::span<const Operation> memory_rows();
std::span<const Operation> atomic_rows();
std::span<const Operation> copy_rows();
std::span<const Operation> bulk_rows();
std::span<const Operation> meeting_rows();
std::span<const Operation> warp_rows();
std::span<const Operation> synchronisation_rows();
std::span<const Operation> matrix_rows();
std::span<const Operation> tensor_memory_rows();
std::span<const Operation> texture_rows();
std::span<const Operation> video_rows();
std::span<const Operation> multimem_rows();
std::span<const Operation> predicate_rows();
std::span<const Operation> launch_control_rows();

} // namespace forewarp::frontend::ptx
