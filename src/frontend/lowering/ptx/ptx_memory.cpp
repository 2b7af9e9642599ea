#include "frontend/lowering/ptx/ptx_memory.h"

#include "frontend/lowering/ptx/ptx_operations.h"
#include "ir/builtins.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include <algorithm>
#include <array>

namespace forewarp::frontend::lowering {
namespace {

namespace intrinsics = llvm::Intrinsic;
using AtomicOperation = llvm::AtomicRMWInst::BinOp;

constexpr std::array memory_operations = {"ld", "ldu", "st", "atom", "red", "cvta", "cp"};

/// LLVM's address space of an access: 0 for global and generic ones, 3 for shared memory; nothing: others.
std::optional<unsigned> space_of(const PtxStatement& s) {
  if (s.has("shared::cluster") || s.has("local") || s.has("param") || s.has("const") || s.has("cas") ||
      s.has("noftz"))
    return std::nullopt;
  return s.has("shared") || s.has("shared::cta") ? 3 : 0;
}

std::optional<AtomicOperation> atomic_operation(const PtxStatement& s) {
  using I = llvm::AtomicRMWInst;
  const bool is_signed = s.kind() == 's';
  for (const std::string& modifier : s.modifiers) {
    const int found = llvm::StringSwitch<int>(modifier)
                          .Case("add", s.kind() == 'f' ? I::FAdd : I::Add)
                          .Case("min", is_signed ? I::Min : I::UMin)
                          .Case("max", is_signed ? I::Max : I::UMax)
                          .Case("and", I::And)
                          .Case("or", I::Or)
                          .Case("xor", I::Xor)
                          .Case("exch", I::Xchg)
                          .Default(-1);
    if (found >= 0)
      return static_cast<AtomicOperation>(found);
  }
  return std::nullopt;
}

class MemoryExpansion {
public:
  MemoryExpansion(llvm::IRBuilder<>& builder, PtxRegisters& registers, const PtxStatement& statement)
      : b_(builder), registers_(registers), s_(statement) {}

  bool run() {
    if (s_.operation == "ld" || s_.operation == "ldu")
      return load();
    if (s_.operation == "st")
      return store();
    if (s_.operation == "cvta")
      return to_shared();
    return s_.operation == "cp" ? copy() : atomic();
  }

private:
  /// cvta.to.shared: a generic pointer as the number that ld.shared takes.
  bool to_shared() {
    if (!s_.has("to") || space_of(s_) != 3u || s_.operands.size() != 2)
      return false;
    llvm::Value* pointer = registers_.value(s_.operands[1]);
    if (!pointer)
      return false;
    pointer = as_bits(b_, pointer, b_.getPtrTy());
    llvm::Value* shared = b_.CreateAddrSpaceCast(pointer, b_.getPtrTy(3));
    return registers_.write(s_.operands[0], b_.CreatePtrToInt(shared, b_.getInt64Ty()));
  }

  llvm::Type* type() { return ptx_type(b_.getContext(), s_); }

  llvm::Type* memory_type(std::size_t pieces) {
    llvm::Type* one = type();
    if (!one || pieces == 0)
      return nullptr;
    return pieces == 1 ? one : llvm::FixedVectorType::get(one, static_cast<unsigned>(pieces));
  }

  bool load() {
    const auto space = space_of(s_);
    if (s_.operands.size() != 2 || !space)
      return false;
    const std::vector<std::string> pieces = ptx_pieces(s_.operands[0]);
    llvm::Type* whole = memory_type(pieces.size());
    llvm::Value* address = registers_.address(s_.operands[1], *space);
    if (!whole || !address)
      return false;
    llvm::Value* made = b_.CreateLoad(whole, address, s_.has("volatile"));
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      llvm::Value* piece = pieces.size() == 1 ? made : b_.CreateExtractElement(made, i);
      if (s_.kind() == 's' && s_.bits() < 32)
        piece = b_.CreateSExt(piece, b_.getInt32Ty());
      if (pieces[i] != "_" && !registers_.write(pieces[i], piece))
        return false;
    }
    return true;
  }

  bool store() {
    const auto space = space_of(s_);
    if (s_.operands.size() != 2 || !space)
      return false;
    const std::vector<std::string> pieces = ptx_pieces(s_.operands[1]);
    llvm::Type* whole = memory_type(pieces.size());
    llvm::Value* address = registers_.address(s_.operands[0], *space);
    if (!whole || !address)
      return false;
    llvm::Value* value = llvm::PoisonValue::get(whole);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      llvm::Value* piece = registers_.read(pieces[i], type());
      if (!piece)
        return false;
      value = pieces.size() == 1 ? piece : b_.CreateInsertElement(value, piece, i);
    }
    b_.CreateStore(value, address, s_.has("volatile"));
    return true;
  }

  bool atomic() {
    const bool reduction = s_.operation == "red";
    const std::size_t first = reduction ? 0 : 1;
    const auto operation = atomic_operation(s_);
    const auto space = space_of(s_);
    if (!operation || !space || s_.operands.size() != first + 2 || !type())
      return false;
    llvm::Value* address = registers_.address(s_.operands[first], *space);
    llvm::Value* value = registers_.read(s_.operands[first + 1], type());
    if (!address || !value)
      return false;
    llvm::Value* old =
        b_.CreateAtomicRMW(*operation, address, value, llvm::MaybeAlign(), llvm::AtomicOrdering::Monotonic);
    return reduction || registers_.write(s_.operands[0], old);
  }

