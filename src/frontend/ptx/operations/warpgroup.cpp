#include "frontend/ptx/operations/warpgroup.h"

#include "frontend/lowering/builtin_call.h"

#include <algorithm>

namespace forewarp::frontend::ptx {
namespace {

/// "f32x64" of 64 values of one type, the name of their record; "": of several types, or none.
std::string kind_of(llvm::ArrayRef<llvm::Type*> types) {
  if (types.empty() ||
      std::any_of(types.begin(), types.end(), [&](llvm::Type* t) { return t != types.front(); }))
    return "";
  return lowering::type_suffix(types.front()) + "x" + std::to_string(types.size());
}

/// A call that gives `names` new values, made of what they hold.
bool call_on(Expansion& e, const std::vector<std::string>& names, const std::string& marker,
             llvm::SmallVector<llvm::Value*, 8> arguments) {
  llvm::SmallVector<llvm::Type*, 8> types;
  for (const std::string& name : names) {
    llvm::Value* held = e.registers.value(name);
    if (!held)
      return e.refuse("'" + name + "' is not declared");
    types.push_back(held->getType());
    arguments.push_back(held);
  }
  const std::string kind = kind_of(types);
  if (kind.empty())
    return false;
  llvm::CallInst* made =
      lowering::call_marker(e.b, marker + "." + kind, llvm::StructType::get(e.context(), types), arguments,
                            lowering::MarkerEffect::memory_write);
  for (unsigned i = 0; i < names.size(); ++i)
    if (!e.registers.write(names[i], e.b.CreateExtractValue(made, i)))
      return false;
  return true;
}

/// "sync.aligned.m64n128k16.f32.f16.f16 {d...}, a, b, scale, ...": a is a descriptor or registers.
bool multiply(Expansion& e, const Statement& s) {
  const auto shape = std::find_if(s.modifiers.begin(), s.modifiers.end(),
                                  [](const std::string& word) { return word.starts_with("m64n"); });
  if (s.has("sp") || s.operands.size() < 4 || s.modifiers.end() - shape < 4)
    return false;
  const std::vector<std::string> sums = pieces_of(s.operands[0]);
  const bool in_registers = s.operands[1].front() == '{';
  llvm::SmallVector<llvm::Value*, 8> factors;
  for (const std::string& piece : pieces_of(s.operands[1]))
    factors.push_back(e.registers.read(piece, in_registers ? e.b.getInt32Ty() : e.b.getInt64Ty()));
  factors.push_back(e.registers.read(s.operands[2], e.b.getInt64Ty()));
  if (std::find(factors.begin(), factors.end(), nullptr) != factors.end())
    return false;
  const std::string marker = "wgmma." + *shape + "." + shape[2] + (in_registers ? ".registers" : ".memory") +
                             std::to_string(factors.size());
  return call_on(e, sums, marker, std::move(factors));
}

} // namespace

bool expand_warpgroup(Expansion& e, const Statement& s) {
  if (s.has("mma_async"))
    return multiply(e, s);
  if (s.has("fence") || s.has("commit_group"))
    return true;
  if (!s.has("wait_group") || s.operands.size() != 1)
    return false;
  std::vector<std::string> sums; // addresses that are held back with them keep their values
  for (const std::string& name : e.sums)
    if (const Register* held = e.registers.find_register(name); held && held->type->isFloatTy())
      sums.push_back(name);
  return sums.empty() || call_on(e, sums, "wgmma.wait." + s.operands[0], {});
}

} // namespace forewarp::frontend::ptx
