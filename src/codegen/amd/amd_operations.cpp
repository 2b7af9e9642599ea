#include "codegen/amd/amd_operations.h"

#include "codegen/amd/amd_values.h"
#include "codegen/markers/expansions.h"

#include <llvm/IR/Instructions.h>

#include <algorithm>

namespace forewarp::codegen {

namespace {

using facts::OpClass;

/// LLVM 14 makes one access (ds_read2_b64, ds_read_b96) of words of LDS that lie in a row and are aligned to
/// 4 bytes; reviews.llvm.org/D123956 and D123524 ended that, since it is slow.
constexpr unsigned first_to_ask_for_alignment = 15;

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

double rate_of(const amdgcn::MatrixProduct& product, const gpu::MatrixRates& rates) {
  using Factor = amdgcn::MatrixProduct::Factor;
  return product.factor == Factor::bits_8 ? rates.bits_8
         : product.factor == Factor::bf16 ? rates.bf16
         : product.factor == Factor::xf32 ? rates.xf32
         : product.factor == Factor::f32  ? rates.f32
         : product.factor == Factor::f64  ? rates.f64
                                          : 1;
}

unsigned product_operations(const amdgcn::MatrixProduct& product, const gpu::Machine& machine) {
  const double work =
      product.multiply_adds / rate_of(product, machine.matrix_rates) / machine.tensor_multiply_adds;
  return std::max(1U, static_cast<unsigned>(work + 0.5));
}

class Translation {
public:
  Translation(const ir::KernelModule& module, const gpu::Machine& machine)
      : module_(module), machine_(machine) {}

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
    if (placed.location.line > 0)
      location_ = placed.location;
    RegisterUse use;
    use.op.location = location_;
    use.reads = from.reads;
    use.writes = from.writes;
    if (from.opaque) {
      add_chain(opaque_operations(placed.origin), use);
      return;
    }
    use.op.op = from.slow_double ? slow_double() : from.op;
    use.op.site = placed.site;
    use.op.parts = placed.parts;
    use.op.width_bytes = from.width_bytes;
    use.op.offset_bytes = from.slot_bytes;
    if (from.product.multiply_adds > 0)
      return add_product(from.product, use);
    if (from.in_a_row && machine_.compiler.llvm_release < first_to_ask_for_alignment) {
      use.op.width_bytes = 8;
    } else if (placed.second_site != facts::no_value) {
      begin(use);
      use.op.site = placed.second_site;
      use.op.parts = 1;
    }
    for (unsigned pass = 1; from.wide_integer && pass < machine_.wide_integer_passes; ++pass)
      begin(use);
    out_.push_back(std::move(use));
  }

  /// Reciprocals and roots of doubles: at the rate of the special functions, where doubles are as fast
  /// (LLVM's SISchedule.td, WriteTrans64).
  OpClass slow_double() const {
    const double double_cycles = machine_.timing(OpClass::fp64_mul).issue_cycles;
    return double_cycles > machine_.timing(OpClass::sfu).issue_cycles ? OpClass::fp64_mul : OpClass::sfu;
  }

  /// A pass of the instruction `use`, which goes on with the operation behind it.
  void begin(RegisterUse& use) {
    RegisterUse pass = use;
    pass.writes.clear();
    out_.push_back(std::move(pass));
    use.op.continues = true;
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

  /// As many operations of class tensor_mma as its product is worth; the last one writes.
  void add_product(const amdgcn::MatrixProduct& product, const RegisterUse& whole) {
    const unsigned operations = product_operations(product, machine_);
    for (unsigned i = 0; i < operations; ++i) {
      RegisterUse use = whole;
      use.op.tensor = {
          static_cast<float>(2.0 * product.multiply_adds / operations),
          static_cast<float>(2 * machine_.tensor_multiply_adds * rate_of(product, machine_.matrix_rates))};
      if (i + 1 < operations)
        use.writes.clear();
      out_.push_back(std::move(use));
    }
  }

  const ir::KernelModule& module_;
  const gpu::Machine& machine_;
  facts::SourceLocation location_;
  std::vector<RegisterUse> out_;
};

} // namespace

void use_placed_code(const std::vector<std::vector<AmdPlaced>>& placed, const ir::KernelModule& module,
                     const llvm::Function& function, const gpu::Machine& machine,
                     facts::MachineProgram& program) {
  std::vector<std::vector<RegisterUse>> blocks;
  Translation translation(module, machine);
  for (const std::vector<AmdPlaced>& block : placed)
    blocks.push_back(translation.block(block));
  number_values(function, blocks, program);
}

void use_amd_code(const AmdCode& code, const ir::KernelModule& module, const llvm::Function& function,
                  const gpu::Machine& machine, facts::MachineProgram& program) {
  use_placed_code(place_amd_code(code, function, program.sites), module, function, machine, program);
}

} // namespace forewarp::codegen
