#include "frontend/lowering/ptx_warpgroup.h"

#include "frontend/lowering/builtin_call.h"

#include <algorithm>

namespace forewarp::frontend::lowering {
namespace {

/// "f32x64" of 64 values of one type, the name of their record; "": of several types, or none.
std::string kind_of(llvm::ArrayRef<llvm::Type*> types) {
  if (types.empty() ||
      std::any_of(types.begin(), types.end(), [&](llvm::Type* t) { return t != types.front(); }))
    return "";
  return type_suffix(types.front()) + "x" + std::to_string(types.size());
}

/// A call that gives `names` new values, made of what they hold.
bool call_on(llvm::IRBuilder<>& builder, PtxRegisters& registers, const std::vector<std::string>& names,
             const std::string& marker, llvm::SmallVector<llvm::Value*, 8> others, llvm::Type* of_new) {
  llvm::SmallVector<llvm::Value*, 8> arguments(std::move(others));
  llvm::SmallVector<llvm::Type*, 8> types;
  for (const std::string& name : names) {
    if (!registers.knows(name))
      return false;
    llvm::Value* held = registers.value(name);
    types.push_back(held ? held->getType() : of_new);
    arguments.push_back(held ? held : llvm::PoisonValue::get(of_new));
  }
  const std::string kind = kind_of(types);
  if (kind.empty())
    return false;
  llvm::CallInst* made =
      call_marker(builder, marker + "." + kind, llvm::StructType::get(builder.getContext(), types), arguments,
                  MarkerEffect::memory_write);
  for (unsigned i = 0; i < names.size(); ++i)
    registers.set(names[i], builder.CreateExtractValue(made, i));
  return true;
}

/// "sync.aligned.m64n128k16.f32.f16.f16 {d...}, a, b, scale, ...": a is a descriptor or registers.
bool multiply(llvm::IRBuilder<>& builder, PtxRegisters& registers, const PtxStatement& s) {
  const auto shape = std::find_if(s.modifiers.begin(), s.modifiers.end(),
                                  [](const std::string& word) { return word.starts_with("m64n"); });
  if (s.has("sp") || s.operands.size() < 4 || s.modifiers.end() - shape < 4)
    return false;
  const std::vector<std::string> sums = ptx_pieces(s.operands[0]);
  const bool in_registers = s.operands[1].front() == '{';
  llvm::SmallVector<llvm::Value*, 8> factors;
  for (const std::string& piece : ptx_pieces(s.operands[1]))
    factors.push_back(registers.read(piece, in_registers ? builder.getInt32Ty() : builder.getInt64Ty()));
  factors.push_back(registers.read(s.operands[2], builder.getInt64Ty()));
  if (std::find(factors.begin(), factors.end(), nullptr) != factors.end())
    return false;
  const std::string &of_sums = shape[1], &of_factors = shape[2];
  llvm::Type* type = of_sums == "f32" ? builder.getFloatTy() : builder.getInt32Ty();
  const std::string marker = "wgmma." + *shape + "." + of_factors +
                             (in_registers ? ".registers" : ".memory") + std::to_string(factors.size());
  return call_on(builder, registers, sums, marker, std::move(factors), type);
}

} // namespace

bool expand_ptx_warpgroup(llvm::IRBuilder<>& builder, PtxRegisters& registers, const PtxStatement& s,
                          const std::vector<std::string>& outputs) {
  if (s.has("mma_async"))
    return multiply(builder, registers, s);
  if (s.has("fence") || s.has("commit_group"))
    return true;
  if (!s.has("wait_group") || s.operands.size() != 1)
    return false;
  std::vector<std::string> sums; // addresses that are held back with them keep their values
  for (const std::string& name : outputs)
    if (llvm::Value* held = registers.value(name); held && held->getType()->isFloatTy())
      sums.push_back(name);
  if (sums.empty())
    return true;
  return call_on(builder, registers, sums, "wgmma.wait." + s.operands[0], {}, builder.getFloatTy());
}

} // namespace forewarp::frontend::lowering
