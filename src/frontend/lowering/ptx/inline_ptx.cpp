#include "frontend/lowering/ptx/inline_ptx.h"

#include "frontend/lowering/ptx/ptx_matrix.h"
#include "frontend/lowering/ptx/ptx_memory.h"
#include "frontend/lowering/ptx/ptx_operations.h"
#include "frontend/lowering/ptx_warpgroup.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>
#include <initializer_list>

namespace forewarp::frontend::lowering {
namespace {

namespace intrinsics = llvm::Intrinsic;

class Expansion {
public:
  explicit Expansion(llvm::CallInst& call) : call_(call), b_(&call), registers_(b_) {}

  std::optional<std::string> run() {
    const auto* assembly = llvm::cast<llvm::InlineAsm>(call_.getCalledOperand());
    if (!bind_operands(*assembly))
      return "";
    for (const PtxStatement& statement : ptx_statements(assembly->getAsmString()))
      if (!expand(statement))
        return statement.text;
    replace_call();
    return std::nullopt;
  }

private:
  /// Of a register: a number of at most 64 bits, or a pointer to global, generic or shared memory.
  static bool fits(const llvm::Type* type) {
    if (type->isPointerTy())
      return type->getPointerAddressSpace() <= 1 || type->getPointerAddressSpace() == 3;
    return type->isHalfTy() || type->isFloatTy() || type->isDoubleTy() ||
           (type->isIntegerTy() && type->getIntegerBitWidth() <= 64);
  }

  bool types_fit() const {
    const llvm::Type* result = call_.getType();
    const auto argument_fits = [](const llvm::Use& use) { return fits(use->getType()); };
    const auto* several = llvm::dyn_cast<llvm::StructType>(result);
    const bool result_fits = several ? std::all_of(several->element_begin(), several->element_end(), fits)
                                     : result->isVoidTy() || fits(result);
    return result_fits && std::all_of(call_.arg_begin(), call_.arg_end(), argument_fits);
  }

  bool bind_operands(const llvm::InlineAsm& assembly) {
    if (!types_fit())
      return false;
    unsigned number = 0, argument = 0;
    for (const llvm::InlineAsm::ConstraintInfo& constraint : assembly.ParseConstraints()) {
      if (constraint.Type == llvm::InlineAsm::isClobber)
        continue;
      if (constraint.isIndirect || constraint.Type == llvm::InlineAsm::isLabel)
        return false;
      const std::string name = "$" + std::to_string(number++);
      if (constraint.Type == llvm::InlineAsm::isOutput) {
        outputs_.push_back(name);
        registers_.declare(name);
        continue;
      }
      llvm::Value* value = call_.getArgOperand(argument++);
      registers_.set(name, value);
      std::size_t tied = 0;
      if (!llvm::StringRef(constraint.Codes.front()).getAsInteger(10, tied) && tied < outputs_.size())
        registers_.set(outputs_[tied], value);
    }
    return true;
  }

  bool expand(const PtxStatement& s) { return s.predicate.empty() ? expand_always(s) : expand_where(s); }

  /// Runs the statement in a branch of its own; what it writes keeps its value elsewhere.
  bool expand_where(const PtxStatement& s) {
    llvm::Value* condition = registers_.read(s.predicate, b_.getInt1Ty());
    if (!condition)
      return false;
    const std::map<std::string, llvm::Value*> before = registers_.values();
    llvm::Instruction* end_of_branch =
        llvm::SplitBlockAndInsertIfThen(s.unless ? b_.CreateNot(condition) : condition, &call_, false);
    llvm::BasicBlock* branch = end_of_branch->getParent();
    b_.SetInsertPoint(end_of_branch);
    const bool known = expand_always(s);
    b_.SetInsertPoint(&call_);
    for (const auto& [name, value] : std::map(registers_.values()))
      if (value && value != before.at(name))
        registers_.set(name, either(value, branch, before.at(name)));
    return known;
  }

