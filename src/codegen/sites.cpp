#include "codegen/sites.h"

#include "codegen/divergence.h"
#include "ir/address_spaces.h"
#include "ir/builtins.h"
#include "ir/variable_name.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <string>
#include <vector>

namespace forewarp::codegen {

namespace {

using facts::AccessKind;
using facts::MemorySpace;

MemorySpace memory_space(unsigned space, bool nvidia) {
  switch (space) {
  case 3:
    return MemorySpace::shared;
  case 4:
    return nvidia ? MemorySpace::constant : MemorySpace::global;
  case 5:
    return MemorySpace::local;
  case 101:
    return MemorySpace::parameter;
  default:
    return MemorySpace::global;
  }
}

llvm::StringRef name_of(const llvm::CallBase& call) {
  return call.getCalledFunction() ? call.getCalledFunction()->getName() : llvm::StringRef();
}

/// The end of a bulk copy in another group of the cluster: its second argument.
bool goes_across(const llvm::CallBase& call) {
  const llvm::StringRef name = name_of(call);
  return name.starts_with("forewarp.engine.bytes.across.") && !name.ends_with(".read");
}

/// The side of a bulk copy that lies in global memory: its second argument is the buffer, or the tensor map.
bool reaches_global(const llvm::CallBase& call) {
  const llvm::StringRef name = name_of(call);
  const bool reads = name.ends_with(".read");
  return name.starts_with(llvm::StringRef(ir::builtins::engine_prefix)) &&
         (reads || name.ends_with(".write") || name.contains(".combine.")) &&
         name.contains(".in.") == reads && !goes_across(call);
}

const llvm::Value* pointer_of(const llvm::Instruction& instruction) {
  if (const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction))
    return pointer;
  if (const auto* rmw = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    return rmw->getPointerOperand();
  if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    return exchange->getPointerOperand();
  if (const auto* copy = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction))
    return copy->getRawDest();
  const auto& call = llvm::cast<llvm::CallBase>(instruction);
  if (reaches_global(call) || goes_across(call))
    return call.getArgOperand(1);
  for (const llvm::Value* argument : call.args())
    if (argument->getType()->isPtrOrPtrVectorTy())
      return argument;
  return nullptr;
}

std::uint32_t width_of(const llvm::Instruction& instruction, const llvm::DataLayout& layout) {
  llvm::Type* type = instruction.getType();
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    type = store->getValueOperand()->getType();
  if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    type = exchange->getCompareOperand()->getType();
  return type->isSized() ? static_cast<std::uint32_t>(layout.getTypeStoreSize(type).getFixedValue()) : 4;
}

/// Barriers in memory are words of 64 bits; bulk copies move 16 bytes a lane.
void describe_meeting(const llvm::CallBase& call, facts::MemorySite& site) {
  const llvm::StringRef name = name_of(call);
  const bool combines = name.contains(".combine.");
  const bool copies = name.ends_with(".read") || name.ends_with(".write") || combines;
  site.kind = name.ends_with(".read") || name.contains(".wait_") ? AccessKind::load : AccessKind::store;
  if (combines && reaches_global(call))
    site.kind = AccessKind::atomic;
  site.space = reaches_global(call) ? MemorySpace::global : MemorySpace::shared;
  site.width_bytes = copies ? 16 : 8;
  site.returns_value = !copies;
  site.meets = true;
  site.moved_by_neighbour = name == "forewarp.engine.arrive"; // made with the read
}

void describe_call(const llvm::CallBase& call, facts::MemorySite& site) {
  const llvm::StringRef name = name_of(call);
  if (name.starts_with(llvm::StringRef(ir::builtins::meeting_prefix)) ||
      name.starts_with(llvm::StringRef(ir::builtins::engine_prefix)))
    return describe_meeting(call, site);
  if (name.contains(".atomic."))
    site.kind = AccessKind::atomic;
  else if (call.getType()->isVoidTy())
    site.kind = AccessKind::store;
  if (name.contains("forewarp.image.read") || name.contains(".tex.") || name.contains(".suld.") ||
      name.contains("tld4"))
    site.space = MemorySpace::texture;
}

llvm::SmallVector<const llvm::Value*, 4> objects_behind(const llvm::Value* pointer) {
  llvm::SmallVector<const llvm::Value*, 4> objects;
  llvm::getUnderlyingObjects(pointer, objects, nullptr, 0);
  return objects;
}

/// The variable that a pointer leads to, also round loops; "a|b" where either may be meant.
std::string buffer_of(const llvm::Value* pointer, llvm::StringRef function) {
  std::vector<std::string> names;
  for (const llvm::Value* object : objects_behind(pointer)) {
    std::string name = ir::variable_name(object->getName(), function);
    for (const char* mark : {".sroa.", ".coerce"}) // a piece of an array that was split; HIP's pointers
      name.resize(std::min(name.size(), name.find(mark)));
    if (std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(name);
  }
  return fmt::format("{}", fmt::join(names, "|"));
}

/// Private arrays through a pointer that does not say so.
bool is_private(const llvm::Value* pointer) {
  return llvm::all_of(objects_behind(pointer),
                      [](const llvm::Value* object) { return llvm::isa<llvm::AllocaInst>(object); });
}

/// What NVIDIA's compilers load with ld.global.nc: marked invariant (__ldg), or through a parameter that
/// nothing else aliases and nobody writes (const __restrict__).
bool takes_read_only_path(const llvm::LoadInst& load) {
  if (load.hasMetadata(llvm::LLVMContext::MD_invariant_load))
    return true;
  return llvm::all_of(objects_behind(load.getPointerOperand()), [](const llvm::Value* object) {
    const auto* argument = llvm::dyn_cast<llvm::Argument>(object);
    return argument && argument->hasNoAliasAttr() && argument->onlyReadsMemory();
  });
}

/// Sums, bits and extremes: operands of many lanes make one. Exchanges and increments that wrap do not.
bool is_associative(llvm::AtomicRMWInst::BinOp operation) {
  switch (operation) {
  case llvm::AtomicRMWInst::Add:
  case llvm::AtomicRMWInst::Sub:
  case llvm::AtomicRMWInst::And:
  case llvm::AtomicRMWInst::Or:
  case llvm::AtomicRMWInst::Xor:
  case llvm::AtomicRMWInst::Max:
  case llvm::AtomicRMWInst::Min:
  case llvm::AtomicRMWInst::UMax:
  case llvm::AtomicRMWInst::UMin:
    return true;
  default:
    return false;
  }
}

bool is_associative_with_rounding(llvm::AtomicRMWInst::BinOp operation) {
  return operation == llvm::AtomicRMWInst::FAdd || operation == llvm::AtomicRMWInst::FSub ||
         operation == llvm::AtomicRMWInst::FMax || operation == llvm::AtomicRMWInst::FMin;
}

/// Atomics on one address: the lanes' operands are joined (vote and count, or a reduction over the lanes) and
/// one lane goes to memory. NVIDIA's assembler does so with integers of 32 bits: read off kernels assembled
/// for sm_75, sm_80, sm_86 and sm_90; "warp-aggregated atomics" of the CUDA 9 compiler. LLVM's back end for
/// AMD GPUs does so in global memory and LDS, also where a loop of compare-and-swaps stands for the atomic:
/// AMDGPUAtomicOptimizer.cpp, on by itself since LLVM 17; read off llc 19's code for gfx700 to gfx1100.
bool is_joined_over_warp(const llvm::AtomicRMWInst& atomic, const Divergence& divergence, bool nvidia) {
  const llvm::Type& type = *atomic.getType();
  const bool fits =
      nvidia ? is_associative(atomic.getOperation()) && type.isIntegerTy(32)
             : (is_associative(atomic.getOperation()) && (type.isIntegerTy(32) || type.isIntegerTy(64))) ||
                   (is_associative_with_rounding(atomic.getOperation()) &&
                    (type.isFloatTy() || type.isDoubleTy()));
  const unsigned space = atomic.getPointerAddressSpace();
  return fits && (nvidia || space == ir::global_space || space == ir::shared_space) &&
         !divergence.is_divergent(atomic.getPointerOperand());
}

/// The word that the operation found, or that word in another type.
bool is_found_by(const llvm::Value* value, const llvm::AtomicCmpXchgInst& swap) {
  while (const auto* cast = llvm::dyn_cast<llvm::CastInst>(value))
    value = cast->getOperand(0);
  const auto* part = llvm::dyn_cast<llvm::ExtractValueInst>(value);
  return part && part->getAggregateOperand() == &swap && part->getIndices().front() == 0;
}

/// `do { expected = found; found = atomicCAS(p, expected, f(expected)); } while (found != expected)`: expects
/// what the try before found, and is tried again for no other reason than that it failed. Loops that also
/// stop when the word found is good enough (minima, maxima), locks and tables of keys are none.
bool is_tried_until_it_succeeds(const llvm::AtomicCmpXchgInst& swap) {
  const llvm::BasicBlock* block = swap.getParent();
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
  if (!branch || !branch->isConditional() || !llvm::is_contained(branch->successors(), block))
    return false;
  const llvm::Value* expected = swap.getCompareOperand();
  while (const auto* cast = llvm::dyn_cast<llvm::CastInst>(expected))
    expected = cast->getOperand(0);
  const auto* carried = llvm::dyn_cast<llvm::PHINode>(expected);
  if (!carried || carried->getParent() != block ||
      !is_found_by(carried->getIncomingValueForBlock(block), swap))
    return false;
  if (const auto* part = llvm::dyn_cast<llvm::ExtractValueInst>(branch->getCondition()))
    return part->getAggregateOperand() == &swap && part->getIndices().front() == 1;
  const auto* compared = llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition());
  return compared && compared->isEquality() &&
         (is_found_by(compared->getOperand(0), swap) || is_found_by(compared->getOperand(1), swap));
}

facts::AtomicKind atomic_kind(const llvm::Instruction& instruction) {
  if (const auto* swap = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    return is_tried_until_it_succeeds(*swap) ? facts::AtomicKind::compare_swap : facts::AtomicKind::integer;
  const auto* atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
  return atomic != nullptr && atomic->isFloatingPointOperation() ? facts::AtomicKind::floating
                                                                 : facts::AtomicKind::integer;
}

bool adds_one(const llvm::AtomicRMWInst& atomic) {
  const auto* value = llvm::dyn_cast<llvm::ConstantInt>(atomic.getValOperand());
  if (value == nullptr || !value->getType()->isIntegerTy(32))
    return false;
  return atomic.getOperation() == llvm::AtomicRMWInst::Add
             ? value->isOne()
             : atomic.getOperation() == llvm::AtomicRMWInst::UIncWrap && value->isMinusOne();
}

} // namespace

std::vector<facts::MemorySite> memory_sites(const ir::KernelModule& module, const llvm::Function& function) {
  const bool nvidia = module.family == ir::TargetFamily::nvidia;
  std::vector<facts::MemorySite> sites;
  std::optional<Divergence> divergence; // few kernels need it
  for (const ir::Numbering::Site& from : ir::number(function).sites) {
    const llvm::Instruction& instruction = *from.instruction;
    facts::MemorySite site;
    site.block = from.block;
    site.index_in_block = from.index_in_block;
    site.location = ir::location_of(instruction, module.files);
    site.width_bytes = width_of(instruction, function.getDataLayout());
    if (llvm::isa<llvm::StoreInst>(instruction))
      site.kind = AccessKind::store;
    else if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction)) {
      site.kind = AccessKind::atomic;
      site.returns_value = !instruction.use_empty();
    }
    if (const auto* atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
      if (!divergence)
        divergence.emplace(function);
      site.one_per_warp = is_joined_over_warp(*atomic, *divergence, nvidia);
      site.counts = adds_one(*atomic) && !site.returns_value;
    }
    if (const llvm::Value* pointer = pointer_of(instruction)) {
      site.space = memory_space(pointer->getType()->getPointerAddressSpace(), nvidia);
      if (site.space == MemorySpace::global && is_private(pointer))
        site.space = MemorySpace::local;
      site.buffer = buffer_of(pointer, function.getName());
    }
    if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
      describe_call(*call, site);
    if (instruction.hasMetadata(llvm::StringRef(ir::builtins::async_copy)))
      site.returns_value = false; // to shared memory, past the registers
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      site.read_only_path = nvidia && takes_read_only_path(*load);
    sites.push_back(site);
  }
  return sites;
}

facts::AtomicKinds atomic_kinds(const ir::KernelModule& module, const ir::KernelSignature& kernel) {
  facts::AtomicKinds kinds;
  if (const llvm::Function* function = module.module().getFunction(kernel.symbol))
    for (const ir::Numbering::Site& site : ir::number(*function).sites)
      kinds.push_back(atomic_kind(*site.instruction));
  return kinds;
}

} // namespace forewarp::codegen
