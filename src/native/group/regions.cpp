#include "native/group/regions.h"

#include "native/abi/abi.h"
#include "native/group/item_loops.h"
#include "native/group/kept_values.h"
#include "native/group/uniform.h"

#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <algorithm>

namespace forewarp::native {
namespace {

using Block = llvm::BasicBlock;

void promote(llvm::Function& function) {
  llvm::DominatorTree dominators(function);
  std::vector<llvm::AllocaInst*> slots;
  for (llvm::Instruction& at : function.getEntryBlock())
    if (auto* slot = llvm::dyn_cast<llvm::AllocaInst>(&at); slot && llvm::isAllocaPromotable(slot))
      slots.push_back(slot);
  llvm::PromoteMemToReg(slots, dominators);
}

bool waits_for_group(const llvm::CallInst& wait) {
  const auto* kind = llvm::cast<llvm::ConstantInt>(wait.getArgOperand(0));
  return kind->getZExtValue() == static_cast<std::uint64_t>(ExchangeKind::barrier) && wait.use_empty();
}

bool has_late_arrays(const llvm::Function& body) {
  for (const llvm::Instruction& at : llvm::instructions(body))
    if (const auto* slot = llvm::dyn_cast<llvm::AllocaInst>(&at);
        slot &&
        (at.getParent() != &body.getEntryBlock() || !llvm::isa<llvm::ConstantInt>(slot->getArraySize())))
      return true;
  return false;
}

/// Where a kept value or a private array lies in what an item keeps.
struct Place {
  std::uint64_t before = 0; ///< bytes of an item in the places before it
  std::uint64_t bytes = 0;
};

class Regions {
public:
  Regions(llvm::Function& body, const std::string& name)
      : body_(body), layout_(body.getParent()->getDataLayout()), builder_(body.getContext()), name_(name) {}

  /// False: nothing was changed but blocks that are cut in two.
  bool cut(const std::vector<llvm::CallInst*>& waits) {
    if (has_late_arrays(body_) || !std::all_of(waits.begin(), waits.end(), [](const llvm::CallInst* wait) {
          return waits_for_group(*wait);
        }))
      return false;
    promote(body_);
    for (llvm::CallInst* wait : waits) {
      resumed_.push_back(wait->getParent()->splitBasicBlock(wait, "resumed"));
      waiting_.push_back(resumed_.back()->getSinglePredecessor());
    }
    uniformity_ = uniformity_of(body_, waiting_);
    return uniformity_.together;
  }

  llvm::Function* make(const std::vector<llvm::CallInst*>& waits, bool independent) {
    for (llvm::CallInst* wait : waits)
      wait->eraseFromParent();
    llvm::stripDebugInfo(body_);
    kept_ = keep_values(body_, resumed_, uniformity_);
    place_kept();
    std::vector<llvm::Function*> items;
    for (std::size_t k = 0; k <= resumed_.size(); ++k)
      items.push_back(item_code(k));
    llvm::Function* code = group_code(items, independent);
    body_.deleteBody();
    return code;
  }

private:
  llvm::Value* at(llvm::Value* base, llvm::Value* bytes) {
    return builder_.CreateInBoundsGEP(builder_.getInt8Ty(), base, bytes);
  }

  /// Places by alignment, so that each list of items begins at a multiple of it. Private arrays lie behind
  /// them.
  void place_kept() {
    std::vector<std::size_t> order;
    std::vector<llvm::Type*> common = {
        builder_.getInt32Ty()}; // first the barrier that the items have come to
    for (std::size_t k = 0; k < kept_.size(); ++k) {
      common_field_.push_back(static_cast<unsigned>(common.size()));
      if (kept_[k].how == Keeping::own)
        order.push_back(k);
      else if (kept_[k].how == Keeping::common)
        common.push_back(kept_[k].slot->getAllocatedType());
    }
    common_ = llvm::StructType::get(body_.getContext(), common);
    const auto alignment = [&](std::size_t k) {
      return layout_.getABITypeAlign(kept_[k].slot->getAllocatedType()).value();
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return alignment(a) > alignment(b); });
    own_.resize(kept_.size());
    for (const std::size_t k : order)
      own_[k] = add_place(layout_.getTypeAllocSize(kept_[k].slot->getAllocatedType()));
    if (uniformity_.some_leave)
      left_ = add_place(1);
    item_bytes_ = (item_bytes_ + 15) / 16 * 16;
    arrays_at_ = item_bytes_;
    for (llvm::Instruction& each : body_.getEntryBlock())
      if (auto* array = llvm::dyn_cast<llvm::AllocaInst>(&each); array && is_kept_array(*array)) {
        arrays_.emplace_back(array, item_bytes_ - arrays_at_);
        item_bytes_ += (array->getAllocationSize(layout_)->getFixedValue() + 15) / 16 * 16;
      }
  }

