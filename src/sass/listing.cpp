#include "sass/listing.h"

#include <cmath>
#include <fmt/format.h>

namespace forewarp::sass {
namespace {

constexpr double worth_a_word = 1; ///< cycles beyond the stall count

/// Names of places: subroutines by their symbols.
std::string label_at(const Kernel& kernel, std::uint32_t offset) {
  for (const CodeSymbol& symbol : kernel.symbols)
    if (symbol.offset == offset && symbol.name != kernel.name)
      return symbol.name + ":\n";
  return {};
}

std::string source_line(const Module& module, const facts::SourceLocation& location) {
  if (location.line == 0 || location.file >= module.files.size())
    return {};
  const std::string& path = module.files[location.file];
  return fmt::format("// {}:{}\n", path.substr(path.find_last_of('/') + 1), location.line);
}

Wait longest(const InstructionTime& time) {
  std::size_t best = 0;
  for (std::size_t w = 1; w < wait_count; ++w)
    if (time.wait_cycles[w] > time.wait_cycles[best])
      best = w;
  return static_cast<Wait>(best);
}

} // namespace

std::string control_text(const ControlWord& control) {
  std::string text = "B";
  for (int s = 0; s < 6; ++s)
    text += (control.wait_mask >> s & 1) != 0 ? static_cast<char>('0' + s) : '-';
  const auto barrier = [](std::uint8_t number) {
    return number == no_barrier ? std::string("-") : std::to_string(number);
  };
  return text + fmt::format(":R{}:W{}:{}:S{:02}", barrier(control.read_barrier),
                            barrier(control.write_barrier), control.yield ? 'Y' : '-', control.stall);
}

std::string reason_text(const Kernel& kernel, const InstructionTime& time) {
  if (time.issues == 0)
    return "not run";
  const Wait wait = longest(time);
  const double cycles = time.wait_cycles[static_cast<std::size_t>(wait)] / static_cast<double>(time.issues);
  if (cycles < worth_a_word)
    return {};
  if (wait == Wait::stall_count)
    return fmt::format("stall count {:.0f}", cycles);
  if (wait != Wait::scoreboard)
    return fmt::format("{} {:.0f}", to_string(wait), cycles);
  std::string counters;
  for (int s = 0; s < 6; ++s)
    if ((time.waited_for >> s & 1) != 0)
      counters += (counters.empty() ? "SB" : ",SB") + std::to_string(s);
  std::string producer;
  if (time.producer >= 0 && static_cast<std::size_t>(time.producer) < kernel.instructions.size()) {
    const Instruction& from = kernel.instructions[static_cast<std::size_t>(time.producer)];
    producer = fmt::format(" of {} at {:04x}", to_string(from.opcode), from.offset);
  }
  return fmt::format("{} {:.0f}{}", counters, cycles, producer);
}

std::string listing_text(const Module& module, const Kernel& kernel, const CoreOutcome& outcome,
                         const ListingOptions& options) {
  std::string text = fmt::format("{} (sm_{}): {} instructions, {} registers, {} B shared, {} B local\n",
                                 kernel.name, module.sm, kernel.instructions.size(), kernel.registers,
                                 kernel.shared_bytes, kernel.local_bytes);
  facts::SourceLocation before;
  for (std::size_t i = 0; i < kernel.instructions.size(); ++i) {
    const Instruction& instruction = kernel.instructions[i];
    const facts::SourceLocation location = location_of(kernel, instruction.offset);
    text += label_at(kernel, instruction.offset);
    if (location.line != before.line || location.file != before.file)
      text += source_line(module, location);
    before = location;
    std::string line = fmt::format("  {:04x}  ", instruction.offset);
    if (options.times && i < outcome.instructions.size())
      line += outcome.instructions[i].issues == 0
                  ? fmt::format("{:>7}  ", "-")
                  : fmt::format("{:>7.0f}  ", outcome.instructions[i].first_issue_cycle);
    if (options.control_words)
      line += control_text(instruction.control) + "  ";
    line += text_of(instruction);
    if (options.times && i < outcome.instructions.size())
      if (const std::string reason = reason_text(kernel, outcome.instructions[i]); !reason.empty())
        line = fmt::format("{:<90}  ; {}", line, reason);
    text += line + "\n";
  }
  return text;
}

std::string kernel_list_text(const Module& module) {
  std::string text =
      fmt::format("{:<40} {:>12} {:>9} {:>8} {:>8}\n", fmt::format("Kernel (sm_{})", module.sm),
                  "instructions", "registers", "shared B", "local B");
  for (const Kernel& kernel : module.kernels)
    text += fmt::format("{:<40} {:>12} {:>9} {:>8} {:>8}{}\n", kernel.name, kernel.instructions.size(),
                        kernel.registers, kernel.shared_bytes, kernel.local_bytes,
                        kernel.refused ? "  refused: " + kernel.refused->message : "");
  return text;
}

} // namespace forewarp::sass
