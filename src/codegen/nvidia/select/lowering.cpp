#include "codegen/nvidia/select/lowering.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>

namespace forewarp::codegen {

using facts::no_value;

Lowering::Lowering(const ir::KernelModule& module, const llvm::Function& function,
                   const gpu::Machine& machine, facts::SlowDivisions slow_divisions)
    : module_(module), function_(function), machine_(machine), layout_(function.getDataLayout()),
      nvidia_(module.family == ir::TargetFamily::nvidia),
      float_(function.getDenormalMode(llvm::APFloat::IEEEsingle()) == llvm::DenormalMode::getPreserveSign()
                 ? "f32z"
                 : "f32"),
      slow_divisions_(std::move(slow_divisions)),
      folding_(function, {.three_inputs = machine.compiler.three_input_alu,
                          .packs_halves = machine.compiler.half_conversions == gpu::HalfConversions::packed}),
      divergence_(function), merges_(nvidia_ ? merge_shared_loads(function) : SharedMerges()),
      dominators_(const_cast<llvm::Function&>(function)),
      post_dominators_(const_cast<llvm::Function&>(function)), loops_(dominators_) {}

unsigned Lowering::components(const llvm::Type* type) const {
  if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
    return vector->getNumElements();
  if (const auto* record = llvm::dyn_cast<llvm::StructType>(type))
    return record->getNumElements();
  return 1;
}

/// Bits of a component; pointers by their address space.
unsigned Lowering::bits(const llvm::Type* type) const {
  const llvm::Type* scalar = type->getScalarType();
  if (const auto* pointer = llvm::dyn_cast<llvm::PointerType>(scalar)) {
    const unsigned space = pointer->getAddressSpace();
    return space == 3 || space == 5 ? 32 : 64; // the machine's own pointers into shared and local memory
  }
  return std::max<unsigned>(
      1, static_cast<unsigned>(layout_.getTypeSizeInBits(const_cast<llvm::Type*>(scalar))));
}

std::uint32_t Lowering::new_register(const llvm::Type* component) {
  const unsigned wide = component->isSized() ? bits(component) : 32;
  sizes_.push_back(wide == 1 ? 0 : static_cast<std::uint8_t>(std::min(255U, (wide + 31) / 32)));
  return static_cast<std::uint32_t>(sizes_.size() - 1);
}

void Lowering::define(const llvm::Instruction& instruction, Registers registers) {
  values_[&instruction] = std::move(registers);
}

/// Registers of a value; constants and parameters have none (immediates and the constant bank).
Registers Lowering::registers_of(const llvm::Value* value) {
  auto found = values_.find(value);
  if (found != values_.end())
    return found->second;
  return Registers(components(value->getType()), no_value);
}

void Lowering::collect(const llvm::Value* value, llvm::SmallVectorImpl<std::uint32_t>& out) {
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction)
    return;
  if (folding_.fate(instruction) == Fate::absorbed) {
    for (const llvm::Value* operand : instruction->operands())
      collect(operand, out);
    return;
  }
  for (std::uint32_t reg : registers_of(value))
    if (reg != no_value && std::find(out.begin(), out.end(), reg) == out.end())
      out.push_back(reg);
}

llvm::SmallVector<std::uint32_t, 8> Lowering::sources_of(const llvm::Instruction& instruction) {
  llvm::SmallVector<std::uint32_t, 8> sources;
  for (const llvm::Value* operand : instruction.operands())
    collect(operand, sources);
  return sources;
}

/// Machine instructions of an operation. Where a 32-bit product is pieced together from halves, a constant
/// factor below 2^16 has none above: one piece less.
unsigned Lowering::instructions_of(OpClass op) const {
  const unsigned count = machine_.timing(op).instructions;
  if (op != OpClass::int_mul || count < 3 || !current_)
    return count;
  const auto is_short = [](const llvm::Value* factor) {
    const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(factor);
    return constant && constant->getValue().isIntN(16);
  };
  const llvm::Instruction* product = current_;
  for (const llvm::Value* operand : current_->operands())
    if (folding_.absorbed(operand))
      product = llvm::cast<llvm::Instruction>(operand);
  const bool shorter = product->getOpcode() == llvm::Instruction::Mul &&
                       (is_short(product->getOperand(0)) || is_short(product->getOperand(1)));
  return shorter ? count - 1 : count;
}