  Place add_place(std::uint64_t bytes) {
    item_bytes_ += bytes;
    return {item_bytes_ - bytes, bytes};
  }

  bool is_kept_array(const llvm::AllocaInst& array) const {
    return std::none_of(kept_.begin(), kept_.end(),
                        [&](const KeptValue& kept) { return kept.slot == &array; });
  }

  /// void item(ptr group, ptr arguments, i32 x, y, z, i32 item, i64 items, ptr kept, ptr common, ptr common
  /// after)
  llvm::Function* item_code(std::size_t from) {
    llvm::Type *pointer = builder_.getPtrTy(), *word = builder_.getInt32Ty();
    auto* type = llvm::FunctionType::get(
        builder_.getVoidTy(),
        {pointer, pointer, word, word, word, word, builder_.getInt64Ty(), pointer, pointer, pointer}, false);
    auto* code = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage,
                                        name_ + "." + std::to_string(from), *body_.getParent());
    code->addFnAttr(llvm::Attribute::AlwaysInline);
    code->addFnAttr(llvm::Attribute::NoUnwind);
    llvm::ValueToValueMapTy map;
    for (unsigned k = 0; k < 5; ++k)
      map[body_.getArg(k)] = code->getArg(k);
    llvm::SmallVector<llvm::ReturnInst*, 4> returns;
    llvm::CloneFunctionInto(code, &body_, map, llvm::CloneFunctionChangeType::LocalChangesOnly, returns);
    enter(*code, from, map);
    for (llvm::ReturnInst* leave : returns)
      if (uniformity_.some_leave) {
        builder_.SetInsertPoint(leave);
        builder_.CreateStore(builder_.getInt8(1), own_place(*code, left_));
      }
    for (std::size_t k = 0; k < resumed_.size(); ++k)
      wait(*code, k, map);
    llvm::removeUnreachableBlocks(*code);
    promote(*code);
    return code;
  }

  /// The place of the item that runs.
  llvm::Value* own_place(llvm::Function& code, const Place& place) {
    llvm::Value* items = builder_.CreateMul(code.getArg(6), builder_.getInt64(place.before), "", true, true);
    llvm::Value* item = builder_.CreateZExt(code.getArg(5), builder_.getInt64Ty());
    llvm::Value* own = builder_.CreateMul(item, builder_.getInt64(place.bytes), "", true, true);
    return at(at(code.getArg(7), items), own);
  }

  llvm::Value* common_place(llvm::Function& code, unsigned argument, unsigned field) {
    return builder_.CreateStructGEP(common_, code.getArg(argument), field);
  }

  void enter(llvm::Function& code, std::size_t from, llvm::ValueToValueMapTy& map) {
    Block* old = &code.getEntryBlock();
    auto* entry = Block::Create(builder_.getContext(), "enter", &code, old);
    for (llvm::Instruction& each : llvm::make_early_inc_range(*old))
      if (llvm::isa<llvm::AllocaInst>(each))
        each.moveBefore(*entry, entry->end());
    builder_.SetInsertPoint(entry);
    for (const auto& [array, before] : arrays_) {
      auto* here = llvm::cast<llvm::AllocaInst>(static_cast<llvm::Value*>(map[array]));
      const std::uint64_t bytes = (array->getAllocationSize(layout_)->getFixedValue() + 15) / 16 * 16;
      llvm::Value* place = own_place(code, {arrays_at_ + before, bytes});
      here->replaceAllUsesWith(place);
      map[array] = place;
      here->eraseFromParent();
    }
    for (std::size_t k = 0; from > 0 && k < kept_.size(); ++k)
      if (kept_[k].alive.contains(resumed_[from - 1]))
        builder_.CreateStore(value_of(code, k, map), map[kept_[k].slot]);
    builder_.CreateBr(from > 0 ? llvm::cast<Block>(static_cast<llvm::Value*>(map[resumed_[from - 1]])) : old);
  }

