#include "frontend/lowering/lower.h"
#include "frontend/ptx/cursor.h"
#include "frontend/ptx/inline_ptx.h"

#include "frontend/lowering/libdevice.h"
#include "frontend/lowering/mangled_name.h"
#include "frontend/lowering/tables/tables.h"
#include "frontend/lowering/target_intrinsics.h"
#include "ir/builtins.h"
#include "support/suggest.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Metadata.h>
#include <llvm/IR/ValueHandle.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <algorithm>
#include <set>

namespace forewarp::frontend::lowering {

std::string where_of(const llvm::Instruction& instruction) {
  const llvm::DILocation* at = instruction.getDebugLoc().get();
  if (!at)
    return {};
  return at->getFilename().str() + ":" + std::to_string(at->getLine()) + ":" +
         std::to_string(at->getColumn());
}

bool is_kernel(const llvm::Function& function) {
  switch (function.getCallingConv()) {
  case llvm::CallingConv::AMDGPU_KERNEL:
  case llvm::CallingConv::SPIR_KERNEL:
  case llvm::CallingConv::PTX_Kernel:
    return true;
  default:
    break;
  }
  const llvm::NamedMDNode* annotations = function.getParent()->getNamedMetadata("nvvm.annotations");
  if (!annotations)
    return false;
  for (const llvm::MDNode* node : annotations->operands()) {
    if (node->getNumOperands() < 3 || !node->getOperand(0))
      continue;
    auto* subject = llvm::dyn_cast<llvm::ValueAsMetadata>(node->getOperand(0));
    if (!subject || subject->getValue() != &function)
      continue;
    for (unsigned i = 1; i + 1 < node->getNumOperands(); i += 2)
      if (auto* word = llvm::dyn_cast_or_null<llvm::MDString>(node->getOperand(i));
          word && word->getString() == "kernel")
        return true;
  }
  return false;
}

namespace {

std::vector<std::string> known_names() {
  std::vector<std::string> names;
  for (auto table : all_tables())
    for (const Row& row : table)
      names.emplace_back(row.name);
  return names;
}

/// A function of own headers has no lines: then the nearest call that leads there and has one.
std::string where_called(const llvm::CallBase& call) {
  std::string where = where_of(call);
  std::vector<const llvm::Function*> functions = {call.getFunction()};
  for (std::size_t k = 0; where.empty() && k < functions.size(); ++k)
    for (const llvm::User* user : functions[k]->users())
      if (const auto* caller = llvm::dyn_cast<llvm::CallBase>(user);
          caller && where.empty() && caller->getCalledOperand() == functions[k]) {
        where = where_of(*caller);
        if (std::ranges::find(functions, caller->getFunction()) == functions.end())
          functions.push_back(caller->getFunction());
      }
  return where;
}

/// What own headers call where the GPU lacks the type of a product (data/include/mma_shapes.h).
constexpr std::string_view lacks_matrix_type = "matrix_type_that_this_gpu_lacks";

std::string unknown_message(const std::string& name) {
  if (name == lacks_matrix_type)
    return "the GPU's matrix units lack a type of this product";
  std::string message =
      "call of '" + name + "', which is neither defined here nor a built-in that is modelled";
  auto near = nearest_names(name, known_names(), 1);
  if (!near.empty() && near.front() != name)
    message += " (did you mean '" + near.front() + "'?)";
  return message;
}

/// Which kernels reach a function by direct calls. A function whose address is taken is reached by all.
class Reach {
public:
  explicit Reach(llvm::Module& module) {
    for (llvm::Function& function : module)
      if (!function.isDeclaration() && is_kernel(function))
        kernels_.push_back(&function);
    for (llvm::Function* kernel : kernels_)
      spread(*kernel, kernel);
    for (llvm::Function& function : module)
      if (!function.isDeclaration() && function.hasAddressTaken())
        for (llvm::Function* kernel : kernels_)
          spread(function, kernel);
  }
  std::vector<std::string> of(const llvm::Function& function) const {
    std::vector<std::string> symbols;
    for (const llvm::Function* kernel : kernels_)
      if (reached_.contains({&function, kernel}))
        symbols.push_back(kernel->getName().str());
    return symbols;
  }

private:
  void spread(llvm::Function& function, const llvm::Function* kernel) {
    if (!reached_.insert({&function, kernel}).second)
      return;
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
        if (auto* callee = llvm::dyn_cast<llvm::Function>(call->getCalledOperand()->stripPointerCasts()))
          if (!callee->isDeclaration())
            spread(*callee, kernel);
  }

  std::vector<llvm::Function*> kernels_;
  std::set<std::pair<const llvm::Function*, const llvm::Function*>> reached_; // looked up, never walked
};

class Engine {
public:
  Engine(llvm::Module& module, const Options& options, Report& report)
      : module_(module), options_(options), report_(report), reach_(module) {}

  void run() {
    std::vector<llvm::WeakVH> calls; // a copy that a read-only load expands is a call, too, and gone
    for (llvm::Function& function : module_)
      for (llvm::Instruction& instruction : llvm::instructions(function))
        if (llvm::isa<llvm::CallBase>(instruction))
          calls.emplace_back(&instruction);
    for (const llvm::WeakVH& call : calls)
      if (call)
        visit(*llvm::cast<llvm::CallBase>(call));
    empty_refused_kernels();
    drop_unused_declarations();
  }

private:
  void problem(llvm::CallBase& call, std::string name, std::string message, std::string remedy = "") {
    report_.problems.push_back({std::move(name), std::move(message), where_called(call),
                                reach_.of(*call.getFunction()), std::move(remedy)});
    remove(call, nullptr);
  }