std::uint32_t Lowering::emit(OpClass op, llvm::ArrayRef<std::uint32_t> sources, const llvm::Type* result) {
  facts::MachineOp machine_op;
  machine_op.op = uniform_ && !facts::is_memory(op) ? OpClass::scalar_alu : op;
  for (std::uint32_t source : sources) {
    if (source == no_value || machine_op.source_count == machine_op.sources.size())
      continue;
    machine_op.sources[machine_op.source_count++] = source;
  }
  machine_op.location = location_;
  const auto slot = std::min<std::size_t>(machine_op.source_count, machine_op.sources.size() - 1);
  for (unsigned i = 1; i < instructions_of(machine_op.op); ++i) { // a chain that ends in it
    facts::MachineOp part = machine_op;
    part.destination = new_register(llvm::Type::getInt32Ty(function_.getContext()));
    block_->ops.push_back(part);
    machine_op.sources[slot] = part.destination;
    machine_op.source_count = static_cast<std::uint8_t>(slot + 1);
  }
  if (result)
    machine_op.destination = new_register(result);
  block_->ops.push_back(machine_op);
  count_pipes(machine_op.op);
  return machine_op.destination;
}

void Lowering::count_pipes(OpClass op) {
  const gpu::OpTiming& timing = machine_.timing(op);
  const int adds = machine_.timing(OpClass::int_add).unit, products = machine_.timing(OpClass::int_mul).unit;
  const bool either = timing.second_unit == adds || timing.second_unit == products;
  const bool to_products = either ? product_pipe_cycles_ < add_pipe_cycles_ : timing.unit == products;
  if (to_products)
    product_pipe_cycles_ += timing.issue_cycles;
  else if (either || timing.unit == adds)
    add_pipe_cycles_ += timing.issue_cycles;
}

// IMAD.IADD: the assembler multiplies by one and adds.
OpClass Lowering::plain_addition() const {
  const bool lighter = machine_.compiler.adds_on_lighter_pipe && product_pipe_cycles_ < add_pipe_cycles_;
  return lighter ? OpClass::int_mul : OpClass::int_add;
}

void Lowering::emit_void(OpClass op, llvm::ArrayRef<std::uint32_t> sources) {
  if (op == OpClass::branch)
    guards_.insert(guards_.end(), sources.begin(), sources.end());
  emit(op, sources, nullptr);
}

std::int32_t Lowering::constant_offset() const {
  const llvm::Value* pointer = current_ ? llvm::getLoadStorePointerOperand(current_) : nullptr;
  if (!pointer)
    return 0;
  llvm::APInt offset(layout_.getIndexTypeSizeInBits(pointer->getType()), 0);
  pointer->stripAndAccumulateConstantOffsets(layout_, offset, true);
  return static_cast<std::int32_t>(offset.getSExtValue());
}

void Lowering::emit_memory(OpClass op, llvm::ArrayRef<std::uint32_t> sources, const Registers& results,
                           unsigned width_bytes, unsigned parts) {
  parts = std::max(1U, parts);
  for (unsigned part = 0; part < parts; ++part) {
    emit(op, sources, nullptr);
    facts::MachineOp& made = block_->ops.back();
    made.width_bytes = static_cast<std::uint16_t>(width_bytes / parts);
    made.parts = static_cast<std::uint16_t>(parts);
    made.offset_bytes = constant_offset();
    auto site = site_index_.find(current_);
    if (site != site_index_.end())
      made.site = site->second;
    if (!results.empty())
      made.destination = results[std::min<std::size_t>(part * results.size() / parts, results.size() - 1)];
  }
}

