// On which of several GPUs the contents of buffers lie. What a launch uses and another GPU holds goes over
// both links first, through the host's memory.
#pragma once

#include "program/opencl/timing.h"

namespace forewarp::program {

struct Move {
  double bytes = 0;
  std::int64_t duration = 0; ///< ns, over both links
  Move& operator+=(const Move& other);
};

/// Something has written the buffer there.
void lies_on(cl_mem memory, cl_command_queue queue);
/// Brings the buffer there. Nothing to do where it is there, or was never on a GPU. A buffer that kernels
/// only read stays where it was, too.
Move move_to(cl_command_queue queue, cl_mem memory);
Given as_command(const Move& move, cl_command_queue queue);

} // namespace forewarp::program
