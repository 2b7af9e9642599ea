#include "port/static/instrument.h"

#include "port/static/affine_runs.h"
#include "port/static/describe.h"
#include "port/static/path_words.h"

#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <set>

namespace forewarp::port {
namespace {

/// A way out that calls exit() or the like: the region did not come to its end.
bool ends_program(const llvm::BasicBlock& exit) {
  return llvm::isa<llvm::UnreachableInst>(exit.getTerminator());
}

class Instrumenter {
public:
  Instrumenter(llvm::Module& module, std::size_t regions)
      : module_(module), context_(module.getContext()), word_(llvm::Type::getInt64Ty(context_)),
        pointer_(llvm::PointerType::getUnqual(context_)) {
    recording_.runs.resize(regions);
    cursor_ = variable(symbols::cursor);
    limit_ = variable(symbols::limit);
    flush_ = module.getOrInsertFunction(symbols::flush, llvm::Type::getVoidTy(context_));
  }

  void region(const StaticRegion& region, std::uint32_t index) {
    mark_ends(region, index);
    std::set<const llvm::BasicBlock*> headers(region.loop_headers.begin(), region.loop_headers.end());
    for (const llvm::Function* callee : region.callees)
      headers.insert(&callee->getEntryBlock());
    // Loop entries first: their words stand after those of the block that holds them.
    Words entries = loop_entries(region);
    Words words;
    for (std::uint32_t id = 0; id < region.blocks.size(); ++id) {
      std::vector<llvm::Value*>& list = words[region.blocks[id]];
      list.push_back(constant(id));
      const facts::RegionBlock& block = region.facts.blocks[id];
      for (std::uint32_t site = 0; site < block.site_count; ++site)
        list.push_back(llvm::getLoadStorePointerOperand(region.sites[block.first_site + site]));
    }
    for (auto& [block, values] : entries) {
      auto& list = words[block];
      list.insert(list.end(), values.begin(), values.end());
    }
    const std::vector<AffineRun> runs = find_affine_runs(region);
    for (std::size_t r = 0; r < runs.size(); ++r)
      add_run(runs[r], r, region, words);
    // In the order of the functions' blocks: the same module for the same source.
    std::vector<llvm::Function*> functions = {region.function};
    functions.insert(functions.end(), region.callees.begin(), region.callees.end());
    std::vector<std::pair<llvm::BasicBlock*, std::vector<llvm::Value*>>> ordered;
    for (llvm::Function* function : functions)
      for (llvm::BasicBlock& block : *function)
        if (const auto found = words.find(&block); found != words.end())
          ordered.emplace_back(&block, std::move(found->second));
    for (auto& [block, values] : ordered)
      write_words(*block, values, headers.contains(block));
    for (const AffineRun& run : runs) {
      recording_.runs[index].push_back(run.plan);
      if (run.plan.paths)
        write_paths(run, {cursor_, limit_, flush_});
    }
  }

  Recording take() { return std::move(recording_); }

private:
  using Words = std::map<llvm::BasicBlock*, std::vector<llvm::Value*>>;

  void add_run(const AffineRun& run, std::size_t number, const StaticRegion& region, Words& words) {
    for (llvm::BasicBlock* block : run.blocks)
      words.erase(block);
    const std::uint32_t first_site = region.facts.blocks[run.plan.blocks.front().block].first_site;
    for (const std::uint32_t site : run.plan.scattered) // one block
      words[run.header].push_back(llvm::getLoadStorePointerOperand(region.sites[first_site + site]));
    auto& list = words[run.preheader];
    list.push_back(constant(run_flag | number));
    if (run.iterations)
      list.push_back(run.iterations);
    for (const AffineRun::Site& site : run.sites)
      list.insert(list.end(),
                  {site.first ? site.first : constant(0), site.first ? site.stride : constant(0)});
    recording_.slack_words += 3; // of its ends
  }

  llvm::GlobalVariable* variable(const char* name) {
    if (llvm::GlobalVariable* known = module_.getNamedGlobal(name))
      return known;
    auto* made = new llvm::GlobalVariable(
        module_, pointer_, false, llvm::GlobalValue::ExternalLinkage,
        llvm::ConstantPointerNull::get(llvm::cast<llvm::PointerType>(pointer_)), name);
    made->setDSOLocal(true);
    return made;
  }

