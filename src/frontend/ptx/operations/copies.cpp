// Asynchronous copies to shared memory (cp.async with its groups), and matrices from and to it (ldmatrix,
// stmatrix) and between lanes (movmatrix). Not modelled: of a copy with a source size, parts (it is the
// whole, or zeros).
#include "frontend/lowering/builtin_call.h"
#include "frontend/ptx/operations/memory.h"
#include "frontend/ptx/operations/operations.h"
#include "ir/builtins.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

namespace forewarp::frontend::ptx {
namespace {

namespace intrinsics = llvm::Intrinsic;

/// 4, 8 or 16: what a cp.async copies. 0: not known, or no such copy.
unsigned copied_bytes(Expansion& e, const Statement& copy) {
  const auto* bytes =
      llvm::dyn_cast_or_null<llvm::ConstantInt>(e.registers.read(copy.operands[2], e.b.getInt32Ty()));
  const std::uint64_t count = bytes ? bytes->getZExtValue() : 0;
  return count == 4 || count == 8 || count == 16 ? static_cast<unsigned>(count) : 0;
}

/// A load and a store, marked: what is copied passes no register, and nobody waits for it here. Volatile, so
/// that each stays the request that it is.
bool copy_now(Expansion& e, const Statement& s) {
  const unsigned bytes = copied_bytes(e, s);
  llvm::Value* to = e.registers.address(s.operands[0], spaces::shared);
  llvm::Value* from = e.registers.address(s.operands[1], spaces::global);
  if (bytes == 0 || !to || !from)
    return false;
  llvm::Type* word = e.b.getInt32Ty();
  llvm::Type* whole = bytes == 4 ? word : llvm::FixedVectorType::get(word, bytes / 4);
  llvm::MDNode* mark = llvm::MDNode::get(e.context(), {});
  llvm::LoadInst* load = e.b.CreateAlignedLoad(whole, from, llvm::Align(bytes), true);
  llvm::StoreInst* store = e.b.CreateAlignedStore(load, to, llvm::Align(bytes), true);
  load->setMetadata(llvm::StringRef(ir::builtins::async_copy), mark);
  store->setMetadata(llvm::StringRef(ir::builtins::async_copy), mark);
  return true;
}

bool fill_with_zeros(Expansion& e, const Statement& s) {
  const unsigned bytes = copied_bytes(e, s);
  llvm::Value* to = e.registers.address(s.operands[0], spaces::shared);
  if (bytes == 0 || !to)
    return false;
  llvm::Type* word = e.b.getInt32Ty();
  llvm::Type* whole = bytes == 4 ? word : llvm::FixedVectorType::get(word, bytes / 4);
  e.b.CreateAlignedStore(llvm::Constant::getNullValue(whole), to, llvm::Align(bytes))
      ->setMetadata(llvm::StringRef(ir::builtins::async_fill), llvm::MDNode::get(e.context(), {}));
  return true;
}

/// With a source size: zeros where it is 0.
bool copy_or_fill(Expansion& e, const Statement& s) {
  if (const Register* held = e.registers.find_register(s.operands[3]); held && held->kind == 'p') {
    llvm::Value* ignored = e.registers.read(s.operands[3], e.b.getInt1Ty());
    return e.where(e.b.CreateNot(ignored), [&] { return copy_now(e, s); }) &&
           e.where(ignored, [&] { return fill_with_zeros(e, s); });
  }
  llvm::Value* bytes = e.registers.read(s.operands[3], e.b.getInt32Ty());
  if (!bytes)
    return false;
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(bytes))
    return constant->isZero() ? fill_with_zeros(e, s) : copy_now(e, s);
  llvm::Value* some = e.b.CreateICmpNE(bytes, e.b.getInt32(0));
  return e.where(some, [&] { return copy_now(e, s); }) &&
         e.where(e.b.CreateNot(some), [&] { return fill_with_zeros(e, s); });
}

bool wait_for_groups(Expansion& e, const Statement& s) {
  llvm::Value* groups = s.operands.size() == 1 ? e.registers.read(s.operands[0], e.b.getInt32Ty()) : nullptr;
  if (!groups || !llvm::isa<llvm::ConstantInt>(groups))
    return false;
  e.b.CreateIntrinsic(intrinsics::nvvm_cp_async_wait_group, {}, {groups});
  return true;
}

bool copy(Expansion& e, const Statement& s) {
  if (!s.has("async") || s.has_any({"bulk", "mbarrier", "reduce"}))
    return false;
  if (s.has("commit_group")) {
    e.b.CreateIntrinsic(intrinsics::nvvm_cp_async_commit_group, {}, {});
    return true;
  }
  if (s.has("wait_all")) {
    e.b.CreateIntrinsic(intrinsics::nvvm_cp_async_wait_all, {}, {});
    return true;
  }
  if (s.has("wait_group"))
    return wait_for_groups(e, s);
  Statement plain = s;
  if (s.has("L2::cache_hint") && !plain.operands.empty())
    plain.operands.pop_back();
  if (plain.operands.size() < 3 || plain.operands.size() > 4 || space_of(s) != spaces::shared ||
      !s.has("global"))
    return false;
  return plain.operands.size() == 4 ? copy_or_fill(e, plain) : copy_now(e, plain);
}

unsigned matrices_of(const Statement& s) {
  return s.has("x4") ? 4 : s.has("x2") ? 2 : s.has("x1") ? 1 : 0;
}

/// 16 by 16 bytes: two registers of a lane.
bool is_square(const Statement& s) {
  return s.has("m16n16") && s.has("trans");
}

bool is_known_shape(const Statement& s) {
  if (s.has("m8n8"))
    return s.has("b16");
  if (s.operation == "stmatrix")
    return s.has("m16n8") && s.has("trans") && s.has("b8");
  const bool spread = s.has_any({"b6x16_p32", "b4x16_p64"});
  return is_square(s) ? spread || s.has("b8") : s.has("m8n16") && spread;
}

/// Each of the first 8 lanes a matrix reads or writes a row of 16 bytes.
bool by_row(Expansion& e, const Statement& s, const std::function<bool()>& body) {
  const unsigned matrices = matrices_of(s);
  const auto space = space_of(s);
  const unsigned rows = (is_square(s) ? 16 : 8) * matrices;
  if (matrices == 0 || rows > 32 || !is_known_shape(s) || s.operands.size() != 2 ||
      (space != spaces::shared && space != spaces::generic))
    return false;
  if (rows == 32)
    return body();
  llvm::Value* lane = e.b.CreateIntrinsic(intrinsics::nvvm_read_ptx_sreg_laneid, {}, {});
  return e.where(e.b.CreateICmpULT(lane, e.b.getInt32(rows)), body);
}

constexpr unsigned row_bytes = 16;

/// The address of a row; without a space it is generic and has to lie in shared memory.
llvm::Value* shared_address(Expansion& e, const Statement& s, std::string_view operand) {
  if (space_of(s) == spaces::shared)
    return e.registers.address(operand, spaces::shared);
  llvm::Value* generic = e.registers.address(operand, spaces::generic);
  return generic ? e.b.CreateAddrSpaceCast(generic, e.b.getPtrTy(spaces::shared)) : nullptr;
}

std::string marker_of(const char* what, const Statement& s) {
  return std::string("matrix.") + what + ".x" + std::to_string(matrices_of(s)) +
         (s.has("m16n16")  ? ".square"
          : s.has("m8n16") ? ".bytes"
          : s.has("m16n8") ? ".tall"
                           : "") +
         (s.has("b6x16_p32")   ? ".of6"
          : s.has("b4x16_p64") ? ".of4"
                               : "") +
         (s.has("trans") ? ".trans" : "");
}

/// Rows are loaded by those who have their addresses; then each lane takes its words of all rows.
bool load_matrices(Expansion& e, const Statement& s) {
  llvm::Type* row = llvm::FixedVectorType::get(e.b.getInt32Ty(), 4);
  const std::string held = "matrix row";
  e.registers.open_scope();
  e.registers.declare_as(held, row);
  const bool loaded = by_row(e, s, [&] {
    llvm::Value* address = shared_address(e, s, s.operands[1]);
    return address &&
           e.registers.write(held, e.b.CreateAlignedLoad(row, address, llvm::Align(row_bytes), true));
  });
  llvm::Value* made = loaded ? e.registers.value(held) : nullptr;
  e.registers.close_scope();
  const std::vector<std::string> pieces = made ? pieces_of(s.operands[0]) : std::vector<std::string>{};
  if (!made || pieces.size() != matrices_of(s) * (is_square(s) ? 2 : 1))
    return false;
  const std::vector<llvm::Type*> words(pieces.size(), e.b.getInt32Ty());
  llvm::Value* taken =
      lowering::call_marker(e.b, marker_of("take", s), llvm::StructType::get(e.context(), words), {made},
                            lowering::MarkerEffect::convergent);
  for (unsigned i = 0; i < pieces.size(); ++i)
    if (!e.registers.write(pieces[i], e.b.CreateExtractValue(taken, i)))
      return false;
  return true;
}

bool store_matrices(Expansion& e, const Statement& s) {
  const std::vector<std::string> pieces =
      s.operands.size() == 2 ? pieces_of(s.operands[1]) : std::vector<std::string>{};
  if (pieces.empty() || pieces.size() != matrices_of(s))
    return false;
  llvm::SmallVector<llvm::Value*, 4> words;
  for (const std::string& piece : pieces)
    if (words.push_back(e.registers.read(piece, e.b.getInt32Ty())); !words.back())
      return false;
  llvm::Type* row = llvm::FixedVectorType::get(e.b.getInt32Ty(), 4);
  llvm::Value* given =
      lowering::call_marker(e.b, marker_of("give", s), row, words, lowering::MarkerEffect::convergent);
  return by_row(e, s, [&] {
    llvm::Value* address = shared_address(e, s, s.operands[0]);
    return address && e.b.CreateAlignedStore(given, address, llvm::Align(row_bytes), true);
  });
}

/// movmatrix.sync.aligned.m8n8.trans.b16 d, a
bool transpose(Expansion& e, const Statement& s) {
  if (!s.has("m8n8") || !s.has("trans") || !s.has("b16") || s.operands.size() != 2)
    return false;
  llvm::Value* held = e.registers.read(s.operands[1], e.b.getInt32Ty());
  return held &&
         e.registers.write(s.operands[0], lowering::call_marker(e.b, "matrix.transpose", e.b.getInt32Ty(),
                                                                {held}, lowering::MarkerEffect::convergent));
}

constexpr Operation copy_row_list[] = {
    {"cp", copy,
     ".async of 4, 8 and 16 bytes from .global to .shared, with a source size or a predicate that ignores "
     "the source; .commit_group, .wait_group, "
     ".wait_all"},
    {"ldmatrix", load_matrices,
     ".m8n8.x1, .x2, .x4 of .b16, .trans; .m16n16 and .m8n16 of .b8, .b8x16.b6x16_p32, .b8x16.b4x16_p64"},
    {"movmatrix", transpose, ".m8n8.trans.b16; costs as a shuffle"},
    {"stmatrix", store_matrices, ".m8n8.x1, .x2, .x4 of .b16, .trans; .m16n8 of .b8"},
};

} // namespace

std::span<const Operation> copy_rows() {
  return copy_row_list;
}

} // namespace forewarp::frontend::ptx
