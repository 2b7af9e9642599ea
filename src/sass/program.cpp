#include "sass/program.h"

#include <algorithm>

namespace forewarp::sass {

bool Instruction::has(Modifier modifier) const {
  return std::find(modifiers.begin(), modifiers.end(), modifier) != modifiers.end();
}

std::optional<std::size_t> index_of(const Kernel& kernel, std::uint32_t offset) {
  const std::size_t index = offset / instruction_bytes;
  if (offset % instruction_bytes != 0 || index >= kernel.instructions.size())
    return std::nullopt;
  return index;
}

facts::SourceLocation location_of(const Kernel& kernel, std::uint32_t offset) {
  const auto behind =
      std::upper_bound(kernel.lines.begin(), kernel.lines.end(), offset,
                       [](std::uint32_t at, const LineEntry& entry) { return at < entry.offset; });
  return behind == kernel.lines.begin() ? facts::SourceLocation{} : std::prev(behind)->location;
}

} // namespace forewarp::sass