  /// cp.async: the copy itself, or the end or wait of a group of them.
  bool copy() {
    if (!s_.has("async") || s_.has("bulk") || s_.has("mbarrier") || s_.has("L2::cache_hint"))
      return false;
    if (s_.has("commit_group")) {
      b_.CreateIntrinsic(intrinsics::nvvm_cp_async_commit_group, {}, {});
      return true;
    }
    if (s_.has("wait_all")) {
      b_.CreateIntrinsic(intrinsics::nvvm_cp_async_wait_all, {}, {});
      return true;
    }
    if (s_.has("wait_group")) {
      llvm::Value* groups =
          s_.operands.size() == 1 ? registers_.read(s_.operands[0], b_.getInt32Ty()) : nullptr;
      if (!groups || !llvm::isa<llvm::ConstantInt>(groups))
        return false;
      b_.CreateIntrinsic(intrinsics::nvvm_cp_async_wait_group, {}, {groups});
      return true;
    }
    return copy_now();
  }

  /// A load and a store, marked: what is copied passes no register, and nobody waits for it here. Volatile,
  /// so that each stays the request that it is.
  bool copy_now() {
    if (s_.operands.size() != 3 || space_of(s_) != 3u || !s_.has("global"))
      return false;
    const unsigned bytes = ptx_copied_bytes(b_, registers_, s_);
    llvm::Value* to = registers_.address(s_.operands[0], 3);
    llvm::Value* from = registers_.address(s_.operands[1], 0);
    if (bytes == 0 || !to || !from)
      return false;
    llvm::Type* word = b_.getInt32Ty();
    llvm::Type* whole = bytes == 4 ? word : llvm::FixedVectorType::get(word, bytes / 4);
    llvm::MDNode* mark = llvm::MDNode::get(b_.getContext(), {});
    llvm::LoadInst* load = b_.CreateAlignedLoad(whole, from, llvm::Align(bytes), true);
    llvm::StoreInst* store = b_.CreateAlignedStore(load, to, llvm::Align(bytes), true);
    load->setMetadata(llvm::StringRef(ir::builtins::async_copy), mark);
    store->setMetadata(llvm::StringRef(ir::builtins::async_copy), mark);
    return true;
  }

  llvm::IRBuilder<>& b_;
  PtxRegisters& registers_;
  const PtxStatement& s_;
};

} // namespace

bool is_ptx_memory(const PtxStatement& statement) {
  return std::find(memory_operations.begin(), memory_operations.end(), statement.operation) !=
         memory_operations.end();
}

bool expand_ptx_memory(llvm::IRBuilder<>& builder, PtxRegisters& registers, const PtxStatement& statement) {
  return MemoryExpansion(builder, registers, statement).run();
}

unsigned ptx_copied_bytes(llvm::IRBuilder<>& builder, PtxRegisters& registers, const PtxStatement& copy) {
  if (copy.operands.size() < 3)
    return 0;
  const auto* bytes =
      llvm::dyn_cast_or_null<llvm::ConstantInt>(registers.read(copy.operands[2], builder.getInt32Ty()));
  const std::uint64_t count = bytes ? bytes->getZExtValue() : 0;
  return count == 4 || count == 8 || count == 16 ? static_cast<unsigned>(count) : 0;
}

bool has_source_bytes(const PtxStatement& statement) {
  return statement.operation == "cp" && statement.has("async") && statement.operands.size() == 4;
}

std::optional<PtxStatement> ptx_zero_fill(llvm::IRBuilder<>& builder, PtxRegisters& registers,
                                          const PtxStatement& copy) {
  const unsigned bytes = ptx_copied_bytes(builder, registers, copy);
  if (bytes == 0)
    return std::nullopt;
  PtxStatement fill;
  fill.text = copy.text;
  fill.operation = "st";
  fill.modifiers = {"shared", "b32"};
  std::string zeros = "0";
  for (unsigned i = 4; i < bytes; i += 4)
    zeros += ", 0";
  fill.operands = {copy.operands[0], "{" + zeros + "}"};
  return fill;
}

std::optional<PtxStatement> ptx_row_load(const PtxStatement& statement, unsigned matrices) {
  const bool known = statement.has("m8n8") && statement.has("b16") && space_of(statement) == 3u;
  if (!known || matrices == 0 || statement.operands.size() != 2)
    return std::nullopt;
  std::vector<std::string> pieces = ptx_pieces(statement.operands[0]);
  if (pieces.size() != matrices)
    return std::nullopt;
  pieces.resize(4, "_");
  PtxStatement load;
  load.text = statement.text;
  load.operation = "ld";
  load.modifiers = {"volatile", "shared", "b32"};
  load.operands = {"{" + pieces[0] + ", " + pieces[1] + ", " + pieces[2] + ", " + pieces[3] + "}",
                   statement.operands[1]};
  return load;
}

} // namespace forewarp::frontend::lowering