  /// `made` where the branch was taken, else `before`; null was never written.
  llvm::Value* either(llvm::Value* made, llvm::BasicBlock* branch, llvm::Value* before) {
    llvm::BasicBlock* around = branch->getSinglePredecessor();
    llvm::IRBuilder<> at_end(around->getTerminator());
    llvm::Value* kept =
        before ? as_bits(at_end, before, made->getType()) : llvm::PoisonValue::get(made->getType());
    llvm::IRBuilder<> at_join(&call_.getParent()->front());
    llvm::PHINode* both = at_join.CreatePHI(made->getType(), 2);
    both->addIncoming(made, branch);
    both->addIncoming(kept, around);
    return both;
  }

  bool expand_always(const PtxStatement& s) {
    if (s.operation == ".reg") {
      for (const std::string& name : s.operands) // the type comes first, without a comma
        registers_.declare(llvm::StringRef(name).rsplit(' ').second.empty()
                               ? name
                               : llvm::StringRef(name).rsplit(' ').second.trim().str());
      return !s.operands.empty();
    }
    if (has_source_bytes(s))
      return copy_or_fill(s);
    if (is_ptx_memory(s))
      return expand_ptx_memory(b_, registers_, s);
    if (s.operation == "ldmatrix")
      return load_matrices(s);
    if (s.operation == "mma")
      return expand_ptx_mma(b_, registers_, s);
    if (s.operation == "wgmma")
      return expand_ptx_warpgroup(b_, registers_, s, outputs_);
    if (s.operation == "setp")
      return compare(s);
    if (s.operation == "selp")
      return choose(s);
    if (s.operation == "mov" && s.operands.size() == 2 &&
        (s.operands[0][0] == '{' || s.operands[1][0] == '{'))
      return s.operands[0][0] == '{' ? unpack(s) : pack(s);
    if (with_carry(s))
      return add_with_carry(s);
    return synchronise(s) || compute(s);
  }

  llvm::Type* type_of(const PtxStatement& s) { return ptx_type(call_.getContext(), s); }

  /// Runs `statements` where `condition` holds.
  bool expand_where(llvm::Value* condition, bool unless, PtxStatement statement) {
    const std::string name = "%condition"; // no name that a source can declare
    registers_.set(name, condition);
    statement.predicate = name;
    statement.unless = unless;
    return expand_where(statement);
  }

  /// ldmatrix: the first eight lanes a matrix read a row of 16 bytes each. Which lane then holds which part
  /// of a row is not modelled: each keeps words of its own row.
  bool load_matrices(const PtxStatement& s) {
    const unsigned matrices = s.has("x4") ? 4 : s.has("x2") ? 2 : s.has("x1") ? 1 : 0;
    const std::optional<PtxStatement> load = ptx_row_load(s, matrices);
    if (!load)
      return false;
    if (matrices == 4)
      return expand_always(*load);
    llvm::Value* lane = b_.CreateIntrinsic(intrinsics::nvvm_read_ptx_sreg_laneid, {}, {});
    return expand_where(b_.CreateICmpULT(lane, b_.getInt32(8 * matrices)), false, *load);
  }

  /// cp.async with a source size: zeros where it is 0, else the whole (a part of it is not modelled).
  bool copy_or_fill(const PtxStatement& s) {
    llvm::Value* bytes = registers_.read(s.operands[3], b_.getInt32Ty());
    if (!bytes)
      return false;
    PtxStatement copy = s;
    copy.operands.pop_back();
    llvm::Value* some = b_.CreateICmpNE(bytes, b_.getInt32(0));
    const std::optional<PtxStatement> fill = ptx_zero_fill(b_, registers_, copy);
    return fill && expand_where(some, false, copy) && expand_where(some, true, *fill);
  }

  bool compute(const PtxStatement& s) {
    const PtxOperation* operation = find_ptx_operation(s);
    llvm::Type* type = type_of(s);
    if (!operation || !type || s.operands.size() != operation->sources + 1)
      return false;
    std::vector<llvm::Value*> sources;
    for (unsigned i = 0; i < operation->sources; ++i) {
      const bool word = i + operation->last_words >= operation->sources;
      const bool addend = i == 2 && s.has("wide");
      llvm::Type* wanted = word ? b_.getInt32Ty() : addend ? b_.getIntNTy(2 * s.bits()) : type;
      sources.push_back(registers_.read(s.operands[i + 1], wanted));
      if (!sources.back())
        return false;
    }
    return registers_.write(s.operands[0], operation->emit(b_, s, sources));
  }

