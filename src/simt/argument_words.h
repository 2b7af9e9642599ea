// How a launch, and messages about it, name a parameter and what it holds.
#pragma once

#include "facts/launch.h"
#include "ir/kernel_module.h"

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace forewarp::simt {

/// Its name, or its position where it has none.
std::string label(const ir::Parameter& parameter, std::size_t position);

/// "'uint4'", or "a value of 8 bytes" where the input has no names of types (PTX, LLVM IR).
std::string type_text(const ir::Parameter& parameter);

/// How to write a value for it: "--arg n=1024".
std::string example(const ir::Parameter& parameter, std::size_t position);

/// An image, or the number by which CUDA or HIP names a texture or surface.
bool is_texture(const ir::Parameter& parameter);

/// Of a parameter that is taken for a pointer by its eight bytes alone (machine code has neither names nor
/// types): the number that the launch gives instead.
std::optional<std::uint64_t> number_for_pointer(const ir::Parameter& parameter,
                                                const facts::ScalarValue& value);

/// True where elements of the buffer's type can be what the pointer leads to. Without names of types (PTX,
/// LLVM IR, machine code) bytes can be anything, of records for instance, and integers of 32 and 64 bits are
/// how smaller elements are moved.
bool buffer_fits(const ir::Parameter& pointer, const facts::BufferValue& buffer);

/// A sentence for each value of the launch that is no parameter of the kernel and not among `used`.
std::vector<std::string> surplus_arguments(const ir::KernelSignature& kernel, const facts::Launch& launch,
                                           const std::set<std::string>& used);

/// Written as "sampler:...".
bool is_sampler(const facts::ArgumentValue& value);

/// True where the launch gives a field or element of the argument `name`: "name.field", "name[]".
bool has_inner(const facts::Launch& launch, const std::string& name);
/// As a launch calls a field of `name`: "name.field"; "name[]" for what pointers in a buffer lead to.
std::string inner_name(const std::string& name, const ir::Parameter& field);

/// The launch's value of the parameter at `position` (from 0), by its name or else by its position; `end`
/// where there is none.
std::map<std::string, facts::ArgumentValue>::const_iterator
find_argument(const facts::Launch& launch, const ir::Parameter& parameter, std::size_t position);

} // namespace forewarp::simt
