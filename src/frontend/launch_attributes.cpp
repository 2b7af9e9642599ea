#include "frontend/launch_attributes.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

namespace forewarp::frontend {
namespace {

/// Up to three numbers; none where the attribute is missing or something else stands in it.
llvm::SmallVector<std::uint64_t, 3> numbers(const llvm::Function& function, llvm::StringRef attribute) {
  llvm::SmallVector<std::uint64_t, 3> result;
  llvm::SmallVector<llvm::StringRef, 3> words;
  function.getFnAttribute(attribute).getValueAsString().split(words, ',');
  for (const llvm::StringRef word : words) {
    std::uint64_t number = 0;
    if (result.size() == 3 || word.trim().getAsInteger(10, number) || number == 0 || number > UINT32_MAX)
      return {};
    result.push_back(number);
  }
  return result;
}

facts::Dim3 dimensions(llvm::ArrayRef<std::uint64_t> numbers) {
  return {numbers[0], numbers.size() > 1 ? numbers[1] : 1, numbers.size() > 2 ? numbers[2] : 1};
}

/// MLIR's translation to LLVM IR writes this for the name of the source.
bool made_by_mlir(const llvm::Function& function) {
  return function.getParent()->getSourceFileName() == "LLVMDialectModule";
}

} // namespace

void read_launch_attributes(const llvm::Function& function, ir::KernelSignature& signature) {
  if (const auto required = numbers(function, "nvvm.reqntid"); !required.empty())
    signature.required_group_size = dimensions(required);
  if (const auto cluster = numbers(function, "nvvm.cluster_dim"); !cluster.empty())
    signature.required_cluster = dimensions(cluster);
  if (const auto most = numbers(function, "nvvm.maxntid"); !most.empty())
    signature.max_group_threads = static_cast<unsigned>(dimensions(most).count());
  if (const auto groups = numbers(function, "nvvm.minctasm"); groups.size() == 1)
    signature.min_groups_per_sm = static_cast<unsigned>(groups.front());
  if (const auto flat = numbers(function, "amdgpu-flat-work-group-size"); flat.size() == 2) {
    signature.max_group_threads = static_cast<unsigned>(flat[1]);
    if (flat[0] == flat[1] || made_by_mlir(function))
      signature.required_group_size = facts::Dim3{flat[1], 1, 1};
  }
}

} // namespace forewarp::frontend
