// Where an instruction runs and how the assembler treats its result.
#pragma once

#include "facts/op_class.h"
#include "sass/program.h"

namespace forewarp::sass {

/// Pipes that instructions of a sub-core are issued to.
enum class Pipe : std::uint8_t { alu, fma, fp64, special, memory, uniform, branch, tensor, none };
inline constexpr std::size_t pipe_count = 9;

Pipe pipe_of(const Instruction& instruction);
std::string_view to_string(Pipe pipe);

/// The row of a GPU file's table of operations that gives the pipe's width.
facts::OpClass class_of_width(Pipe pipe);

/// Results of one queue arrive in the order of issue, and a barrier of a later instruction covers earlier
/// ones of it. Counted on 322,000 register uses of compiled kernels (docs/models/machine_code/sass.md).
enum class Queue : std::uint8_t { none, global, shared, special, constant };
Queue queue_of(const Instruction& instruction);

} // namespace forewarp::sass
