#include "frontend/ptx/locations.h"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DebugInfoMetadata.h>

namespace forewarp::frontend::ptx {

Locations::Locations(llvm::Module& module, const File& file, const std::string& path)
    : builder_(module), context_(module.getContext()), file_(file), own_(builder_.createFile(path, "")) {
  builder_.createCompileUnit(llvm::dwarf::DW_LANG_C, own_, "forewarp", true, "", 0, "",
                             llvm::DICompileUnit::LineTablesOnly);
  module.addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
}

llvm::DIFile* Locations::source(unsigned number) {
  const auto found = file_.sources.find(number);
  return found == file_.sources.end() ? own_ : builder_.createFile(found->second, "");
}

llvm::DISubprogram* Locations::make_scope(llvm::StringRef name, llvm::DIFile* file, unsigned line) {
  llvm::DISubroutineType* type = builder_.createSubroutineType(builder_.getOrCreateTypeArray({}));
  return builder_.createFunction(file, name, name, file, line, type, line, llvm::DINode::FlagZero,
                                 llvm::DISubprogram::SPFlagDefinition | llvm::DISubprogram::SPFlagOptimized);
}

llvm::DISubprogram* Locations::inlined_scope(unsigned number) {
  llvm::DISubprogram*& made = inlined_[number];
  if (!made)
    made = make_scope("inlined", source(number), 0);
  return made;
}

llvm::DISubprogram* Locations::scope_of(llvm::Function& function, unsigned line) {
  if (llvm::DISubprogram* made = function.getSubprogram())
    return made;
  llvm::DISubprogram* made = make_scope(function.getName(), own_, line);
  function.setSubprogram(made);
  return made;
}

llvm::DebugLoc Locations::of(llvm::Function& function, unsigned line, const SourcePlace& place) {
  llvm::DILocation* made = llvm::DILocation::get(context_, line, 0, scope_of(function, line));
  if (place.inlined)
    made =
        llvm::DILocation::get(context_, place.at_line, place.at_column, inlined_scope(place.at_file), made);
  if (place.line > 0)
    made = llvm::DILocation::get(context_, place.line, place.column, inlined_scope(place.file), made);
  return made;
}

} // namespace forewarp::frontend::ptx
