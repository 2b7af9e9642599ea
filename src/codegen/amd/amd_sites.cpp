#include "codegen/amd/amd_sites.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>

namespace forewarp::codegen {

namespace {

using facts::AccessKind;
using facts::MemorySite;
using facts::MemorySpace;
using facts::no_value;
using facts::OpClass;

std::optional<AccessKind> kind_of(OpClass op) {
  switch (op) {
  case OpClass::load_global:
  case OpClass::load_shared:
  case OpClass::load_local:
  case OpClass::load_texture:
  case OpClass::scalar_load:
    return AccessKind::load;
  case OpClass::store_global:
  case OpClass::store_shared:
  case OpClass::store_local:
    return AccessKind::store;
  case OpClass::atomic_global:
  case OpClass::atomic_shared:
    return AccessKind::atomic;
  default:
    return std::nullopt;
  }
}

bool same_memory(OpClass op, MemorySpace space) {
  const bool shared =
      op == OpClass::load_shared || op == OpClass::store_shared || op == OpClass::atomic_shared;
  const bool local = op == OpClass::load_local || op == OpClass::store_local;
  return shared == (space == MemorySpace::shared) && local == (space == MemorySpace::local);
}

/// Casts and masks between a load and the operation that the back end joined it with.
constexpr unsigned conversions_of_a_load = 4;

class Placement {
public:
  Placement(const AmdCode& code, const llvm::Function& function, const std::vector<MemorySite>& sites)
      : sites_(sites), claims_(sites.size(), 0), sites_of_block_(function.size()), placed_(function.size()) {
    const ir::Numbering numbering = ir::number(function);
    for (std::size_t s = 0; s < numbering.sites.size(); ++s) {
      site_of_[numbering.sites[s].instruction] = static_cast<std::uint32_t>(s);
      sites_of_block_[numbering.sites[s].block].push_back(static_cast<std::uint32_t>(s));
    }
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      const auto found = site_of_.find(&instruction);
      origins_.push_back(&instruction);
      site_of_ordinal_.push_back(found == site_of_.end() ? no_value : found->second);
    }
    for (std::uint32_t b = 0; b < code.blocks.size(); ++b)
      for (const AmdInstruction& instruction : code.blocks[b])
        place(instruction, b);
  }

  std::vector<std::vector<AmdPlaced>> finish() {
    for (std::uint32_t b = 0; b < placed_.size(); ++b)
      for (AmdPlaced& placed : placed_[b])
        settle(placed, b);
    for (auto& block : placed_)
      for (AmdPlaced& placed : block)
        if (placed.site != no_value)
          placed.parts = std::max<std::uint16_t>(1, claims_[placed.site]);
    return std::move(placed_);
  }

private:
  void place(const AmdInstruction& instruction, std::uint32_t block) {
    AmdPlaced placed;
    placed.instruction = &instruction;
    const auto kind = kind_of(instruction.op);
    if (instruction.ordinal < origins_.size()) {
      placed.origin = origins_[instruction.ordinal];
      std::uint32_t site = site_of_ordinal_[instruction.ordinal];
      if (site == no_value && kind == AccessKind::load)
        site = loaded_by(*placed.origin);
      if (site != no_value && kind && !instruction.spill) {
        if (sites_[site].kind == *kind) {
          placed.site = site;
          ++claims_[site];
          block = sites_[site].block;
        } else if (sites_[site].kind == AccessKind::atomic) {
          return; // the first read of a compare-and-swap loop
        }
      }
    }
    placed_[block].push_back(placed);
  }

  /// A load that the back end joined with what converts its value, whose place it then has (bytes and halves
  /// that are widened).
  std::uint32_t loaded_by(const llvm::Instruction& user) const {
    const llvm::Instruction* from = &user;
    for (unsigned step = 0; step < conversions_of_a_load; ++step) {
      if (!llvm::isa<llvm::CastInst>(from) && !llvm::isa<llvm::BinaryOperator>(from))
        return no_value;
      const auto* operand = llvm::dyn_cast<llvm::Instruction>(from->getOperand(0));
      if (operand == nullptr)
        return no_value;
      if (const auto found = site_of_.find(operand); found != site_of_.end())
        return found->second;
      from = operand;
    }
    return no_value;
  }

  /// Accesses that lost their place when the back end joined them.
  void settle(AmdPlaced& placed, std::uint32_t block) {
    const AmdInstruction& instruction = *placed.instruction;
    const auto kind = kind_of(instruction.op);
    if (!kind || instruction.spill || instruction.op == OpClass::scalar_load)
      return;
    if (placed.site == no_value && !placed.origin)
      placed.site = claim(instruction, *kind, block);
    if (instruction.two_addresses && placed.site != no_value)
      placed.second_site = claim(instruction, *kind, block);
  }

  std::uint32_t claim(const AmdInstruction& instruction, AccessKind kind, std::uint32_t block) {
    for (const std::uint32_t site : sites_of_block_[block])
      if (claims_[site] == 0 && sites_[site].kind == kind &&
          same_memory(instruction.op, sites_[site].space)) {
        claims_[site] = 1;
        return site;
      }
    return no_value;
  }

  const std::vector<MemorySite>& sites_;
  std::vector<const llvm::Instruction*> origins_;
  std::vector<std::uint32_t> site_of_ordinal_;
  llvm::DenseMap<const llvm::Instruction*, std::uint32_t> site_of_;
  std::vector<std::uint16_t> claims_;
  std::vector<std::vector<std::uint32_t>> sites_of_block_;
  std::vector<std::vector<AmdPlaced>> placed_;
};

} // namespace

std::vector<std::vector<AmdPlaced>> place_amd_code(const AmdCode& code, const llvm::Function& function,
                                                   const std::vector<MemorySite>& sites) {
  return Placement(code, function, sites).finish();
}

} // namespace forewarp::codegen
