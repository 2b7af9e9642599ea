// IR -> Program. One class over several files: decode.cpp (blocks, edges), decode_values.cpp (slots,
// constants), decode_arithmetic.cpp, decode_casts.cpp, decode_memory.cpp, decode_calls.cpp,
// decode_nvvm.cpp, decode_amdgcn.cpp, decode_machine.cpp, decode_replay.cpp.
#pragma once

#include "ir/kernel_module.h"
#include "simt/analysis/replay_analysis.h"
#include "simt/analysis/uniformity.h"
#include "simt/decode/program.h"
#include "support/result.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace forewarp::simt {

/// One scalar of a possibly compound type.
struct Leaf {
  llvm::Type* type;
  LaneType lane;
  std::uint32_t offset_bytes, bytes;
};

using Slots = std::vector<std::int32_t>;

class Decoder {
public:
  Decoder(const ir::KernelModule& module, const ir::KernelSignature& kernel, const llvm::Function& function);
  Result<Program> decode();

private:
  // decode.cpp
  void decode_block(const llvm::BasicBlock& block);
  void decode_instruction(const llvm::Instruction& instruction);
  void decode_terminator(const llvm::Instruction& terminator, Block& out);
  void mark_preserved(std::size_t first);
  void make_edge(const llvm::BasicBlock& from, const llvm::BasicBlock& to);
  void add_phi_moves(const llvm::BasicBlock& from, const llvm::BasicBlock& to, Edge& edge);
  void number_blocks();
  void collect_loops();
  void declare_parameters();
  void reject(const std::string& what);

  // decode_replay.cpp
  void describe_replays();
  void describe_replay(const ReplayableLoop& loop, LoopReplay& out);

  // decode_values.cpp
  Slots slots(const llvm::Value* value);
  std::int32_t slot(const llvm::Value* value) { return slots(value).front(); }
  Slots constant_slots(const llvm::Constant* constant);
  bool constant_leaves(const llvm::Constant* constant, Slots& out);
  std::int32_t constant(LaneType type, std::uint64_t value, bool known = true);
  std::int32_t address_constant(LaneType type, std::uint32_t variable, std::uint64_t addend);
  std::uint32_t variable_of(const llvm::GlobalVariable& global);
  void initial_contents(const llvm::Constant* constant, std::uint64_t offset, Variable& out);
  std::int32_t new_register(LaneType type = LaneType::quad);
  std::int32_t new_shared_slot() { return ~static_cast<std::int32_t>(program_.shared_slots++); }
  std::int32_t warp_value(WarpValue value);
  std::int32_t group_value(GroupValue value);
  std::vector<Leaf> leaves(llvm::Type* type);
  void collect_leaves(llvm::Type* type, std::uint32_t offset, std::vector<Leaf>& out);
  /// Fresh registers for the result of an instruction.
  Slots define(const llvm::Instruction& instruction);
  /// The result is a rearrangement of other values' slots; copied where those may be written again before its
  /// last use.
  void alias(const llvm::Instruction& instruction, Slots result);

  // Emission; `preserve` is added by the caller of the final write.
  void put(LaneOp op, std::int32_t destination, std::int32_t a, std::int32_t b = no_slot,
           std::int32_t c = no_slot, std::uint32_t immediate = 0);
  /// The same into a fresh register.
  std::int32_t emit(LaneOp op, std::int32_t a, std::int32_t b = no_slot, std::int32_t c = no_slot);
  Instruction& emit_special(Special special, std::int32_t destination, std::uint32_t detail = 0);
  Instruction& emit_cross_lane(Special special, std::int32_t destination, const CrossLaneOp& op);

