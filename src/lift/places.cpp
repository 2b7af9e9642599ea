#include "lift/places.h"

#include "lift/lift.h"

#include <llvm/IR/BasicBlock.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Metadata.h>

namespace forewarp::lift {
namespace {

llvm::Metadata* number(llvm::LLVMContext& context, std::uint32_t value) {
  return llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), value));
}

std::uint32_t number_at(const llvm::MDNode& node, unsigned k) {
  return static_cast<std::uint32_t>(
      llvm::mdconst::extract<llvm::ConstantInt>(node.getOperand(k))->getZExtValue());
}

} // namespace

void set_block_place(llvm::Instruction& terminator, std::uint32_t first, std::uint32_t end) {
  llvm::LLVMContext& context = terminator.getContext();
  terminator.setMetadata(place_metadata,
                         llvm::MDNode::get(context, {number(context, first), number(context, end)}));
}

void set_access_place(llvm::Instruction& access, std::uint32_t index) {
  llvm::LLVMContext& context = access.getContext();
  access.setMetadata(place_metadata, llvm::MDNode::get(context, {number(context, index)}));
}

std::pair<std::uint32_t, std::uint32_t> instructions_of(const llvm::BasicBlock& block) {
  const llvm::MDNode* node = block.getTerminator()->getMetadata(place_metadata);
  return node == nullptr ? std::pair<std::uint32_t, std::uint32_t>(0, 0)
                         : std::pair(number_at(*node, 0), number_at(*node, 1));
}

std::uint32_t instruction_of(const llvm::Instruction& access) {
  const llvm::MDNode* node = access.getMetadata(place_metadata);
  return node == nullptr ? UINT32_MAX : number_at(*node, 0);
}

} // namespace forewarp::lift
