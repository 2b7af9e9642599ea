// Which way a branch goes where its condition is not known: not the one for operands that are not ordinary.
#include "ir/large_angles.h"
#include "lift/flow.h"

#include <llvm/IR/MDBuilder.h>

#include <algorithm>
#include <bit>

namespace forewarp::lift {
namespace {

using ir::usual_weight;

bool is_that_angle(const Operand& operand) {
  return operand.kind == OperandKind::immediate &&
         static_cast<std::uint32_t>(operand.value) == std::bit_cast<std::uint32_t>(ir::largest_short_angle);
}

} // namespace

llvm::MDNode* Flow::weights(bool usual) {
  return llvm::MDBuilder(l_.b.getContext())
      .createBranchWeights(usual ? usual_weight : 1, usual ? 1 : usual_weight);
}

/// One of the assembler's own: the way of a division or root for operands that are not ordinary.
bool Flow::calls_own_subroutine(const Instruction& instruction) {
  const auto target = instruction.opcode == Opcode::call ? index_of_label(instruction) : std::nullopt;
  return target && std::ranges::any_of(l_.kernel.symbols, [&](const sass::CodeSymbol& symbol) {
           return symbol.offset == l_.kernel.instructions[*target].offset &&
                  symbol.name.find("$__cuda_sm") != std::string::npos;
         });
}

/// Before it branches.
bool Flow::comes_to_own_subroutine(std::uint32_t index) {
  const auto& code = l_.kernel.instructions;
  while (index < code.size() && !ends_block(code[index]))
    ++index;
  return index < code.size() && calls_own_subroutine(code[index]);
}

/// The branch's guard says that an angle is a large one, or that it is not.
std::optional<bool> Flow::is_for_large_angles(const Instruction& branch, const Place& place) {
  for (std::uint32_t index = place.index; index-- > 0 && !ends_block(l_.kernel.instructions[index]);) {
    const Instruction& before = l_.kernel.instructions[index];
    const bool sets_guard = std::ranges::any_of(before.written(), [&](const Operand& operand) {
      return operand.kind == branch.guard.kind && operand.number == branch.guard.number;
    });
    if (!sets_guard)
      continue;
    if (before.opcode != Opcode::fsetp || !std::ranges::any_of(before.sources(), is_that_angle))
      return std::nullopt;
    const bool is_large = before.has(Modifier::ge) || before.has(Modifier::geu) || before.has(Modifier::gt) ||
                          before.has(Modifier::gtu);
    return is_large != (branch.guard.invert || branch.guard.negate);
  }
  return std::nullopt;
}

std::optional<bool> Flow::usual_way(const Instruction& instruction, const Place& place) {
  if (const auto large = is_for_large_angles(instruction, place))
    return !*large;
  const auto target = index_of_label(instruction);
  const bool rare_if_taken = target && comes_to_own_subroutine(*target);
  const bool rare_if_not = comes_to_own_subroutine(place.index + 1);
  if (rare_if_taken == rare_if_not)
    return std::nullopt;
  return rare_if_not;
}

} // namespace forewarp::lift
