// mov, also of the parts of a register; sums with carries.
#include "frontend/lowering/builtin_call.h"
#include "frontend/ptx/operations/arithmetic.h"
#include "frontend/ptx/operations/operations.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Intrinsics.h>

namespace forewarp::frontend::ptx {
namespace {

namespace intrinsics = llvm::Intrinsic;

/// 0: the whole does not fall into so many pieces.
unsigned bits_of_piece(const Statement& s, const std::vector<std::string>& pieces) {
  return s.kind() == 'b' && !pieces.empty() && s.bits() % pieces.size() == 0
             ? s.bits() / static_cast<unsigned>(pieces.size())
             : 0;
}

/// Two halves of a word are what LLVM calls a vector of them: the assembler takes either by itself, and puts
/// two together by one permutation of bytes.
llvm::Type* halves_of_a_word(Expansion& e, const Statement& s, unsigned bits) {
  return s.bits() == 32 && bits == 16 ? llvm::FixedVectorType::get(e.b.getInt16Ty(), 2) : nullptr;
}

bool pack(Expansion& e, const Statement& s) {
  const std::vector<std::string> pieces = pieces_of(s.operands[1]);
  const unsigned bits = bits_of_piece(s, pieces);
  if (bits == 0)
    return false;
  llvm::Type *whole = e.b.getIntNTy(s.bits()), *part = e.b.getIntNTy(bits);
  llvm::Type* halves = halves_of_a_word(e, s, bits);
  llvm::Value* made =
      halves ? static_cast<llvm::Value*>(llvm::PoisonValue::get(halves)) : llvm::ConstantInt::get(whole, 0);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    llvm::Value* piece = e.registers.read(pieces[i], part);
    if (!piece)
      return false;
    made = halves ? e.b.CreateInsertElement(made, piece, i)
                  : e.b.CreateOr(made, e.b.CreateShl(e.b.CreateZExt(piece, whole), i * bits));
  }
  return e.registers.write(s.operands[0], e.b.CreateBitCast(made, whole));
}

bool unpack(Expansion& e, const Statement& s) {
  const std::vector<std::string> pieces = pieces_of(s.operands[0]);
  const unsigned bits = bits_of_piece(s, pieces);
  if (bits == 0)
    return false;
  llvm::Value* whole = e.registers.read(s.operands[1], e.b.getIntNTy(s.bits()));
  if (!whole)
    return false;
  llvm::Type* halves = halves_of_a_word(e, s, bits);
  llvm::Value* parts = halves ? e.b.CreateBitCast(whole, halves) : nullptr;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    llvm::Value* piece = halves ? e.b.CreateExtractElement(parts, i)
                                : e.b.CreateTrunc(e.b.CreateLShr(whole, i * bits), e.b.getIntNTy(bits));
    if (!e.registers.write(pieces[i], piece))
      return false;
  }
  return true;
}

bool move(Expansion& e, const Statement& s) {
  if (s.operands.size() != 2)
    return false;
  const bool to_parts = s.operands[0].front() == '{', from_parts = s.operands[1].front() == '{';
  if (to_parts || from_parts)
    return to_parts && from_parts ? false : to_parts ? unpack(e, s) : pack(e, s);
  llvm::Type* type = register_type(e.context(), s.type());
  llvm::Value* value = type ? e.registers.read(s.operands[1], type) : nullptr;
  return value && e.registers.write(s.operands[0], value);
}

/// add.cc, addc, addc.cc, sub.cc, subc, subc.cc, and the same of mad.lo and mad.hi.
bool with_carry(const Statement& s) {
  return (s.operation.back() == 'c' || s.has("cc")) && s.bits() >= 32 && !s.type().is_float();
}

