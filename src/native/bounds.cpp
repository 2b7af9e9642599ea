#include "native/bounds.h"

#include "native/abi/abi.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>
#include <map>

namespace forewarp::native {
namespace {

/// One access of an instruction; memory intrinsics have two.
struct Access {
  llvm::Instruction* instruction = nullptr;
  llvm::Value* pointer = nullptr;
  llvm::Value* bytes = nullptr; ///< i64
  bool is_read = false, is_written = false;
};

bool is_own(const llvm::Instruction& instruction) {
  return instruction.hasMetadata(llvm::LLVMContext::MD_invariant_load);
}

std::vector<Access> accesses_of(llvm::Function& body) {
  const llvm::DataLayout& layout = body.getParent()->getDataLayout();
  llvm::Type* i64 = llvm::Type::getInt64Ty(body.getContext());
  const auto size = [&](llvm::Type* type) {
    return llvm::ConstantInt::get(i64, layout.getTypeStoreSize(type).getFixedValue());
  };
  std::vector<Access> out;
  for (llvm::Instruction& at : llvm::instructions(body)) {
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&at); load && !is_own(at))
      out.push_back({&at, load->getPointerOperand(), size(load->getType()), true, false});
    else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&at))
      out.push_back(
          {&at, store->getPointerOperand(), size(store->getValueOperand()->getType()), false, true});
    else if (auto* atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&at))
      out.push_back({&at, atomic->getPointerOperand(), size(atomic->getType()), true, true});
    else if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&at))
      out.push_back(
          {&at, exchange->getPointerOperand(), size(exchange->getCompareOperand()->getType()), true, true});
    else if (auto* memory = llvm::dyn_cast<llvm::MemIntrinsic>(&at)) {
      out.push_back({&at, memory->getRawDest(), memory->getLength(), false, true});
      if (auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(memory))
        out.push_back({&at, copy->getRawSource(), memory->getLength(), true, false});
    }
  }
  return out;
}

/// Where a pointer comes from; null: from several places.
const llvm::Value* root_of(const llvm::Value* pointer) {
  llvm::SmallVector<const llvm::Value*, 4> roots;
  llvm::getUnderlyingObjects(pointer, roots, nullptr, 0);
  return roots.size() == 1 ? roots.front() : nullptr;
}

bool is_group_load(const llvm::Value* root, const llvm::Function& body, std::uint64_t offset) {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(root);
  if (!load || !is_own(*load))
    return false;
  llvm::APInt at(64, 0);
  const llvm::Value* base = load->getPointerOperand()->stripAndAccumulateConstantOffsets(
      body.getParent()->getDataLayout(), at, true);
  return base == body.getArg(0) && at == offset;
}

class Checker {
public:
  Checker(const FlatKernel& kernel, const facts::SourceFiles& files)
      : kernel_(kernel), body_(*kernel.body), files_(files), builder_(body_.getContext()) {}

  void run() {
    for (const Access& access : accesses_of(body_))
      check(access);
    traps();
  }

  void traps() {
    for (llvm::Instruction& at : llvm::make_early_inc_range(llvm::instructions(body_)))
      if (auto* trap = llvm::dyn_cast<llvm::IntrinsicInst>(&at);
          trap && (trap->getIntrinsicID() == llvm::Intrinsic::trap ||
                   trap->getIntrinsicID() == llvm::Intrinsic::debugtrap)) {
        builder_.SetInsertPoint(trap);
        auto* type =
            llvm::FunctionType::get(builder_.getVoidTy(), {builder_.getPtrTy(), builder_.getPtrTy()}, false);
        builder_.CreateCall(body_.getParent()->getOrInsertFunction("forewarp_trap", type),
                            {body_.getArg(0), site_of(*trap)});
        trap->eraseFromParent();
      }
  }

private:
  struct Bounds {
    llvm::Value *begin = nullptr, *bytes = nullptr;
    llvm::AllocaInst *begin_kept = nullptr, *bytes_kept = nullptr; ///< of what is found out as it runs
  };

  void check(const Access& access) {
    if (is_plainly_inside(access))
      return;
    const Bounds bounds = bounds_of(root_of(access.pointer));
    builder_.SetInsertPoint(access.instruction);
    llvm::Type* i64 = builder_.getInt64Ty();
    llvm::Value* begin = bounds.begin ? bounds.begin : builder_.CreateLoad(i64, bounds.begin_kept);
    llvm::Value* bytes = bounds.bytes ? bounds.bytes : builder_.CreateLoad(i64, bounds.bytes_kept);
    llvm::Value* address = builder_.CreatePtrToInt(access.pointer, i64);
    llvm::Value* limit = builder_.CreateBinaryIntrinsic(
        llvm::Intrinsic::usub_sat, bytes, builder_.CreateSub(access.bytes, builder_.getInt64(1)));
    llvm::Value* outside = builder_.CreateICmpUGE(builder_.CreateSub(address, begin), limit);
    if (!llvm::isa<llvm::ConstantInt>(access.bytes))
      outside = builder_.CreateAnd(outside, builder_.CreateIsNotNull(access.bytes));
    find_elsewhere(access, bounds, address, outside);
  }

