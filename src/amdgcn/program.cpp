#include "amdgcn/program.h"

#include <algorithm>
#include <charconv>

namespace forewarp::amdgcn {

bool Instruction::has(std::string_view modifier) const {
  return std::ranges::any_of(modifiers, [&](const auto& each) { return each.first == modifier; });
}

std::string_view Instruction::modifier(std::string_view wanted) const {
  for (const auto& [called, value] : modifiers)
    if (called == wanted)
      return value;
  return {};
}

std::int64_t Instruction::modifier(std::string_view wanted, std::int64_t otherwise) const {
  std::string_view digits = modifier(wanted);
  const bool negative = digits.starts_with("-"), hex = digits.substr(negative ? 1 : 0).starts_with("0x");
  digits.remove_prefix((negative ? 1 : 0) + (hex ? 2 : 0));
  std::int64_t value = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value, hex ? 16 : 10);
  if (digits.empty() || read.ec != std::errc())
    return otherwise;
  return negative ? -value : value;
}

std::optional<std::uint32_t> index_of(const Kernel& kernel, std::int64_t offset) {
  const auto& code = kernel.instructions;
  const auto found = std::ranges::lower_bound(code, offset, {}, [](const Instruction& instruction) {
    return static_cast<std::int64_t>(instruction.offset);
  });
  if (found == code.end() || static_cast<std::int64_t>(found->offset) != offset)
    return std::nullopt;
  return static_cast<std::uint32_t>(found - code.begin());
}

} // namespace forewarp::amdgcn
