// One address space instead of a GPU's several.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace forewarp::native {

/// A new function of the kernel's code: (ptr group, ptr arguments, i32 x, i32 y, i32 z). Parameters are read
/// through `arguments`; shared variables lie behind the group's pointer, in the order of `shared_bytes`.
struct FlatKernel {
  llvm::Function* body = nullptr;
  std::uint64_t shared_bytes = 0;
  /// What stands for the parameters, by position: their value, of those by value in memory the address.
  std::vector<llvm::Value*> parameters;
  std::vector<std::uint64_t> parameter_bytes; ///< of those by value in memory; else 0
};

/// Variables of the module in other spaces become internal ones of space 0; call once, before kernels.
void flatten_variables(llvm::Module& module);
/// The kernel's function is emptied. All pointers of its code are of space 0 afterwards.
FlatKernel flatten_kernel(llvm::Function& kernel);

/// Members of native::Group as code reads them.
class GroupReader {
public:
  GroupReader(llvm::IRBuilder<>& builder, llvm::Value* group) : builder_(builder), group_(group) {}
  llvm::Value* size(unsigned axis);
  llvm::Value* groups(unsigned axis);
  llvm::Value* id(unsigned axis);
  llvm::Value* shared();
  llvm::Value* shared_bytes();
  llvm::Value* exchange();
  llvm::Value* argument_spans();

private:
  llvm::Value* read(llvm::Type* type, std::uint64_t offset);
  llvm::IRBuilder<>& builder_;
  llvm::Value* group_;
};

/// A load that nothing changes while the group runs.
llvm::Value* read_invariant(llvm::IRBuilder<>& builder, llvm::Type* type, llvm::Value* at);

} // namespace forewarp::native
