// What a cubin says of a kernel in `.nv.info` and `.nv.info.NAME` (EIATTR_*).
#pragma once

#include "sass/cubin/elf.h"
#include "sass/program.h"

namespace forewarp::sass {

/// Of the module's `.nv.info`: registers, stack and frame, by symbol index.
struct ModuleAttributes {
  std::map<std::uint32_t, std::uint32_t> registers;
  std::map<std::uint32_t, std::uint32_t> stack_bytes;
};

Result<ModuleAttributes> read_module_attributes(Bytes bytes, const std::string& where);

/// Fills parameters, their base and size, required threads, barriers and the targets of indirect branches.
Result<void> read_kernel_attributes(Bytes bytes, const std::string& where, Kernel& kernel);

} // namespace forewarp::sass
