#include "frontend/ptx/operations/conversions/small_floats.h"

#include "frontend/lowering/builtin_call.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

namespace forewarp::frontend::ptx {
namespace {

/// "e4m3" or "e5m2" of two, from or to what generations before 10.0 convert: markers of their own, which the
/// lane kernels know. Empty: others.
std::string_view old_format(const Statement& s, TypeWord other) {
  const bool known_other = other.kind == 'f' && other.bits * other.lanes == 32;
  return !known_other || s.has("rs") ? "" : s.has("e4m3x2") ? "e4m3" : s.has("e5m2x2") ? "e5m2" : "";
}

llvm::Value* call_pure(Expansion& e, const std::string& name, llvm::ArrayRef<llvm::Value*> values) {
  return lowering::call_marker(e.b, name, e.b.getInt32Ty(), values, lowering::MarkerEffect::pure);
}

llvm::Value* not_negative(Expansion& e, const Statement& s, llvm::Value* value) {
  return s.has("relu") ? e.b.CreateBinaryIntrinsic(llvm::Intrinsic::maxnum, value,
                                                   llvm::Constant::getNullValue(value->getType()))
                       : value;
}

/// cvt.rn.satfinite.e4m3x2.f32 d, upper, lower; cvt.rn.satfinite.e4m3x2.f16x2 d, a; cvt.rn.f16x2.e4m3x2 d, a.
bool convert_bytes(Expansion& e, const Statement& s, std::string_view format, TypeWord to, TypeWord from) {
  const auto marker = [&](const char* kind, llvm::ArrayRef<llvm::Value*> values) {
    return call_pure(e, std::string("fp8.") + kind + "." + std::string(format), values);
  };
  llvm::Type *word = e.b.getInt32Ty(), *pair = value_type(e.context(), TypeWord{'f', 16, 2});
  if (to.kind == 'e' && from.lanes == 1) {
    if (s.operands.size() != 3)
      return false;
    llvm::Value* upper = e.registers.read(s.operands[1], e.b.getFloatTy());
    llvm::Value* lower = e.registers.read(s.operands[2], e.b.getFloatTy());
    if (!upper || !lower)
      return false;
    llvm::Value* made = marker("pack", {not_negative(e, s, upper), not_negative(e, s, lower)});
    return e.registers.write(s.operands[0], e.b.CreateTrunc(made, e.b.getInt16Ty()));
  }
  if (s.operands.size() != 2)
    return false;
  if (to.kind == 'e') {
    llvm::Value* halves = e.registers.read(s.operands[1], pair);
    if (!halves)
      return false;
    llvm::Value* made = marker("narrow", {e.b.CreateBitCast(not_negative(e, s, halves), word)});
    return e.registers.write(s.operands[0], e.b.CreateTrunc(made, e.b.getInt16Ty()));
  }
  llvm::Value* bytes = e.registers.read(s.operands[1], e.b.getInt16Ty());
  return bytes &&
         e.registers.write(
             s.operands[0],
             not_negative(e, s, e.b.CreateBitCast(marker("widen", {e.b.CreateZExt(bytes, word)}), pair)));
}

/// The sources as words, floats as floats: what stands behind the first operand, braces opened.
bool read_sources(Expansion& e, const Statement& s, TypeWord from,
                  llvm::SmallVectorImpl<llvm::Value*>& made) {
  for (std::size_t i = 1; i < s.operands.size(); ++i)
    for (const std::string& piece : pieces_of(s.operands[i])) {
      const bool random = s.has("rs") && i + 1 == s.operands.size();
      const bool scale = from.kind == 'e' && i > 1;
      const bool single = from.lanes == 1 && !random;
      llvm::Type* type = single   ? e.b.getFloatTy()
                         : random ? e.b.getInt32Ty()
                                  : e.b.getIntNTy(scale ? 16 : from.size());
      llvm::Value* value = e.registers.read(piece, type);
      if (!value)
        return false;
      made.push_back(single ? value : e.b.CreateZExt(value, e.b.getInt32Ty()));
    }
  return true;
}

} // namespace

bool is_of_small_floats(const Statement& s, const std::vector<TypeWord>& types) {
  return types[types.size() - 2].kind == 'e' || types.back().kind == 'e' || s.has("rs");
}

/// All others go by their words: "cvt.rn.satfinite.e2m1x2.f32" (ir/builtins.h).
bool between_small_floats(Expansion& e, const Statement& s, const std::vector<TypeWord>& types) {
  const TypeWord to = types[types.size() - 2], from = types.back();
  const bool widens = from.kind == 'e';
  if (const std::string_view format = old_format(s, widens ? to : from); !format.empty())
    return convert_bytes(e, s, format, to, from);
  const unsigned elements = to.lanes;
  const bool scaled = s.has("scaled::n2::ue8m0"), random = s.has("rs");
  const std::size_t sources = (from.lanes == 1 ? elements : 1) + (scaled || random ? 1 : 0);
  if ((from.lanes != 1 && from.lanes != elements) || elements < 2 || (scaled && !widens) ||
      (!widens && from.kind != 'f' && from.kind != 'h'))
    return false;
  llvm::SmallVector<llvm::Value*, 5> values;
  if (!read_sources(e, s, from, values))
    return false;
  if (values.size() != sources)
    return e.refuse("it has " + std::to_string(values.size()) + " sources, not " + std::to_string(sources));
  std::string name = "cvt";
  for (const std::string& word : s.modifiers)
    name += "." + word;
  llvm::Value* made = call_pure(e, name, values);
  return e.registers.write(s.operands[0], e.b.CreateTrunc(made, e.b.getIntNTy(to.size())));
}

} // namespace forewarp::frontend::ptx
