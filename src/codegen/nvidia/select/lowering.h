// State of lowering one kernel: values -> virtual registers, operations by block. The select_*.cpp files hold
// the rules, one subject each.
#pragma once

#include "codegen/divergence.h"
#include "codegen/nvidia/select/async_copies.h"
#include "codegen/nvidia/select/folding.h"
#include "codegen/nvidia/select/shared_merge.h"
#include "facts/machine_program.h"
#include "facts/slow_division.h"
#include "gpu/machine.h"
#include "ir/kernel_module.h"
#include "support/result.h"

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace forewarp::codegen {

using facts::OpClass;
using Registers = llvm::SmallVector<std::uint32_t, 4>; ///< one virtual register per vector component

class Lowering {
public:
  Lowering(const ir::KernelModule& module, const llvm::Function& function, const gpu::Machine& machine,
           facts::SlowDivisions slow_divisions = {});

  /// Operations of every block in IR order; fills `program` but for resources.
  Result<void> run(facts::MachineProgram& program);
  /// 32-bit registers that a virtual register takes (0: predicate; known after run).
  const std::vector<std::uint8_t>& register_sizes() const { return sizes_; }
  /// Predicates that operations or branches run under.
  const std::vector<std::uint32_t>& guards() const { return guards_; }
  std::uint64_t local_bytes() const { return local_bytes_; }
  /// Blocks, by index, that run under a predicate.
  llvm::BitVector predicated_blocks() const;

private:
  // values
  void assign_phis_and_order();
  Registers registers_of(const llvm::Value* value);
  void collect(const llvm::Value* value, llvm::SmallVectorImpl<std::uint32_t>& out);
  llvm::SmallVector<std::uint32_t, 8> sources_of(const llvm::Instruction& instruction);
  std::uint32_t new_register(const llvm::Type* component);
  void define(const llvm::Instruction& instruction, Registers registers);
  unsigned components(const llvm::Type* type) const;
  unsigned bits(const llvm::Type* type) const;

  // emission
  unsigned instructions_of(OpClass op) const;
  /// Of the address that the current instruction loads from or stores to.
  std::int32_t constant_offset() const;
  std::uint32_t emit(OpClass op, llvm::ArrayRef<std::uint32_t> sources, const llvm::Type* result);
  void count_pipes(OpClass op);
  /// Of an addition of two registers that has taken nothing in.
  OpClass plain_addition() const;
  void emit_void(OpClass op, llvm::ArrayRef<std::uint32_t> sources);
  void emit_memory(OpClass op, llvm::ArrayRef<std::uint32_t> sources, const Registers& results,
                   unsigned width_bytes, unsigned parts);
  /// The same operations for each component of the instruction's value.
  void emit_each(const llvm::Instruction& instruction, llvm::ArrayRef<OpClass> ops, std::size_t beside = 0,
                 std::optional<std::size_t> guard = {});
  /// A chain: every operation reads the one before, but for so many `beside` it that read the sources alone.
  Registers emit_chain(llvm::ArrayRef<OpClass> ops, llvm::ArrayRef<std::uint32_t> sources,
                       const llvm::Type* result, std::size_t beside = 0);
  /// A chain whose operations behind the `guard`, but for the special function, read its predicate, too.
  Registers emit_guarded(llvm::ArrayRef<OpClass> ops, std::size_t guard,
                         llvm::ArrayRef<std::uint32_t> sources, const llvm::Type* result);
  Result<void> emit_function(const llvm::Instruction& instruction, llvm::StringRef name);

  // rules
  Result<void> select(const llvm::Instruction& instruction);
  void define_part(const llvm::Instruction& instruction);
  Result<void> select_call(const llvm::CallBase& call);
  Result<void> select_warp_call(const llvm::CallBase& call, llvm::StringRef name);
  void select_matrix_product(const llvm::CallBase& call, llvm::StringRef name);
  // select_meeting.cpp; names without their prefix
  void select_meeting(const llvm::CallBase& call, llvm::StringRef name);
  void select_engine(const llvm::CallBase& call, llvm::StringRef name);
  std::uint32_t emit_product(const facts::TensorWork& work, llvm::ArrayRef<std::uint32_t> sources,
                             const llvm::Type* result, bool queued);
  void select_matrix_exchange(const llvm::CallBase& call, llvm::StringRef name);
  void select_tensor_memory(const llvm::CallBase& call, llvm::StringRef name);
  void meet(facts::Meets how);
  void arrive_with_copy();
  static bool is_engine_branch(const llvm::BranchInst& branch);
  void select_copy_group(const llvm::CallBase& call, llvm::StringRef name);
  bool select_simple_intrinsic(const llvm::CallBase& call, llvm::StringRef name);
  bool select_work_item(const llvm::CallBase& call, llvm::StringRef name);
  void select_integer(const llvm::Instruction& instruction);
  Result<void> select_division(const llvm::Instruction& instruction);
  const llvm::BasicBlock* block_before_loop(const llvm::Value& divisor) const;
  std::uint32_t prepared_divisor(const llvm::Value& divisor, const std::string& type);
  void select_multiply(const llvm::Instruction& instruction);
  void select_compare(const llvm::Instruction& instruction);
  void select_select(const llvm::Instruction& instruction);
  facts::OpClass half_conversion(const llvm::Instruction& instruction) const;
  llvm::SmallVector<facts::OpClass, 2> conversion_to_float(const llvm::Instruction& instruction) const;
  void select_cast(const llvm::Instruction& instruction);
  Result<void> select_float(const llvm::Instruction& instruction);
  Result<void> select_float_division(const llvm::Instruction& instruction);
  bool is_slow(const llvm::Instruction& division) const;
  void select_vector(const llvm::Instruction& instruction);
  void select_address(const llvm::GetElementPtrInst& gep);
  Result<void> select_memory(const llvm::Instruction& instruction);
  void select_copy(const llvm::MemIntrinsic& intrinsic);
  void select_terminator(const llvm::Instruction& terminator);
  void phi_moves(const llvm::BasicBlock& block);
  bool is_predicated(const llvm::BasicBlock& block) const;
  void count_predicated(const llvm::BasicBlock& body, const llvm::BasicBlock& join,
                        facts::PassedBody& passed) const;
  std::uint32_t condition_of(const llvm::BasicBlock& head);
  void finish_predicated_bodies();
  bool is_further_condition(const llvm::BasicBlock& block, const llvm::BasicBlock& join) const;
  bool is_divergent_loop(const llvm::Loop& loop) const;
  void reconverge_at(const llvm::BasicBlock& block);
  bool needs_reconvergence(const llvm::BranchInst& branch) const;
  Registers loaded_registers(const llvm::Type& type, unsigned parts);
  bool load_joined(const llvm::LoadInst& load, llvm::ArrayRef<std::uint32_t> sources, OpClass op);
  bool joins_copy(const llvm::StoreInst& store, llvm::ArrayRef<std::uint32_t> place);
  void use_scale(std::uint64_t scale);
  std::uint32_t shifted_index(const llvm::Value& index, std::uint64_t scale,
                              llvm::ArrayRef<std::uint32_t> sources, const llvm::Type* type);
  /// Emits the address of 32 bits with one variable index, or finds the one that differs by a constant.
  std::uint32_t narrow_address(const llvm::GetElementPtrInst& gep, const llvm::Value& index,
                               std::uint64_t scale, llvm::ArrayRef<std::uint32_t> sources);
  bool falls_through(const llvm::BasicBlock& from, const llvm::BasicBlock& to) const;

  const ir::KernelModule& module_;
  const llvm::Function& function_;
  const gpu::Machine& machine_;
  const llvm::DataLayout& layout_;
  const bool nvidia_;
  const std::string_view float_; ///< the function table's name of float: "f32", or "f32z" without denormals
  const facts::SlowDivisions slow_divisions_;
  Folding folding_;
  Divergence divergence_;
  SharedMerges merges_;
  llvm::DominatorTree dominators_;
  llvm::PostDominatorTree post_dominators_;
  llvm::LoopInfo loops_;
  AsyncCopies copies_, bulk_copies_, products_;
  std::vector<std::uint64_t> scales_; ///< element sizes held in a register
  /// 64-bit byte offsets made by shifts, and the block that made them
  std::vector<std::tuple<const llvm::Value*, std::uint64_t, std::uint32_t, const llvm::BasicBlock*>> offsets_;
  struct PreparedDivisor {
    const llvm::Value* divisor;
    std::string type;
    const llvm::BasicBlock* block;
    std::uint32_t made;
  };
  std::vector<PreparedDivisor> prepared_divisors_;
  struct NarrowAddress {
    const llvm::Value *base, *index;
    std::uint64_t scale;
    const llvm::BasicBlock* block;
    std::uint32_t made;
  };
  std::vector<NarrowAddress> narrow_addresses_; ///< of 32 bits, but for constants
  llvm::DenseMap<const llvm::Value*, Registers> values_;
  llvm::DenseMap<const llvm::BasicBlock*, std::uint32_t> block_index_;
  llvm::DenseMap<const llvm::Instruction*, std::uint32_t> site_index_;
  std::vector<std::uint8_t> sizes_;
  std::vector<std::uint32_t> guards_;
  std::uint64_t local_bytes_ = 0;
  facts::MachineProgram* program_ = nullptr;
  facts::MachineBlock* block_ = nullptr;
  double add_pipe_cycles_ = 0;     ///< that the block's operations so far keep the pipe of additions busy
  double product_pipe_cycles_ = 0; ///< the same of 32-bit multiply-adds
  facts::SourceLocation location_;
  const llvm::Instruction* current_ = nullptr;
  bool uniform_ = false; ///< AMD: the current instruction runs on the scalar unit
};

} // namespace forewarp::codegen
