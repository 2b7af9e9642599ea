#include "sass/check/counters.h"

#include "sass/timing/pipes.h"

#include <algorithm>

namespace forewarp::sass {
namespace {

struct Register {
  OperandKind file = OperandKind::general;
  std::uint16_t number = 0;
  bool operator==(const Register&) const = default;
};
using Registers = std::vector<Register>;

void add(Registers& registers, OperandKind file, std::uint16_t number, unsigned width,
         std::uint16_t nothing) {
  for (unsigned i = 0; i < width && number != nothing; ++i)
    registers.push_back({file, static_cast<std::uint16_t>(number + i)});
}

void add_operand(Registers& registers, const Operand& operand) {
  switch (operand.kind) {
  case OperandKind::general:
  case OperandKind::uniform:
    add(registers, operand.kind, operand.number, operand.width, zero_register);
    break;
  case OperandKind::predicate:
  case OperandKind::uniform_predicate:
    add(registers, operand.kind, operand.number, 1, true_predicate);
    break;
  case OperandKind::address:
  case OperandKind::constant:
    add(registers, OperandKind::general, operand.address.base, operand.address.base_width, zero_register);
    add(registers, OperandKind::uniform, operand.address.uniform, operand.address.uniform_width,
        zero_register);
    break;
  default:
    break;
  }
}

/// Instructions whose results or reads are still under way.
struct Pending {
  std::vector<bool> writes, reads;
  bool merge(const Pending& other) {
    bool changed = false;
    for (std::size_t i = 0; i < writes.size(); ++i) {
      changed = changed || (other.writes[i] && !writes[i]) || (other.reads[i] && !reads[i]);
      writes[i] = writes[i] || other.writes[i];
      reads[i] = reads[i] || other.reads[i];
    }
    return changed;
  }
};

class Checker {
public:
  explicit Checker(const Kernel& kernel)
      : kernel_(kernel), count_(static_cast<std::uint32_t>(kernel.instructions.size())) {
    for (const Instruction& instruction : kernel.instructions) {
      Registers written, read;
      for (const Operand& operand : instruction.written())
        add_operand(written, operand);
      for (const Operand& operand : instruction.sources())
        add_operand(read, operand);
      add_operand(read, instruction.guard);
      written_.push_back(std::move(written));
      read_.push_back(std::move(read));
    }
  }

  CounterCheck run() {
    std::vector<Pending> at(count_, {std::vector<bool>(count_), std::vector<bool>(count_)});
    std::vector<bool> reached(count_);
    std::vector<std::uint32_t> work;
    if (count_ > 0) {
      reached[0] = true;
      work.push_back(0);
    }
    while (!work.empty()) {
      const std::uint32_t i = work.back();
      work.pop_back();
      Pending after = at[i];
      step(i, after);
      for (const std::uint32_t next : successors(i))
        if (at[next].merge(after) || !reached[next]) {
          reached[next] = true;
          work.push_back(next);
        }
    }
    CounterCheck result;
    for (std::uint32_t i = 0; i < count_; ++i)
      if (reached[i])
        look(i, at[i], result);
    return result;
  }

private:
  const Instruction& instruction(std::uint32_t i) const { return kernel_.instructions[i]; }

  bool has_variable_latency(std::uint32_t i) const {
    const ControlWord& control = instruction(i).control;
    return control.write_barrier != no_barrier || control.read_barrier != no_barrier ||
           queue_of(instruction(i)) != Queue::none;
  }

  static std::uint8_t waits(const Instruction& instruction) {
    std::uint8_t mask = instruction.control.wait_mask;
    if (instruction.opcode == Opcode::depbar && instruction.operands.size() == 3) {
      if (instruction.operands[1].value == 0)
        mask = static_cast<std::uint8_t>(mask | 1U << instruction.operands[0].number);
      mask = static_cast<std::uint8_t>(mask | (instruction.operands[2].value & 63));
    }
    return mask;
  }

  /// Instructions of one pipe read their sources in the order of issue, whatever queue their results come
  /// from.
  bool reads_in_order(std::uint32_t a, std::uint32_t b) const {
    return pipe_of(instruction(a)) == pipe_of(instruction(b));
  }

  bool results_in_order(std::uint32_t a, std::uint32_t b) const {
    const bool doubles = pipe_of(instruction(a)) == Pipe::fp64 && pipe_of(instruction(b)) == Pipe::fp64;
    return doubles ||
           (queue_of(instruction(a)) != Queue::none && queue_of(instruction(a)) == queue_of(instruction(b)));
  }