  llvm::Value* value_of(llvm::Function& code, std::size_t k, llvm::ValueToValueMapTy& map) {
    const KeptValue& kept = kept_[k];
    llvm::Type* type = kept.slot->getAllocatedType();
    if (kept.how == Keeping::own)
      return builder_.CreateLoad(type, own_place(code, own_[k]));
    if (kept.how == Keeping::common)
      return builder_.CreateLoad(type, common_place(code, 8, common_field_[k]));
    llvm::DenseMap<const llvm::Value*, llvm::Value*> copies;
    llvm::Instruction* copy = nullptr;
    for (const auto& step : kept.recipe) {
      copy = step->clone();
      for (llvm::Use& use : copy->operands()) {
        if (llvm::Value* part = copies.lookup(use.get()))
          use.set(part);
        else if (!llvm::isa<llvm::Constant>(use.get()))
          use.set(map[use.get()]);
      }
      builder_.Insert(copy);
      copies[step.get()] = copy;
    }
    return copy;
  }

  /// The item has come to a barrier.
  void wait(llvm::Function& code, std::size_t which, llvm::ValueToValueMapTy& map) {
    auto* block = llvm::cast<Block>(static_cast<llvm::Value*>(map[waiting_[which]]));
    block->getTerminator()->eraseFromParent();
    builder_.SetInsertPoint(block);
    for (std::size_t k = 0; k < kept_.size(); ++k) {
      if (!kept_[k].alive.contains(resumed_[which]) || kept_[k].how == Keeping::again)
        continue;
      llvm::Value* value = builder_.CreateLoad(kept_[k].slot->getAllocatedType(), map[kept_[k].slot]);
      builder_.CreateStore(value, kept_[k].how == Keeping::own ? own_place(code, own_[k])
                                                               : common_place(code, 9, common_field_[k]));
    }
    builder_.CreateStore(builder_.getInt32(static_cast<std::uint32_t>(which) + 1), common_place(code, 9, 0));
    builder_.CreateRetVoid();
  }

  /// Region by region, as its items go.
  llvm::Function* group_code(const std::vector<llvm::Function*>& items, bool independent) {
    llvm::Type* pointer = builder_.getPtrTy();
    code_ = llvm::Function::Create(llvm::FunctionType::get(builder_.getVoidTy(), {pointer, pointer}, false),
                                   llvm::GlobalValue::InternalLinkage, name_, *body_.getParent());
    code_->addParamAttr(0, llvm::Attribute::NoAlias);
    llvm::LLVMContext& context = builder_.getContext();
    auto* end = Block::Create(context, "end", code_);
    begin();
    std::vector<Block*> begins = {builder_.GetInsertBlock()};
    for (std::size_t k = 1; k < items.size(); ++k)
      begins.push_back(Block::Create(context, "region", code_));
    for (std::size_t k = 0; k < items.size(); ++k) {
      builder_.SetInsertPoint(begins[k]);
      region(*items[k], k > 0, independent);
      llvm::Value* come = builder_.CreateLoad(builder_.getInt32Ty(), after_);
      llvm::SwitchInst* choice = builder_.CreateSwitch(come, end);
      for (std::uint32_t next = 1; next < items.size(); ++next)
        choice->addCase(builder_.getInt32(next), begins[next]);
    }
    llvm::IRBuilder<>(end).CreateRetVoid();
    return code_;
  }

