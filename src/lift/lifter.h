// One kernel being lifted: registers, operands, guards. The rows of the opcode table (rows/) call it.
#pragma once

#include "sass/program.h"
#include "support/result.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace forewarp::lift {

using llvm::Value;
using sass::Instruction;
using sass::Modifier;
using sass::Opcode;
using sass::Operand;
using sass::OperandKind;

/// Where the loader puts things, by target.
struct LoaderPlaces {
  std::uint32_t group_size, groups, stack, descriptor; ///< offsets in constant bank 0
  std::uint32_t shared_base;                           ///< address of a group's shared memory
};
LoaderPlaces loader_places(unsigned sm);

/// The lifted function and what belongs to it in the module.
struct LiftedFunction {
  llvm::Function* function = nullptr;
  llvm::GlobalVariable* shared = nullptr; ///< of the group; made at the first use
  llvm::Value* frame = nullptr;           ///< a thread's local memory, address space 5
};

class Lifter {
public:
  Lifter(const sass::Module& from, const sass::Kernel& lifted, llvm::Function& function,
         bool computes_products = false);

  /// Fills the function. Error unsupported: what is not known, by name and offset.
  Result<void> run();

  // For the rows: the instruction at hand, its operands and results.
  llvm::IRBuilder<> b;
  const sass::Module& machine_code;
  const sass::Kernel& kernel;
  const LoaderPlaces places;
  /// It asks for other groups of its cluster: addresses of shared memory have a group's rank on top.
  const bool in_cluster;

  const Instruction& at() const { return *at_; }
  bool has(Modifier m) const { return at_->has(m); }
  /// The n-th source that is no predicate, and the n-th that is one; null where there is none.
  const Operand* source(unsigned n) const;
  const Operand* source_predicate(unsigned n) const;
  unsigned source_count() const;
  /// The n-th register (predicate) that is written; null where there is none or it is RZ (PT).
  const Operand* result(unsigned n) const;
  const Operand* result_predicate(unsigned n) const;

  Value* u32(const Operand* operand); ///< with its sign, inversion or magnitude as an integer's
  Value* u64(const Operand* operand);
  Value* f32(const Operand* operand); ///< flushed where the instruction says so
  Value* f64(const Operand* operand);
  Value* half2(const Operand* operand);
  Value* predicate(const Operand* operand, bool otherwise);
  Value* raw(const Operand* operand, unsigned word = 0); ///< bits without sign and magnitude

  /// Under the instruction's guard; nothing where `to` is null.
  void set(const Operand* to, Value* value, unsigned word = 0);
  /// Of all active lanes, whatever the guard says.
  void set_whole(const Operand* to, Value* value);
  void set64(const Operand* to, Value* value);
  void set_float(const Operand* to, Value* value);
  void set_double(const Operand* to, Value* value) { set64(to, b.CreateBitCast(value, b.getInt64Ty())); }
  void set_predicate(const Operand* to, Value* value);

  Value* word(std::uint64_t value) { return b.getInt32(static_cast<std::uint32_t>(value)); }
  Value* pair(Value* low, Value* high);
  Value* low(Value* value) { return b.CreateTrunc(value, b.getInt32Ty()); }
  Value* high(Value* value) { return b.CreateTrunc(b.CreateLShr(value, 32), b.getInt32Ty()); }
  Value* call(const std::string& name, llvm::Type* type, llvm::ArrayRef<Value*> arguments);
  Value* constant(unsigned bank, std::uint32_t offset);
  /// A generic address, which may lie in a parameter that is passed by its bytes.
  Value* with_parameters(Value* address);
  Value* guard() const { return guard_; } ///< null: all active lanes
  void refuse(const std::string& what);
  bool computes_products() const { return computes_products_; } ///< LiftOptions
  llvm::Module& module() { return *function_.getParent(); }

  llvm::GlobalVariable& shared();
  llvm::Value* frame();
  /// What lies at `offset` of a constant bank that is read: a `__constant__` variable of the file by its
  /// name, so that a launch may give its contents, else the whole bank; known or not.
  struct Constants {
    llvm::GlobalVariable& variable;
    std::uint32_t begin = 0; ///< of the variable in the bank
  };
  Constants constants(unsigned bank, std::int64_t offset);
  /// Where `place` of a bank lies, a sum of `offset` and a register. Of several variables the place itself
  /// says which is meant: an index less one begins before its variable, and a register may hold a variable's
  /// beginning.
  Value* indexed_constant(unsigned bank, std::int64_t offset, Value* place);
  bool has_bank(unsigned number) const; ///< of some bytes
  /// Names the instruction that an access was made for.
  void mark(llvm::Instruction* access);

  Value* get_predicate(std::uint16_t number, bool uniform);
  void put_predicate(std::uint16_t number, Value* value);

private:
  friend class Flow;
  llvm::AllocaInst* home(std::map<unsigned, llvm::AllocaInst*>& homes, unsigned number, llvm::Type* type,
                         const char* name);
  Value* read(OperandKind kind, unsigned number);
  Value* parameter_word(std::uint32_t offset);
  Value* argument_word(unsigned argument, std::uint32_t offset);
  Value* bank0(std::uint32_t offset);
  Value* variable_address(std::uint32_t offset);
  llvm::GlobalVariable& global_variable(const sass::Variable& variable);
  Value* of_cluster(std::uint32_t offset);
  void lift_instruction(const Instruction& instruction); ///< under its guard
  void lift_bare(const Instruction& instruction);        ///< its guard holds for all active lanes
  void lift_under(const Instruction& instruction, bool guarded);
  llvm::DIScope* scope_of(llvm::DISubprogram& subprogram, std::uint32_t file);
  Value* ftz(Value* value);
  llvm::GlobalVariable& bank(unsigned number);
  llvm::GlobalVariable& constant_variable(const sass::Variable& variable);
  llvm::GlobalVariable& new_constants(const std::string& name, llvm::Constant& contents, bool written);

  llvm::Function& function_;
  bool computes_products_ = false;
  llvm::BasicBlock* entry_ = nullptr;
  const Instruction* at_ = nullptr;
  Value* guard_ = nullptr;
  std::map<unsigned, llvm::AllocaInst*> general_, uniform_, predicates_, uniform_predicates_;
  llvm::DenseMap<unsigned, Value*> arguments_;
  std::map<std::uint32_t, Value*> facts_;          ///< of bank 0, computed at the entry
  std::map<std::uint32_t, llvm::DIScope*> scopes_; ///< by file
  llvm::GlobalVariable* shared_ = nullptr;
  Value* frame_ = nullptr;
  std::optional<Error> error_;
};

using Row = void (*)(Lifter&);
/// What lifts this opcode; null: it is not known.
Row row_of(Opcode opcode);
/// What reads or writes memory, or has an effect that lanes without the guard must not have.
bool needs_branch(const Instruction& instruction);

} // namespace forewarp::lift
