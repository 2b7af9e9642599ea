#include "codegen/amd/amd_collect.h"

#include "amdgcn/classify.h"
#include "codegen/amd/amd_divisions.h"
#include "ir/address_spaces.h"

#include <llvm/CodeGen/MachineDominators.h>
#include <llvm/CodeGen/MachineFrameInfo.h>
#include <llvm/CodeGen/MachineFunctionPass.h>
#include <llvm/CodeGen/MachineLoopInfo.h>
#include <llvm/CodeGen/PseudoSourceValue.h>
#include <llvm/CodeGen/TargetInstrInfo.h>
#include <llvm/CodeGen/TargetRegisterInfo.h>
#include <llvm/CodeGen/TargetSubtargetInfo.h>
#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <utility>

namespace forewarp::codegen {

namespace {

using facts::no_value;

constexpr llvm::StringLiteral block_prefix = "fw.";

/// The number in "fw.12", and in names that the back end derives from it ("fw.12.loopexit").
std::optional<std::uint32_t> number_in(llvm::StringRef name) {
  std::uint32_t number = 0;
  if (!name.consume_front(block_prefix) || name.consumeInteger(10, number))
    return std::nullopt;
  return number;
}

std::optional<std::uint32_t> own_number(const llvm::MachineBasicBlock& block) {
  const llvm::BasicBlock* ir = block.getBasicBlock();
  return ir ? number_in(ir->getName()) : std::nullopt;
}

class Collector final : public llvm::MachineFunctionPass {
public:
  static char ID;
  Collector(std::string symbol, std::vector<std::uint32_t> block_of_ordinal,
            std::vector<std::vector<AmdInstruction>>& blocks)
      : MachineFunctionPass(ID), symbol_(std::move(symbol)), block_of_ordinal_(std::move(block_of_ordinal)),
        blocks_(blocks) {}
  llvm::StringRef getPassName() const override { return "Forewarp: machine instructions by IR block"; }
  void getAnalysisUsage(llvm::AnalysisUsage& usage) const override {
    usage.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(usage);
  }
  bool runOnMachineFunction(llvm::MachineFunction& function) override;

private:
  std::optional<std::uint32_t> origin_of_most(const llvm::MachineBasicBlock& block) const;
  void take(const llvm::MachineInstr& instruction, std::vector<AmdInstruction>& out) const;
  void registers(const llvm::MachineInstr& instruction, AmdInstruction& out) const;
  bool in_frame(const llvm::MachineInstr& instruction, AmdInstruction& out) const;

