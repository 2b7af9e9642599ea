// Calls of a vendor's libraries: what they compute is computed here, what they cost on a GPU is not known.
#pragma once

#include "program/cuda/state.h"

namespace forewarp::program {

/// The thread's launches are a library's: executed, not predicted.
bool is_in_library_call();

/// A command without a time on the stream: "cublasSgemm, 512 x 512 x 64".
void tell_library_call(Call& call, const std::string& name, const std::string& shape, cudaStream_t stream);

/// Memory of an array, or for a call alone, which the device's own does not count. Null: there is none.
void* take_room(std::size_t bytes);
void give_back_room(void* at);

/// Whether so many bytes lie in one buffer of the device; if not, the process beside is told what `name` was
/// given.
bool lies_in_buffer(const char* name, const void* at, std::uint64_t bytes);

/// Any buffer may hold something else now.
void wrote_everywhere();

} // namespace forewarp::program
