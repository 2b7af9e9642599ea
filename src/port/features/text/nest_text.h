// The static features of one loop of an optimised module.
#pragma once

#include "port/features/text/frequencies.h"
#include "port/features/text/static_features.h"
#include "port/features/text/text.h"

#include <map>
#include <memory>

namespace forewarp::port {

/// What is known of the functions of one module; made when asked for.
class ModuleKnowledge {
public:
  Knowledge& of(llvm::Function& function);

private:
  std::map<const llvm::Function*, std::unique_ptr<Knowledge>> known_;
};

/// `mark`: of `loop`, which is one of `function`. `source_loops`: what pragmas say of loops.
StaticLoop describe_loop(llvm::Function& function, llvm::Loop& loop, const RegionMark& mark,
                         const std::vector<SourceLoop>& source_loops, const StaticAssumptions& assume,
                         ModuleKnowledge& module);

} // namespace forewarp::port