  /// What happens outside of the buffer that the pointer seems to come from.
  void find_elsewhere(const Access& access, const Bounds& bounds, llvm::Value* address,
                      llvm::Value* outside) {
    llvm::Value* site = site_of(*access.instruction);
    llvm::Type *i64 = builder_.getInt64Ty(), *pointer = builder_.getPtrTy();
    auto* weights = llvm::MDBuilder(body_.getContext()).createBranchWeights(1, 1'000'000);
    llvm::BasicBlock* before = access.instruction->getParent();
    llvm::Instruction* end =
        llvm::SplitBlockAndInsertIfThen(outside, access.instruction->getIterator(), false, weights);
    builder_.SetInsertPoint(end);
    auto* type = llvm::FunctionType::get(builder_.getVoidTy(),
                                         {pointer, i64, i64, pointer, builder_.getInt32Ty(), pointer}, false);
    const AccessKind kind = llvm::isa<llvm::MemIntrinsic>(access.instruction) ? AccessKind::range
                            : access.is_written                               ? AccessKind::write
                                                                              : AccessKind::read;
    builder_.CreateCall(body_.getParent()->getOrInsertFunction("forewarp_find", type),
                        {body_.getArg(0), address, access.bytes, site,
                         builder_.getInt32(static_cast<std::uint32_t>(kind)), found_slot()});
    const auto part = [&](std::uint64_t offset) {
      return builder_.CreateLoad(
          i64, builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), found_slot(), offset));
    };
    if (bounds.begin_kept) {
      builder_.CreateStore(part(offsetof(Found, span.begin)), bounds.begin_kept);
      builder_.CreateStore(part(offsetof(Found, span.bytes)), bounds.bytes_kept);
    }
    if (kind == AccessKind::range)
      return;
    llvm::Value* elsewhere = builder_.CreateIntToPtr(part(offsetof(Found, address)), pointer);
    builder_.SetInsertPoint(access.instruction->getParent(), access.instruction->getParent()->begin());
    llvm::PHINode* where = builder_.CreatePHI(pointer, 2);
    where->addIncoming(access.pointer, before);
    where->addIncoming(elsewhere, end->getParent());
    access.instruction->setOperand(llvm::isa<llvm::StoreInst>(access.instruction)
                                       ? llvm::StoreInst::getPointerOperandIndex()
                                       : 0, // loads and atomics have it first
                                   where);
  }

  llvm::AllocaInst* found_slot() {
    if (!found_slot_) {
      llvm::IRBuilder<> at(start());
      found_slot_ = at.CreateAlloca(at.getInt8Ty(), at.getInt32(sizeof(Found)));
      found_slot_->setAlignment(llvm::Align(8));
    }
    return found_slot_;
  }

  /// A fixed place in a private array, a parameter or a variable.
  bool is_plainly_inside(const Access& access) const {
    const auto* bytes = llvm::dyn_cast<llvm::ConstantInt>(access.bytes);
    if (!bytes)
      return false;
    llvm::APInt offset(64, 0);
    const llvm::DataLayout& layout = body_.getParent()->getDataLayout();
    const llvm::Value* base = access.pointer->stripAndAccumulateConstantOffsets(layout, offset, true);
    const std::uint64_t size = size_of(base);
    return size > 0 && offset.isNonNegative() && offset.getZExtValue() + bytes->getZExtValue() <= size;
  }

  /// Bytes of what has a fixed size; 0: no such thing.
  std::uint64_t size_of(const llvm::Value* base) const {
    const llvm::DataLayout& layout = body_.getParent()->getDataLayout();
    if (const auto* slot = llvm::dyn_cast_or_null<llvm::AllocaInst>(base)) {
      const auto size = slot->getAllocationSize(layout);
      return size ? size->getFixedValue() : 0;
    }
    if (const auto* variable = llvm::dyn_cast_or_null<llvm::GlobalVariable>(base))
      return layout.getTypeAllocSize(variable->getValueType());
    for (std::size_t k = 0; k < kernel_.parameters.size(); ++k)
      if (base && kernel_.parameters[k] == base)
        return kernel_.parameter_bytes[k];
    return 0;
  }

  Bounds bounds_of(const llvm::Value* root) {
    const auto [known, is_new] = bounds_.try_emplace(root);
    if (!is_new)
      return known->second;
    Bounds& bounds = known->second;
    builder_.SetInsertPoint(start());
    llvm::Type* i64 = builder_.getInt64Ty();
    if (const std::uint64_t size = size_of(root)) {
      bounds.begin = builder_.CreatePtrToInt(const_cast<llvm::Value*>(root), i64);
      bounds.bytes = builder_.getInt64(size);
      return bounds;
    }
    for (unsigned k = 0; k < kernel_.parameters.size(); ++k)
      if (root && kernel_.parameters[k] == root) {
        llvm::Value* spans = GroupReader(builder_, body_.getArg(0)).argument_spans();
        bounds.begin = read_invariant(builder_, i64, builder_.CreateConstInBoundsGEP1_64(i64, spans, 2 * k));
        bounds.bytes =
            read_invariant(builder_, i64, builder_.CreateConstInBoundsGEP1_64(i64, spans, 2 * k + 1));
        return bounds;
      }
    if (root && is_group_load(root, body_, offsetof(Group, shared))) {
      GroupReader reader(builder_, body_.getArg(0));
      bounds.begin = builder_.CreatePtrToInt(reader.shared(), i64);
      bounds.bytes = reader.shared_bytes();
      return bounds;
    }
    bounds.begin_kept = builder_.CreateAlloca(i64);
    bounds.bytes_kept = builder_.CreateAlloca(i64);
    builder_.CreateStore(builder_.getInt64(0), bounds.begin_kept);
    builder_.CreateStore(builder_.getInt64(0), bounds.bytes_kept);
    return bounds;
  }

  /// Behind the private arrays and parameters that stand at the beginning.
  llvm::Instruction* start() {
    if (!start_) {
      llvm::BasicBlock& entry = body_.getEntryBlock();
      llvm::Instruction* last = nullptr;
      for (llvm::Instruction& at : entry)
        if (llvm::isa<llvm::AllocaInst>(at) ||
            std::find(kernel_.parameters.begin(), kernel_.parameters.end(), &at) != kernel_.parameters.end())
          last = &at;
      llvm::Instruction* before = last ? last->getNextNode() : &*entry.getFirstInsertionPt();
      llvm::IRBuilder<> at(before);
      start_ = at.CreateAlloca(at.getInt8Ty()); // stays in its place whatever is put before it
    }
    return start_;
  }

  llvm::Constant* text(const std::string& words) {
    llvm::Constant*& known = texts_[words];
    if (!known)
      known = builder_.CreateGlobalString(words, "file", 0, body_.getParent());
    return known;
  }

  llvm::Constant* site_of(const llvm::Instruction& instruction) {
    const facts::SourceLocation place = ir::location_of(instruction, files_);
    auto* type = llvm::StructType::get(builder_.getPtrTy(), builder_.getInt32Ty(), builder_.getInt32Ty());
    const std::string file = place.line > 0 && place.file < files_.size() ? files_[place.file] : "";
    const auto key = std::tuple(file, place.line, place.column);
    llvm::Constant*& known = sites_[key];
    if (!known)
      known =
          new llvm::GlobalVariable(*body_.getParent(), type, true, llvm::GlobalValue::PrivateLinkage,
                                   llvm::ConstantStruct::get(type, {text(file), builder_.getInt32(place.line),
                                                                    builder_.getInt32(place.column)}));
    return known;
  }

  const FlatKernel& kernel_;
  llvm::Function& body_;
  const facts::SourceFiles& files_;
  llvm::IRBuilder<> builder_;
  std::map<const llvm::Value*, Bounds> bounds_; // never iterated
  std::map<std::string, llvm::Constant*> texts_;
  std::map<std::tuple<std::string, std::uint32_t, std::uint32_t>, llvm::Constant*> sites_;
  llvm::Instruction* start_ = nullptr;
  llvm::AllocaInst* found_slot_ = nullptr;
};

} // namespace

