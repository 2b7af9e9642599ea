#include "engine/host_launch/usual_launch.h"

#include "engine/compile_cache.h"
#include "frontend/compile.h"

#include <fmt/format.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

#include <algorithm>

namespace forewarp::engine {
namespace {

/// The axes along which the kernel asks where a work-item or group stands: 1 to 3.
unsigned used_axes(const llvm::Function& kernel) {
  unsigned axes = 1;
  for (const llvm::Instruction& instruction : llvm::instructions(kernel)) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
    if (!callee)
      continue;
    const llvm::StringRef name = callee->getName();
    const bool asks = name.contains("sreg.tid.") || name.contains("sreg.ctaid.") ||
                      name.contains("workitem.id.") || name.contains("workgroup.id.");
    if (asks && name.ends_with(".y"))
      axes = std::max(axes, 2U);
    if (asks && name.ends_with(".z"))
      axes = 3;
  }
  return axes;
}

} // namespace

Result<FoundRequest> usual_launch(const PredictRequest& request) {
  const auto machine = gpu::resolve(request.gpus.front().file, request.value_set);
  FOREWARP_TRY(machine);
  const auto module = frontend::compile(compile_request(request, *machine));
  FOREWARP_TRY(module);
  const auto kernel = frontend::select_kernel(*module, request.kernel);
  FOREWARP_TRY(kernel);
  const llvm::Function* function = module->module().getFunction((*kernel)->symbol);
  const unsigned axes = function ? used_axes(*function) : 1;
  constexpr facts::Dim3 groups[] = {{1024, 1, 1}, {64, 64, 1}, {16, 16, 16}};
  constexpr facts::Dim3 sizes[] = {{256, 1, 1}, {16, 16, 1}, {8, 8, 4}};
  FoundRequest found;
  found.request = request;
  found.request.kernel = (*kernel)->name;
  found.usual_sizes = !(*kernel)->required_group_size && !request.launch.group_size;
  facts::Launch& launch = found.request.launch;
  launch.groups = groups[axes - 1];
  if (!launch.group_size) {
    launch.group_size = (*kernel)->required_group_size.value_or(sizes[axes - 1]);
    if (const auto most = (*kernel)->max_group_threads; most && launch.group_size->count() > *most)
      launch.group_size = facts::Dim3{*most, 1, 1};
  }
  if (launch.dynamic_shared_bytes == 0 && (*kernel)->uses_dynamic_shared)
    launch.dynamic_shared_bytes = 16 * 1024;
  const facts::Dim3 &grid = *launch.groups, &block = *launch.group_size;
  found.notes.push_back(
      {facts::Note::Severity::assumption,
       fmt::format("nothing says how the kernel is started: {},{},{} groups of {},{},{} work-items", grid.x,
                   grid.y, grid.z, block.x, block.y, block.z),
       (*kernel)->location, "--grid X,Y,Z --block X,Y,Z"});
  return found;
}

} // namespace forewarp::engine
