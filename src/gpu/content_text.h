// A GPU file as one text.
#pragma once

#include "gpu/gpu_file.h"

#include <string>

namespace forewarp::gpu {

/// Everything of the file that a prediction depends on: names of machine and compiler's target, and every
/// value of every set, without where they are from. Equal texts: the same machine.
std::string content_text(const GpuFile& file);

} // namespace forewarp::gpu
