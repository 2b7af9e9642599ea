// Source lines of a code object's instructions, from its DWARF line table.
#pragma once

#include "amdgcn/program.h"

namespace llvm::object {
class ObjectFile;
}

namespace forewarp::amdgcn {

/// Nothing where the file has no table, a damaged one, or packed sections.
void read_lines(const llvm::object::ObjectFile& file, Module& module);

} // namespace forewarp::amdgcn
