// Matrix products of a warp (mma.sync) as LLVM's intrinsics; of a warp group (wgmma) as markers.
#include "frontend/ptx/operations/matrices/marked_product.h"
#include "frontend/ptx/operations/matrices/warp_matrix.h"
#include "frontend/ptx/operations/matrices/warpgroup.h"
#include "frontend/ptx/operations/operations.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/Intrinsics.h>

namespace forewarp::frontend::ptx {
namespace {

/// LLVM's name for it: "llvm.nvvm.mma.m16n8k16.row.col.f32.f32". Its types are those of d and c for products
/// of f16; else those of a and b, once where they are the same. "": not of this form.
std::string intrinsic_name(const Statement& s) {
  std::vector<std::string> words;
  bool saturates = false;
  std::string of_bits; // "xor.popc" stands before the shape
  for (const std::string& word : s.modifiers)
    if (word == "satfinite")
      saturates = true;
    else if (word == "xor" || word == "and" || word == "popc")
      of_bits += word + ".";
    else if (word != "sync" && word != "aligned")
      words.push_back(word);
  if (words.size() != 7) // shape, layouts of a and b, types of d, a, b and c
    return "";
  const std::string &d = words[3], &a = words[4], &b = words[5], &c = words[6];
  const std::string types = a == "f16" ? d + "." + c : a == b ? a : a + "." + b;
  return "llvm.nvvm.mma." + of_bits + words[0] + "." + words[1] + "." + words[2] +
         (saturates ? ".satfinite." : ".") + types;
}

/// "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {d...}, {a...}, {b...}, {c...}" of whatever shape and
/// types LLVM knows.
bool multiply(Expansion& e, const Statement& s) {
  const std::string name = intrinsic_name(s);
  const llvm::Intrinsic::ID id = name.empty() ? 0 : llvm::Function::lookupIntrinsicID(name);
  if (id == llvm::Intrinsic::not_intrinsic || s.operands.size() != 4)
    return expand_marked_product(e, s);
  const llvm::FunctionType* type = llvm::Intrinsic::getType(e.context(), id);
  std::vector<llvm::Value*> inputs;
  for (std::size_t operand = 1; operand < 4; ++operand)
    for (const std::string& piece : pieces_of(s.operands[operand])) {
      if (inputs.size() == type->getNumParams())
        return false;
      inputs.push_back(e.registers.read(piece, type->getParamType(static_cast<unsigned>(inputs.size()))));
      if (!inputs.back())
        return false;
    }
  const std::vector<std::string> results = pieces_of(s.operands[0]);
  const auto* record = llvm::dyn_cast<llvm::StructType>(type->getReturnType());
  if (inputs.size() != type->getNumParams() || !record || record->getNumElements() != results.size())
    return false;
  llvm::Value* made = e.b.CreateIntrinsic(id, {}, inputs);
  for (unsigned i = 0; i < results.size(); ++i)
    if (!e.registers.write(results[i], e.b.CreateExtractValue(made, i)))
      return false;
  return true;
}

constexpr Operation matrix_row_list[] = {
    {"mma", multiply,
     ".sync of all shapes and types, of 8 bits and less with kinds and block scales; sums have values, "
     "also of .sp"},
    {"wgmma", expand_warpgroup,
     ".mma_async and .mma_async.sp of factors from registers and by descriptor, .fence, .commit_group, "
     ".wait_group; sums "
     "have values"},
    {"wmma", expand_warp_matrix,
     ".load, .mma, .store of all shapes and types; as mma.sync and plain accesses"},
};

} // namespace

std::span<const Operation> matrix_rows() {
  return matrix_row_list;
}

} // namespace forewarp::frontend::ptx
