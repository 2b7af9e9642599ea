// Lines of the source by machine instruction: the DWARF line table of a cubin (`nvcc -lineinfo`, `-G`).
#pragma once

#include "sass/cubin/elf.h"
#include "sass/program.h"

namespace forewarp::sass {

/// Fills `Kernel::lines` and `Module::files`; a file without a table leaves them empty. Versions 2 to 4 of
/// the format (what nvcc and ptxas write); other versions are left out.
Result<void> read_line_tables(const Elf& elf, const std::string& name, Module& module);

} // namespace forewarp::sass
