#include "explore/space/tuner_parameters.h"

#include "launch/parse.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace forewarp::explore {
namespace {

constexpr std::array<const char*, 3> block_names = {"block_size_x", "block_size_y", "block_size_z"};

std::string component_text(const std::string& text, int component) {
  const auto size = launch::parse_dim3(text, "local");
  if (!size)
    return text;
  return fmt::format("{}", component == 0 ? size->x : component == 1 ? size->y : size->z);
}

} // namespace

TunerParameters::TunerParameters(const Space& space) {
  const auto add = [&](std::string name, std::size_t parameter, int component) {
    if (std::find(names_.begin(), names_.end(), name) != names_.end())
      return;
    names_.push_back(std::move(name));
    sources_.push_back({parameter, component});
  };
  const std::vector<Parameter>& parameters = space.parameters();
  for (std::size_t p = 0; p < parameters.size(); ++p)
    if (!space.is_derived(p) && parameters[p].role != Role::local)
      add(parameters[p].name, p, -1);
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    if (space.is_derived(p) || parameters[p].role != Role::local)
      continue;
    for (int c = 0; c < 3; ++c)
      if (parameters[p].component < 0)
        add(block_names[static_cast<std::size_t>(c)], p, c);
      else if (parameters[p].component == c)
        add(block_names[static_cast<std::size_t>(c)], p, -1);
  }
}

std::vector<std::string> TunerParameters::values(const std::vector<std::string>& row) const {
  std::vector<std::string> values;
  for (const Source& source : sources_)
    values.push_back(source.component < 0 ? row[source.parameter]
                                          : component_text(row[source.parameter], source.component));
  return values;
}

} // namespace forewarp::explore
