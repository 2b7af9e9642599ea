#include "lift/machine/issue_control.h"

#include "sass/timing/operands.h"
#include "sass/timing/pipes.h"

#include <algorithm>

namespace forewarp::lift {
namespace {

/// Loads of global memory answer in any order; the other queues in that of issue.
std::uint8_t queue_number(sass::Queue queue) {
  return queue == sass::Queue::global ? 0 : static_cast<std::uint8_t>(queue);
}

/// Asynchronous copies have one of their own, behind the others.
constexpr std::uint8_t copies_queue = static_cast<std::uint8_t>(sass::Queue::constant) + 1;

bool is_depbar(const sass::Instruction& instruction) {
  return instruction.opcode == sass::Opcode::depbar && instruction.operands.size() == 3;
}

/// DEPBAR waits for counters of its own; one that may keep some outstanding is taken to wait for none.
std::uint8_t awaited(const sass::Instruction& instruction) {
  std::uint8_t mask = instruction.control.wait_mask;
  if (!is_depbar(instruction))
    return mask;
  if (instruction.operands[1].value == 0)
    mask = static_cast<std::uint8_t>(mask | 1U << instruction.operands[0].number);
  mask = static_cast<std::uint8_t>(mask | instruction.operands[2].value);
  return mask;
}

} // namespace

facts::IssueControl issue_control_of(const sass::Kernel& kernel, std::size_t index) {
  const sass::Instruction& instruction = kernel.instructions[index];
  const sass::ControlWord& word = instruction.control;
  facts::IssueControl control;
  control.stall_cycles = std::max<std::uint8_t>(1, word.stall);
  control.wait_mask = awaited(instruction);
  control.written_counter =
      word.write_barrier < facts::counter_count ? word.write_barrier : facts::no_counter;
  control.read_counter = word.read_barrier < facts::counter_count ? word.read_barrier : facts::no_counter;
  control.read_cycles = static_cast<std::uint8_t>(sass::source_read_cycles(instruction));
  control.queue = queue_number(sass::queue_of(instruction));
  if (instruction.opcode == sass::Opcode::ldgsts || instruction.opcode == sass::Opcode::ldgdepbar)
    control.queue = copies_queue;
  control.uniform = sass::pipe_of(instruction) == sass::Pipe::uniform;
  control.special_register =
      instruction.opcode == sass::Opcode::s2r || instruction.opcode == sass::Opcode::s2ur;
  control.bank_reads = sass::bank_reads(kernel, index);
  control.code_offset_bytes = instruction.offset;
  return control;
}

} // namespace forewarp::lift
