#include "codegen/nvidia/select/shared_merge.h"

#include "ir/address_spaces.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/KnownBits.h>

#include <algorithm>
#include <map>

namespace forewarp::codegen {

namespace {

constexpr unsigned most_bits = 4; // 16 bytes

/// The low bits of an address that are known, and what they are.
struct LowBits {
  unsigned count;
  std::uint64_t value;
};

constexpr LowBits of_element = {2, 0}; // all that a 4-byte access tells

LowBits add(LowBits a, LowBits b) {
  const unsigned count = std::min(a.count, b.count);
  return {count, (a.value + b.value) & ((1U << count) - 1)};
}

LowBits of_index(const llvm::Value* index, std::uint64_t stride, const llvm::DataLayout& layout) {
  const llvm::KnownBits known = llvm::computeKnownBits(index, layout);
  const unsigned count =
      (known.Zero | known.One).countr_one() + static_cast<unsigned>(llvm::countr_zero(stride));
  return {std::min(count, most_bits), (known.One.getLoBits(most_bits).getZExtValue() * stride) & 15U};
}

LowBits of_address(const llvm::Value* pointer, const llvm::DataLayout& layout, unsigned depth = 0) {
  if (llvm::isa<llvm::GlobalVariable>(pointer))
    return {most_bits, 0};
  if (depth > 6)
    return of_element;
  if (const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(pointer)) {
    LowBits low = of_address(gep->getPointerOperand(), layout, depth + 1);
    for (auto it = llvm::gep_type_begin(gep), end = llvm::gep_type_end(gep); it != end; ++it) {
      if (it.isStruct())
        return of_element;
      low =
          add(low, of_index(it.getOperand(), it.getSequentialElementStride(layout).getFixedValue(), layout));
    }
    return low;
  }
  if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(pointer)) { // a pointer that a loop carries on
    LowBits low = {most_bits, 0};
    bool first = true;
    for (const llvm::Value* incoming : phi->incoming_values()) {
      const auto* step = llvm::dyn_cast<llvm::GEPOperator>(incoming);
      if (step && step->getPointerOperand() == phi) {
        llvm::APInt offset(layout.getIndexSizeInBits(ir::shared_space), 0);
        if (!step->accumulateConstantOffset(layout, offset))
          return of_element;
        low.count = std::min(low.count, offset.countr_zero());
        continue;
      }
      const LowBits entering = of_address(incoming, layout, depth + 1);
      if (!first && entering.value != low.value)
        return of_element;
      low = {std::min(low.count, entering.count), entering.value};
      first = false;
    }
    return low;
  }
  return of_element;
}

using ByOffset = std::map<std::int64_t, const llvm::LoadInst*>;

void join(const ByOffset& loads, LowBits base, const std::vector<const llvm::LoadInst*>& order,
          SharedMerges& merges) {
  for (unsigned wide : {4U, 2U}) {
    if ((4U * wide) > (1U << base.count))
      continue;
    for (const auto& [offset, load] : loads) {
      if ((static_cast<std::uint64_t>(offset) + base.value) % (4 * wide) != 0 || merges.joined.contains(load))
        continue;
      llvm::SmallVector<const llvm::LoadInst*, 4> group;
      for (unsigned i = 0; i < wide; ++i)
        if (auto found = loads.find(offset + 4 * i);
            found != loads.end() && !merges.joined.contains(found->second))
          group.push_back(found->second);
      if (group.size() != wide)
        continue;
      const llvm::LoadInst* first =
          *std::min_element(group.begin(), group.end(), [&](const auto* a, const auto* b) {
            return std::find(order.begin(), order.end(), a) < std::find(order.begin(), order.end(), b);
          });
      for (const llvm::LoadInst* member : group)
        merges.joined[member] = first;
      merges.groups[first] = group;
    }
  }
}

} // namespace

SharedMerges merge_shared_loads(const llvm::Function& function) {
  const llvm::DataLayout& layout = function.getDataLayout();
  SharedMerges merges;
  std::vector<std::pair<const llvm::Value*, ByOffset>> bases;
  std::vector<const llvm::LoadInst*> order;
  const auto flush = [&] {
    for (const auto& [base, loads] : bases)
      if (loads.size() > 1)
        join(loads, of_address(base, layout), order, merges);
    bases.clear();
    order.clear();
  };
  for (const llvm::BasicBlock& block : function) {
    for (const llvm::Instruction& instruction : block) {
      if (instruction.mayWriteToMemory()) {
        flush();
        continue;
      }
      const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      if (!load || load->getPointerAddressSpace() != ir::shared_space || load->isVolatile() ||
          layout.getTypeStoreSize(load->getType()) != 4 || load->getType()->isVectorTy())
        continue;
      llvm::APInt offset(layout.getIndexSizeInBits(ir::shared_space), 0);
      const llvm::Value* base = load->getPointerOperand()->stripAndAccumulateConstantOffsets(
          layout, offset, /*AllowNonInbounds=*/true);
      auto found =
          std::find_if(bases.begin(), bases.end(), [&](const auto& entry) { return entry.first == base; });
      if (found == bases.end())
        found = bases.insert(bases.end(), {base, {}});
      if (found->second.emplace(offset.getSExtValue(), load).second)
        order.push_back(load);
    }
    flush();
  }
  return merges;
}

} // namespace forewarp::codegen
