// One kernel of an AMD GPU being lifted: registers, masks, operands. The rows of the mnemonic table (rows/)
// call it.
//
// A wave goes through the code as one; what a lane does is said by its bit of EXEC. A scalar register pair
// may hold a mask of lanes as well as a number: where the code uses it as a mask, the lane's own bit is kept
// beside the number, so that comparisons, branches and selections need no exchange between lanes.
#pragma once

#include "amdgcn/program.h"
#include "support/result.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace forewarp::lift::amd {

using amdgcn::Encoding;
using amdgcn::Instruction;
using amdgcn::Operand;
using amdgcn::OperandKind;
using llvm::Value;

class Lifter {
public:
  Lifter(const amdgcn::Module& from, const amdgcn::Kernel& lifted, llvm::Function& function);

  /// Fills the function. Error unsupported: what is not known, by name and offset.
  Result<void> run();

  // For the rows: the instruction at hand, its operands by their place in the wording.
  llvm::IRBuilder<> b;
  const amdgcn::Module& machine_code;
  const amdgcn::Kernel& kernel;
  const unsigned wave; ///< lanes: 32 or 64

  const Instruction& at() const { return *at_; }
  bool is(std::string_view mnemonic) const { return at_->mnemonic == mnemonic; }
  bool starts(std::string_view with) const { return at_->mnemonic.starts_with(with); }
  bool contains(std::string_view part) const { return at_->mnemonic.find(part) != std::string::npos; }
  bool ends(std::string_view with) const { return at_->mnemonic.ends_with(with); }
  std::size_t count() const { return at_->operands.size(); }
  const Operand& operand(std::size_t n);

  Value* u32(std::size_t n,
             unsigned word = 0); ///< the operand's bits; a part of it where the encoding says so
  Value* u64(std::size_t n);
  Value* u16(std::size_t n); ///< the half that the encoding says
  Value* f32(std::size_t n); ///< with sign and magnitude
  Value* f64(std::size_t n);
  Value* f16(std::size_t n);
  Value* with_sign(const Operand& operand, Value* value);
  Value* mask(std::size_t n);                            ///< the lane's own bit
  Value* vcc() { return mask_at(amdgcn::vcc_register); } ///< the same of VCC

  void set(std::size_t n, Value* value, unsigned word = 0); ///< 32 bits; vectors: in lanes of EXEC
  void set64(std::size_t n, Value* value);
  void set16(std::size_t n, Value* value);
  void set_f32(std::size_t n, Value* value); ///< clamped, scaled, flushed as asked for
  void set_f64(std::size_t n, Value* value);
  void set_f16(std::size_t n, Value* value);
  void set_mask(std::size_t n, Value* bit); ///< of the lanes of EXEC; zero for the others
  /// Of all lanes, with the number beside it (null: a ballot).
  void set_whole_mask(std::size_t n, Value* bit, Value* number);
  bool is_mask(const Operand& operand) const; ///< the code uses this pair as a mask

  Value* scc();
  void set_scc(Value* bit);
  Value* exec(); ///< the lane's bit
  void set_exec(Value* bit);
  Value* scalar(unsigned number);
  void set_scalar(unsigned number, Value* value);
  Value* vector(OperandKind file, unsigned number);
  /// Whatever EXEC says.
  void set_vector_whole(OperandKind file, unsigned number, Value* value);
  void set_vector(OperandKind file, unsigned number, Value* value);

  Value* word(std::uint64_t value) { return b.getInt32(static_cast<std::uint32_t>(value)); }
  Value* pair(Value* low_word, Value* high_word);
  Value* low(Value* value) { return b.CreateTrunc(value, b.getInt32Ty()); }
  Value* high(Value* value) { return b.CreateTrunc(b.CreateLShr(value, 32), b.getInt32Ty()); }
  Value* as_float(Value* bits) { return b.CreateBitCast(bits, b.getFloatTy()); }
  Value* as_word(Value* value) { return b.CreateBitCast(value, b.getInt32Ty()); }
  Value* call(const std::string& name, llvm::Type* type, llvm::ArrayRef<Value*> arguments);
  Value* intrinsic(llvm::Intrinsic::ID id, llvm::ArrayRef<Value*> arguments);
  Value* lane();                                 ///< number of the lane in its wave
  Value* any(Value* bit);                        ///< of the wave's lanes
  Value* ballot(Value* bit);                     ///< i64
  Value* from_lane(Value* value, Value* number); ///< i32 of another lane
  Value* bit_of(Value* number);                  ///< the lane's bit of an i64
  void refuse(const std::string& what);
  llvm::Module& module() { return *function_.getParent(); }
  llvm::GlobalVariable& local_data(); ///< a group's LDS
  Value* frame();                     ///< a lane's scratch, address space 5
  Value* image_address();             ///< i64: where the file's constants lie
  /// Names the instruction that an access was made for.
  void mark_access(llvm::Instruction* access);

private:
  friend class Flow;
  llvm::AllocaInst* home(std::map<unsigned, llvm::AllocaInst*>& homes, unsigned number, llvm::Type* type,
                         const char* name);
  void find_masks();
  void set_up();
  void lift_instruction(const Instruction& instruction, bool whole);
  void set_location(const facts::SourceLocation& where);
  void lift_dual(const Instruction& first);
  void lift_row(const Instruction& instruction);
  Value* selected_part(std::size_t n, Value* bits);
  void begin_data_parallel(); ///< which lanes an instruction with DPP writes, and whose values it reads
  unsigned mask_of(unsigned number) const { return wave == 64 ? number & ~1U : number; }
  Value* mask_at(unsigned number);
  void renew_mask(unsigned number);
  std::size_t first_source() const;

  llvm::Function& function_;
  llvm::BasicBlock* entry_ = nullptr;
  const Instruction* at_ = nullptr;
  bool whole_ = false;             ///< the lanes that run here are those of EXEC
  Value* written_lanes_ = nullptr; ///< of an instruction with DPP; null: all
  Value* other_lane_ = nullptr;    ///< whose value it reads
  Value* other_valid_ = nullptr;   ///< where there is none, zero is read
  std::map<unsigned, llvm::AllocaInst*> vectors_, accumulators_, scalars_, masks_;
  /// Results of a dual instruction, whose halves both read what was there before; null: written at once.
  struct Write {
    OperandKind file;
    unsigned number;
    Value* value;
  };
  std::vector<Write>* delayed_ = nullptr;
  std::map<std::uint32_t, llvm::DIScope*> scopes_; ///< by file
  llvm::AllocaInst* scc_ = nullptr;
  std::set<unsigned> mask_registers_;
  llvm::GlobalVariable *local_data_ = nullptr, *image_ = nullptr;
  Value *frame_ = nullptr, *lane_ = nullptr;
  std::optional<Error> error_;
};

using Row = void (*)(Lifter&);
/// What lifts this instruction; null: it is not known.
Row row_of(std::string_view mnemonic);
/// What reads or writes memory: lanes outside of EXEC must not.
bool needs_branch(const Instruction& instruction);

} // namespace forewarp::lift::amd