void Lowering::emit_each(const llvm::Instruction& instruction, llvm::ArrayRef<OpClass> ops,
                         std::size_t beside, std::optional<std::size_t> guard) {
  const unsigned count = components(instruction.getType());
  const llvm::Type* scalar = instruction.getType()->getScalarType();
  const auto chain = [&](llvm::ArrayRef<std::uint32_t> sources) {
    return guard ? emit_guarded(ops, *guard, sources, scalar) : emit_chain(ops, sources, scalar, beside);
  };
  if (count == 1) {
    define(instruction, chain(sources_of(instruction)));
    return;
  }
  const bool of_halves =
      ops.size() == 1 && ((ops.front() >= OpClass::fp16_add && ops.front() <= OpClass::fp16_fma) ||
                          ops.front() == OpClass::cvt_narrow);
  const bool packed = of_halves && scalar->is16bitFPTy();
  Registers results;
  for (unsigned lane = 0; lane < count; ++lane) {
    if (packed && lane % 2 == 1) { // two halves in one operation
      results.push_back(results.back());
      continue;
    }
    llvm::SmallVector<std::uint32_t, 8> sources;
    for (const llvm::Value* operand : instruction.operands()) {
      const Registers all = registers_of(operand);
      if (folding_.absorbed(operand)) {
        for (const llvm::Value* inner : llvm::cast<llvm::Instruction>(operand)->operands())
          if (const Registers of = registers_of(inner); of.size() == count && of[lane] != no_value)
            sources.push_back(of[lane]);
      } else if (const std::uint32_t reg = all[std::min<std::size_t>(lane, all.size() - 1)];
                 reg != no_value) {
        sources.push_back(reg);
      }
    }
    results.push_back(chain(sources).front());
  }
  define(instruction, results);
}

namespace {

/// Plain arithmetic may stand beside the way to the result; what goes through a slower pipe is on it.
bool may_be_beside(OpClass op) {
  switch (op) {
  case OpClass::sfu:
  case OpClass::cvt_narrow:
  case OpClass::cvt_32:
  case OpClass::cvt_64:
  case OpClass::branch:
  case OpClass::nop:
    return false;
  default:
    return !facts::is_memory(op);
  }
}

/// Which operations stand beside the way: `count` of those that may, spread evenly. Never the last.
llvm::BitVector spread_beside(llvm::ArrayRef<OpClass> ops, std::size_t count) {
  llvm::BitVector is_beside(static_cast<unsigned>(ops.size()));
  llvm::SmallVector<unsigned, 32> may;
  for (unsigned i = 0; i + 1 < ops.size(); ++i)
    if (may_be_beside(ops[i]))
      may.push_back(i);
  for (std::size_t k = 0; k < may.size(); ++k)
    if ((k + 1) * count / may.size() > k * count / may.size())
      is_beside.set(may[k]);
  return is_beside;
}

} // namespace

Registers Lowering::emit_chain(llvm::ArrayRef<OpClass> ops, llvm::ArrayRef<std::uint32_t> sources,
                               const llvm::Type* result, std::size_t beside) {
  constexpr std::size_t temporaries_alive =
      4; // of a long expansion: partial results that are read again later
  llvm::SmallVector<std::uint32_t, 8> inputs(sources.begin(), sources.end());
  llvm::SmallVector<std::uint32_t, 16> made;
  std::uint32_t last = inputs.empty() ? no_value : inputs.front();
  const llvm::BitVector is_beside = spread_beside(ops, beside);
  for (std::size_t i = 0; i < ops.size(); ++i) {
    if (ops[i] == OpClass::branch && i + 1 != ops.size()) {
      emit_void(ops[i], {last});
      continue;
    }
    if (ops[i] == OpClass::nop) {
      emit_void(ops[i], {});
      continue;
    }
    if (is_beside[static_cast<unsigned>(i)]) {
      emit(ops[i], sources, result);
      continue;
    }
    last = emit(ops[i], inputs, result);
    made.push_back(last);
    inputs.assign({last});
    if (made.size() > temporaries_alive && ops.size() > 2 * temporaries_alive)
      inputs.push_back(made[made.size() - 1 - temporaries_alive]);
    if (!sources.empty() && sources.front() != last)
      inputs.push_back(sources.front());
  }
  return {last};
}

