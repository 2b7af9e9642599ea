#include "frontend/lowering/ptx/ptx_matrix.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/Intrinsics.h>

namespace forewarp::frontend::lowering {
namespace {

/// LLVM's name for it: "llvm.nvvm.mma.m16n8k16.row.col.f32.f32". Its types are those of d and c for products
/// of f16; else those of a and b, once where they are the same. "": not of this form.
std::string intrinsic_name(const PtxStatement& s) {
  std::vector<std::string> words;
  bool saturates = false;
  for (const std::string& word : s.modifiers)
    if (word == "satfinite")
      saturates = true;
    else if (word != "sync" && word != "aligned")
      words.push_back(word);
  if (words.size() != 7) // shape, layouts of a and b, types of d, a, b and c
    return "";
  const std::string &d = words[3], &a = words[4], &b = words[5], &c = words[6];
  const std::string types = a == "f16" ? d + "." + c : a == b ? a : a + "." + b;
  return "llvm.nvvm.mma." + words[0] + "." + words[1] + "." + words[2] + (saturates ? ".satfinite." : ".") +
         types;
}

} // namespace

bool expand_ptx_mma(llvm::IRBuilder<>& builder, PtxRegisters& registers, const PtxStatement& statement) {
  const std::string name = intrinsic_name(statement);
  const llvm::Intrinsic::ID id = name.empty() ? 0 : llvm::Function::lookupIntrinsicID(name);
  if (id == llvm::Intrinsic::not_intrinsic || statement.operands.size() != 4)
    return false;
  const llvm::FunctionType* type = llvm::Intrinsic::getType(builder.getContext(), id);
  std::vector<llvm::Value*> inputs;
  for (std::size_t operand = 1; operand < 4; ++operand)
    for (const std::string& piece : ptx_pieces(statement.operands[operand])) {
      if (inputs.size() == type->getNumParams())
        return false;
      inputs.push_back(registers.read(piece, type->getParamType(static_cast<unsigned>(inputs.size()))));
      if (!inputs.back())
        return false;
    }
  const std::vector<std::string> results = ptx_pieces(statement.operands[0]);
  const auto* record = llvm::dyn_cast<llvm::StructType>(type->getReturnType());
  if (inputs.size() != type->getNumParams() || !record || record->getNumElements() != results.size())
    return false;
  llvm::Value* made = builder.CreateIntrinsic(id, {}, inputs);
  for (unsigned i = 0; i < results.size(); ++i)
    if (!registers.write(results[i], builder.CreateExtractValue(made, i)))
      return false;
  return true;
}

} // namespace forewarp::frontend::lowering