  void begin() {
    builder_.SetInsertPoint(Block::Create(builder_.getContext(), "entry", code_, &code_->front()));
    common_now_ = builder_.CreateAlloca(common_);
    after_ = builder_.CreateAlloca(common_);
    GroupReader group(builder_, code_->getArg(0));
    items_ = builder_.getInt64(1);
    for (unsigned axis = 0; axis < 3; ++axis) {
      size_[axis] = group.size(axis);
      items_ =
          builder_.CreateMul(items_, builder_.CreateZExt(size_[axis], builder_.getInt64Ty()), "", true, true);
    }
    auto* type =
        llvm::FunctionType::get(builder_.getPtrTy(), {builder_.getPtrTy(), builder_.getInt64Ty()}, false);
    auto context = body_.getParent()->getOrInsertFunction("forewarp_context", type);
    if (auto* function = llvm::dyn_cast<llvm::Function>(context.getCallee()))
      function->addRetAttr(llvm::Attribute::NoAlias);
    keep_ =
        item_bytes_ > 0
            ? static_cast<llvm::Value*>(builder_.CreateCall(
                  context, {code_->getArg(0), builder_.CreateMul(items_, builder_.getInt64(item_bytes_))}))
            : llvm::ConstantPointerNull::get(builder_.getPtrTy());
    if (uniformity_.some_leave)
      builder_.CreateMemSet(at(keep_, builder_.CreateMul(items_, builder_.getInt64(left_.before))),
                            builder_.getInt8(0), items_, llvm::MaybeAlign(1));
  }

  void region(llvm::Function& item, bool is_behind_barrier, bool independent) {
    builder_.CreateStore(builder_.getInt32(0), after_);
    ItemRun run{size_, independent, 8, common_now_};
    run.call = [&](llvm::Function& form, const ItemAt& place, llvm::MDNode* accesses) {
      Block* behind = nullptr;
      if (is_behind_barrier && uniformity_.some_leave)
        behind = skip_if_left(place, accesses);
      builder_.CreateCall(&form, {code_->getArg(0), code_->getArg(1), place.index[0], place.index[1],
                                  place.index[2], place.item, items_, keep_, common_now_, after_});
      if (behind) {
        builder_.CreateBr(behind);
        builder_.SetInsertPoint(behind);
      }
    };
    run_items(builder_, item, run);
    builder_.CreateStore(builder_.CreateLoad(common_, after_), common_now_);
  }

  Block* skip_if_left(const ItemAt& place, llvm::MDNode* independent) {
    auto* here = Block::Create(builder_.getContext(), "here", code_);
    auto* behind = Block::Create(builder_.getContext(), "skipped", code_);
    llvm::Value* flags = at(keep_, builder_.CreateMul(items_, builder_.getInt64(left_.before)));
    llvm::LoadInst* left = builder_.CreateLoad(
        builder_.getInt8Ty(), at(flags, builder_.CreateZExt(place.item, builder_.getInt64Ty())));
    if (independent)
      left->setMetadata(llvm::LLVMContext::MD_access_group, independent);
    builder_.CreateCondBr(builder_.CreateIsNotNull(left), behind, here);
    builder_.SetInsertPoint(here);
    return behind;
  }

  llvm::Function& body_;
  const llvm::DataLayout& layout_;
  llvm::IRBuilder<> builder_;
  std::string name_;
  std::vector<Block*> waiting_, resumed_; ///< what ends with a barrier, and what lies behind it
  Uniformity uniformity_;
  std::vector<KeptValue> kept_;
  std::vector<unsigned> common_field_;
  std::vector<Place> own_;
  std::vector<std::pair<llvm::AllocaInst*, std::uint64_t>> arrays_;
  Place left_; ///< a byte an item: it has ended
  std::uint64_t item_bytes_ = 0, arrays_at_ = 0;
  llvm::StructType* common_ = nullptr;
  llvm::Function* code_ = nullptr;
  std::array<llvm::Value*, 3> size_ = {};
  llvm::Value *items_ = nullptr, *keep_ = nullptr, *common_now_ = nullptr, *after_ = nullptr;
};

} // namespace

llvm::Function* make_regions(llvm::Function& body, const std::vector<llvm::CallInst*>& waits,
                             bool independent, const std::string& name) {
  Regions regions(body, name);
  return regions.cut(waits) ? regions.make(waits, independent) : nullptr;
}

} // namespace forewarp::native
