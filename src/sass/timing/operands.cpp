#include "sass/timing/operands.h"

#include "sass/timing/pipes.h"

namespace forewarp::sass {
namespace {

constexpr unsigned bank_count = 2;

/// The register cache is lost where another way may lead into the code; far reuse does not occur.
constexpr std::size_t farthest_reuse = 8;

bool of_pipes_of_lanes(const Instruction& instruction) {
  const Pipe pipe = pipe_of(instruction);
  return pipe == Pipe::alu || pipe == Pipe::fma;
}

const Operand* source_at(const Instruction& instruction, std::size_t position) {
  const auto sources = instruction.sources();
  if (position >= sources.size())
    return nullptr;
  const Operand& source = sources[position];
  return source.kind == OperandKind::general && !source.is_zero() ? &source : nullptr;
}

bool is_kept(const Kernel& kernel, std::size_t index, std::size_t position, const Operand& source) {
  for (std::size_t back = 1; back <= farthest_reuse && back <= index; ++back) {
    const Instruction& before = kernel.instructions[index - back];
    if (pipe_of(before) == Pipe::branch)
      return false;
    const Operand* other = of_pipes_of_lanes(before) ? source_at(before, position) : nullptr;
    if (other != nullptr && other->number % bank_count == source.number % bank_count)
      return other->number == source.number && other->reuse;
  }
  return false;
}

} // namespace

unsigned source_read_cycles(const Instruction& instruction) {
  const bool stores = instruction.destinations == 0;
  const unsigned words = instruction.has(Modifier::w128) ? 2 : instruction.has(Modifier::w64) ? 1 : 0;
  switch (queue_of(instruction)) {
  case Queue::global:
    return stores ? 14 + 2 * words + (words == 2 ? 2 : 0) : 11;
  case Queue::shared:
    return stores ? 12 + 2 * words + (words == 2 ? 2 : 0) : 9;
  case Queue::constant:
    return 29;
  default:
    return 9;
  }
}

std::array<std::uint8_t, 2> bank_reads(const Kernel& kernel, std::size_t index) {
  std::array<std::uint8_t, 2> reads = {};
  const Instruction& instruction = kernel.instructions[index];
  if (!of_pipes_of_lanes(instruction))
    return reads;
  for (std::size_t position = 0; position < instruction.sources().size(); ++position)
    if (const Operand* source = source_at(instruction, position);
        source != nullptr && !is_kept(kernel, index, position, *source))
      ++reads[source->number % bank_count];
  return reads;
}

} // namespace forewarp::sass
