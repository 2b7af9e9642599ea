#include "support/named.h"

#include "support/suggest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace forewarp {

std::string hint_for(std::string_view wanted, const std::vector<std::string>& names) {
  const std::vector<std::string> nearest = nearest_names(wanted, names, 1);
  return nearest.empty() ? fmt::format("one of {}", fmt::join(names, ", "))
                         : fmt::format("did you mean '{}'?", nearest.front());
}

tl::unexpected<Error> refuse_name(const NamedKind& kind, std::string_view wanted,
                                  const std::vector<std::string>& names) {
  return fail(kind.code, fmt::format("{} '{}'", kind.what, wanted), kind.where, hint_for(wanted, names));
}

} // namespace forewarp
