#include "frontend/passes/expand_copies.h"

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/LowerMemIntrinsics.h>

#include <algorithm>
#include <set>
#include <vector>

namespace forewarp::frontend {

namespace {

constexpr std::uint64_t unroll_limit_bytes = 128; // NVPTX's own limit (NVPTXLowerAggrCopies)

/// Widest access that alignment and remaining size allow: 16 bytes as four words, else one integer.
llvm::Type* chunk_type(llvm::LLVMContext& context, std::uint64_t align, std::uint64_t left) {
  std::uint64_t bytes = std::min<std::uint64_t>(align, 16);
  while (bytes > left)
    bytes /= 2;
  if (bytes == 16)
    return llvm::FixedVectorType::get(llvm::Type::getInt32Ty(context), 4);
  return llvm::IntegerType::get(context, static_cast<unsigned>(8 * bytes));
}

/// Alignment at `offset` behind a pointer of alignment `align`.
std::uint64_t align_at(llvm::MaybeAlign align, std::uint64_t offset) {
  return llvm::commonAlignment(align.valueOrOne(), offset).value();
}

struct Chunk {
  llvm::Type* type;
  std::uint64_t offset;
};

std::vector<Chunk> chunks(llvm::LLVMContext& context, std::uint64_t bytes, llvm::MaybeAlign a,
                          llvm::MaybeAlign b) {
  std::vector<Chunk> result;
  for (std::uint64_t offset = 0; offset < bytes;) {
    std::uint64_t align = std::min(align_at(a, offset), align_at(b, offset));
    llvm::Type* type = chunk_type(context, align, bytes - offset);
    result.push_back({type, offset});
    offset += type->getPrimitiveSizeInBits().getFixedValue() / 8;
  }
  return result;
}

llvm::Value* at(llvm::IRBuilder<>& b, llvm::Value* pointer, std::uint64_t offset) {
  return offset ? b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), pointer, offset) : pointer;
}

/// All loads before all stores: right for memmove too.
void unroll_transfer(llvm::MemTransferInst& copy, std::uint64_t bytes) {
  llvm::IRBuilder<> b(&copy);
  auto parts = chunks(copy.getContext(), bytes, copy.getDestAlign(), copy.getSourceAlign());
  std::vector<llvm::Value*> values;
  for (const Chunk& part : parts)
    values.push_back(b.CreateAlignedLoad(part.type, at(b, copy.getRawSource(), part.offset),
                                         llvm::Align(align_at(copy.getSourceAlign(), part.offset)),
                                         copy.isVolatile()));
  for (std::size_t i = 0; i < parts.size(); ++i)
    b.CreateAlignedStore(values[i], at(b, copy.getRawDest(), parts[i].offset),
                         llvm::Align(align_at(copy.getDestAlign(), parts[i].offset)), copy.isVolatile());
}

void unroll_set(llvm::MemSetInst& set, std::uint64_t bytes) {
  llvm::IRBuilder<> b(&set);
  for (const Chunk& part : chunks(set.getContext(), bytes, set.getDestAlign(), set.getDestAlign())) {
    unsigned part_bytes = static_cast<unsigned>(part.type->getPrimitiveSizeInBits().getFixedValue() / 8);
    llvm::Value* splat = b.CreateVectorSplat(part_bytes, set.getValue());
    b.CreateAlignedStore(b.CreateBitCast(splat, part.type), at(b, set.getRawDest(), part.offset),
                         llvm::Align(align_at(set.getDestAlign(), part.offset)), set.isVolatile());
  }
}

/// LLVM's loops carry no source line of their own.
void make_loop(llvm::MemIntrinsic& memory, const llvm::TargetTransformInfo& costs) {
  llvm::Function& function = *memory.getFunction();
  llvm::DebugLoc location = memory.getDebugLoc();
  std::set<const llvm::BasicBlock*> before; // never iterated
  for (const llvm::BasicBlock& block : function)
    before.insert(&block);
  if (auto* copy = llvm::dyn_cast<llvm::MemCpyInst>(&memory))
    llvm::expandMemCpyAsLoop(copy, costs);
  else if (auto* move = llvm::dyn_cast<llvm::MemMoveInst>(&memory))
    llvm::expandMemMoveAsLoop(move, costs);
  else
    llvm::expandMemSetAsLoop(llvm::cast<llvm::MemSetInst>(&memory));
  for (llvm::BasicBlock& block : function)
    if (!before.contains(&block))
      for (llvm::Instruction& instruction : block)
        if (!instruction.getDebugLoc())
          instruction.setDebugLoc(location);
}

} // namespace

void expand_copies(llvm::Function& function) {
  std::vector<llvm::MemIntrinsic*> all;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* memory = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction))
      all.push_back(memory);
  llvm::TargetTransformInfo costs(function.getParent()->getDataLayout());
  for (llvm::MemIntrinsic* memory : all) {
    auto* length = llvm::dyn_cast<llvm::ConstantInt>(memory->getLength());
    if (!length || length->getZExtValue() > unroll_limit_bytes)
      make_loop(*memory, costs);
    else if (auto* transfer = llvm::dyn_cast<llvm::MemTransferInst>(memory))
      unroll_transfer(*transfer, length->getZExtValue());
    else
      unroll_set(llvm::cast<llvm::MemSetInst>(*memory), length->getZExtValue());
    memory->eraseFromParent();
  }
}

} // namespace forewarp::frontend
