// Which IR instructions are no machine operation of their own: casts that are free, and operands that a
// multiply-add, an address, a compare or a three-input operation takes in.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>

#include <cstdint>

namespace llvm {
class DataLayout;
class Function;
class Instruction;
class Value;
} // namespace llvm

namespace forewarp::codegen {

enum class Fate : std::uint8_t {
  emit,     ///< becomes operations
  alias,    ///< free: its value is its first operand's
  absorbed, ///< every user reads its operands in its place
};

/// Of the target's instruction set.
struct FoldingRules {
  /// IADD3, LOP3 and LEA.HI (a funnel shift by a constant, plus a register): compute capability 5.0 and
  /// later.
  bool three_inputs = true;
  bool packs_halves = false; ///< F2FP makes both halves of a register of two floats
};

class Folding {
public:
  explicit Folding(const llvm::Function& function, FoldingRules rules = {});
  Fate fate(const llvm::Instruction* instruction) const;
  bool absorbed(const llvm::Value* value) const;
  /// A constant, or follows from constants alone by operations that the compiler leaves to the assembler.
  bool known(const llvm::Value* value) const;
  /// The float-to-half conversion that makes the half of `conversion`, too; null: there is none.
  const llvm::Instruction* made_by(const llvm::Instruction& conversion) const {
    return pairs_.lookup(&conversion);
  }

private:
  void visit(const llvm::Instruction& instruction);
  bool fold_known(const llvm::Instruction& instruction);
  void fold_float_add(const llvm::Instruction& add);
  void fold_integer_add(const llvm::Instruction& add);
  bool goes_into(const llvm::Instruction& inner, const llvm::Instruction& add) const;
  void fold_wide_add(const llvm::Instruction& add);
  void fold_predicate(const llvm::Instruction& logic);
  void fold_shift(const llvm::Instruction& shift);
  bool fold_increment(const llvm::Instruction& sum);
  void fold_wide(const llvm::Instruction& instruction);
  void fold_address(const llvm::Instruction& gep);
  void fold_cast(const llvm::Instruction& cast);
  void fold_halves(const llvm::Instruction& instruction);
  bool pair(const llvm::Value* low, const llvm::Value* high);
  bool fold_offset(const llvm::Instruction& add);
  bool only_offsets_narrow_addresses(const llvm::Instruction& value) const;

  FoldingRules rules_;
  const bool nvidia_;
  llvm::DenseMap<const llvm::Instruction*, Fate> fates_;
  llvm::DenseSet<const llvm::Instruction*> known_;
  llvm::DenseMap<const llvm::Instruction*, const llvm::Instruction*> pairs_;
  llvm::DenseMap<const llvm::Instruction*, bool> full_; ///< has taken in an operand already
};

/// A GEP that adds only constants.
bool is_constant_offset(const llvm::Instruction& gep);
/// 64-bit value of which every user takes the high 32 bits.
bool only_high_half_is_used(const llvm::Instruction& value);
/// i64 value that is an extended 32-bit (or narrower) one; a non-negative 32-bit constant counts.
bool is_extended_from_32(const llvm::Value* value);

} // namespace forewarp::codegen
