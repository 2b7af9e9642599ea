// What a launch's buffers hold, and the pointers in it that lead to other buffers, as the process beside is
// told of them (simt/inner_pointers.h has the keys).
#pragma once

#include "program/cuda/execute.h"
#include "program/inside/talk.h"

namespace forewarp::program {

/// What lies behind a pointer argument; bytes 0: nothing that is known.
native::Span behind(const NativeLaunch& launch, std::uint32_t parameter);
/// {"key": "1+8", "buffer": BYTES} for each pointer in the bytes of a struct that is passed by value; in
/// `bytes` they are set to 0, so that launches on other buffers of the same sizes are alike.
nlohmann::json pointers_in_struct(std::uint32_t parameter, std::vector<unsigned char>& bytes);
/// Contents of all that the launch's pointers lead to, and of the module's variables.
void add_contents(const NativeLaunch& launch, Message& question);

} // namespace forewarp::program
