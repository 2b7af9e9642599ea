#include "sass/modifier.h"
#include "sass/opcode.h"

#include <iterator>

namespace forewarp::sass {
namespace {

constexpr std::string_view opcode_names[] = {
#define FOREWARP_SASS_ROW(enumerator, name) std::string_view(name),
    FOREWARP_SASS_OPCODES(FOREWARP_SASS_ROW)
#undef FOREWARP_SASS_ROW
};

constexpr std::string_view modifier_names[] = {
#define FOREWARP_SASS_ROW(enumerator, name) std::string_view(name),
    FOREWARP_SASS_MODIFIERS(FOREWARP_SASS_ROW)
#undef FOREWARP_SASS_ROW
};

template <class Enumerator, class Names>
std::optional<Enumerator> find_in(const Names& names, std::string_view wanted) {
  for (std::size_t i = 0; i < std::size(names); ++i)
    if (names[i] == wanted)
      return static_cast<Enumerator>(i);
  return std::nullopt;
}

} // namespace

std::string_view to_string(Opcode opcode) {
  return opcode_names[static_cast<std::size_t>(opcode)];
}
std::string_view to_string(Modifier modifier) {
  return modifier_names[static_cast<std::size_t>(modifier)];
}

std::optional<Opcode> opcode_from_string(std::string_view name) {
  return find_in<Opcode>(opcode_names, name);
}
std::optional<Modifier> modifier_from_string(std::string_view name) {
  return find_in<Modifier>(modifier_names, name);
}

} // namespace forewarp::sass
