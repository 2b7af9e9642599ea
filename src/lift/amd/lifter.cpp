#include "lift/amd/lifter.h"

#include "ir/address_spaces.h"
#include "lift/amd/flow.h"
#include "lift/calls.h"
#include "lift/places.h"
#include "lift/simplify.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <algorithm>
#include <fmt/format.h>

namespace forewarp::lift::amd {
namespace {

/// Moves and logic of 64 bits: what they make of masks is a mask.
bool is_mask_operation(const Instruction& instruction) {
  const std::string_view name = instruction.mnemonic;
  static constexpr std::string_view parts[] = {"s_and",       "s_or",     "s_xor",  "s_not",
                                               "s_nand",      "s_nor",    "s_xnor", "s_mov_b",
                                               "s_cselect_b", "s_cmov_b", "s_wqm_b"};
  if (!name.ends_with("_b64") && !name.ends_with("_b32"))
    return false;
  return std::ranges::any_of(parts, [&](std::string_view part) { return name.starts_with(part); });
}

/// Operands that are masks by what the instruction is.
std::vector<std::size_t> mask_operands(const Instruction& instruction) {
  const std::string_view name = instruction.mnemonic;
  if (name.starts_with("v_cndmask"))
    return {3};
  if (name.starts_with("v_cmp") || name.starts_with("s_and_saveexec"))
    return {0, 1};
  if (name.find("saveexec") != std::string_view::npos)
    return {0, 1};
  if (name.starts_with("v_addc") || name.starts_with("v_subb") ||
      name.find("_co_ci_") != std::string_view::npos)
    return {1, 4};
  if (name.find("_co_") != std::string_view::npos || name.starts_with("v_div_scale"))
    return {1};
  return {};
}

} // namespace

Lifter::Lifter(const amdgcn::Module& from, const amdgcn::Kernel& lifted, llvm::Function& function)
    : b(function.getContext()), machine_code(from), kernel(lifted), wave(lifted.resources.wave_size),
      function_(function) {}

/// Which scalar registers (pairs of them in waves of 64) hold masks somewhere.
void Lifter::find_masks() {
  mask_registers_ = {amdgcn::vcc_register, amdgcn::exec_register};
  const unsigned width = wave == 64 ? 2 : 1;
  const auto is_scalar = [&](const Operand& operand) {
    return operand.kind == OperandKind::scalar && operand.width == width;
  };
  for (const Instruction& instruction : kernel.instructions)
    for (const std::size_t n : mask_operands(instruction))
      if (n < instruction.operands.size() && is_scalar(instruction.operands[n]))
        mask_registers_.insert(mask_of(instruction.operands[n].number));
  for (std::size_t before = 0; before != mask_registers_.size();) {
    before = mask_registers_.size();
    for (const Instruction& instruction : kernel.instructions) {
      if (!is_mask_operation(instruction) ||
          std::ranges::none_of(instruction.operands, [&](const Operand& operand) {
            return is_scalar(operand) && is_mask(operand);
          }))
        continue;
      for (const Operand& operand : instruction.operands)
        if (is_scalar(operand))
          mask_registers_.insert(mask_of(operand.number));
    }
  }
}

bool Lifter::is_mask(const Operand& operand) const {
  return operand.kind == OperandKind::scalar && operand.width == (wave == 64 ? 2 : 1) &&
         mask_registers_.contains(mask_of(operand.number));
}

void Lifter::set_location(const facts::SourceLocation& where) {
  llvm::DISubprogram* subprogram = function_.getSubprogram();
  if (subprogram == nullptr)
    return;
  llvm::DIScope* scope = subprogram;
  if (where.line != 0) {
    llvm::DIScope*& of_file = scopes_[where.file];
    if (of_file == nullptr)
      of_file = llvm::DILexicalBlockFile::get(
          b.getContext(), subprogram, llvm::DIFile::get(b.getContext(), machine_code.files[where.file], ""),
          0);
    scope = of_file;
  }
  b.SetCurrentDebugLocation(llvm::DILocation::get(b.getContext(), where.line, where.column, scope));
}

void Lifter::lift_row(const Instruction& instruction) {
  if (const Row row = row_of(instruction.mnemonic))
    return row(*this);
  refuse(instruction.mnemonic == ".long" ? "LLVM's disassembler does not read these bits"
                                         : "its opcode is not known to the lifter");
}

void Lifter::lift_instruction(const Instruction& instruction, bool whole) {
  at_ = &instruction;
  set_location(instruction.location);
  whole_ = whole;
  written_lanes_ = other_lane_ = other_valid_ = nullptr;
  if (!instruction.second.empty())
    return lift_dual(instruction);
  if (instruction.encoding == Encoding::dpp)
    begin_data_parallel();
  lift_row(instruction);
  whole_ = false;
}

void Lifter::lift_dual(const Instruction& first) {
  std::vector<Write> writes;
  delayed_ = &writes;
  lift_row(first);
  at_ = &first.second.front();
  lift_row(*at_);
  at_ = &first;
  delayed_ = nullptr;
  for (const Write& write : writes)
    set_vector_whole(write.file, write.number, write.value);
}

Result<void> Lifter::run() {
  entry_ = llvm::BasicBlock::Create(b.getContext(), "entry", &function_);
  b.SetInsertPoint(entry_);
  find_masks();
  set_up();
  Flow(*this).run();
  if (error_)
    return tl::unexpected<Error>(*error_);
  std::vector<llvm::AllocaInst*> homes = {scc_};
  for (const auto* group : {&vectors_, &accumulators_, &scalars_, &masks_})
    for (const auto& [number, home] : *group)
      homes.push_back(home);
  std::erase(homes, nullptr);
  llvm::DominatorTree dominators(function_);
  llvm::PromoteMemToReg(homes, dominators);
  simplify(function_);
  return {};
}

llvm::AllocaInst* Lifter::home(std::map<unsigned, llvm::AllocaInst*>& homes, unsigned number,
                               llvm::Type* type, const char* name) {
  llvm::AllocaInst*& found = homes[number];
  if (found == nullptr) {
    const llvm::IRBuilder<>::InsertPointGuard back(b);
    b.SetInsertPoint(entry_, entry_->begin());
    found = b.CreateAlloca(type, ir::local_space, nullptr, fmt::format("{}{}", name, number));
  }
  return found;
}

void Lifter::refuse(const std::string& what) {
  if (!error_)
    error_ = Error{ErrorCode::unsupported,
                   fmt::format("'{}': {}", at_ == nullptr ? "its registers" : at_->text, what),
                   fmt::format("{}+0x{:x}", kernel.resources.name, at_ == nullptr ? 0 : at_->offset),
                   "predict the source of the kernel instead"};
}

void Lifter::mark_access(llvm::Instruction* access) {
  set_access_place(*access, static_cast<std::uint32_t>(at_ - kernel.instructions.data()));
}

Value* Lifter::call(const std::string& name, llvm::Type* type, llvm::ArrayRef<Value*> arguments) {
  llvm::Function& function = callee_of(module(), name, type, arguments);
  if (!function.isIntrinsic() && !type->isVoidTy()) {
    function.setDoesNotThrow();
    function.setDoesNotAccessMemory();
    function.addFnAttr(llvm::Attribute::WillReturn);
    function.addFnAttr(llvm::Attribute::Convergent);
  }
  return b.CreateCall(&function, arguments);
}

Value* Lifter::intrinsic(llvm::Intrinsic::ID id, llvm::ArrayRef<Value*> arguments) {
  return b.CreateIntrinsic(arguments.front()->getType(), id, arguments);
}

Value* Lifter::pair(Value* low_word, Value* high_word) {
  return b.CreateOr(b.CreateZExt(low_word, b.getInt64Ty()),
                    b.CreateShl(b.CreateZExt(high_word, b.getInt64Ty()), 32));
}

Value* Lifter::lane() {
  if (lane_ == nullptr) {
    const llvm::IRBuilder<>::InsertPointGuard back(b);
    b.SetInsertPoint(entry_, entry_->begin());
    lane_ = call("forewarp.item.lane", b.getInt32Ty(), {});
  }
  return lane_;
}

Value* Lifter::any(Value* bit) {
  if (auto* known = llvm::dyn_cast<llvm::ConstantInt>(bit))
    return known;
  return b.CreateICmpNE(call("forewarp.warp.any", b.getInt32Ty(), {b.CreateZExt(bit, b.getInt32Ty())}),
                        word(0));
}

Value* Lifter::ballot(Value* bit) {
  return call("forewarp.warp.ballot", b.getInt64Ty(), {bit});
}

Value* Lifter::from_lane(Value* value, Value* number) {
  return call("llvm.amdgcn.ds.bpermute", b.getInt32Ty(), {b.CreateShl(number, 2), value});
}

Value* Lifter::bit_of(Value* number) {
  if (auto* known = llvm::dyn_cast<llvm::ConstantInt>(number))
    if (known->isZero() || known->isMinusOne())
      return b.getInt1(known->isMinusOne());
  return b.CreateTrunc(b.CreateLShr(number, b.CreateZExt(lane(), b.getInt64Ty())), b.getInt1Ty());
}

llvm::GlobalVariable& Lifter::local_data() {
  if (local_data_ == nullptr) {
    llvm::Type* type =
        llvm::ArrayType::get(b.getInt8Ty(), std::max<std::uint64_t>(kernel.resources.lds_bytes, 1));
    local_data_ = new llvm::GlobalVariable(module(), type, false, llvm::GlobalValue::InternalLinkage,
                                           llvm::UndefValue::get(type), "lds", nullptr,
                                           llvm::GlobalValue::NotThreadLocal, ir::shared_space);
    local_data_->setAlignment(llvm::Align(16));
  }
  return *local_data_;
}

Value* Lifter::frame() {
  if (frame_ == nullptr) {
    const llvm::IRBuilder<>::InsertPointGuard back(b);
    b.SetInsertPoint(entry_, entry_->begin());
    auto* place = b.CreateAlloca(
        llvm::ArrayType::get(b.getInt8Ty(), std::max<std::uint64_t>(kernel.resources.scratch_bytes, 4)),
        ir::local_space);
    place->setAlignment(llvm::Align(16));
    frame_ = place;
  }
  return frame_;
}

Value* Lifter::image_address() {
  if (image_ == nullptr) {
    auto* bytes = llvm::ConstantDataArray::get(b.getContext(), machine_code.image);
    image_ =
        new llvm::GlobalVariable(module(), bytes->getType(), true, llvm::GlobalValue::InternalLinkage, bytes,
                                 "constants", nullptr, llvm::GlobalValue::NotThreadLocal, ir::constant_space);
    image_->setAlignment(llvm::Align(256));
  }
  return b.CreatePtrToInt(image_, b.getInt64Ty());
}

} // namespace forewarp::lift::amd