MemoryUse memory_use(const FlatKernel& kernel) {
  const llvm::Function& body = *kernel.body;
  MemoryUse use{std::vector<bool>(kernel.parameters.size()), std::vector<bool>(kernel.parameters.size())};
  for (const Access& access : accesses_of(*kernel.body)) {
    const llvm::Value* root = root_of(access.pointer);
    if (root && (llvm::isa<llvm::AllocaInst>(root) || is_group_load(root, body, offsetof(Group, shared))))
      continue;
    const auto parameter = std::find(kernel.parameters.begin(), kernel.parameters.end(), root);
    if (root && parameter != kernel.parameters.end()) {
      const auto k = static_cast<std::size_t>(parameter - kernel.parameters.begin());
      use.reads[k] = use.reads[k] || access.is_read;
      use.writes[k] = use.writes[k] || access.is_written;
    } else if (!root || !llvm::isa<llvm::GlobalVariable>(root) || access.is_written) {
      use.repeatable = false;
    }
  }
  for (const llvm::Instruction& at : llvm::instructions(body)) {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(&at);
    const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
    if (callee && (callee->getIntrinsicID() == llvm::Intrinsic::readcyclecounter ||
                   callee->getName() == "forewarp_image" || callee->getName() == "forewarp_print"))
      use.repeatable = false;
  }
  return use;
}

void check_accesses(const FlatKernel& kernel, const facts::SourceFiles& files) {
  Checker(kernel, files).run();
}

void lower_traps(const FlatKernel& kernel, const facts::SourceFiles& files) {
  Checker(kernel, files).traps();
}

} // namespace forewarp::native
