// What the library inside the program says of a launch, as the launch that engine and interpreter read.
#pragma once

#include "engine/predict.h"
#include "facts/launch.h"
#include "program/wire/connection.h"

namespace forewarp::program {

/// [x, y, z].
facts::Dim3 dims_of(const nlohmann::json& sizes);
/// A buffer of `bytes` bytes behind a pointer parameter, without contents.
facts::BufferValue buffer_of(const engine::KernelDescription::Parameter& parameter, std::uint64_t bytes);
/// Sizes and arguments; keys are the parameters' places.
facts::Launch launch_of(const engine::KernelDescription& kernel, const nlohmann::json& words);
/// Pointers that the library found inside of arguments: of structs, and of what it sends.
void add_inner(facts::Launch& launch, const nlohmann::json& words);
/// What the buffers hold, as far as it was sent.
void add_contents(facts::Launch& launch, const Message& question);

} // namespace forewarp::program