  /// 0: the whole does not fall into so many pieces.
  unsigned bits_of_piece(const PtxStatement& s, const std::vector<std::string>& pieces) {
    const llvm::Type* whole = type_of(s);
    return whole && whole->isIntegerTy() && !pieces.empty() && s.bits() % pieces.size() == 0
               ? s.bits() / static_cast<unsigned>(pieces.size())
               : 0;
  }

  bool pack(const PtxStatement& s) {
    const std::vector<std::string> pieces = ptx_pieces(s.operands[1]);
    const unsigned bits = bits_of_piece(s, pieces);
    if (bits == 0)
      return false;
    llvm::Type *whole = type_of(s), *part = b_.getIntNTy(bits);
    llvm::Value* made = llvm::ConstantInt::get(whole, 0);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      llvm::Value* piece = registers_.read(pieces[i], part);
      if (!piece)
        return false;
      made = b_.CreateOr(made, b_.CreateShl(b_.CreateZExt(piece, whole), i * bits));
    }
    return registers_.write(s.operands[0], made);
  }

  bool unpack(const PtxStatement& s) {
    const std::vector<std::string> pieces = ptx_pieces(s.operands[0]);
    const unsigned bits = bits_of_piece(s, pieces);
    if (bits == 0)
      return false;
    llvm::Value* whole = registers_.read(s.operands[1], type_of(s));
    for (std::size_t i = 0; whole && i < pieces.size(); ++i)
      if (pieces[i] != "_" &&
          !registers_.write(pieces[i], b_.CreateTrunc(b_.CreateLShr(whole, i * bits), b_.getIntNTy(bits))))
        return false;
    return whole != nullptr;
  }

  bool compare(const PtxStatement& s) {
    llvm::Type* type = type_of(s);
    if (s.operands.size() != 3 || !type || s.modifiers.size() != 2)
      return false;
    llvm::Value *x = registers_.read(s.operands[1], type), *y = registers_.read(s.operands[2], type);
    const std::string& how = s.modifiers[0];
    using P = llvm::CmpInst::Predicate;
    const bool real = s.kind() == 'f', is_signed = s.kind() == 's';
    const auto ordered = [&](P of_floats, P of_signed, P of_unsigned) {
      return static_cast<int>(real ? of_floats : is_signed ? of_signed : of_unsigned);
    };
    const int predicate = llvm::StringSwitch<int>(how)
                              .Case("eq", real ? P::FCMP_OEQ : P::ICMP_EQ)
                              .Case("ne", real ? P::FCMP_ONE : P::ICMP_NE)
                              .Cases("lt", "lo", ordered(P::FCMP_OLT, P::ICMP_SLT, P::ICMP_ULT))
                              .Cases("le", "ls", ordered(P::FCMP_OLE, P::ICMP_SLE, P::ICMP_ULE))
                              .Cases("gt", "hi", ordered(P::FCMP_OGT, P::ICMP_SGT, P::ICMP_UGT))
                              .Cases("ge", "hs", ordered(P::FCMP_OGE, P::ICMP_SGE, P::ICMP_UGE))
                              .Default(-1);
    return x && y && predicate >= 0 &&
           registers_.write(s.operands[0], b_.CreateCmp(static_cast<P>(predicate), x, y));
  }

  bool choose(const PtxStatement& s) {
    llvm::Type* type = type_of(s);
    if (s.operands.size() != 4 || !type)
      return false;
    llvm::Value *x = registers_.read(s.operands[1], type), *y = registers_.read(s.operands[2], type);
    llvm::Value* condition = registers_.value(s.operands[3]);
    return x && y && condition && condition->getType()->isIntegerTy(1) &&
           registers_.write(s.operands[0], b_.CreateSelect(condition, x, y));
  }