  llvm::Constant* constant(std::uint64_t value) { return llvm::ConstantInt::get(word_, value); }

  llvm::CallInst* call(const char* name, std::uint32_t region, llvm::BasicBlock::iterator before) {
    llvm::Type* number = llvm::Type::getInt32Ty(context_);
    const llvm::FunctionCallee callee =
        module_.getOrInsertFunction(name, llvm::Type::getVoidTy(context_), number);
    llvm::IRBuilder<> builder(before->getParent(), before);
    return builder.CreateCall(callee, {llvm::ConstantInt::get(number, region)});
  }

  void mark_ends(const StaticRegion& region, std::uint32_t index) {
    llvm::DominatorTree tree(*region.function);
    llvm::LoopInfo loops(tree);
    llvm::Loop* loop = loops.getLoopFor(region.header);
    if (llvm::BasicBlock* preheader = loop->getLoopPreheader())
      call(symbols::begin, index, preheader->getTerminator()->getIterator());
    llvm::SmallVector<llvm::BasicBlock*> exits;
    loop->getUniqueExitBlocks(exits);
    for (llvm::BasicBlock* exit : exits)
      if (!ends_program(*exit))
        call(symbols::end, index, exit->getFirstInsertionPt());
  }

  /// Words at the end of each loop's preheader.
  Words loop_entries(const StaticRegion& region) {
    Words entries;
    for (std::uint32_t id = 0; id < region.loop_headers.size(); ++id) {
      llvm::BasicBlock* header = region.loop_headers[id];
      llvm::DominatorTree tree(*header->getParent());
      llvm::LoopInfo loops(tree);
      llvm::BasicBlock* preheader = loops.getLoopFor(header)->getLoopPreheader();
      if (!preheader)
        continue;
      llvm::Value* first =
          region.inductions[id] ? region.inductions[id]->getIncomingValueForBlock(preheader) : nullptr;
      auto& list = entries[preheader];
      list.push_back(constant(loop_entry_flag | id));
      list.push_back(first ? first : constant(0));
    }
    return entries;
  }

  void write_words(llvm::BasicBlock& block, const std::vector<llvm::Value*>& values, bool check) {
    llvm::IRBuilder<> builder(block.getTerminator());
    llvm::Value* cursor = builder.CreateLoad(pointer_, cursor_);
    for (std::size_t i = 0; i < values.size(); ++i) {
      llvm::Value* value = values[i];
      if (value->getType()->isPointerTy())
        value = builder.CreatePtrToInt(value, word_);
      else
        value = builder.CreateSExtOrTrunc(value, word_);
      builder.CreateAlignedStore(value, builder.CreateConstGEP1_64(word_, cursor, i), llvm::Align(8));
    }
    llvm::Value* next = builder.CreateConstGEP1_64(word_, cursor, values.size());
    builder.CreateStore(next, cursor_);
    recording_.slack_words += values.size();
    if (!check)
      return;
    llvm::Value* full = builder.CreateICmpUGE(next, builder.CreateLoad(pointer_, limit_));
    llvm::MDNode* unlikely = llvm::MDBuilder(context_).createBranchWeights(1, 100000);
    llvm::Instruction* inside =
        llvm::SplitBlockAndInsertIfThen(full, block.getTerminator()->getIterator(), false, unlikely);
    llvm::IRBuilder<>(inside).CreateCall(flush_);
  }

