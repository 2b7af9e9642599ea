#include "native/facts_table.h"

#include "native/abi/abi.h"

#include <llvm/Transforms/Utils/ModuleUtils.h>

namespace forewarp::native {
namespace {

class Table {
public:
  explicit Table(llvm::Module& module) : module_(module), builder_(module.getContext()) {}

  llvm::Constant* kernel(const TableKernel& from) {
    std::vector<llvm::Constant*> parameters;
    for (std::size_t k = 0; k < from.signature->parameters.size(); ++k) {
      const ir::Parameter& parameter = from.signature->parameters[k];
      parameters.push_back(record({word(parameter.size_bytes), word(parameter.is_pointer),
                                   word(k < from.use.reads.size() && from.use.reads[k]),
                                   word(k < from.use.writes.size() && from.use.writes[k])}));
    }
    const KernelKind kind = !from.code   ? KernelKind::refused
                            : from.meets ? KernelKind::meeting
                            : from.waits ? KernelKind::waiting
                                         : KernelKind::plain;
    return record({text(from.signature->symbol), text(from.problem), from.code ? from.code : null(),
                   list(parameters), word(static_cast<std::uint32_t>(kind)),
                   word(static_cast<std::uint32_t>(parameters.size())), quad(from.shared_bytes),
                   word(from.code && from.use.repeatable), word(0)});
  }

  llvm::Constant* variable(llvm::GlobalVariable& from) {
    return record({text(from.getName().str()), &from,
                   quad(module_.getDataLayout().getTypeAllocSize(from.getValueType()))});
  }

  void finish(const std::string& name, const std::vector<llvm::Constant*>& kernels,
              const std::vector<llvm::Constant*>& variables) {
    llvm::Constant* facts = keep(
        record({text(name), list(kernels), list(variables), quad(kernels.size()), quad(variables.size())}));
    auto* constructor =
        llvm::Function::Create(llvm::FunctionType::get(builder_.getVoidTy(), false),
                               llvm::GlobalValue::InternalLinkage, "forewarp.register", module_);
    builder_.SetInsertPoint(llvm::BasicBlock::Create(builder_.getContext(), "", constructor));
    auto* type = llvm::FunctionType::get(builder_.getVoidTy(), {builder_.getPtrTy()}, false);
    builder_.CreateCall(module_.getOrInsertFunction("forewarp_register_module", type), {facts});
    builder_.CreateRetVoid();
    constexpr int first_of_all = 101;
    llvm::appendToGlobalCtors(module_, constructor, first_of_all);
  }

private:
  llvm::Constant* word(std::uint32_t value) { return builder_.getInt32(value); }
  llvm::Constant* quad(std::uint64_t value) { return builder_.getInt64(value); }
  llvm::Constant* null() { return llvm::ConstantPointerNull::get(builder_.getPtrTy()); }
  llvm::Constant* record(const std::vector<llvm::Constant*>& parts) {
    return llvm::ConstantStruct::getAnon(parts);
  }
  llvm::Constant* keep(llvm::Constant* value) {
    return new llvm::GlobalVariable(module_, value->getType(), true, llvm::GlobalValue::PrivateLinkage,
                                    value);
  }
  llvm::Constant* list(const std::vector<llvm::Constant*>& parts) {
    if (parts.empty())
      return null();
    return keep(
        llvm::ConstantArray::get(llvm::ArrayType::get(parts.front()->getType(), parts.size()), parts));
  }
  llvm::Constant* text(const std::string& words) {
    return keep(llvm::ConstantDataArray::getString(builder_.getContext(), words));
  }

  llvm::Module& module_;
  llvm::IRBuilder<> builder_;
};

} // namespace

void add_facts_table(llvm::Module& module, const std::string& name, const std::vector<TableKernel>& kernels,
                     const std::vector<llvm::GlobalVariable*>& variables) {
  Table table(module);
  std::vector<llvm::Constant*> kernel_list, variable_list;
  for (const TableKernel& kernel : kernels)
    kernel_list.push_back(table.kernel(kernel));
  for (llvm::GlobalVariable* variable : variables)
    variable_list.push_back(table.variable(*variable));
  table.finish(name, kernel_list, variable_list);
}

} // namespace forewarp::native
