// What an AMD code object says of its kernels.
#pragma once

#include "facts/machine_program.h"

#include <map>
#include <optional>

namespace forewarp::facts {

struct CodeObjectLine {
  std::uint64_t offset = 0; ///< bytes from the kernel's first instruction
  std::string text;
  std::optional<OpClass> op; ///< empty: takes no unit (waits, hints)
};

/// Of a thread (VGPRs, AGPRs, scratch), a wave (SGPRs) or a group (LDS), as the compiler wrote them down.
struct CodeObjectKernel {
  std::string name, symbol; ///< symbol: of the kernel descriptor, "NAME.kd"
  unsigned vgprs = 0, agprs = 0, sgprs = 0, spilled_vgprs = 0, spilled_sgprs = 0;
  std::uint64_t lds_bytes = 0, scratch_bytes = 0, argument_bytes = 0;
  unsigned wave_size = 64, largest_group = 0;
  std::vector<CodeObjectLine> lines; ///< empty: the code is not in the file (an object that is not linked)
  std::map<OpClass, std::uint64_t> counts() const; ///< instructions of each class
  ResourceUse resources() const;
};

struct CodeObject {
  std::string target; ///< e.g. "gfx90a"
  std::vector<CodeObjectKernel> kernels;
};

} // namespace forewarp::facts
