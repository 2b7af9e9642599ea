#include "codegen/shared_merge.h"

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

constexpr unsigned shared_space = 3;
constexpr unsigned most_zeros = 4; // 16 bytes

/// Trailing zero bits of an address in shared memory.
unsigned address_zeros(const llvm::Value* pointer, const llvm::DataLayout& layout, unsigned depth = 0) {
  if (llvm::isa<llvm::GlobalVariable>(pointer))
    return most_zeros;
  if (depth > 6)
    return 2;
  if (const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(pointer)) {
    unsigned zeros = address_zeros(gep->getPointerOperand(), layout, depth + 1);
    for (auto it = llvm::gep_type_begin(gep), end = llvm::gep_type_end(gep); it != end; ++it) {
      if (it.isStruct())
        return 2;
      const std::uint64_t stride = it.getSequentialElementStride(layout).getFixedValue();
      const unsigned index = llvm::computeKnownBits(it.getOperand(), layout).countMinTrailingZeros();
      if (!llvm::isa<llvm::ConstantInt>(it.getOperand()) ||
          !llvm::cast<llvm::ConstantInt>(it.getOperand())->isZero())
        zeros = std::min<unsigned>(zeros, index + static_cast<unsigned>(llvm::countr_zero(stride)));
    }
    return zeros;
  }
  if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(pointer)) { // a pointer that a loop carries on
    unsigned zeros = most_zeros;
    for (const llvm::Value* incoming : phi->incoming_values()) {
      const auto* step = llvm::dyn_cast<llvm::GEPOperator>(incoming);
      if (step && step->getPointerOperand() == phi) {
        llvm::APInt offset(64, 0);
        if (!step->accumulateConstantOffset(layout, offset))
          return 2;
        zeros = std::min(zeros, static_cast<unsigned>(offset.countr_zero()));
      } else {
        zeros = std::min(zeros, address_zeros(incoming, layout, depth + 1));
      }
    }
    return zeros;
  }
  return 2;
}

using ByOffset = std::map<std::int64_t, const llvm::LoadInst*>;

void join(const ByOffset& loads, unsigned base_zeros, const std::vector<const llvm::LoadInst*>& order,
          SharedMerges& merges) {
  for (unsigned wide : {4U, 2U}) {
    if ((4U * wide) > (1U << base_zeros))
      continue;
    for (const auto& [offset, load] : loads) {
      if (offset % (4 * static_cast<std::int64_t>(wide)) != 0 || merges.joined.contains(load))
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
        join(loads, address_zeros(base, layout), order, merges);
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
      if (!load || load->getPointerAddressSpace() != shared_space || load->isVolatile() ||
          layout.getTypeStoreSize(load->getType()) != 4 || load->getType()->isVectorTy())
        continue;
      llvm::APInt offset(layout.getIndexSizeInBits(shared_space), 0);
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
