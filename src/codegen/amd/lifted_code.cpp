#include "codegen/amd/lifted_code.h"

#include "amdgcn/classify.h"
#include "amdgcn/program.h"
#include "codegen/amd/amd_operations.h"
#include "codegen/amd/amd_sites.h"
#include "lift/lift.h"
#include "lift/machine/code_blocks.h"

#include <llvm/IR/Function.h>

#include <algorithm>
#include <fmt/format.h>
#include <span>

namespace forewarp::codegen {
namespace {

/// Frames may be reached by instructions that name no frame: the site says so.
AmdInstruction instruction_of(const amdgcn::Instruction& from, bool in_scratch) {
  AmdInstruction made;
  describe(from.name, amdgcn::classify_amd(from.name, in_scratch).value_or(facts::OpClass::nop), made);
  made.reads.assign(from.reads.begin(), from.reads.end());
  made.writes.assign(from.writes.begin(), from.writes.end());
  return made;
}

} // namespace

Result<void> use_lifted_code(const ir::KernelModule& module, const llvm::Function& function,
                             const gpu::Machine& machine, facts::MachineProgram& program) {
  const auto code = amdgcn::read_module(std::as_bytes(std::span(lift::machine_code_of(module.module()))),
                                        module.files.front());
  FOREWARP_TRY(code);
  const std::string name = function.getName().str();
  const auto kernel =
      std::ranges::find(code->kernels, name, [](const amdgcn::Kernel& each) { return each.resources.name; });
  if (kernel == code->kernels.end())
    return fail(ErrorCode::internal, fmt::format("kernel '{}' is not in its machine code", name));
  const std::vector<lift::CodeBlock> blocks = lift::code_blocks(function);
  const lift::SitesOfBlock sites(function);
  std::vector<std::vector<AmdInstruction>> made(blocks.size());
  std::vector<std::vector<AmdPlaced>> placed(blocks.size());
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const std::uint32_t first = blocks[b].first, end = blocks[b].end;
    made[b].reserve(end - first); // pointers into it are kept
    for (std::uint32_t i = first; i < end; ++i) {
      const amdgcn::Instruction& instruction = kernel->instructions[i];
      if (!instruction.op)
        continue;
      AmdPlaced place;
      place.location = instruction.location;
      place.site = sites.of(b, i);
      if (const std::uint32_t last = sites.last_of(b, i); last != place.site)
        place.second_site = last;
      const bool in_scratch =
          place.site < program.sites.size() && program.sites[place.site].space == facts::MemorySpace::local;
      made[b].push_back(instruction_of(instruction, in_scratch));
      place.instruction = &made[b].back();
      placed[b].push_back(place);
    }
    program.blocks.emplace_back().memory_sites = sites.count(b);
  }
  use_placed_code(placed, module, function, machine, program);
  lift::add_passed_bodies(blocks, [](std::uint32_t) { return facts::no_value; }, program);
  program.resources = kernel->resources.resources();
  return {};
}

} // namespace forewarp::codegen
