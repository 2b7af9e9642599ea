#include "port/estimate/lowered.h"

#include "codegen/machine_step.h"
#include "frontend/guard.h"
#include "port/estimate/amd_region.h"
#include "port/estimate/run_passes.h"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopStrengthReduce.h>

#include <algorithm>
#include <map>

namespace forewarp::port {
namespace {

bool is_amd(const gpu::Machine& machine) {
  return !machine.target.starts_with("sm_");
}

Result<ir::KernelModule> load(const RegionCode& code, const facts::RegionTrace& trace,
                              const gpu::Machine& machine) {
  if (code.bitcode == nullptr || code.functions.empty() || code.blocks.size() != trace.blocks.size())
    return fail(ErrorCode::unsupported, "the loop's code could not be taken out of its function");
  auto context = std::make_unique<llvm::LLVMContext>();
  auto module = llvm::parseBitcodeFile(llvm::MemoryBufferRef(*code.bitcode, "region"), *context);
  if (!module)
    return fail(ErrorCode::internal,
                "the region's code cannot be read: " + llvm::toString(module.takeError()));
  for (llvm::Function& function : **module) // the host's
    for (const char* attribute : {"target-cpu", "target-features", "tune-cpu"})
      function.removeFnAttr(attribute);
  ir::KernelModule out(std::move(context), std::move(*module));
  out.language = ir::SourceLanguage::c;
  out.family = is_amd(machine) ? ir::TargetFamily::amd : ir::TargetFamily::nvidia;
  out.target = machine.target;
  out.warp_width = machine.warp_width;
  out.files = trace.files;
  return out;
}

/// group index * group size + index in the group
llvm::Value* thread_index(llvm::IRBuilder<>& builder, llvm::Module& module, unsigned axis) {
  const auto read = [&](const std::string& name) {
    return builder.CreateCall(module.getOrInsertFunction(
        "llvm.nvvm.read.ptx.sreg." + name + "." + std::string(1, "xyz"[axis]), builder.getInt32Ty()));
  };
  llvm::Value* const group = read("ctaid");
  llvm::Value* const first = builder.CreateMul(group, read("ntid"));
  return builder.CreateAdd(first, read("tid"));
}

void read_threads(ir::KernelModule& kernel, const std::string& name, const facts::RegionTrace& trace) {
  const bool amd = kernel.family == ir::TargetFamily::amd;
  llvm::Module& module = kernel.module();
  std::vector<std::pair<llvm::PHINode*, unsigned>> parallel;
  for (llvm::BasicBlock& block : *module.getFunction(name))
    for (llvm::PHINode& phi : block.phis())
      if (const llvm::MDNode* mark = phi.getMetadata(induction_mark)) {
        const auto loop = llvm::mdconst::extract<llvm::ConstantInt>(mark->getOperand(0))->getZExtValue();
        const int dimension = loop < trace.loops.size() ? trace.loops[loop].parallel_dimension : -1;
        if (dimension >= 0 && phi.getType()->isIntegerTy())
          parallel.emplace_back(&phi, trace.dimensions - 1 - static_cast<unsigned>(dimension));
      }
  for (const auto& [phi, axis] : parallel) {
    llvm::IRBuilder<> builder(phi->getParent(), phi->getParent()->getFirstInsertionPt());
    llvm::Value* const index =
        builder.CreateIntCast(amd ? amd_thread_index(builder, std::min(axis, 2U), trace)
                                  : thread_index(builder, module, std::min(axis, 2U)),
                              phi->getType(), true);
    // The step stays: its comparison stands for the guard of the grid's border.
    phi->replaceUsesWithIf(index, [phi = phi](const llvm::Use& use) {
      return std::none_of(phi->incoming_values().begin(), phi->incoming_values().end(),
                          [&](const llvm::Value* next) { return next == use.getUser(); });
    });
  }
}

/// Calls of functions whose blocks are counted by themselves.
void mark_calls(llvm::Module& module, const RegionCode& code) {
  std::vector<llvm::CallInst*> calls;
  for (const std::string& name : code.functions)
    for (llvm::User* user : module.getFunction(name)->users())
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(user);
          call != nullptr && call->getCalledFunction() == module.getFunction(name))
        calls.push_back(call);
  std::size_t number = 0;
  for (llvm::CallInst* call : calls)
    call->setCalledFunction(module.getOrInsertFunction(codegen::counted_call + std::to_string(number++),
                                                       call->getFunctionType()));
}

/// What every GPU compiler does to loops: addresses become pointers that move, not products.
void reduce_strength(llvm::Function& function) {
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LoopStrengthReducePass()));
  passes.addPass(llvm::EarlyCSEPass());
  passes.addPass(llvm::ADCEPass());
  run_passes(function, std::move(passes));
}