bool add_with_carry(Expansion& e, const Statement& s) {
  if (!with_carry(s))
    return false;
  const bool takes = s.operation.back() == 'c', product = s.operation.starts_with("mad");
  const std::size_t sources = product ? 3 : 2;
  llvm::Type* type = value_type(e.context(), s.type());
  llvm::Value* carried = takes ? e.carry() : nullptr;
  if (takes && !carried)
    return e.refuse("no statement before it leaves a carry");
  if (!type || s.operands.size() != sources + 1 || (product && !s.has("lo") && !s.has("hi")))
    return false;
  llvm::SmallVector<llvm::Value*, 3> v;
  for (std::size_t i = 1; i <= sources; ++i)
    if (v.push_back(e.registers.read(s.operands[i], type)); !v.back())
      return false;
  if (product) {
    Statement multiply = s;
    multiply.operation = "mul";
    std::erase(multiply.modifiers, "cc");
    v = {find_arithmetic(multiply)->emit(e.b, multiply, {v[0], v[1]}), v[2]};
  }
  const intrinsics::ID id =
      s.operation.starts_with("sub") ? intrinsics::usub_with_overflow : intrinsics::uadd_with_overflow;
  llvm::Value* made = e.b.CreateBinaryIntrinsic(id, v[0], v[1]);
  llvm::Value *sum = e.b.CreateExtractValue(made, 0), *carry = e.b.CreateExtractValue(made, 1);
  if (takes) {
    made = e.b.CreateBinaryIntrinsic(id, sum, e.b.CreateZExt(carried, type));
    sum = e.b.CreateExtractValue(made, 0);
    carry = e.b.CreateOr(carry, e.b.CreateExtractValue(made, 1));
  }
  if (s.has("cc"))
    e.set_carry(carry);
  return e.registers.write(s.operands[0], sum);
}

/// An address in shared memory as a number of 64 bits, with .shared::cluster from one of 32; null: none.
llvm::Value* cluster_address(Expansion& e, const Statement& s, const std::string& operand) {
  llvm::Type* type = element_type(e.context(), s.type());
  llvm::Value* address = type ? e.registers.read(operand, type) : nullptr;
  return address ? e.b.CreateZExt(address, e.b.getInt64Ty()) : nullptr;
}

/// mapa{.shared::cluster}.u32 d, a, rank
bool map_to_group(Expansion& e, const Statement& s) {
  llvm::Value* address = s.operands.size() == 3 ? cluster_address(e, s, s.operands[1]) : nullptr;
  llvm::Value* rank = address ? e.registers.read(s.operands[2], e.b.getInt32Ty()) : nullptr;
  if (!rank)
    return false;
  llvm::Value* made = lowering::call_marker(e.b, "cluster.map", e.b.getInt64Ty(), {address, rank},
                                            lowering::MarkerEffect::pure);
  return e.registers.write(s.operands[0], e.b.CreateTrunc(made, element_type(e.context(), s.type())));
}

bool rank_of_group(Expansion& e, const Statement& s) {
  llvm::Value* address = s.operands.size() == 2 ? cluster_address(e, s, s.operands[1]) : nullptr;
  return address &&
         e.registers.write(s.operands[0], lowering::call_marker(e.b, "cluster.rank_of", e.b.getInt32Ty(),
                                                                {address}, lowering::MarkerEffect::pure));
}

constexpr Operation move_row_list[] = {
    {"add", add_with_carry, ".cc of 32 and 64 bits"},
    {"addc", add_with_carry, "32 and 64 bits, .cc"},
    {"mad", add_with_carry, ".lo.cc, .hi.cc of 32 and 64 bits"},
    {"madc", add_with_carry, ".lo, .hi of 32 and 64 bits, .cc"},
    {"getctarank", rank_of_group, "generic, .shared::cluster"},
    {"mapa", map_to_group, "generic, .shared::cluster"},
    {"mov", move,
     "pred and types of 16 to 128 bits; special registers and addresses of variables; parts: {a, b}"},
    {"sub", add_with_carry, ".cc of 32 and 64 bits"},
    {"subc", add_with_carry, "32 and 64 bits, .cc"},
};

} // namespace

std::span<const Operation> move_rows() {
  return move_row_list;
}

} // namespace forewarp::frontend::ptx
