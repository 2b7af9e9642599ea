// Matrix products of a warp, their loads from shared memory, and asynchronous copies to it. Fragments lie as
// the PTX manual says of mma and ldmatrix, of which these instructions are the machine's form.
#include "lift/rows/rows.h"

#include "ir/address_spaces.h"
#include "ir/builtins.h"
#include "lift/rows/addresses.h"
#include "lift/rows/matrix_values.h"

#include <fmt/format.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

namespace forewarp::lift {
namespace {

using M = Modifier;

/// "m16n8k16" and so on; "": not known.
std::string shape_of(const Lifter& l) {
  static constexpr std::pair<M, const char*> shapes[] = {
      {M::w16816, "m16n8k16"}, {M::w1688, "m16n8k8"}, {M::w1684, "m16n8k4"},
      {M::w8816, "m8n8k16"},   {M::w8832, "m8n8k32"}, {M::w16832, "m16n8k32"},
      {M::w16864, "m16n8k64"}, {M::w884, "m8n8k4"},   {M::w8x8x4, "m8n8k4"}};
  for (const auto& [modifier, name] : shapes)
    if (l.has(modifier))
      return name;
  return "";
}

/// The end of LLVM's name: types of the sums for products of halves, else of the factors.
std::string types_of(const Lifter& l) {
  if (l.at().opcode == Opcode::dmma)
    return "f64";
  if (l.at().opcode == Opcode::hmma)
    return l.has(M::bf16) ? "bf16" : l.has(M::tf32) ? "tf32" : l.has(M::f32) ? "f32.f32" : "f16.f16";
  std::vector<std::string> factors;
  for (const Modifier modifier : l.at().modifiers)
    for (const auto& [type, name] : {std::pair{M::u8, "u8"}, {M::s8, "s8"}, {M::u4, "u4"}, {M::s4, "s4"}})
      if (modifier == type)
        factors.emplace_back(name);
  if (factors.size() != 2)
    return "";
  return factors[0] == factors[1] ? factors[0] : factors[0] + "." + factors[1];
}

/// Words of an operand as the values that an intrinsic takes one after the other.
void add_values(Lifter& l, const Operand* operand, const llvm::FunctionType& type, unsigned until,
                std::vector<Value*>& values) {
  for (unsigned word = 0; values.size() < until;) {
    llvm::Type* wanted = type.getParamType(static_cast<unsigned>(values.size()));
    if (wanted->isDoubleTy()) {
      values.push_back(l.b.CreateBitCast(l.pair(l.raw(operand, word), l.raw(operand, word + 1)), wanted));
      word += 2;
    } else {
      values.push_back(l.b.CreateBitCast(l.raw(operand, word++), wanted));
    }
  }
}

/// Parameters of the first two factors; the sums are the rest.
struct Factors {
  unsigned a = 0, b = 0;
};
Factors factors_of(const Lifter& l) {
  const auto words = [&](unsigned n) { return static_cast<unsigned>(l.source(n)->width); };
  const unsigned of_one = l.at().opcode == Opcode::dmma ? 2 : 1;
  return {words(0) / of_one, words(1) / of_one};
}

void product(Lifter& l) {
  auto& b = l.b;
  const std::string shape = shape_of(l), types = types_of(l);
  const bool saturates = l.at().opcode == Opcode::imma && l.has(M::sat);
  const std::string name =
      fmt::format("llvm.nvvm.mma.{}.row.col.{}{}", shape, saturates ? "satfinite." : "", types);
  const llvm::Intrinsic::ID id = llvm::Function::lookupIntrinsicID(name);
  if (id == llvm::Intrinsic::not_intrinsic || shape.empty() || types.empty())
    return l.refuse("a matrix product of this shape and type");
  const llvm::FunctionType* type = llvm::Intrinsic::getType(b.getContext(), id);
  const Factors factors = factors_of(l);
  const unsigned count = type->getNumParams();
  if (factors.a + factors.b >= count)
    return l.refuse("a matrix product of these operands");
  std::vector<Value*> values;
  add_values(l, l.source(0), *type, factors.a, values);
  add_values(l, l.source(1), *type, factors.a + factors.b, values);
  add_values(l, l.source(2), *type, count, values);
  if (l.computes_products())
    return put_product(l, shape, types, saturates);
  llvm::CallInst* made = b.CreateIntrinsic(id, {}, values);
  l.mark(made);
  for (unsigned k = 0; k < count - factors.a - factors.b; ++k) {
    Value* sum = b.CreateExtractValue(made, k);
    if (sum->getType()->isDoubleTy()) {
      Value* bits = b.CreateBitCast(sum, b.getInt64Ty());
      l.set(l.result(0), l.low(bits), 2 * k);
      l.set(l.result(0), l.high(bits), 2 * k + 1);
    } else {
      l.set(l.result(0), b.CreateBitCast(sum, b.getInt32Ty()), k);
    }
  }
}

constexpr unsigned row_bytes = 16, row_words = 4;

/// Lane 8 m + r reads row r of matrix m; every lane gets the words of each matrix that are its own. With
/// fewer than four matrices the other lanes read the same rows once more.
void load_matrices(Lifter& l) {
  auto& b = l.b;
  const unsigned matrices = l.has(M::w4) ? 4 : l.has(M::w2) ? 2 : 1;
  if (l.guard() != nullptr)
    return l.refuse("a load of matrices by a part of a warp");
  llvm::Type* type = llvm::FixedVectorType::get(b.getInt32Ty(), row_words);
  llvm::LoadInst* row = b.CreateAlignedLoad(type, shared_pointer(l), llvm::Align(row_bytes), true);
  l.mark(row);
  std::vector<Value*> words;
  for (unsigned w = 0; w < row_words; ++w)
    words.push_back(b.CreateExtractElement(row, std::uint64_t{w}));
  for (unsigned m = 0; m < matrices; ++m)
    l.set(l.result(0), matrix_word(l, words, m, l.has(M::mt88)), m);
}

/// Lane 8 m + r stores row r of matrix m, whose words come from the lanes that hold them. With fewer than
/// four matrices the other lanes store the same rows once more.
void store_matrices(Lifter& l) {
  auto& b = l.b;
  const unsigned matrices = l.has(M::w4) ? 4 : l.has(M::w2) ? 2 : 1;
  if (l.guard() != nullptr)
    return l.refuse("a store of matrices by a part of a warp");
  std::vector<Value*> words;
  for (unsigned m = 0; m < matrices; ++m)
    words.push_back(l.raw(l.source(0), m));
  llvm::Type* type = llvm::FixedVectorType::get(b.getInt32Ty(), row_words);
  Value* row = l.call(
      fmt::format("{}give.x{}{}", ir::builtins::matrix_prefix, matrices, l.has(M::mt88) ? ".trans" : ""),
      type, words);
  const sass::Address& address = address_operand(l)->address;
  if (matrices == 4) {
    l.mark(b.CreateAlignedStore(row, shared_pointer(l, address), llvm::Align(row_bytes), true));
    return;
  }
  Value* lane = l.call("llvm.nvvm.read.ptx.sreg.laneid", b.getInt32Ty(), {});
  Value* first = b.CreateAnd(lane, l.word(8 * matrices - 1));
  const auto of_first = [&](Value* word) {
    return l.call("llvm.nvvm.shfl.sync.idx.i32", b.getInt32Ty(), {l.word(~0U), word, first, l.word(31)});
  };
  Value* same = llvm::PoisonValue::get(type);
  for (unsigned w = 0; w < row_words; ++w)
    same = b.CreateInsertElement(same, of_first(b.CreateExtractElement(row, std::uint64_t{w})),
                                 std::uint64_t{w});
  Value* place = shared_pointer(l, of_first(narrow_address(l, address)));
  l.mark(b.CreateAlignedStore(same, place, llvm::Align(row_bytes), true));
}

/// Where a copy goes to and comes from; null: another form.
struct Ends {
  const Operand *to = nullptr, *from = nullptr;
};
Ends ends_of(const Lifter& l) {
  Ends ends;
  for (const Operand& operand : l.at().operands)
    if (operand.kind == OperandKind::address)
      (ends.to == nullptr ? ends.to : ends.from) = &operand;
  return ends;
}

unsigned copied_bytes(const Lifter& l) {
  return l.has(M::w128) ? 16 : l.has(M::w64) ? 8 : 4;
}

llvm::Type* copied_type(Lifter& l) {
  llvm::Type* word = l.b.getInt32Ty();
  const unsigned bytes = copied_bytes(l);
  return bytes == 4 ? word : llvm::FixedVectorType::get(word, bytes / 4);
}

void mark_copy(Lifter& l, llvm::Instruction* access) {
  access->setMetadata(llvm::StringRef(ir::builtins::async_copy), llvm::MDNode::get(l.b.getContext(), {}));
  l.mark(access);
}

/// Of a lane that reads, for the lanes that do not.
Value* address_of_reader(Lifter& l, Value* own, Value* reads) {
  auto& b = l.b;
  const Elected one = elected(l, reads);
  const auto theirs = [&](Value* word) {
    return l.call("llvm.nvvm.shfl.sync.idx.i32", b.getInt32Ty(), {l.word(~0U), word, one.lane, l.word(31)});
  };
  Value* other = l.pair(theirs(l.low(own)), theirs(l.high(own)));
  return b.CreateSelect(b.CreateOr(reads, b.CreateNot(one.any)), own, other);
}

/// LDGSTS: a load and a store that no register sees. The predicate says for which lanes there is something to
/// copy: the others' words are zeros (.ZFILL), or stay.
void copy_to_shared(Lifter& l) {
  auto& b = l.b;
  const auto [to, from] = ends_of(l);
  if (to == nullptr || from == nullptr)
    return l.refuse("a copy to shared memory of this form");
  Value* reads = is_filled_copy(l.at()) ? l.predicate(l.source_predicate(0), true) : nullptr;
  Value* address = wide_address(l, from->address);
  if (reads != nullptr)
    address = address_of_reader(l, address, reads);
  llvm::Type* whole = copied_type(l);
  const llvm::Align align(copied_bytes(l));
  llvm::LoadInst* load =
      b.CreateAlignedLoad(whole, b.CreateIntToPtr(address, b.getPtrTy(ir::global_space)), align, true);
  Value* copied = reads == nullptr ? load : b.CreateSelect(reads, load, llvm::Constant::getNullValue(whole));
  mark_copy(l, load);
  mark_copy(l, b.CreateAlignedStore(copied, shared_pointer(l, to->address), align, true));
}

bool has_predicate(const Instruction& instruction) {
  for (const Operand& operand : instruction.sources())
    if (operand.kind == OperandKind::predicate)
      return !operand.is_true() || operand.invert;
  return false;
}

constexpr OpcodeRow table[] = {
    {Opcode::hmma, product},       {Opcode::imma, product},          {Opcode::dmma, product},
    {Opcode::ldsm, load_matrices}, {Opcode::ldgsts, copy_to_shared}, {Opcode::stsm, store_matrices},
};

} // namespace

bool is_partial_copy(const Instruction& instruction) {
  return instruction.opcode == Opcode::ldgsts && !instruction.has(M::zfill) && has_predicate(instruction);
}

bool is_filled_copy(const Instruction& instruction) {
  return instruction.opcode == Opcode::ldgsts && instruction.has(M::zfill) && has_predicate(instruction);
}

void fill_with_zeros(Lifter& l) {
  const Ends ends = ends_of(l);
  if (ends.to == nullptr)
    return l.refuse("a copy to shared memory of this form");
  mark_copy(l,
            l.b.CreateAlignedStore(llvm::Constant::getNullValue(copied_type(l)),
                                   shared_pointer(l, ends.to->address), llvm::Align(copied_bytes(l)), true));
}

std::span<const OpcodeRow> tensor_rows() {
  return table;
}

} // namespace forewarp::lift
