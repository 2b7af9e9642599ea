#include "frontend/lowering/pointer_calls.h"

#include "frontend/lowering/lower.h"

#include <fmt/format.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/xxhash.h>
#include <llvm/Transforms/Utils/CallPromotionUtils.h>

#include <algorithm>
#include <map>
#include <set>

namespace forewarp::frontend::lowering {
namespace {

constexpr std::size_t most_candidates = 32;

bool is_through_pointer(const llvm::CallBase& call) {
  return !llvm::isa<llvm::InlineAsm>(call.getCalledOperand()) &&
         !llvm::isa<llvm::Function>(call.getCalledOperand()->stripPointerCasts());
}

/// Which functions a function leads to, by direct calls and through pointers.
class Targets {
public:
  explicit Targets(llvm::Module& module) {
    for (llvm::Function& function : module)
      if (!function.isDeclaration() && !is_kernel(function) && function.hasAddressTaken())
        taken_.push_back(&function);
  }

  /// Where `call` may lead to.
  std::vector<llvm::Function*> of(const llvm::CallBase& call) {
    std::vector<llvm::Function*> fitting = of_type(call);
    std::erase_if(fitting, [&](llvm::Function* target) {
      return leads_to(*target, *call.getFunction()) || !llvm::isLegalToPromote(call, target);
    });
    return fitting;
  }

private:
  std::vector<llvm::Function*> of_type(const llvm::CallBase& call) const {
    std::vector<llvm::Function*> fitting;
    for (llvm::Function* function : taken_)
      if (function->getFunctionType() == call.getFunctionType())
        fitting.push_back(function);
    return fitting;
  }

  const std::set<const llvm::Function*>& reached_from(const llvm::Function& start) {
    auto [at, is_new] = reached_.try_emplace(&start);
    if (!is_new)
      return at->second;
    std::vector<const llvm::Function*> open = {&start};
    std::set<const llvm::Function*> seen; // looked up, never walked
    const auto meet = [&](const llvm::Function* function) {
      if (seen.insert(function).second)
        open.push_back(function);
    };
    while (!open.empty()) {
      const llvm::Function* function = open.back();
      open.pop_back();
      for (const llvm::Instruction& instruction : llvm::instructions(*function)) {
        const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        if (!call)
          continue;
        if (const auto* callee =
                llvm::dyn_cast<llvm::Function>(call->getCalledOperand()->stripPointerCasts()))
          meet(callee);
        else if (is_through_pointer(*call))
          for (const llvm::Function* target : of_type(*call))
            meet(target);
      }
    }
    return at->second = std::move(seen);
  }

  bool leads_to(const llvm::Function& from, const llvm::Function& to) {
    return &from == &to || reached_from(from).contains(&to);
  }

  std::vector<llvm::Function*> taken_;
  std::map<const llvm::Function*, std::set<const llvm::Function*>> reached_; // looked up, never walked
};

/// As the source calls it.
std::string told_name(const llvm::Function& function) {
  const llvm::DISubprogram* subprogram = function.getSubprogram();
  return subprogram ? subprogram->getName().str() : function.getName().str();
}

constexpr const char* calls_list = "forewarp.pointer_calls"; ///< symbols and names, of each call

void note_call(llvm::Module& module, const std::vector<llvm::Function*>& targets) {
  std::vector<llvm::Metadata*> words;
  for (const llvm::Function* target : targets)
    for (const std::string& word : {target->getName().str(), told_name(*target)})
      words.push_back(llvm::MDString::get(module.getContext(), word));
  module.getOrInsertNamedMetadata(calls_list)->addOperand(llvm::MDNode::get(module.getContext(), words));
}

void lead(llvm::CallBase& call, const std::vector<llvm::Function*>& targets) {
  note_call(*call.getModule(), targets);
  for (std::size_t k = 0; k + 1 < targets.size(); ++k)
    llvm::promoteCallWithIfThenElse(call, targets[k]);
  llvm::promoteCall(call, targets.back());
}

/// Names of all functions of the calls that compare with one of `compared`.
std::vector<std::string> names_of_calls(llvm::Module& module, const std::set<std::string>& compared) {
  std::vector<std::string> names;
  llvm::NamedMDNode* list = module.getNamedMetadata(calls_list);
  if (!list)
    return names;
  for (const llvm::MDNode* call : list->operands()) {
    const auto word = [&](unsigned k) {
      return llvm::cast<llvm::MDString>(call->getOperand(k))->getString().str();
    };
    bool is_open = false;
    for (unsigned k = 0; k + 1 < call->getNumOperands(); k += 2)
      is_open |= compared.contains(word(k));
    for (unsigned k = 1; is_open && k < call->getNumOperands(); k += 2)
      if (std::ranges::find(names, word(k)) == names.end())
        names.push_back(word(k));
  }
  list->eraseFromParent();
  return names;
}

/// Whether a kernel's code has the address as a value.
bool is_compared_with(const llvm::Function& function, const ir::KernelModule& module) {
  return std::ranges::any_of(function.users(), [&](const llvm::User* user) {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(user);
    return instruction && std::ranges::any_of(module.kernels, [&](const ir::KernelSignature& kernel) {
             return instruction->getFunction()->getName() == kernel.symbol;
           });
  });
}

/// The same in every module: a kernel may read what another one's module has put into memory.
std::uint64_t number_of(const llvm::Function& function) {
  const llvm::StringRef name = function.getName();
  return llvm::xxh3_64bits({reinterpret_cast<const std::uint8_t*>(name.data()), name.size()}) & ~15ULL;
}

} // namespace

void resolve_pointer_calls(llvm::Module& module) {
  std::vector<llvm::CallBase*> calls;
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction); call && is_through_pointer(*call))
        calls.push_back(call);
  if (calls.empty())
    return;
  Targets targets(module);
  std::vector<std::vector<llvm::Function*>> found; // all of them before the first call changes
  for (const llvm::CallBase* call : calls)
    found.push_back(targets.of(*call));
  for (std::size_t k = 0; k < calls.size(); ++k)
    if (!found[k].empty() && found[k].size() <= most_candidates)
      lead(*calls[k], found[k]);
}

std::vector<facts::Note> number_functions(ir::KernelModule& module) {
  llvm::Type* word = llvm::Type::getInt64Ty(module.module().getContext());
  std::set<std::string> compared;
  for (llvm::Function& function : module.module()) {
    const bool is_of_kernels = std::ranges::any_of(module.kernels, [&](const ir::KernelSignature& kernel) {
      return kernel.symbol == function.getName();
    });
    if (is_of_kernels || function.isIntrinsic() || !function.hasAddressTaken())
      continue;
    if (is_compared_with(function, module))
      compared.insert(function.getName().str());
    function.replaceAllUsesWith(llvm::ConstantExpr::getIntToPtr(
        llvm::ConstantInt::get(word, number_of(function)), function.getType()));
  }
  const std::vector<std::string> names = names_of_calls(module.module(), compared);
  if (names.empty())
    return {};
  std::string list;
  for (const std::string& name : names)
    list += (list.empty() ? "'" : ", '") + name + "'";
  return {
      {facts::Note::Severity::assumption,
       fmt::format("calls through pointers lead to functions of their type whose address is taken; where the "
                   "pointer is unknown, to each in turn: {}",
                   list),
       {},
       "--branch LINE=P"}};
}

} // namespace forewarp::frontend::lowering
