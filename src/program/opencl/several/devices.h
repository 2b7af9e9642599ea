// The implementation's devices, all of them this machine, and the GPUs that they stand for.
#pragma once

#include "program/opencl/state.h"

namespace forewarp::program {

/// As many of the platform's devices as there are GPUs to show.
std::vector<cl_device_id> shown_devices(cl_platform_id platform);
/// The place in State::devices of what `handle` stands for; a part of a device is its whole. 0 for what is
/// not known.
unsigned device_number(cl_device_id handle);
const DeviceFacts& device_of(cl_device_id handle);
/// Takes State::lock.
const DeviceFacts& device_of(cl_command_queue queue);

} // namespace forewarp::program
