#include "port/static/region_code.h"

#include "port/static/describe.h"
#include "port/static/region.h"

#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/CodeExtractor.h>

#include <map>
#include <set>

namespace forewarp::port {
namespace {

/// `sqrtf` is llvm.sqrt.f32 to the machine step, `tanhf` forewarp.math.tanh.f32.
void name_math_calls(llvm::Module& module) {
  static const std::set<std::string> intrinsics = {"sqrt", "fabs", "fma",   "sin",   "cos", "exp",
                                                   "exp2", "log",  "log2",  "log10", "pow", "floor",
                                                   "ceil", "rint", "trunc", "round"};
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    if (!function.isDeclaration() || function.isIntrinsic() || !function.getReturnType()->isFloatingPointTy())
      continue;
    std::string base = function.getName().str();
    const bool single = function.getReturnType()->isFloatTy();
    if (single && !base.empty() && base.back() == 'f')
      base.pop_back();
    const std::string name =
        (intrinsics.contains(base) ? "llvm." : "forewarp.math.") + base + (single ? ".f32" : ".f64");
    bool math = false;
    for (const llvm::User* user : function.users())
      if (const auto* call = llvm::dyn_cast<llvm::CallBase>(user))
        math = math || is_math_call(*call);
    if (!math)
      continue;
    llvm::FunctionCallee marker = module.getOrInsertFunction(name, function.getFunctionType());
    function.replaceAllUsesWith(marker.getCallee());
  }
}

class Extractor {
public:
  explicit Extractor(const llvm::Module& module) : clone_(llvm::CloneModule(module, map_)) {}

  RegionCode extract(const StaticRegion& region, std::size_t number) {
    mark_inductions(region);
    std::vector<llvm::BasicBlock*> inside = {mapped(region.header)};
    for (const llvm::BasicBlock* block : region.blocks)
      if (block->getParent() == region.function && block != region.header)
        inside.push_back(mapped(block));
    llvm::Function* const holder = inside.front()->getParent();
    if (holder != llvm::cast<llvm::Function>(map_[region.function]))
      return {}; // another region took it along
    llvm::CodeExtractor extractor(inside, nullptr, false, nullptr, nullptr, nullptr, false, true);
    if (!extractor.isEligible())
      return {};
    const llvm::CodeExtractorAnalysisCache cache(*holder);
    const std::set<const llvm::Instruction*> own = stores_of(inside);
    llvm::Function* const made = extractor.extractCodeRegion(cache);
    if (made == nullptr)
      return {};
    store_results_at_the_end(*made, own);
    made->setName("forewarp.region." + std::to_string(number));
    RegionCode code;
    std::vector<llvm::Function*> functions = {made};
    for (const llvm::Function* callee : region.callees)
      functions.push_back(llvm::cast<llvm::Function>(map_[callee]));
    kept_.insert(functions.begin(), functions.end());
    std::map<const llvm::BasicBlock*, RegionCode::Place> places;
    for (std::uint32_t f = 0; f < functions.size(); ++f) {
      code.functions.push_back(functions[f]->getName().str());
      std::uint32_t position = 0;
      for (const llvm::BasicBlock& block : *functions[f])
        places[&block] = {f, position++};
    }
    for (const llvm::BasicBlock* block : region.blocks) {
      const auto place = places.find(mapped(block));
      if (place == places.end())
        return {};
      code.blocks.push_back(place->second);
    }
    return code;
  }

  /// Nothing where LLVM would refuse the module.
  std::shared_ptr<const std::string> bitcode() {
    name_math_calls(*clone_);
    drop_the_rest();
    if (llvm::verifyModule(*clone_))
      return nullptr;
    std::string bytes;
    llvm::raw_string_ostream stream(bytes);
    llvm::WriteBitcodeToFile(*clone_, stream);
    return std::make_shared<const std::string>(std::move(stream.str()));
  }

private:
  /// What no region needs: back ends look at it, too.
  void drop_the_rest() {
    std::vector<llvm::Function*> others;
    for (llvm::Function& function : *clone_)
      if (!function.isDeclaration() && !kept_.contains(&function))
        others.push_back(&function);
    for (llvm::Function* function : others)
      function->deleteBody();
    for (llvm::Function& function : llvm::make_early_inc_range(*clone_))
      if (function.isDeclaration() && function.use_empty())
        function.eraseFromParent();
    for (llvm::GlobalVariable& variable : llvm::make_early_inc_range(clone_->globals()))
      if (variable.use_empty())
        variable.eraseFromParent();
  }

  llvm::BasicBlock* mapped(const llvm::BasicBlock* block) {
    return llvm::cast<llvm::BasicBlock>(map_[block]);
  }

  static std::set<const llvm::Instruction*> stores_of(const std::vector<llvm::BasicBlock*>& blocks) {
    std::set<const llvm::Instruction*> stores;
    for (const llvm::BasicBlock* block : blocks)
      for (const llvm::Instruction& instruction : *block)
        if (llvm::isa<llvm::StoreInst>(instruction))
          stores.insert(&instruction);
    return stores;
  }

  /// The extractor stores what the loop hands on in every iteration; it is the last one's that counts.
  static void store_results_at_the_end(llvm::Function& function,
                                       const std::set<const llvm::Instruction*>& own) {
    const llvm::DominatorTree tree(function);
    std::vector<llvm::StoreInst*> results;
    for (llvm::BasicBlock& block : function)
      for (llvm::Instruction& instruction : block)
        if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
            store && !own.contains(store) && llvm::isa<llvm::Argument>(store->getPointerOperand()))
          results.push_back(store);
    for (llvm::StoreInst* store : results)
      for (llvm::BasicBlock& block : function)
        if (llvm::isa<llvm::ReturnInst>(block.getTerminator()) &&
            tree.dominates(store, block.getTerminator())) {
          store->moveBefore(block.getTerminator());
          break;
        }
  }

  void mark_inductions(const StaticRegion& region) {
    llvm::LLVMContext& context = clone_->getContext();
    for (std::size_t loop = 0; loop < region.inductions.size(); ++loop)
      if (region.inductions[loop] != nullptr)
        llvm::cast<llvm::Instruction>(map_[region.inductions[loop]])
            ->setMetadata(induction_mark,
                          llvm::MDNode::get(context, llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(
                                                         llvm::Type::getInt32Ty(context), loop))));
  }

  llvm::ValueToValueMapTy map_;
  std::unique_ptr<llvm::Module> clone_;
  std::set<const llvm::Function*> kept_;
};

} // namespace

std::vector<RegionCode> extract_regions(const llvm::Module& module,
                                        const std::vector<StaticRegion>& regions) {
  Extractor extractor(module);
  std::vector<RegionCode> codes;
  for (std::size_t i = 0; i < regions.size(); ++i)
    codes.push_back(extractor.extract(regions[i], i));
  const auto bitcode = extractor.bitcode();
  for (RegionCode& code : codes)
    if (bitcode == nullptr)
      code = {};
    else
      code.bitcode = bitcode;
  return codes;
}

} // namespace forewarp::port