Registers Lowering::emit_guarded(llvm::ArrayRef<OpClass> ops, std::size_t guard,
                                 llvm::ArrayRef<std::uint32_t> sources, const llvm::Type* result) {
  llvm::SmallVector<std::uint32_t, 8> inputs(sources.begin(), sources.end());
  std::uint32_t predicate = no_value;
  for (std::size_t i = 0; i < ops.size(); ++i) {
    if (i == guard) {
      predicate = emit(ops[i], inputs, llvm::Type::getInt1Ty(function_.getContext()));
      guards_.push_back(predicate);
      continue;
    }
    if (predicate != no_value && ops[i] != OpClass::sfu)
      inputs.push_back(predicate);
    inputs.assign({emit(ops[i], inputs, result)});
  }
  return {inputs.front()};
}

void Lowering::assign_phis_and_order() {
  std::uint32_t index = 0;
  for (const llvm::BasicBlock& block : function_) {
    block_index_[&block] = index++;
    for (const llvm::PHINode& phi : block.phis()) {
      Registers registers;
      for (unsigned c = 0; c < components(phi.getType()); ++c)
        registers.push_back(new_register(phi.getType()->getScalarType()));
      define(phi, registers);
    }
  }
}

Result<void> Lowering::run(facts::MachineProgram& program) {
  program_ = &program;
  program.blocks.resize(function_.size());
  const ir::Numbering numbering = ir::number(function_);
  for (std::size_t i = 0; i < numbering.sites.size(); ++i)
    site_index_[numbering.sites[i].instruction] = static_cast<std::uint32_t>(i);
  for (std::size_t b = 0; b < numbering.sites_of_block.size(); ++b)
    program.blocks[b].memory_sites = numbering.sites_of_block[b];
  assign_phis_and_order();

  llvm::ReversePostOrderTraversal<const llvm::Function*> order(&function_);
  for (const llvm::BasicBlock* block : order) {
    block_ = &program.blocks[block_index_[block]];
    add_pipe_cycles_ = product_pipe_cycles_ = 0;
    if (block == &function_.getEntryBlock() && nvidia_)
      emit_void(OpClass::move, {}); // the stack pointer, set up by every kernel
    if (nvidia_)
      reconverge_at(*block);
    for (const llvm::Instruction& instruction : *block) {
      if (instruction.isTerminator())
        phi_moves(*block);
      current_ = &instruction;
      location_ = ir::location_of(instruction, module_.files);
      uniform_ =
          !nvidia_ && !divergence_.is_divergent(&instruction) && !instruction.getType()->isFPOrFPVectorTy();
      FOREWARP_TRY(select(instruction));
    }
  }
  for (const llvm::BasicBlock& block : function_)
    for (const llvm::PHINode& phi : block.phis())
      for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
        const Registers to = registers_of(&phi), from = registers_of(phi.getIncomingValue(i));
        for (std::size_t c = 0; c < to.size(); ++c)
          program.blocks[block_index_[&block]].phis.push_back(
              {block_index_[phi.getIncomingBlock(i)], to[c], from[std::min(c, from.size() - 1)]});
      }
  for (AsyncCopies* copies : {&copies_, &bulk_copies_, &products_})
    copies->connect(
        program, loops_, [this](const llvm::BasicBlock& block) { return block_index_.at(&block); },
        [this] { return new_register(llvm::Type::getInt1Ty(function_.getContext())); });
  if (nvidia_)
    finish_predicated_bodies();
  program.value_count = static_cast<std::uint32_t>(sizes_.size());
  return {};
}

} // namespace forewarp::codegen