  // decode_arithmetic.cpp
  void decode_binary(const llvm::BinaryOperator& op);
  void watch_division(const llvm::BinaryOperator& division, std::int32_t quotient);
  void integer_binary(unsigned opcode, unsigned width, std::int32_t d, std::int32_t a, std::int32_t b);
  void float_binary(unsigned opcode, llvm::Type* type, std::int32_t d, std::int32_t a, std::int32_t b);
  void decode_unary(const llvm::UnaryOperator& op);
  void decode_compare(const llvm::CmpInst& compare);
  void integer_compare(llvm::CmpInst::Predicate predicate, unsigned width, std::int32_t d, std::int32_t a,
                       std::int32_t b);
  void float_compare(llvm::CmpInst::Predicate predicate, llvm::Type* type, std::int32_t d, std::int32_t a,
                     std::int32_t b);
  void decode_select(const llvm::SelectInst& select);
  void decode_vector(const llvm::Instruction& instruction);
  void wide_binary(unsigned opcode, const Slots& d, const Slots& a, const Slots& b,
                   const llvm::Value* second);
  std::int32_t sign_extended(std::int32_t a, unsigned width);
  std::int32_t negated(std::int32_t mask);
  void masked(std::int32_t d, std::int32_t a, unsigned width);
  std::int32_t to_float(llvm::Type* type, std::int32_t a); ///< half, bfloat -> float
  void from_float(llvm::Type* type, std::int32_t d, std::int32_t a);
  /// `f` for float and half types, `d` for double.
  void float_op(LaneOp f, LaneOp d, llvm::Type* type, std::int32_t destination, std::int32_t a,
                std::int32_t b = no_slot, std::int32_t c = no_slot);

  // decode_casts.cpp
  void decode_cast(const llvm::CastInst& cast);
  void cast_leaf(const llvm::CastInst& cast, llvm::Type* from, llvm::Type* to, std::int32_t d,
                 std::int32_t a);
  void integer_resize(bool is_signed, unsigned from, unsigned to, std::int32_t d, std::int32_t a);
  void float_to_integer(bool is_signed, llvm::Type* from, unsigned width, std::int32_t d, std::int32_t a);
  void integer_to_float(bool is_signed, unsigned width, llvm::Type* to, std::int32_t d, std::int32_t a);
  void bit_cast(const llvm::Instruction& result, const Slots& from, llvm::Type* from_type,
                llvm::Type* to_type);
  std::int32_t as_quad(std::int32_t a, unsigned width);

  // decode_memory.cpp
  void decode_gep(const llvm::GetElementPtrInst& gep);
  void decode_load(const llvm::LoadInst& load);
  void decode_store(const llvm::StoreInst& store);
  void decode_atomic(const llvm::AtomicRMWInst& atomic);
  bool decode_small_float(const llvm::CallBase& call, llvm::StringRef name);
  bool decode_conversion(const llvm::CallBase& call, llvm::StringRef words);
  bool decode_short_atomic(const llvm::CallBase& call, llvm::StringRef name);
  void decode_compare_exchange(const llvm::AtomicCmpXchgInst& exchange);
  void decode_memory_intrinsic(const llvm::CallBase& call);
  void decode_alloca(const llvm::AllocaInst& alloca);
  void emit_load(const llvm::Instruction& at, const llvm::Value* pointer, llvm::Type* type, const Slots& out);
  std::uint32_t site_of(const llvm::Instruction& instruction) const;
  std::vector<MemoryComponent> components(llvm::Type* type, const Slots& slots);
  std::vector<std::uint32_t> objects_of(const llvm::Value* pointer);
  void describe_sites();

  // decode_intrinsics.cpp; false: not one of these
  bool decode_generic_intrinsic(const llvm::CallBase& call);
  bool decode_elementwise(const llvm::CallBase& call);
  bool decode_overflow(const llvm::CallBase& call);
  void decode_bit_search(const llvm::CallBase& call, unsigned width);
  bool decode_funnel_shift(const llvm::CallBase& call, unsigned width);
  bool decode_saturating_sum(const llvm::CallBase& call, unsigned width);
  void decode_saturating_conversion(const llvm::CallBase& call, unsigned width);
  void saturating_to_integer(bool is_signed, llvm::Type* from, unsigned width, std::int32_t d,
                             std::int32_t a);
  void decode_integer_power(const llvm::CallBase& call);
  void decode_frexp(const llvm::CallBase& call);
  void decode_float_class(const llvm::CallBase& call);

  // decode_nvvm.cpp, decode_amdgcn.cpp; names without "llvm.nvvm." and "llvm.amdgcn."; false: not one of
  // these
  bool decode_nvvm(const llvm::CallBase& call, llvm::StringRef name);
  bool decode_nvvm_register(const llvm::CallBase& call, llvm::StringRef name);
  bool decode_nvvm_barrier(const llvm::CallBase& call, llvm::StringRef name);
  bool decode_nvvm_shuffle(const llvm::CallBase& call, llvm::StringRef name);
  bool decode_nvvm_vote(const llvm::CallBase& call, llvm::StringRef name);
  bool decode_nvvm_arithmetic(const llvm::CallBase& call, llvm::StringRef name);
  bool decode_amdgcn(const llvm::CallBase& call, llvm::StringRef name);
  bool decode_amdgcn_register(const llvm::CallBase& call, llvm::StringRef name);
  bool decode_amdgcn_exchange(const llvm::CallBase& call, llvm::StringRef name);
  bool decode_amdgcn_arithmetic(const llvm::CallBase& call, llvm::StringRef name);