  llvm::Module& module_;
  llvm::LLVMContext& context_;
  llvm::Type* word_;
  llvm::Type* pointer_;
  llvm::GlobalVariable *cursor_ = nullptr, *limit_ = nullptr;
  llvm::FunctionCallee flush_;
  Recording recording_;
};

std::uint32_t element_bytes(const llvm::Type* type, const llvm::DataLayout& layout) {
  while (type->isArrayTy())
    type = type->getArrayElementType();
  return static_cast<std::uint32_t>(layout.getTypeAllocSize(const_cast<llvm::Type*>(type)).getFixedValue());
}

} // namespace

Recording instrument(llvm::Module& module, const std::vector<StaticRegion>& regions) {
  Instrumenter instrumenter(module, regions.size());
  for (std::uint32_t i = 0; i < regions.size(); ++i)
    instrumenter.region(regions[i], i);
  return instrumenter.take();
}

std::vector<GlobalVariableInfo> add_global_table(llvm::Module& module) {
  std::vector<GlobalVariableInfo> infos;
  std::vector<llvm::Constant*> pointers;
  const llvm::DataLayout& layout = module.getDataLayout();
  for (llvm::GlobalVariable& variable : module.globals()) {
    if (variable.isDeclaration() || variable.isThreadLocal() || variable.getName().starts_with("llvm.") ||
        variable.getName().starts_with("forewarp_"))
      continue;
    infos.push_back({llvm::demangle(variable.getName()),
                     layout.getTypeAllocSize(variable.getValueType()).getFixedValue(),
                     element_bytes(variable.getValueType(), layout)});
    pointers.push_back(&variable);
  }
  pointers.push_back(llvm::ConstantPointerNull::get(llvm::PointerType::getUnqual(module.getContext())));
  auto* type = llvm::ArrayType::get(llvm::PointerType::getUnqual(module.getContext()), pointers.size());
  new llvm::GlobalVariable(module, type, false, llvm::GlobalValue::ExternalLinkage,
                           llvm::ConstantArray::get(type, pointers), symbols::globals);
  return infos;
}

std::vector<StackVariableInfo> add_stack_marks(llvm::Module& module) {
  std::vector<StackVariableInfo> infos;
  llvm::Type* number = llvm::Type::getInt32Ty(module.getContext());
  const llvm::FunctionCallee announce =
      module.getOrInsertFunction(symbols::stack, llvm::Type::getVoidTy(module.getContext()),
                                 llvm::PointerType::getUnqual(module.getContext()), number);
  const llvm::DataLayout& layout = module.getDataLayout();
  for (llvm::Function& function : module) {
    if (function.isDeclaration())
      continue;
    std::vector<llvm::AllocaInst*> variables;
    for (llvm::Instruction& instruction : function.getEntryBlock())
      if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
        if (const auto size = variable->getAllocationSize(layout); size && !size->isScalable())
          variables.push_back(variable);
    if (variables.empty())
      continue;
    llvm::IRBuilder<> builder(variables.back()->getNextNode());
    for (llvm::AllocaInst* variable : variables) {
      builder.CreateCall(announce, {variable, llvm::ConstantInt::get(number, infos.size())});
      infos.push_back({variable_behind(*variable), variable->getAllocationSize(layout)->getFixedValue(),
                       element_bytes(variable->getAllocatedType(), layout)});
    }
  }
  return infos;
}

std::vector<bool> add_time_marks(llvm::Module& module, const std::vector<RegionMark>& marks) {
  std::vector<bool> found(marks.size());
  llvm::Type* number = llvm::Type::getInt32Ty(module.getContext());
  llvm::Type* nothing = llvm::Type::getVoidTy(module.getContext());
  const llvm::FunctionCallee begin = module.getOrInsertFunction(symbols::time_begin, nothing, number);
  const llvm::FunctionCallee end = module.getOrInsertFunction(symbols::time_end, nothing, number);
  for (llvm::Function& function : module)
    for (std::uint32_t i = 0; !function.isDeclaration() && i < marks.size(); ++i) {
      llvm::DominatorTree tree(function);
      llvm::LoopInfo loops(tree);
      llvm::Loop* loop = find_marked_loop(loops, marks[i]);
      if (!loop)
        continue;
      llvm::simplifyLoop(loop, &tree, &loops, nullptr, nullptr, nullptr, false);
      found[i] = true;
      if (llvm::BasicBlock* preheader = loop->getLoopPreheader())
        llvm::IRBuilder<>(preheader->getTerminator()).CreateCall(begin, {llvm::ConstantInt::get(number, i)});
      llvm::SmallVector<llvm::BasicBlock*> exits;
      loop->getUniqueExitBlocks(exits);
      for (llvm::BasicBlock* exit : exits)
        llvm::IRBuilder<>(exit, exit->getFirstInsertionPt())
            .CreateCall(end, {llvm::ConstantInt::get(number, i)});
    }
  return found;
}

void keep_region_functions(llvm::Module& module, const std::vector<RegionMark>& marks) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration())
      continue;
    llvm::DominatorTree tree(function);
    llvm::LoopInfo loops(tree);
    for (const RegionMark& mark : marks)
      if (find_marked_loop(loops, mark)) {
        function.removeFnAttr(llvm::Attribute::AlwaysInline);
        function.addFnAttr(llvm::Attribute::NoInline);
      }
  }
}

} // namespace forewarp::port