  /// The reads of `j`, and with `result` its result, and those of earlier instructions that come before them.
  void finish(std::uint32_t j, bool result, Pending& pending) const {
    for (std::uint32_t k = 0; k <= j; ++k) {
      const bool with_result = result && (k == j || results_in_order(k, j));
      pending.reads[k] = pending.reads[k] && k != j && !with_result && !reads_in_order(k, j);
      pending.writes[k] = pending.writes[k] && !with_result;
    }
  }

  void wait(std::uint32_t i, Pending& pending) const {
    const std::uint8_t mask = waits(instruction(i));
    if (instruction(i).opcode == Opcode::call || instruction(i).opcode == Opcode::ret) {
      std::fill(pending.writes.begin(), pending.writes.end(), false);
      std::fill(pending.reads.begin(), pending.reads.end(), false);
    }
    if (mask == 0)
      return;
    for (std::uint32_t j = 0; j < count_; ++j) {
      if (!pending.writes[j] && !pending.reads[j])
        continue;
      const ControlWord& control = instruction(j).control;
      if (control.write_barrier != no_barrier && (mask >> control.write_barrier & 1) != 0)
        finish(j, true, pending);
      else if (control.read_barrier != no_barrier && (mask >> control.read_barrier & 1) != 0)
        finish(j, false, pending);
    }
  }

  void step(std::uint32_t i, Pending& pending) const {
    wait(i, pending);
    if (!has_variable_latency(i))
      return;
    pending.writes[i] = !written_[i].empty();
    pending.reads[i] = true;
  }

  static bool complementary(const Instruction& a, const Instruction& b) {
    return a.guard.kind == b.guard.kind && a.guard.number == b.guard.number &&
           a.guard.invert != b.guard.invert;
  }

  static const Register* common(const Registers& a, const Registers& b, bool general_only) {
    for (const Register& one : a)
      if ((!general_only || one.file == OperandKind::general) &&
          std::find(b.begin(), b.end(), one) != b.end())
        return &one;
    return nullptr;
  }

  void look(std::uint32_t i, Pending pending, CounterCheck& result) const {
    wait(i, pending);
    result.uses += read_[i].size() + written_[i].size();
    for (std::uint32_t j = 0; j < count_; ++j) {
      if (complementary(instruction(i), instruction(j)))
        continue;
      const Register* found = nullptr;
      if (pending.writes[j]) {
        found = common(read_[i], written_[j], false);
        if (!found && !results_in_order(i, j))
          found = common(written_[i], written_[j], false);
      }
      // Uniform registers and predicates are read at issue.
      if (!found && pending.reads[j] && !results_in_order(i, j) && !reads_in_order(i, j))
        found = common(written_[i], read_[j], true);
      if (found)
        result.violations.push_back({i, j, found->file, found->number});
    }
  }

  std::vector<std::uint32_t> successors(std::uint32_t i) const {
    const Instruction& from = instruction(i);
    std::vector<std::uint32_t> next;
    const auto to = [&](std::uint64_t offset) {
      if (const auto index = index_of(kernel_, static_cast<std::uint32_t>(offset)))
        next.push_back(static_cast<std::uint32_t>(*index));
    };
    const bool guarded = !from.guard.is_true() || from.guard.invert;
    bool goes_on = true;
    if (from.opcode == Opcode::bra || from.opcode == Opcode::call) {
      bool conditional = guarded || from.opcode == Opcode::call;
      for (const Operand& operand : from.operands) {
        if (operand.kind == OperandKind::label)
          to(operand.value);
        else if (operand.shown)
          conditional = true;
      }
      goes_on = conditional;
    } else if (from.opcode == Opcode::brx) {
      if (const auto found = kernel_.indirect_targets.find(from.offset);
          found != kernel_.indirect_targets.end())
        for (const std::uint32_t target : found->second)
          to(target);
      goes_on = guarded;
    } else if (from.opcode == Opcode::exit || from.opcode == Opcode::ret) {
      goes_on = guarded;
      for (const Operand& operand : from.operands)
        goes_on = goes_on || (operand.kind == OperandKind::predicate && operand.shown);
    }
    if (goes_on && i + 1 < count_)
      next.push_back(i + 1);
    return next;
  }

  const Kernel& kernel_;
  std::uint32_t count_;
  std::vector<Registers> written_, read_;
};

} // namespace

CounterCheck check_counters(const Kernel& kernel) {
  return Checker(kernel).run();
}

} // namespace forewarp::sass