  // decode_calls.cpp, decode_markers.cpp
  void decode_call(const llvm::CallBase& call);
  bool decode_reduction(const llvm::CallBase& call);
  bool decode_marker(const llvm::CallBase& call, llvm::StringRef name);
  bool decode_item_marker(const llvm::CallBase& call, llvm::StringRef name);
  bool decode_math_marker(const llvm::CallBase& call, llvm::StringRef name);
  bool decode_warp_marker(const llvm::CallBase& call, llvm::StringRef name);
  bool decode_warp_collective(const llvm::CallBase& call, llvm::StringRef base);
  void collective_step(llvm::StringRef op, llvm::Type* type, std::int32_t d, std::int32_t a, std::int32_t b);
  std::int32_t exchange(ShuffleMode mode, LaneType type, std::int32_t value, std::uint32_t distance);
  /// The lanes that get to this end of a block are gone.
  static bool ends_lanes(const llvm::Instruction& terminator);
  bool decode_machine_marker(const llvm::CallBase& call, llvm::StringRef name);
  // decode_meetings.cpp
  bool decode_meeting_marker(const llvm::CallBase& call, llvm::StringRef name);
  bool decode_engine_marker(const llvm::CallBase& call, llvm::StringRef name);
  bool decode_cluster_marker(const llvm::CallBase& call, llvm::StringRef name);
  // decode_matrices.cpp
  bool decode_matrix_marker(const llvm::CallBase& call, llvm::StringRef name);
  bool decode_product(const llvm::CallBase& call, llvm::StringRef name);
  void decode_marked_product(const llvm::CallBase& call, llvm::StringRef name);
  void decode_group_product(const llvm::CallBase& call, llvm::StringRef name);
  void wait_for_products(const llvm::CallBase& call);
  bool decode_tensor_memory(const llvm::CallBase& call, llvm::StringRef name);
  bool decode_wave_product(const llvm::CallBase& call, llvm::StringRef name);
  void emit_matrix(const llvm::CallBase& call, MatrixOp op); ///< its operands are those of the call
  void put_matrix(const llvm::CallBase& call, MatrixOp op);
  bool decode_image_marker(const llvm::CallBase& call, llvm::StringRef name);
  bool decode_image_size(const llvm::CallBase& call, llvm::StringRef name);
  void elementwise(const llvm::CallBase& call, LaneOp f, LaneOp d);
  void elementwise_int(const llvm::CallBase& call, LaneOp word, LaneOp quad, bool is_signed = false);
  void assign(const llvm::Instruction& instruction, std::int32_t slot_of_value);

  const ir::KernelModule& module_;
  const ir::KernelSignature& kernel_;
  const llvm::Function& function_;
  const llvm::DataLayout& layout_;
  Uniformity uniformity_;
  ir::Numbering numbering_;
  Program program_;
  std::optional<Error> error_;
  llvm::DenseMap<const llvm::Value*, Slots> values_;
  llvm::DenseMap<const llvm::BasicBlock*, std::uint32_t> block_index_;
  llvm::DenseMap<const llvm::Instruction*, std::uint32_t> site_index_;
  llvm::DenseMap<const llvm::GlobalVariable*, std::uint32_t> variable_index_;
  llvm::DenseMap<const llvm::BasicBlock*, std::uint32_t> loop_of_header_;
  llvm::DenseMap<const llvm::Value*, std::uint32_t> object_index_;
  std::map<std::tuple<LaneType, std::uint64_t, bool>, std::int32_t> constant_index_;
  std::map<std::tuple<LaneType, std::uint32_t, std::uint64_t>, std::int32_t> address_index_;
  std::vector<const llvm::BasicBlock*> home_of_register_;
  const llvm::Instruction* current_ = nullptr;
  bool current_uniform_ = false, current_broadcast_ = false;
  std::uint32_t current_origin_ = 0;
};

/// Width of an integer type, 64 for pointers.
unsigned integer_width(const llvm::Type* type);

} // namespace forewarp::simt
