#include "ir/kernel_module.h"

#include "ir/address_spaces.h"
#include "ir/builtins.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <algorithm>

namespace forewarp::ir {

KernelModule::KernelModule(std::unique_ptr<llvm::LLVMContext> context, std::unique_ptr<llvm::Module> module)
    : context_(std::move(context)), module_(std::move(module)) {}
KernelModule::KernelModule(KernelModule&&) noexcept = default;
KernelModule& KernelModule::operator=(KernelModule&& other) noexcept {
  module_.reset(); // before its context
  context_ = std::move(other.context_);
  module_ = std::move(other.module_);
  language = other.language;
  family = other.family;
  target = std::move(other.target);
  warp_width = other.warp_width;
  non_uniform_groups_allowed = other.non_uniform_groups_allowed;
  kernels = std::move(other.kernels);
  files = std::move(other.files);
  diagnostics = std::move(other.diagnostics);
  notes = std::move(other.notes);
  return *this;
}
KernelModule::~KernelModule() = default;

void KernelModule::abandon() {
  (void)module_.release();
  (void)context_.release();
}

facts::SourceLocation location_of(const llvm::Instruction& instruction, const facts::SourceFiles& files) {
  for (const llvm::DILocation* at = instruction.getDebugLoc().get(); at; at = at->getInlinedAt()) {
    if (at->getLine() == 0)
      continue;
    auto file = std::find(files.begin(), files.end(), at->getFilename());
    if (file != files.end())
      return {static_cast<std::uint32_t>(file - files.begin()), at->getLine(), at->getColumn()};
  }
  return {};
}

namespace {

/// Kernel arguments and dispatch data of AMD GPUs arrive through these pointers.
bool is_amd_implicit_pointer(const llvm::Value* pointer) {
  const auto* base = llvm::dyn_cast<llvm::IntrinsicInst>(pointer->stripInBoundsOffsets());
  if (!base)
    return false;
  llvm::StringRef name = base->getCalledFunction()->getName();
  return name == "llvm.amdgcn.kernarg.segment.ptr" || name == "llvm.amdgcn.implicitarg.ptr" ||
         name == "llvm.amdgcn.dispatch.ptr";
}

bool is_site_load(const llvm::LoadInst& load) {
  unsigned space = load.getPointerAddressSpace();
  if (space == nvptx_parameter_space)
    return false;
  return space != constant_space || !is_amd_implicit_pointer(load.getPointerOperand());
}

bool is_memory_call(const llvm::CallBase& call) {
  if (llvm::isa<llvm::MemIntrinsic>(call))
    return true;
  const llvm::Function* callee = call.getCalledFunction();
  if (!callee)
    return false;
  static constexpr std::array prefixes = {
      "llvm.nvvm.ldg.",
      "llvm.nvvm.ldu.",
      "llvm.nvvm.atomic.",
      "llvm.nvvm.tex.",
      "llvm.nvvm.suld.",
      "llvm.nvvm.sust.",
      "llvm.nvvm.tld4.",
      "llvm.masked.load",
      "llvm.masked.store",
      "llvm.masked.gather",
      "llvm.masked.scatter",
      "forewarp.image.read.",
      "forewarp.image.write.",
      "forewarp.atomic.",
      "forewarp.meeting.",
      "forewarp.engine.arrive",
      "llvm.memcpy.element.unordered.atomic",
      "llvm.memset.element.unordered.atomic",
  };
  llvm::StringRef name = callee->getName();
  if (std::any_of(prefixes.begin(), prefixes.end(), [&](const char* p) { return name.starts_with(p); }))
    return true;
  if (name.starts_with("forewarp.engine.")) // of a bulk copy the side that lies in global memory
    return name.contains(".in.") ? name.ends_with(".read")
                                 : name.ends_with(".write") || name.contains(".combine.");
  return name.starts_with("llvm.nvvm.wmma.") && (name.contains(".load.") || name.contains(".store."));
}

} // namespace

bool is_memory_site(const llvm::Instruction& instruction) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return is_site_load(*load);
  if (llvm::isa<llvm::StoreInst, llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction))
    return true;
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return call && is_memory_call(*call);
}

Numbering number(const llvm::Function& kernel) {
  Numbering numbering;
  std::uint32_t block_index = 0;
  for (const llvm::BasicBlock& block : kernel) {
    std::uint32_t in_block = 0;
    for (const llvm::Instruction& instruction : block)
      if (is_memory_site(instruction))
        numbering.sites.push_back({&instruction, block_index, in_block++});
    numbering.sites_of_block.push_back(in_block);
    ++block_index;
  }
  return numbering;
}

} // namespace forewarp::ir