/// Optimises the functions; returns the code with its blocks' places in them. Empty: a block is gone.
RegionCode optimise(llvm::Module& module, const RegionCode& code) {
  std::vector<llvm::BasicBlock*> blocks;
  for (const RegionCode::Place& place : code.blocks)
    blocks.push_back(&*std::next(module.getFunction(code.functions[place.function])->begin(), place.block));
  std::map<const llvm::BasicBlock*, RegionCode::Place> places;
  for (std::uint32_t f = 0; f < code.functions.size(); ++f) {
    llvm::Function& function = *module.getFunction(code.functions[f]);
    reduce_strength(function);
    std::uint32_t position = 0;
    for (const llvm::BasicBlock& block : function)
      places[&block] = {f, position++};
  }
  RegionCode out = code;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const auto place = places.find(blocks[b]);
    if (place == places.end())
      return {};
    out.blocks[b] = place->second;
  }
  return out;
}

/// Programs of the functions, put together with the region's numbers for blocks and sites.
class Joiner {
public:
  Joiner(const RegionCode& code, const facts::RegionTrace& trace) : code_(code), trace_(trace) {
    out_.blocks.resize(trace.blocks.size());
    for (std::uint32_t b = 0; b < code.blocks.size(); ++b)
      region_block_[{code.blocks[b].function, code.blocks[b].block}] = b;
  }

  Result<void> add(std::uint32_t function, const facts::MachineProgram& program) {
    for (std::uint32_t b = 0; b < code_.blocks.size(); ++b) {
      if (code_.blocks[b].function != function)
        continue;
      if (code_.blocks[b].block >= program.blocks.size())
        return fail(ErrorCode::internal, "the region's code lost a block");
      FOREWARP_TRY(add_block(b, function, program));
    }
    first_value_ += program.value_count;
    out_.notes.insert(out_.notes.end(), program.notes.begin(), program.notes.end());
    out_.resources.registers_per_thread =
        std::max(out_.resources.registers_per_thread, program.resources.registers_per_thread);
    out_.resources.scalar_registers =
        std::max(out_.resources.scalar_registers, program.resources.scalar_registers);
    return {};
  }

  facts::MachineProgram take(const gpu::Machine& machine) {
    out_.kernel = trace_.name;
    out_.target = machine.target;
    out_.warp_width = machine.warp_width;
    out_.files = trace_.files;
    out_.value_count = first_value_;
    return std::move(out_);
  }

private:
  std::uint32_t value(std::uint32_t of) const { return of == facts::no_value ? of : of + first_value_; }

  Result<void> add_block(std::uint32_t b, std::uint32_t function, const facts::MachineProgram& program) {
    const facts::MachineBlock& from = program.blocks[code_.blocks[b].block];
    facts::MachineBlock& to = out_.blocks[b];
    if (from.memory_sites != trace_.blocks[b].site_count)
      return fail(ErrorCode::internal, "the region's code has other memory accesses than its trace");
    to.memory_sites = from.memory_sites;
    to.ops = from.ops;
    for (facts::MachineOp& op : to.ops) {
      for (std::uint32_t& source : op.sources)
        source = value(source);
      op.destination = value(op.destination);
      if (op.site != facts::no_value)
        op.site = trace_.blocks[b].first_site + program.sites[op.site].index_in_block;
    }
    for (facts::PhiAlias phi : from.phis) {
      const auto previous = region_block_.find({function, phi.previous_block});
      if (previous == region_block_.end())
        continue;
      to.phis.push_back({previous->second, value(phi.destination), value(phi.source)});
    }
    return {};
  }

  const RegionCode& code_;
  const facts::RegionTrace& trace_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> region_block_;
  facts::MachineProgram out_;
  std::uint32_t first_value_ = 0;
};

Result<facts::MachineProgram> lower_all(ir::KernelModule& module, const RegionCode& as_counted,
                                        const facts::RegionTrace& trace, const gpu::Machine& machine) {
  read_threads(module, as_counted.functions.front(), trace);
  mark_calls(module.module(), as_counted);
  const RegionCode code = optimise(module.module(), as_counted);
  if (code.functions.empty())
    return fail(ErrorCode::unsupported, "the optimiser dropped one of the loop's blocks");
  if (is_amd(machine))
    FOREWARP_TRY(make_amd_kernel(module.module(), code.functions.front()));
  codegen::MachineStepOptions options;
  options.group_threads =
      static_cast<unsigned>(std::min<std::uint64_t>(1024, trace.block[0] * trace.block[1] * trace.block[2]));
  Joiner joiner(code, trace);
  for (std::uint32_t f = 0; f < code.functions.size(); ++f) {
    ir::KernelSignature kernel;
    kernel.name = kernel.symbol = code.functions[f];
    const auto program = codegen::lower(module, kernel, machine, options);
    FOREWARP_TRY(program);
    FOREWARP_TRY(joiner.add(f, *program));
  }
  return joiner.take(machine);
}

} // namespace

Result<facts::MachineProgram> lowered_program(const RegionCode& code, const facts::RegionTrace& trace,
                                              const gpu::Machine& machine) {
  auto module = load(code, trace, machine);
  FOREWARP_TRY(module);
  Result<facts::MachineProgram> program;
  auto ran =
      frontend::run_guarded("the machine step", [&] { program = lower_all(*module, code, trace, machine); });
  if (!ran) {
    module->abandon();
    return tl::unexpected(ran.error());
  }
  return program;
}

} // namespace forewarp::port
