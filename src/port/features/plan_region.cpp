#include "port/features/plan_region.h"

#include "port/features/text/text.h"
#include "port/static/describe.h"

#include <llvm/IR/Instructions.h>

#include <map>

namespace forewarp::port {
namespace {

class Planner {
public:
  explicit Planner(const StaticRegion& region) : region_(region) {
    for (std::uint32_t id = 0; id < region.blocks.size(); ++id) {
      block_ids_[region.blocks[id]] = id;
      for (const llvm::Instruction& instruction : *region.blocks[id])
        if (!instruction.getType()->isVoidTy())
          values_.emplace(&instruction, static_cast<std::uint32_t>(values_.size()));
    }
    functions_[region.function] = 0;
    for (const llvm::Function* callee : region.callees)
      functions_.emplace(callee, static_cast<std::uint32_t>(functions_.size()));
  }

  FeaturePlan plan() {
    for (llvm::BasicBlock* block : region_.blocks) {
      add_block(*block);
      plan_.mixes.push_back(mix_of(*block));
    }
    plan_.value_count = static_cast<std::uint32_t>(values_.size());
    plan_.function_count = static_cast<std::uint32_t>(functions_.size());
    add_text();
    plan_.carried = carried_values();
    return std::move(plan_);
  }

private:
  std::uint32_t value_of(const llvm::Value* value) const {
    const auto found = values_.find(value);
    return found == values_.end() ? facts::no_region_index : found->second;
  }
  std::uint32_t block_of(const llvm::BasicBlock* block) const {
    const auto found = block_ids_.find(block);
    return found == block_ids_.end() ? facts::no_region_index : found->second;
  }

  void add_block(const llvm::BasicBlock& block) {
    FeatureBlock planned;
    planned.first_instruction = static_cast<std::uint32_t>(plan_.instructions.size());
    planned.function = functions_.at(block.getParent());
    for (const llvm::Instruction& instruction : block) {
      if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) {
        for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
          planned.phis.push_back(
              {block_of(phi->getIncomingBlock(i)), value_of(phi), value_of(phi->getIncomingValue(i))});
      } else if (is_operation(instruction)) {
        add_instruction(instruction);
        planned.weight += plan_.instructions.back().weight;
      }
    }
    planned.instruction_count =
        static_cast<std::uint32_t>(plan_.instructions.size()) - planned.first_instruction;
    if (instruction_weight(*block.getTerminator()) != 0 && block.getTerminator()->getNumSuccessors() > 1)
      planned.branch = plan_.branch_count++;
    for (const llvm::BasicBlock* next : llvm::successors(&block))
      planned.successors.push_back(block_of(next));
    plan_.blocks.push_back(std::move(planned));
  }

  void add_instruction(const llvm::Instruction& instruction) {
    FeatureInstruction planned;
    planned.weight = static_cast<std::uint8_t>(instruction_weight(instruction));
    planned.load = llvm::isa<llvm::LoadInst>(instruction);
    planned.store = llvm::isa<llvm::StoreInst>(instruction);
    planned.value = value_of(&instruction);
    std::size_t next = 0;
    for (const llvm::Value* operand : instruction.operand_values()) {
      if (next == planned.operands.size())
        break;
      planned.operands[next++] = value_of(operand);
    }
    plan_.instructions.push_back(planned);
  }

  /// What the text alone says of the same blocks.
  void add_text() {
    Knowledge knowledge(*region_.function);
    const Band band =
        band_of(*knowledge.loops.getLoopFor(region_.header), knowledge, region_.mark.block_dimensions);
    std::map<const llvm::BasicBlock*, StaticBlock> found;
    const auto keep = [&](const std::vector<llvm::BasicBlock*>& blocks,
                          const std::vector<StaticBlock>& text) {
      for (std::size_t i = 0; i < blocks.size(); ++i)
        found.emplace(blocks[i], text[i]);
    };
    const std::vector<llvm::BasicBlock*> own = of_function(*region_.function);
    keep(own, describe_body(own, band, knowledge));
    for (llvm::Function* callee : region_.callees) {
      Knowledge inner(*callee);
      const std::vector<llvm::BasicBlock*> blocks = of_function(*callee);
      keep(blocks, describe_callee(blocks, *callee, inner));
    }
    for (const llvm::BasicBlock* block : region_.blocks)
      plan_.text.push_back(found.at(block));
    plan_.thread_block = block_of(band.innermost()->getHeader());
  }

  /// In registers, and in memory that all iterations share.
  std::uint32_t carried_values() const {
    std::uint32_t count = 0;
    for (const facts::RegionDependence& dependence : region_.facts.dependences)
      if (dependence.loop == 0)
        ++count;
    return count;
  }

  std::vector<llvm::BasicBlock*> of_function(const llvm::Function& function) const {
    std::vector<llvm::BasicBlock*> list;
    for (llvm::BasicBlock* block : region_.blocks)
      if (block->getParent() == &function)
        list.push_back(block);
    return list;
  }

  const StaticRegion& region_;
  FeaturePlan plan_;
  std::map<const llvm::BasicBlock*, std::uint32_t> block_ids_;
  std::map<const llvm::Value*, std::uint32_t> values_;
  std::map<const llvm::Function*, std::uint32_t> functions_;
};

} // namespace

FeaturePlan plan_features(const StaticRegion& region) {
  return Planner(region).plan();
}

} // namespace forewarp::port
