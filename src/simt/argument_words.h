// What messages about arguments say of a parameter.
#pragma once

#include "facts/launch.h"
#include "ir/kernel_module.h"

#include <cstddef>
#include <string>

namespace forewarp::simt {

/// Its name, or its position where it has none.
std::string label(const ir::Parameter& parameter, std::size_t position);

/// "'uint4'", or "a value of 8 bytes" where the input has no names of types (PTX, LLVM IR).
std::string type_text(const ir::Parameter& parameter);

/// How to write a value for it: "--arg n=1024".
std::string example(const ir::Parameter& parameter, std::size_t position);

/// An image, or the number by which CUDA or HIP names a texture or surface.
bool is_texture(const ir::Parameter& parameter);

/// Written as "sampler:...".
bool is_sampler(const facts::ArgumentValue& value);

} // namespace forewarp::simt