  std::string symbol_;
  std::vector<std::uint32_t> block_of_ordinal_;
  std::vector<std::vector<AmdInstruction>>& blocks_;
  const llvm::TargetInstrInfo* instructions_ = nullptr;
  const llvm::TargetRegisterInfo* registers_ = nullptr;
};

char Collector::ID = 0;

/// Whether the access goes to the frame; notes the slot of a spill.
bool Collector::in_frame(const llvm::MachineInstr& instruction, AmdInstruction& out) const {
  const llvm::MachineFrameInfo& frame = instruction.getMF()->getFrameInfo();
  for (const llvm::MachineMemOperand* operand : instruction.memoperands()) {
    const auto* slot =
        llvm::dyn_cast_if_present<llvm::FixedStackPseudoSourceValue>(operand->getPseudoValue());
    if (!slot) {
      if (operand->getAddrSpace() == ir::local_space)
        return true;
      continue;
    }
    out.spill = frame.isSpillSlotObjectIndex(slot->getFrameIndex());
    out.slot_bytes =
        static_cast<std::int32_t>(frame.getObjectOffset(slot->getFrameIndex()) + operand->getOffset());
    return true;
  }
  return false;
}

void Collector::registers(const llvm::MachineInstr& instruction, AmdInstruction& out) const {
  for (const llvm::MachineOperand& operand : instruction.operands()) {
    if (!operand.isReg() || !operand.getReg().isPhysical() || operand.isUndef())
      continue;
    const llvm::StringRef name = registers_->getName(operand.getReg());
    // Masks and modes are set long before they count; a carry or a condition is waited for.
    if (name.starts_with("EXEC") || name == "MODE" || name.starts_with("FLAT_SCR") || name == "M0")
      continue;
    auto& list = operand.isDef() ? out.writes : out.reads;
    for (const auto unit : registers_->regunits(operand.getReg().asMCReg()))
      list.push_back(unit);
  }
}

bool holds_divisor(const llvm::MachineInstr& instruction) {
  return instruction.isInlineAsm() &&
         llvm::StringRef(instruction.getOperand(0).getSymbolName()) == divisor_stays;
}

/// Words of 4 bytes that a load of two addresses takes from LDS; the offsets, in words, are its first
/// constants.
bool lie_in_a_row(const llvm::MachineInstr& instruction, llvm::StringRef name) {
  if (!name.starts_with("DS_READ2_B32"))
    return false;
  std::vector<std::int64_t> offsets;
  for (const llvm::MachineOperand& operand : instruction.operands())
    if (operand.isImm())
      offsets.push_back(operand.getImm());
  return offsets.size() >= 2 && std::abs(offsets[1] - offsets[0]) == 1;
}

void Collector::take(const llvm::MachineInstr& instruction, std::vector<AmdInstruction>& out) const {
  if (instruction.isDebugInstr() || instruction.isKill() || instruction.isImplicitDef() ||
      instruction.isCFIInstruction() || instruction.isLabel() || holds_divisor(instruction))
    return;
  AmdInstruction made;
  const bool frame = in_frame(instruction, made);
  const llvm::StringRef name = instructions_->getName(instruction.getOpcode());
  if (const llvm::DebugLoc& place = instruction.getDebugLoc(); place && place.getLine() > 0)
    made.ordinal = place.getLine() - 1;
  if (instruction.isInlineAsm()) {
    made.opaque = true;
  } else {
    const auto op = amdgcn::classify_amd(name, frame);
    if (!op)
      return;
    describe(name, *op, made);
    made.in_a_row = made.two_addresses && lie_in_a_row(instruction, name);
  }
  registers(instruction, made);
  out.push_back(std::move(made));
}

/// The IR block that most of the block's instructions were made from: a block that the back end put in may
/// have swallowed one of the IR's.
std::optional<std::uint32_t> Collector::origin_of_most(const llvm::MachineBasicBlock& block) const {
  std::map<std::uint32_t, unsigned> votes;
  for (const llvm::MachineInstr& instruction : block.instrs())
    if (const llvm::DebugLoc& place = instruction.getDebugLoc(); place && place.getLine() > 0)
      if (const std::uint32_t ordinal = place.getLine() - 1; ordinal < block_of_ordinal_.size())
        ++votes[block_of_ordinal_[ordinal]];
  const auto most = std::max_element(votes.begin(), votes.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most == votes.end())
    return std::nullopt;
  return most->first;
}

bool Collector::runOnMachineFunction(llvm::MachineFunction& function) {
  if (function.getName() != symbol_)
    return false;
  instructions_ = function.getSubtarget().getInstrInfo();
  registers_ = function.getSubtarget().getRegisterInfo();
  llvm::MachineDominatorTree dominators(function);
  llvm::MachineLoopInfo loops(dominators);
  std::uint32_t last = 0;
  for (const llvm::MachineBasicBlock& block : function) {
    std::optional<std::uint32_t> number = own_number(block);
    if (!number)
      number = origin_of_most(block);
    const llvm::MachineLoop* loop = loops.getLoopFor(&block);
    if (!number)
      for (const auto* node = dominators.getNode(const_cast<llvm::MachineBasicBlock*>(&block));
           node && node->getIDom() && !number; node = node->getIDom())
        if (const llvm::MachineBasicBlock* above = node->getIDom()->getBlock();
            loops.getLoopFor(above) == loop)
          number = own_number(*above);
    last = number.value_or(last);
    if (last >= blocks_.size())
      continue;
    for (const llvm::MachineInstr& instruction : block.instrs())
      if (!instruction.isBundle())
        take(instruction, blocks_[last]);
  }
  return false;
}

} // namespace

std::vector<std::uint32_t> mark_instructions(llvm::Function& kernel) {
  llvm::Module& module = *kernel.getParent();
  llvm::StripDebugInfo(module);
  if (module.getModuleFlag("Debug Info Version") == nullptr)
    module.addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
  llvm::DIBuilder builder(module);
  llvm::DIFile* file = builder.createFile("kernel", "");
  builder.createCompileUnit(llvm::dwarf::DW_LANG_C99, file, "", true, "", 0, "",
                            llvm::DICompileUnit::NoDebug);
  llvm::DISubprogram* subprogram =
      builder.createFunction(file, kernel.getName(), kernel.getName(), file, 1,
                             builder.createSubroutineType(builder.getOrCreateTypeArray({})), 1,
                             llvm::DINode::FlagZero, llvm::DISubprogram::SPFlagDefinition);
  kernel.setSubprogram(subprogram);
  builder.finalize();
  std::vector<std::uint32_t> block_of_ordinal;
  std::uint32_t number = 0;
  for (llvm::BasicBlock& block : kernel) {
    block.setName(fmt::format("{}{}", block_prefix.str(), number));
    for (llvm::Instruction& instruction : block) {
      block_of_ordinal.push_back(number);
      const auto line = static_cast<unsigned>(block_of_ordinal.size());
      instruction.setDebugLoc(llvm::DILocation::get(kernel.getContext(), line, 0, subprogram));
    }
    ++number;
  }
  return block_of_ordinal;
}

llvm::FunctionPass* create_amd_collector(std::string symbol, std::vector<std::uint32_t> block_of_ordinal,
                                         std::vector<std::vector<AmdInstruction>>& blocks) {
  return new Collector(std::move(symbol), std::move(block_of_ordinal), blocks);
}

} // namespace forewarp::codegen
