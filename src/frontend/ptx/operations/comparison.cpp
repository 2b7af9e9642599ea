// Comparisons and choices.
#include "frontend/ptx/operations/operations.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>

#include <algorithm>

namespace forewarp::frontend::ptx {
namespace {

using Predicate = llvm::CmpInst::Predicate;

/// Of floats: the unordered forms end in u.
int float_predicate(llvm::StringRef how) {
  return llvm::StringSwitch<int>(how)
      .Case("eq", Predicate::FCMP_OEQ)
      .Case("ne", Predicate::FCMP_ONE)
      .Case("lt", Predicate::FCMP_OLT)
      .Case("le", Predicate::FCMP_OLE)
      .Case("gt", Predicate::FCMP_OGT)
      .Case("ge", Predicate::FCMP_OGE)
      .Case("equ", Predicate::FCMP_UEQ)
      .Case("neu", Predicate::FCMP_UNE)
      .Case("ltu", Predicate::FCMP_ULT)
      .Case("leu", Predicate::FCMP_ULE)
      .Case("gtu", Predicate::FCMP_UGT)
      .Case("geu", Predicate::FCMP_UGE)
      .Case("num", Predicate::FCMP_ORD)
      .Case("nan", Predicate::FCMP_UNO)
      .Default(-1);
}

int integer_predicate(llvm::StringRef how, bool is_signed) {
  return llvm::StringSwitch<int>(how)
      .Case("eq", Predicate::ICMP_EQ)
      .Case("ne", Predicate::ICMP_NE)
      .Case("lt", is_signed ? Predicate::ICMP_SLT : Predicate::ICMP_ULT)
      .Case("le", is_signed ? Predicate::ICMP_SLE : Predicate::ICMP_ULE)
      .Case("gt", is_signed ? Predicate::ICMP_SGT : Predicate::ICMP_UGT)
      .Case("ge", is_signed ? Predicate::ICMP_SGE : Predicate::ICMP_UGE)
      .Case("lo", Predicate::ICMP_ULT)
      .Case("ls", Predicate::ICMP_ULE)
      .Case("hi", Predicate::ICMP_UGT)
      .Case("hs", Predicate::ICMP_UGE)
      .Default(-1);
}

/// The statement's comparison of its second and third operand, of the type of its last type word.
llvm::Value* compared(Expansion& e, const Statement& s) {
  llvm::Type* type = value_type(e.context(), s.type());
  if (!type || s.operands.size() < 3 || s.modifiers.empty())
    return nullptr;
  const int predicate = s.type().is_float() ? float_predicate(s.modifiers[0])
                                            : integer_predicate(s.modifiers[0], s.kind() == 's');
  llvm::Value *x = e.registers.read(s.operands[1], type), *y = e.registers.read(s.operands[2], type);
  if (!x || !y || predicate < 0)
    return nullptr;
  return e.b.CreateCmp(static_cast<Predicate>(predicate), x, y);
}

/// With the boolean of ".and", ".or" or ".xor" behind it.
llvm::Value* combined(Expansion& e, const Statement& s, llvm::Value* made) {
  if (s.operands.size() == 3)
    return made;
  llvm::Value* other = s.operands.size() == 4 ? e.registers.read(s.operands[3], e.b.getInt1Ty()) : nullptr;
  if (!other)
    return nullptr;
  if (made->getType()->isVectorTy())
    other = e.b.CreateVectorSplat(2, other);
  return s.has("and")   ? e.b.CreateAnd(made, other)
         : s.has("or")  ? e.b.CreateOr(made, other)
         : s.has("xor") ? e.b.CreateXor(made, other)
                        : nullptr;
}

/// setp.lt.and.s32 p|q, a, b, c: p of the comparison, q of its complement; of two lanes, one each.
bool set_predicate(Expansion& e, const Statement& s) {
  llvm::Value* made = compared(e, s);
  if (!made)
    return false;
  const std::string& target = s.operands[0];
  const std::size_t bar = target.find('|');
  const std::string first(trimmed(std::string_view(target).substr(0, bar)));
  const std::string second(bar == std::string::npos ? "_"
                                                    : trimmed(std::string_view(target).substr(bar + 1)));
  const bool lanes = made->getType()->isVectorTy();
  llvm::Value* other = lanes           ? e.b.CreateExtractElement(made, std::uint64_t{1})
                       : second == "_" ? made
                                       : e.b.CreateNot(made);
  if (lanes)
    made = e.b.CreateExtractElement(made, std::uint64_t{0});
  llvm::Value* p = combined(e, s, made);
  llvm::Value* q = second == "_" ? p : combined(e, s, other);
  return p && q && e.registers.write(first, p) && e.registers.write(second, q);
}

/// set.lt.u32.f32 d, a, b: all ones, or 1.0.
bool set_value(Expansion& e, const Statement& s) {
  const std::vector<TypeWord> types = s.types();
  if (types.size() != 2 || (types[0].lanes != 1 && types[0].lanes != types[1].lanes))
    return false;
  llvm::Value* made = compared(e, s);
  made = made ? combined(e, s, made) : nullptr;
  llvm::Type* type = value_type(e.context(), types[0]);
  if (!made || !type)
    return false;
  if (made->getType()->isVectorTy()) // of two halves: a word with all ones for each
    type = llvm::FixedVectorType::get(e.b.getInt16Ty(), 2);
  if (types[0].lanes == 2)
    type = value_type(e.context(), types[0]);
  llvm::Value* result = types[0].is_float() ? e.b.CreateSelect(made, llvm::ConstantFP::get(type, 1.0),
                                                               llvm::ConstantFP::get(type, 0.0))
                                            : e.b.CreateSExt(made, type);
  return e.registers.write(s.operands[0], result);
}

bool choose(Expansion& e, const Statement& s) {
  llvm::Type* type = register_type(e.context(), s.type());
  if (s.operands.size() != 4 || !type)
    return false;
  llvm::Value *x = e.registers.read(s.operands[1], type), *y = e.registers.read(s.operands[2], type);
  llvm::Value* condition = e.registers.read(s.operands[3], e.b.getInt1Ty());
  return x && y && condition && e.registers.write(s.operands[0], e.b.CreateSelect(condition, x, y));
}

/// slct.b32.f32 d, a, b, c: a where c >= 0.
bool choose_by_sign(Expansion& e, const Statement& s) {
  const std::vector<TypeWord> types = s.types();
  if (types.size() != 2 || s.operands.size() != 4)
    return false;
  llvm::Type *type = register_type(e.context(), types[0]), *of_sign = value_type(e.context(), types[1]);
  if (!type || !of_sign)
    return false;
  llvm::Value *x = e.registers.read(s.operands[1], type), *y = e.registers.read(s.operands[2], type),
              *sign = e.registers.read(s.operands[3], of_sign);
  if (!x || !y || !sign)
    return false;
  llvm::Value* zero = llvm::Constant::getNullValue(of_sign);
  llvm::Value* condition =
      types[1].is_float() ? e.b.CreateFCmpOGE(sign, zero) : e.b.CreateICmpSGE(sign, zero);
  return e.registers.write(s.operands[0], e.b.CreateSelect(condition, x, y));
}

constexpr Operation comparison_row_list[] = {
    {"selp", choose, "types of 16 to 64 bits"},
    {"set", set_value,
     "to u32, s32, f32, f16, f16x2 from integers and floats, of pairs of halves, too; .and, .or, .xor"},
    {"setp", set_predicate,
     "all comparisons of integers and floats, of f16x2 and bf16x2; a second result; .and, .or, .xor"},
    {"slct", choose_by_sign, "by s32 or f32"},
};

} // namespace

std::span<const Operation> comparison_rows() {
  return comparison_row_list;
}

} // namespace forewarp::frontend::ptx
