#include "gpu/read/extends.h"

#include "support/suggest.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace forewarp::gpu {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t longest_chain = 16;

std::vector<std::string> stems(const fs::path& directory) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (fs::directory_iterator it(directory, ignored), end; !ignored && it != end; it.increment(ignored))
    if (it->path().extension() == ".toml")
      names.push_back(it->path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

Result<fs::path> base_path(const RawFile& raw, const fs::path& directory) {
  const std::string& name = *raw.extends;
  if (name.find_first_of("/\\") == std::string::npos) {
    for (const fs::path& folder : {fs::path(raw.file.path).parent_path(), directory}) {
      std::error_code ignored;
      fs::path candidate = folder / (name + ".toml");
      if (fs::is_regular_file(candidate, ignored))
        return candidate;
    }
  }
  const auto near = nearest_names(name, stems(directory));
  return fail(ErrorCode::bad_input, fmt::format("extends '{}', but there is no {}.toml", name, name),
              raw.extends_where,
              near.empty() ? "name a file of the catalogue without '.toml'"
                           : fmt::format("did you mean '{}'?", fmt::join(near, "' or '")));
}

void take_over(std::map<std::string, Value>& own, const std::map<std::string, Value>& base,
               const std::string& from) {
  for (const auto& [key, value] : base) {
    const auto [it, added] = own.emplace(key, value);
    if (added && it->second.inherited_from.empty())
      it->second.inherited_from = from;
  }
}

/// What a base's values were derived from goes where the values go; called before they do.
void take_over_rows(RawFile& own, const RawFile& base) {
  for (const auto& [key, rows] : base.provenance)
    if (!own.file.values.contains(key))
      own.provenance.emplace(key, rows);
}

void fold(GpuFile& own, const GpuFile& base, const std::string& from) {
  const auto inherit = [](std::string& mine, const std::string& theirs) {
    if (mine.empty())
      mine = theirs;
  };
  inherit(own.vendor, base.vendor);
  inherit(own.target, base.target);
  inherit(own.generation, base.generation);
  if (own.prefixes.empty())
    own.prefixes = base.prefixes;
  take_over(own.values, base.values, from);
  for (const auto& [name, set] : base.value_sets)
    take_over(own.value_sets[name], set, from);
}

} // namespace

Result<RawFile> resolve_extends(const RawFile& raw, const fs::path& directory, BaseCache& bases) {
  RawFile merged = raw;
  std::vector<std::string> chain = {fs::path(raw.file.path).stem().string()};
  const RawFile* last = &raw;
  while (last->extends) {
    const std::string& next = *last->extends;
    if (std::find(chain.begin(), chain.end(), next) != chain.end())
      return fail(ErrorCode::bad_input,
                  fmt::format("extends goes in a circle: {} -> {}", fmt::join(chain, " -> "), next),
                  last->extends_where, "let one file of the circle stand on its own");
    if (chain.size() >= longest_chain)
      return fail(ErrorCode::bad_input, fmt::format("more than {} files extend each other", longest_chain),
                  last->extends_where, "shorten the chain");
    chain.push_back(next);
    auto path = base_path(*last, directory);
    FOREWARP_TRY(path);
    auto known = bases.find(path->string());
    if (known == bases.end()) {
      auto base = read_raw(*path);
      FOREWARP_TRY(base);
      known = bases.emplace(path->string(), std::move(*base)).first;
    }
    last = &known->second;
    take_over_rows(merged, *last);
    fold(merged.file, last->file, chain.back());
  }
  return merged;
}

Result<GpuFile> complete(Result<RawFile> raw, const fs::path& directory, BaseCache& bases) {
  FOREWARP_TRY(raw);
  auto merged = resolve_extends(*raw, directory, bases);
  FOREWARP_TRY(merged);
  GpuFile* file = &merged->file;
  if (file->abstract)
    return std::move(*file);
  for (const auto& [key, text] : {std::pair{"name", &file->name},
                                  {"vendor", &file->vendor},
                                  {"target", &file->target},
                                  {"generation", &file->generation}})
    if (text->empty())
      return fail(ErrorCode::bad_input, fmt::format("the GPU file has no '{}'", key), file->path,
                  fmt::format("write {} = \"...\" or extend a file that has it", key));
  return std::move(*file);
}

} // namespace forewarp::gpu
