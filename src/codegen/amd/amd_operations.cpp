#include "codegen/amd/amd_operations.h"

#include "codegen/amd/amd_sites.h"
#include "codegen/amd/amd_values.h"
#include "codegen/markers/expansions.h"

#include <llvm/IR/Instructions.h>

#include <algorithm>

namespace forewarp::codegen {

namespace {

using facts::OpClass;

/// Operations of a function that the back end left as one opaque instruction.
std::vector<OpClass> opaque_operations(const llvm::Instruction* origin) {
  const auto* call = llvm::dyn_cast_if_present<llvm::CallBase>(origin);
  const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
  if (!callee)
    return {OpClass::move};
  const llvm::StringRef name = callee->getName();
  if (const std::string_view row = math_function({name.data(), name.size()}); !row.empty()) {
    const bool wide = name.contains("f64");
    if (!wide && call->hasApproxFunc())
      if (auto fast = expansion(std::string(row) + "_approx", "f32"); !fast.empty())
        return fast;
    if (auto ops = expansion(row, wide ? "f64" : "f32"); !ops.empty())
      return ops;
  }
  if (name.contains("shuffle") || name.contains("broadcast"))
    return {OpClass::shuffle};
  if (name.contains("reduce") || name.contains("scan")) { // a step for each doubling of the distance
    std::vector<OpClass> steps;
    for (int step = 0; step < 6; ++step)
      steps.insert(steps.end(), {OpClass::shuffle, OpClass::int_add});
    return steps;
  }
  return {name.contains("warp") ? OpClass::vote : OpClass::move};
}

class Translation {
public:
  Translation(const ir::KernelModule& module) : module_(module) {}

  std::vector<RegisterUse> block(const std::vector<AmdPlaced>& placed) {
    out_.clear();
    location_ = {};
    for (const AmdPlaced& each : placed)
      add(each);
    return std::move(out_);
  }

private:
  void add(const AmdPlaced& placed) {
    const AmdInstruction& from = *placed.instruction;
    if (placed.origin)
      if (const facts::SourceLocation at = ir::location_of(*placed.origin, module_.files); at.line > 0)
        location_ = at;
    RegisterUse use;
    use.op.location = location_;
    use.reads = from.reads;
    use.writes = from.writes;
    if (from.opaque) {
      add_chain(opaque_operations(placed.origin), use);
      return;
    }
    use.op.op = from.op;
    use.op.site = placed.site;
    use.op.parts = placed.parts;
    use.op.width_bytes = from.width_bytes;
    use.op.offset_bytes = from.slot_bytes;
    if (placed.second_site != facts::no_value) {
      RegisterUse first = use;
      first.writes.clear();
      out_.push_back(std::move(first));
      use.op.site = placed.second_site;
      use.op.parts = 1;
    }
    out_.push_back(std::move(use));
  }

  /// Each operation reads what the one before wrote.
  void add_chain(const std::vector<OpClass>& ops, const RegisterUse& whole) {
    for (std::size_t i = 0; i < ops.size(); ++i) {
      RegisterUse use = whole;
      use.op.op = ops[i];
      if (ops[i] == OpClass::branch)
        use.writes.clear();
      if (i > 0)
        use.reads = whole.writes;
      out_.push_back(std::move(use));
    }
  }

  const ir::KernelModule& module_;
  facts::SourceLocation location_;
  std::vector<RegisterUse> out_;
};

} // namespace

void use_amd_code(const AmdCode& code, const ir::KernelModule& module, const llvm::Function& function,
                  facts::MachineProgram& program) {
  const auto placed = place_amd_code(code, function, program.sites);
  std::vector<std::vector<RegisterUse>> blocks;
  Translation translation(module);
  for (const std::vector<AmdPlaced>& block : placed)
    blocks.push_back(translation.block(block));
  number_values(function, blocks, program);
}

} // namespace forewarp::codegen
