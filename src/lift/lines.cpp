#include "lift/lines.h"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/Module.h>

namespace forewarp::lift {

Lines::Lines(llvm::Module& module, const facts::SourceFiles& files) : builder_(module) {
  module.addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
  file_ = builder_.createFile(files.empty() ? "machine code" : files.front(), "");
  builder_.createCompileUnit(llvm::dwarf::DW_LANG_C_plus_plus, file_, "forewarp", true, "", 0);
}

void Lines::add(llvm::Function& function) {
  function.setSubprogram(builder_.createFunction(
      file_, function.getName(), function.getName(), file_, 0,
      builder_.createSubroutineType(builder_.getOrCreateTypeArray({})), 0, llvm::DINode::FlagZero,
      llvm::DISubprogram::SPFlagDefinition | llvm::DISubprogram::SPFlagOptimized));
}

} // namespace forewarp::lift
