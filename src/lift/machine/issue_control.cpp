#include "lift/machine/issue_control.h"

#include "sass/timing/operands.h"
#include "sass/timing/pipes.h"

#include <algorithm>
#include <utility>

namespace forewarp::lift {
namespace {

/// Loads of global memory answer in any order; the other queues in that of issue.
std::uint8_t queue_number(sass::Queue queue) {
  return queue == sass::Queue::global ? 0 : static_cast<std::uint8_t>(queue);
}

/// Asynchronous copies have one of their own, behind the others, and so have a group's products and what the
/// copy engine takes out of shared memory.
constexpr std::uint8_t copies_queue = static_cast<std::uint8_t>(sass::Queue::constant) + 1,
                       products_queue = copies_queue + 1, engine_queue = products_queue + 1;
constexpr unsigned fields_of_counters = 6; ///< that a control word can name

bool is_depbar(const sass::Instruction& instruction) {
  return instruction.opcode == sass::Opcode::depbar && instruction.operands.size() == 3;
}

/// Waits for a counter until at most `spared` of what counts in it are under way.
void await(std::uint8_t counter, std::uint64_t spared, facts::IssueControl& control) {
  if (spared == 0) {
    control.wait_mask = static_cast<std::uint8_t>(control.wait_mask | 1U << counter);
    return;
  }
  control.spared_counter = counter;
  control.spared = static_cast<std::uint8_t>(std::min<std::uint64_t>(spared, UINT8_MAX));
}

/// DEPBAR and WARPGROUP.DEPBAR wait for counters of their own.
void await_own(const sass::Instruction& instruction, facts::IssueControl& control) {
  if (is_depbar(instruction)) {
    control.wait_mask = static_cast<std::uint8_t>(control.wait_mask | instruction.operands[2].value);
    if (instruction.operands[0].shown)
      await(static_cast<std::uint8_t>(instruction.operands[0].number), instruction.operands[1].value,
            control);
  }
  if (instruction.opcode == sass::Opcode::warpgroup && instruction.operands.size() == 2)
    await(facts::products_counter, instruction.operands[1].value, control);
}

/// Products of a warp group count where the last of them says so.
void count_products(const sass::Instruction& instruction, facts::IssueControl& control) {
  control.queue = products_queue;
  for (const sass::Operand& operand : instruction.operands)
    if (operand.kind == sass::OperandKind::group_scoreboard)
      control.written_counter = facts::products_counter;
}

} // namespace

bool is_product_of_group(const sass::Instruction& instruction) {
  return instruction.opcode == sass::Opcode::hgmma || instruction.opcode == sass::Opcode::igmma ||
         instruction.opcode == sass::Opcode::qgmma;
}

facts::IssueControl issue_control_of(const sass::Kernel& kernel, std::size_t index) {
  const sass::Instruction& instruction = kernel.instructions[index];
  const sass::ControlWord& word = instruction.control;
  facts::IssueControl control;
  control.stall_cycles = std::max<std::uint8_t>(1, word.stall);
  control.wait_mask = word.wait_mask;
  await_own(instruction, control);
  control.written_counter = word.write_barrier < fields_of_counters ? word.write_barrier : facts::no_counter;
  control.read_counter = word.read_barrier < fields_of_counters ? word.read_barrier : facts::no_counter;
  control.read_cycles = static_cast<std::uint8_t>(sass::source_read_cycles(instruction));
  control.queue = queue_number(sass::queue_of(instruction));
  if (instruction.opcode == sass::Opcode::ldgsts || instruction.opcode == sass::Opcode::ldgdepbar ||
      instruction.opcode == sass::Opcode::arrives)
    control.queue = copies_queue;
  if (is_product_of_group(instruction))
    count_products(instruction, control);
  // The end of a group of copies counts until all of them have read their sources.
  if (instruction.opcode == sass::Opcode::utmacmdflush)
    std::swap(control.written_counter, control.read_counter);
  if (instruction.opcode == sass::Opcode::utmacmdflush || instruction.opcode == sass::Opcode::utmastg ||
      (instruction.opcode == sass::Opcode::ublkcp && instruction.modifiers.front() == sass::Modifier::g))
    control.queue = engine_queue;
  control.uniform = sass::pipe_of(instruction) == sass::Pipe::uniform;
  control.special_register =
      instruction.opcode == sass::Opcode::s2r || instruction.opcode == sass::Opcode::s2ur;
  control.bank_reads = sass::bank_reads(kernel, index);
  control.code_offset_bytes = instruction.offset;
  return control;
}

} // namespace forewarp::lift
