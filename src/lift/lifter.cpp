#include "lift/lifter.h"

#include "ir/machine_markers.h"
#include "lift/flow.h"
#include "lift/simplify.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <algorithm>
#include <fmt/format.h>

namespace forewarp::lift {

namespace {

bool asks_for_cluster(const sass::Kernel& kernel) {
  return std::ranges::any_of(kernel.instructions, [](const Instruction& instruction) {
    return instruction.opcode == Opcode::ucgabar_arv || instruction.opcode == Opcode::ucgabar_wait ||
           instruction.has(Modifier::multicast);
  });
}

} // namespace

Lifter::Lifter(const sass::Module& from, const sass::Kernel& lifted, llvm::Function& function,
               bool computes_products)
    : b(function.getContext()), machine_code(from), kernel(lifted), places(loader_places(from.sm)),
      in_cluster(asks_for_cluster(lifted)), function_(function), computes_products_(computes_products) {
  if (in_cluster)
    function.addFnAttr(ir::machine_markers::in_cluster);
}

/// Its guard holds for all lanes that are active.
void Lifter::lift_bare(const Instruction& instruction) {
  lift_under(instruction, false);
}
void Lifter::lift_instruction(const Instruction& instruction) {
  lift_under(instruction, !instruction.guard.is_true());
}

void Lifter::lift_under(const Instruction& instruction, bool guarded) {
  at_ = &instruction;
  if (llvm::DISubprogram* subprogram = function_.getSubprogram()) {
    const facts::SourceLocation where = sass::location_of(kernel, instruction.offset);
    if (where.line != 0 && where.file < machine_code.files.size())
      b.SetCurrentDebugLocation(
          llvm::DILocation::get(b.getContext(), where.line, where.column, scope_of(*subprogram, where.file)));
    else
      b.SetCurrentDebugLocation(llvm::DILocation::get(b.getContext(), 0, 0, subprogram));
  }
  guard_ = guarded ? predicate(&instruction.guard, true) : nullptr;
  if (const Row row = row_of(instruction.opcode))
    row(*this);
  else
    refuse("its opcode is not known to the lifter");
  guard_ = nullptr;
}

llvm::DIScope* Lifter::scope_of(llvm::DISubprogram& subprogram, std::uint32_t file) {
  llvm::DIScope*& scope = scopes_[file];
  if (scope == nullptr)
    scope = llvm::DILexicalBlockFile::get(b.getContext(), &subprogram,
                                          llvm::DIFile::get(b.getContext(), machine_code.files[file], ""), 0);
  return scope;
}

Result<void> Lifter::run() {
  entry_ = llvm::BasicBlock::Create(b.getContext(), "entry", &function_);
  b.SetInsertPoint(entry_);
  Flow(*this).run();
  if (error_)
    return tl::unexpected<Error>(*error_);
  std::vector<llvm::AllocaInst*> homes;
  for (const auto* group : {&general_, &uniform_, &predicates_, &uniform_predicates_})
    for (const auto& [number, home] : *group)
      homes.push_back(home);
  llvm::DominatorTree dominators(function_);
  llvm::PromoteMemToReg(homes, dominators);
  simplify(function_);
  return {};
}

} // namespace forewarp::lift
