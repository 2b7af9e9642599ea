// Modules for SPIR's abstract machine (triple spir64) in the words of NVIDIA's: address spaces, calling
// conventions, layout.
#pragma once

#include <string>
#include <string_view>

namespace forewarp::frontend::newer_ir {

/// Whether `triple` is SPIR's of 64 bits: "spir64-unknown-unknown", "spirv64-...".
bool is_spir(std::string_view triple);

/// LLVM assembly of such a module without triple and layout: constant memory is address space 4 instead of 2,
/// generic 0 instead of 4, a kernel is a `ptx_kernel`.
std::string spir_in_nvidia_words(std::string_view assembly);

} // namespace forewarp::frontend::newer_ir