  static void remove(llvm::CallBase& call, llvm::Value* replacement) {
    if (!call.getType()->isVoidTy()) {
      if (!replacement)
        replacement = llvm::PoisonValue::get(call.getType());
      replacement->takeName(&call);
      call.replaceAllUsesWith(replacement);
    }
    if (!call.isTerminator())
      call.eraseFromParent();
  }

  void visit_assembly(llvm::CallBase& call) {
    auto* plain = llvm::dyn_cast<llvm::CallInst>(&call);
    if (!plain || options_.family != ir::TargetFamily::nvidia)
      return problem(call, "asm", "inline assembly is not modelled");
    if (const auto unknown = ptx::expand_inline_ptx(*plain))
      problem(call, "asm",
              "inline assembly is not modelled" + (unknown->empty() ? "" : ": '" + *unknown + "'"),
              ptx::reading_remedy);
  }

  void visit(llvm::CallBase& call) {
    if (llvm::isa<llvm::InlineAsm>(call.getCalledOperand()))
      return visit_assembly(call);
    auto* callee = llvm::dyn_cast<llvm::Function>(call.getCalledOperand()->stripPointerCasts());
    if (!callee)
      return; // may become direct when inlined; checked after optimisation
    if (auto* direct = llvm::dyn_cast<llvm::CallInst>(&call); direct && callee->isIntrinsic())
      return void(expand_target_intrinsic(*direct));
    if (!callee->isDeclaration() || callee->isIntrinsic() ||
        callee->getName().starts_with(ir::builtins::prefix))
      return;
    BuiltinName written = parse_builtin_name(callee->getName().str());
    BuiltinName name = vendor_alias(written);
    const Row* row = find_row(name.base);
    auto* plain = llvm::dyn_cast<llvm::CallInst>(&call);
    if (!row || !plain)
      return problem(call, written.base, unknown_message(written.base),
                     written.base == lacks_matrix_type ? "--gpu NAME of a newer architecture" : "");
    BuiltinCall builtin{*plain,          llvm::IRBuilder<>(plain), *row,   name.base, std::move(name.types),
                        options_.family, options_.warp_width,      report_};
    builtin.whole_global_ids = options_.whole_global_ids;
    llvm::Value* replacement = row->emit(builtin);
    if (!replacement || builtin.malformed)
      return problem(call, name.base, "'" + name.base + "' with these argument types is not modelled");
    if (!call.getType()->isVoidTy() && replacement->getType() != call.getType())
      return problem(call, name.base,
                     "'" + name.base + "' is declared with a type that is not the built-in's");
    remove(call, replacement);
  }

  /// A kernel with a problem is refused: nobody needs it optimised.
  void empty_refused_kernels() {
    for (const Problem& problem : report_.problems)
      for (const std::string& symbol : problem.kernels) {
        llvm::Function* kernel = module_.getFunction(symbol);
        if (kernel == nullptr || (kernel->size() == 1 && kernel->front().size() == 1))
          continue;
        const llvm::GlobalValue::LinkageTypes linkage = kernel->getLinkage();
        llvm::DISubprogram* place = kernel->getSubprogram();
        kernel->deleteBody();
        kernel->setLinkage(linkage);
        kernel->setSubprogram(place);
        llvm::ReturnInst::Create(module_.getContext(),
                                 llvm::BasicBlock::Create(module_.getContext(), "", kernel));
      }
  }

  void drop_unused_declarations() {
    std::vector<llvm::Function*> unused;
    for (llvm::Function& function : module_)
      if (function.isDeclaration() && function.use_empty())
        unused.push_back(&function);
    for (llvm::Function* function : unused)
      function->eraseFromParent();
  }

  llvm::Module& module_;
  const Options& options_;
  Report& report_;
  Reach reach_;
};

} // namespace

void lower_builtins(llvm::Module& module, const Options& options, Report& report) {
  Engine(module, options, report).run();
}

namespace {

/// A kernel that another function calls is a plain function there: the call goes to a copy that can be
/// inlined.
void separate_called_kernels(llvm::Module& module) {
  std::vector<llvm::Function*> kernels;
  for (llvm::Function& function : module)
    if (!function.isDeclaration() && is_kernel(function))
      kernels.push_back(&function);
  for (llvm::Function* kernel : kernels) {
    std::vector<llvm::CallBase*> calls;
    for (llvm::User* user : kernel->users())
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(user); call && call->getCalledOperand() == kernel)
        calls.push_back(call);
    if (calls.empty())
      continue;
    llvm::ValueToValueMapTy map;
    llvm::Function* copy = llvm::CloneFunction(kernel, map);
    copy->setName(kernel->getName() + ".called");
    copy->setCallingConv(llvm::CallingConv::C);
    for (llvm::CallBase* call : calls) {
      call->setCalledFunction(copy);
      call->setCallingConv(llvm::CallingConv::C);
    }
  }
}

} // namespace

void inline_everything(llvm::Module& module) {
  separate_called_kernels(module);
  for (llvm::Function& function : module) {
    if (function.isDeclaration())
      continue;
    function.removeFnAttr(llvm::Attribute::NoInline);
    function.removeFnAttr(llvm::Attribute::OptimizeNone);
    if (is_kernel(function))
      continue;
    function.setLinkage(llvm::GlobalValue::InternalLinkage);
    function.setVisibility(llvm::GlobalValue::DefaultVisibility);
    function.setComdat(nullptr);
    function.addFnAttr(llvm::Attribute::AlwaysInline);
    for (llvm::User* user : function.users())
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(user))
        call->removeFnAttr(llvm::Attribute::NoInline);
  }
}

} // namespace forewarp::frontend::lowering
