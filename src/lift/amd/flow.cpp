#include "lift/amd/flow.h"

#include "lift/amd/rows/rows.h"
#include "lift/places.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>

#include <fmt/format.h>

namespace forewarp::lift::amd {
namespace {

bool is_branch(const Instruction& instruction) {
  return instruction.mnemonic == "s_branch" || instruction.mnemonic.starts_with("s_cbranch_");
}

bool ends_block(const Instruction& instruction) {
  return is_branch(instruction) || instruction.mnemonic == "s_endpgm" ||
         instruction.mnemonic == "s_endpgm_saved" || instruction.mnemonic == "s_setpc_b64" ||
         instruction.mnemonic == "s_swappc_b64";
}

} // namespace

/// In words from the next instruction.
std::optional<std::uint32_t> Flow::target_of(const Instruction& instruction) const {
  if (instruction.immediates.empty())
    return std::nullopt;
  const auto distance = static_cast<std::int16_t>(instruction.immediates.back());
  return amdgcn::index_of(l_.kernel,
                          std::int64_t{instruction.offset} + instruction.bytes + std::int64_t{4} * distance);
}

void Flow::find_leaders() {
  const auto& code = l_.kernel.instructions;
  for (std::uint32_t i = 0; i < code.size(); ++i) {
    if (!ends_block(code[i]))
      continue;
    leaders_.insert(i + 1);
    if (const auto target = is_branch(code[i]) ? target_of(code[i]) : std::nullopt)
      leaders_.insert(*target);
  }
}

llvm::BasicBlock* Flow::block_at(std::uint32_t index) {
  llvm::BasicBlock*& block = blocks_[index];
  if (block == nullptr) {
    const std::uint32_t offset =
        index < l_.kernel.instructions.size() ? l_.kernel.instructions[index].offset : UINT32_MAX;
    block = llvm::BasicBlock::Create(l_.b.getContext(), fmt::format("at_{:x}", offset), &l_.function_);
    todo_.push_back(index);
  }
  return block;
}

void Flow::finish(llvm::Instruction* terminator, std::uint32_t end) {
  set_block_place(*terminator, first_, end);
}

void Flow::run() {
  find_leaders();
  first_ = 0;
  finish(l_.b.CreateBr(block_at(0)), 0);
  while (!todo_.empty() && !l_.error_) {
    const std::uint32_t next = todo_.back();
    todo_.pop_back();
    lift_block(next);
  }
}

void Flow::lift_block(std::uint32_t index) {
  const auto& code = l_.kernel.instructions;
  l_.b.SetInsertPoint(blocks_.at(index));
  first_ = index;
  for (std::uint32_t i = index; !l_.error_;) {
    if (i >= code.size()) {
      l_.at_ = &code.back();
      return l_.refuse("the code runs on past its end");
    }
    if (i != index && leaders_.contains(i)) {
      finish(l_.b.CreateBr(block_at(i)), i);
      return;
    }
    if (ends_block(code[i])) {
      l_.at_ = &code[i];
      l_.set_location(code[i].location);
      return end_block(code[i], i);
    }
    if (code[i].mnemonic == "s_set_gpr_idx_on") {
      i = lift_indexed(i);
    } else if (needs_branch(code[i])) {
      i = lift_access(i);
    } else {
      l_.lift_instruction(code[i], false);
      ++i;
    }
  }
}

/// A body that the lanes outside of EXEC go around; where there are none of them it is dissolved later.
std::uint32_t Flow::lift_access(std::uint32_t index) {
  llvm::LLVMContext& context = l_.b.getContext();
  auto* body = llvm::BasicBlock::Create(context, "", &l_.function_);
  auto* behind = llvm::BasicBlock::Create(context, "", &l_.function_);
  Value* reaches = l_.exec();
  const Instruction& instruction = l_.kernel.instructions[index];
  if (is_bounded_buffer(l_, instruction)) {
    l_.at_ = &instruction;
    reaches = l_.b.CreateAnd(reaches, buffer_bounds(l_));
    if (instruction.mnemonic.starts_with("buffer_load_"))
      for (unsigned k = 0; k < l_.operand(0).width; ++k)
        l_.set(0, l_.word(0), k);
  }
  finish(l_.b.CreateCondBr(reaches, body, behind), index);
  l_.b.SetInsertPoint(body);
  first_ = index;
  l_.lift_instruction(instruction, true);
  finish(l_.b.CreateBr(behind), index + 1);
  l_.b.SetInsertPoint(behind);
  first_ = index + 1;
  return first_;
}

/// s_set_gpr_idx_on .. s_set_gpr_idx_off: moves between a register and the one that a scalar register says,
/// counted from the one that is named. Which registers may be meant is not in the code: all from there on.
std::uint32_t Flow::lift_indexed(std::uint32_t index) {
  const auto& code = l_.kernel.instructions;
  l_.at_ = &code[index];
  const bool source = l_.operand(1).word.find("SRC0") != std::string::npos,
             result = l_.operand(1).word.find("DST") != std::string::npos;
  Value* number = l_.u32(0);
  std::uint32_t i = index + 1;
  for (; i < code.size() && code[i].mnemonic != "s_set_gpr_idx_off" && !l_.error_; ++i) {
    l_.at_ = &code[i];
    if (code[i].mnemonic == "s_nop")
      continue;
    if (source == result || code[i].mnemonic != "v_mov_b32" || code[i].encoding != Encoding::plain ||
        leaders_.contains(i)) {
      l_.refuse("under an index of registers");
      break;
    }
    const Operand& named = l_.operand(source ? 1 : 0);
    const unsigned most = l_.kernel.resources.vgprs;
    Value* moved = source ? l_.word(0) : l_.u32(1);
    for (unsigned k = 0; named.number + k < most; ++k) {
      Value* is_this = l_.b.CreateICmpEQ(number, l_.word(k));
      if (source)
        moved = l_.b.CreateSelect(is_this, l_.vector(named.kind, named.number + k), moved);
      else
        l_.set_vector(named.kind, named.number + k,
                      l_.b.CreateSelect(is_this, moved, l_.vector(named.kind, named.number + k)));
    }
    if (source)
      l_.set(0, moved);
  }
  return i + 1;
}

Value* Flow::condition(const Instruction& instruction) {
  const std::string_view how = std::string_view(instruction.mnemonic).substr(sizeof("s_cbranch_") - 1);
  if (how == "scc0" || how == "scc1")
    return how == "scc1" ? l_.scc() : l_.b.CreateNot(l_.scc());
  const bool of_exec = how.starts_with("exec"), of_vcc = how.starts_with("vcc");
  if ((!of_exec && !of_vcc) || (!how.ends_with("nz") && !how.ends_with('z'))) {
    l_.refuse("this branch");
    return l_.b.getFalse();
  }
  Value* some = l_.any(of_exec ? l_.exec() : l_.mask_at(amdgcn::vcc_register));
  return how.ends_with("nz") ? some : l_.b.CreateNot(some);
}

void Flow::end_block(const Instruction& instruction, std::uint32_t index) {
  if (!is_branch(instruction)) {
    if (!instruction.mnemonic.starts_with("s_endpgm"))
      return l_.refuse("calls of functions that are not inlined");
    finish(l_.b.CreateRetVoid(), index + 1);
    return;
  }
  const auto target = target_of(instruction);
  if (!target)
    return l_.refuse("its target is no instruction of the kernel");
  if (instruction.mnemonic == "s_branch") {
    finish(l_.b.CreateBr(block_at(*target)), index + 1);
    return;
  }
  Value* taken = condition(instruction);
  llvm::BasicBlock *to = block_at(*target), *behind = block_at(index + 1);
  if (to == behind)
    finish(l_.b.CreateBr(to), index + 1);
  else
    finish(l_.b.CreateCondBr(taken, to, behind), index + 1);
}

} // namespace forewarp::lift::amd
