#include "port/static/path_words.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

namespace forewarp::port {
namespace {

class Writer {
public:
  Writer(const AffineRun& run, const RecordingCode& code)
      : run_(run), code_(code), context_(run.header->getContext()), word_(llvm::Type::getInt64Ty(context_)),
        pointer_(llvm::PointerType::getUnqual(context_)) {
    llvm::BasicBlock& entry = run.header->getParent()->getEntryBlock();
    llvm::IRBuilder<> builder(&entry, entry.begin());
    path_ = builder.CreateAlloca(word_);
    word_now_ = builder.CreateAlloca(word_);
    cursor_ = builder.CreateAlloca(pointer_);
  }

  void write() {
    const std::vector<std::pair<llvm::BasicBlock*, llvm::BasicBlock*>> exits = exit_edges();
    begin();
    for (std::size_t i = 0; i < run_.blocks.size(); ++i)
      if (const int bit = run_.plan.blocks[i].bit; bit >= 0)
        mark(*run_.blocks[i], std::uint64_t{1} << bit);
    for (const auto& [from, to] : exits)
      leave(from, to);
    end_iteration();
    llvm::DominatorTree tree(*run_.header->getParent());
    llvm::PromoteMemToReg({path_, word_now_, cursor_}, tree);
  }

private:
  std::vector<std::pair<llvm::BasicBlock*, llvm::BasicBlock*>> exit_edges() const {
    llvm::DominatorTree tree(*run_.header->getParent());
    llvm::LoopInfo loops(tree);
    llvm::SmallVector<llvm::Loop::Edge> edges;
    loops.getLoopFor(run_.header)->getExitEdges(edges);
    std::vector<std::pair<llvm::BasicBlock*, llvm::BasicBlock*>> list;
    for (const auto& [from, to] : edges)
      list.emplace_back(from, to);
    return list;
  }

  /// The preheader, or what is left of its end.
  llvm::BasicBlock* block_before() const {
    for (llvm::BasicBlock* block : llvm::predecessors(run_.header))
      if (block != run_.latch)
        return block;
    return run_.preheader;
  }

  llvm::Constant* constant(std::uint64_t value) const { return llvm::ConstantInt::get(word_, value); }

  void begin() {
    llvm::IRBuilder<> builder(block_before()->getTerminator());
    builder.CreateStore(builder.CreateLoad(pointer_, code_.cursor), cursor_);
    builder.CreateStore(constant(path_mask), word_now_); // no iteration of no way
    builder.SetInsertPoint(run_.header, run_.header->getFirstInsertionPt());
    builder.CreateStore(constant(0), path_);
  }

  void mark(llvm::BasicBlock& block, std::uint64_t bit) {
    llvm::IRBuilder<> builder(&block, block.getFirstInsertionPt());
    builder.CreateStore(builder.CreateOr(builder.CreateLoad(word_, path_), constant(bit)), path_);
  }

  /// One more iteration of the way in path_: the word of now grows, or is left behind and a new one begins.
  void count(llvm::IRBuilder<>& builder) {
    llvm::Value* const now = builder.CreateLoad(word_, word_now_);
    llvm::Value* const path = builder.CreateLoad(word_, path_);
    llvm::Value* const cursor = builder.CreateLoad(pointer_, cursor_);
    llvm::Value* const same = builder.CreateICmpEQ(builder.CreateAnd(now, constant(path_mask)), path);
    builder.CreateAlignedStore(now, cursor, llvm::Align(8));
    llvm::Value* const moved =
        builder.CreateGEP(word_, cursor, builder.CreateSelect(same, constant(0), constant(1)));
    builder.CreateStore(moved, cursor_);
    builder.CreateStore(builder.CreateAdd(builder.CreateSelect(same, now, path), constant(one_iteration)),
                        word_now_);
  }

  void end_iteration() {
    llvm::IRBuilder<> builder(run_.latch->getTerminator());
    count(builder);
    llvm::Value* const full = builder.CreateICmpUGE(builder.CreateLoad(pointer_, cursor_),
                                                    builder.CreateLoad(pointer_, code_.limit));
    llvm::MDNode* const unlikely = llvm::MDBuilder(context_).createBranchWeights(1, 100000);
    llvm::Instruction* const inside =
        llvm::SplitBlockAndInsertIfThen(full, run_.latch->getTerminator()->getIterator(), false, unlikely);
    llvm::IRBuilder<> flush(inside);
    flush.CreateStore(flush.CreateLoad(pointer_, cursor_), code_.cursor);
    flush.CreateCall(code_.flush);
    flush.CreateStore(flush.CreateLoad(pointer_, code_.cursor), cursor_);
  }

  void leave(llvm::BasicBlock* from, llvm::BasicBlock* to) {
    llvm::BasicBlock* const edge = llvm::SplitEdge(from, to);
    llvm::IRBuilder<> builder(edge->getTerminator());
    if (from != run_.latch) // the iteration ends here
      count(builder);
    llvm::Value* const cursor = builder.CreateLoad(pointer_, cursor_);
    builder.CreateAlignedStore(builder.CreateLoad(word_, word_now_), cursor, llvm::Align(8));
    builder.CreateAlignedStore(constant(end_of_run), builder.CreateConstGEP1_64(word_, cursor, 1),
                               llvm::Align(8));
    builder.CreateStore(builder.CreateConstGEP1_64(word_, cursor, 2), code_.cursor);
  }

  const AffineRun& run_;
  const RecordingCode& code_;
  llvm::LLVMContext& context_;
  llvm::Type* word_;
  llvm::Type* pointer_;
  llvm::AllocaInst *path_ = nullptr, *word_now_ = nullptr, *cursor_ = nullptr;
};

} // namespace

void write_paths(const AffineRun& run, const RecordingCode& code) {
  Writer(run, code).write();
}

} // namespace forewarp::port
