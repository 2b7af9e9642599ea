// PTX that the vendor's assembler is given: written down, and of files that embed it.
#pragma once

#include "toolkit/machine_code.h"

#include <string>

namespace forewarp::engine {

/// Where the PTX lies now: where its machine code is kept, under its content's name, so that it is found
/// again.
Result<std::string> write_ptx(const std::string& ptx, const std::string& cache_folder);

/// Whether the machine code in the file is for other targets, but some of its PTX is not newer than this one
/// (sass::only_ptx_fits). Of a file that cannot be read: false.
bool has_only_ptx(const std::string& path, const std::string& target);

/// The cubin that ptxas makes of such a file's PTX with this kernel ("": the first). Errors: as sass::ptx_in,
/// toolkit::assemble.
Result<toolkit::Assembled> assembled_of_file(const std::string& path, const std::string& target,
                                             const std::string& kernel, const std::string& cache_folder);

} // namespace forewarp::engine