  /// add.cc, addc, addc.cc, sub.cc, subc, subc.cc, and the same of mad.lo and mad.hi.
  static bool with_carry(const PtxStatement& s) {
    for (const char* name : {"add", "sub", "mad"})
      if (s.operation == std::string(name) + "c" || (s.operation == name && s.has("cc")))
        return s.bits() >= 32 && s.kind() != 'f';
    return false;
  }

  bool add_with_carry(const PtxStatement& s) {
    const bool takes = s.operation.back() == 'c', product = s.operation.starts_with("mad");
    const std::size_t sources = product ? 3 : 2;
    llvm::Type* type = type_of(s);
    if (!type || s.operands.size() != sources + 1 || (takes && !carry_) ||
        (product && !s.has("lo") && !s.has("hi")))
      return false;
    std::vector<llvm::Value*> v;
    for (std::size_t i = 1; i <= sources; ++i)
      if (v.push_back(registers_.read(s.operands[i], type)); !v.back())
        return false;
    if (product) {
      PtxStatement multiply = s;
      multiply.operation = "mul";
      std::erase(multiply.modifiers, "cc");
      v = {find_ptx_operation(multiply)->emit(b_, multiply, {v[0], v[1]}), v[2]};
    }
    const llvm::Intrinsic::ID id =
        s.operation.starts_with("sub") ? intrinsics::usub_with_overflow : intrinsics::uadd_with_overflow;
    llvm::Value* made = b_.CreateBinaryIntrinsic(id, v[0], v[1]);
    llvm::Value *sum = b_.CreateExtractValue(made, 0), *carry = b_.CreateExtractValue(made, 1);
    if (takes) {
      made = b_.CreateBinaryIntrinsic(id, sum, b_.CreateZExt(carry_, type));
      sum = b_.CreateExtractValue(made, 0);
      carry = b_.CreateOr(carry, b_.CreateExtractValue(made, 1));
    }
    carry_ = s.has("cc") ? carry : carry_;
    return registers_.write(s.operands[0], sum);
  }

  bool synchronise(const PtxStatement& s) {
    if (s.operation == "membar" || s.operation == "fence") {
      const llvm::Intrinsic::ID id = s.has("cta")   ? intrinsics::nvvm_membar_cta
                                     : s.has("sys") ? intrinsics::nvvm_membar_sys
                                                    : intrinsics::nvvm_membar_gl;
      b_.CreateIntrinsic(id, {}, {});
      return true;
    }
    if ((s.operation == "bar" || s.operation == "barrier") && s.has("sync") &&
        s.operands == std::vector<std::string>{"0"}) {
      b_.CreateIntrinsic(intrinsics::nvvm_barrier0, {}, {});
      return true;
    }
    return s.operation == "prefetch" || s.operation == "prefetchu" || s.operation == "nanosleep";
  }

  void replace_call() {
    const auto result_of = [&](const std::string& name, llvm::Type* type) -> llvm::Value* {
      llvm::Value* value = registers_.value(name);
      return value ? as_bits(b_, value, type) : llvm::PoisonValue::get(type);
    };
    if (outputs_.size() == 1) {
      call_.replaceAllUsesWith(result_of(outputs_[0], call_.getType()));
    } else if (outputs_.size() > 1) {
      llvm::Value* made = llvm::PoisonValue::get(call_.getType());
      for (unsigned i = 0; i < outputs_.size(); ++i)
        made =
            b_.CreateInsertValue(made, result_of(outputs_[i], call_.getType()->getStructElementType(i)), i);
      call_.replaceAllUsesWith(made);
    }
    call_.eraseFromParent();
  }

  llvm::CallInst& call_;
  llvm::IRBuilder<> b_;
  PtxRegisters registers_;
  std::vector<std::string> outputs_;
  llvm::Value* carry_ = nullptr; ///< the condition code
};

} // namespace

std::optional<std::string> expand_inline_ptx(llvm::CallInst& call) {
  return Expansion(call).run();
}

} // namespace forewarp::frontend::lowering
