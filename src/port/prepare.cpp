#include "port/prepare.h"

#include "frontend/guard.h"
#include "port/features/plan_region.h"
#include "port/static/constructors.h"
#include "port/static/describe.h"
#include "port/static/instrument.h"
#include "port/static/memory_calls.h"
#include "port/static/optimise.h"
#include "port/static/reload.h"
#include "port/static/scalars.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace forewarp::port {
namespace {

int candidate_level(const facts::RegionTrace& trace, std::uint32_t loop, unsigned candidates) {
  while (loop != facts::no_region_index && loop >= candidates)
    loop = trace.loops[loop].parent;
  return loop == facts::no_region_index ? -1 : static_cast<int>(loop);
}

SitePlan plan_site(const StaticRegion& region, std::uint32_t site) {
  SitePlan plan;
  const facts::RegionSite& described = region.facts.sites[site];
  plan.store = described.kind == facts::AccessKind::store;
  plan.width_bytes = described.width_bytes;
  plan.name = region.site_names[site];
  plan.local = llvm::isa<llvm::AllocaInst>(
      llvm::getUnderlyingObject(llvm::getLoadStorePointerOperand(region.sites[site]), 0));
  return plan;
}

/// An accumulating store and the load of the old value are one reduction.
void plan_reductions(const StaticRegion& region, RegionPlan& plan) {
  const llvm::DominatorTree tree(*region.function);
  const llvm::LoopInfo loops(tree);
  const llvm::Loop& outermost = *loops.getLoopFor(region.header);
  for (std::uint32_t site = 0; site < region.sites.size(); ++site) {
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(region.sites[site]);
    std::string word = store ? reduction_of(*store) : std::string();
    if (store && word.empty())
      word = reduction_of(*store, outermost);
    if (word.empty())
      continue;
    plan.sites[site].reduction = word;
    const llvm::Value* value = store->getValueOperand();
    for (std::uint32_t other = 0; other < region.sites.size(); ++other)
      if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(region.sites[other]))
        if (load->getPointerOperand() == store->getPointerOperand() && load->hasOneUse() &&
            load->user_back() == value)
          plan.sites[other].reduction = word;
  }
}

RegionPlan plan_region(const StaticRegion& region) {
  RegionPlan plan;
  plan.candidates = region.candidates;
  plan.innermost.assign(region.facts.loops.size(), true);
  for (const facts::RegionLoop& loop : region.facts.loops) {
    plan.loop_steps.push_back(loop.step);
    if (loop.parent != facts::no_region_index)
      plan.innermost[loop.parent] = false;
  }
  for (const facts::RegionBlock& block : region.facts.blocks)
    plan.blocks.push_back({block.first_site, block.site_count, block.loop, block.loop_header,
                           candidate_level(region.facts, block.loop, region.candidates)});
  for (std::uint32_t site = 0; site < region.sites.size(); ++site)
    plan.sites.push_back(plan_site(region, site));
  plan_reductions(region, plan);
  return plan;
}

Result<void> record(RecordedProgram& result, llvm::Module& module, const SourceProgram& program,
                    const std::vector<RegionMark>& marks, Wanted wanted) {
  share_thread_locals(module);
  keep_region_functions(module, marks);
  optimise_for_counting(module);
  reload_carried_values(module, marks);
  expand_memory_calls(module);
  const std::vector<StaticRegion> regions = find_regions(module, marks, program.loops);
  for (const StaticRegion& region : regions) {
    result.facts.push_back(region.facts);
    result.marks.push_back(region.mark);
    result.functions.push_back(region.function->getName().str());
    result.called.push_back(region.called);
    result.plans.push_back(plan_region(region));
    if (wanted == Wanted::features)
      result.features.push_back(plan_features(region));
  }
  if (wanted == Wanted::trace)
    result.codes = extract_regions(module, regions);
  for (const StackVariableInfo& variable : add_stack_marks(module))
    result.stack.push_back({variable.name, variable.size_bytes, variable.element_bytes});
  for (const GlobalVariableInfo& global : add_global_table(module))
    result.globals.push_back({global.name, global.size_bytes, global.element_bytes});
  Recording recording = instrument(module, regions);
  result.slack_words = recording.slack_words;
  for (std::size_t i = 0; i < regions.size(); ++i)
    result.plans[i].runs = std::move(recording.runs[i]);
  gather_constructors(module);
  auto object = object_code(module);
  FOREWARP_TRY(object);
  result.code.object = *std::move(object);
  result.code.recorded = true;
  return {};
}

Result<void> time(TimedCode& result, llvm::Module& module, const std::vector<RegionMark>& marks) {
  share_thread_locals(module);
  keep_region_functions(module, marks);
  result.present = add_time_marks(module, marks);
  optimise_for_timing(module);
  gather_constructors(module);
  auto object = object_code(module);
  FOREWARP_TRY(object);
  result.code.object = *std::move(object);
  return {};
}

template <class Work> Result<void> guarded(const SourceProgram& program, const Work& work) {
  std::unique_ptr<llvm::Module> module = llvm::CloneModule(*program.module);
  Result<void> result;
  auto ran = frontend::run_guarded("the optimiser", [&] { result = work(*module); });
  if (!ran) {
    (void)module.release();
    return tl::unexpected(ran.error());
  }
  return result;
}

} // namespace

Result<RecordedProgram> prepare_recording(const SourceProgram& program, const std::vector<RegionMark>& marks,
                                          Wanted wanted) {
  RecordedProgram result;
  FOREWARP_TRY(
      guarded(program, [&](llvm::Module& module) { return record(result, module, program, marks, wanted); }));
  return result;
}

Result<TimedCode> prepare_timing(const SourceProgram& program, const std::vector<RegionMark>& marks) {
  TimedCode result;
  FOREWARP_TRY(guarded(program, [&](llvm::Module& module) { return time(result, module, marks); }));
  return result;
}

} // namespace forewarp::port
