#include "gpu/gpu_file.h"
#include "gpu/names/index.h"
#include "gpu/names/names.h"
#include "gpu/read/extends.h"
#include "support/suggest.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace forewarp::gpu {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> prefixes_of(const std::vector<GpuFile>& files) {
  std::set<std::string> all;
  for (const GpuFile& file : files)
    for (const std::string& prefix : file.prefixes)
      all.insert(squeeze(prefix));
  std::vector<std::string> longest_first(all.begin(), all.end());
  std::stable_sort(longest_first.begin(), longest_first.end(),
                   [](const std::string& a, const std::string& b) { return a.size() > b.size(); });
  return longest_first;
}

/// How a wanted name meets a file, best first.
enum Meeting { full_name, alias, short_name, number, none };

Meeting meeting(const GpuFile& file, const std::vector<std::string>& wanted,
                const std::vector<std::string>& prefixes) {
  const auto meets = [&](const std::string& name) {
    for (const std::string& form : name_forms(name, prefixes))
      if (std::find(wanted.begin(), wanted.end(), form) != wanted.end())
        return true;
    return false;
  };
  if (meets(file.name) || squeeze(fs::path(file.path).stem().string()) == wanted.front())
    return full_name;
  if (std::any_of(file.aliases.begin(), file.aliases.end(), meets))
    return alias;
  if (std::any_of(file.default_for.begin(), file.default_for.end(), meets))
    return short_name;
  return board_number(file.name) == wanted.back() ? number : none;
}

struct Match {
  const GpuFile* file = nullptr; ///< null: none, or a number that several boards bear
  Meeting by = none;
};

Match best_match(const std::vector<GpuFile>& files, const std::string& name,
                 const std::vector<std::string>& prefixes) {
  const std::vector<std::string> wanted = name_forms(name, prefixes);
  Match best;
  if (wanted.front().empty())
    return best;
  for (const GpuFile& file : files) {
    const Meeting by = meeting(file, wanted, prefixes);
    if (by < best.by)
      best = {&file, by};
    else if (by == number && best.by == number)
      best.file = nullptr; // GTX 480 or RX 480: the user has to say
  }
  return best;
}

/// Others of the catalogue that the short name could have meant.
std::vector<std::string> others(const std::vector<GpuFile>& files, const GpuFile& chosen,
                                const std::string& wanted, const std::vector<std::string>& prefixes) {
  std::vector<std::string> names;
  for (const GpuFile& file : files) {
    std::vector<std::string> forms = name_forms(file.name, prefixes);
    forms.push_back(board_number(file.name));
    if (file.name != chosen.name && std::any_of(forms.begin(), forms.end(), [&](const std::string& form) {
          return form.starts_with(wanted);
        }))
      names.push_back(file.name);
  }
  return names;
}

bool looks_like_path(const std::string& text) {
  return text.find('/') != std::string::npos || text.ends_with(".toml");
}

std::vector<std::string> suggestions(const std::vector<GpuFile>& files, const std::string& wanted,
                                     const std::vector<std::string>& prefixes) {
  std::vector<std::string> forms, shown;
  std::map<std::string, std::string> file_of;
  const std::string bare = name_forms(wanted, prefixes).back();
  const auto add = [&](const std::string& name, const GpuFile& file) {
    for (const std::string& form : name_forms(name, prefixes))
      if (file_of.emplace(form, file.name).second)
        forms.push_back(form);
  };
  for (const GpuFile& file : files) {
    add(file.name, file);
    for (const std::string& alias : file.aliases)
      add(alias, file);
    for (const std::string& alias : file.default_for)
      add(alias, file);
  }
  const auto show = [&](const std::string& name) {
    if (shown.size() < 5 && std::find(shown.begin(), shown.end(), name) == shown.end())
      shown.push_back(name);
  };
  if (bare.size() >= 3)
    for (const std::string& form : forms)
      if (form.find(bare) != std::string::npos)
        show(file_of[form]);
  if (shown.empty())
    for (const std::string& near : nearest_names(bare, forms, 5))
      show(file_of[near]);
  return shown;
}

Result<void> check_unique(const std::vector<GpuFile>& files) {
  std::map<std::string, const GpuFile*> owner;
  for (const GpuFile& file : files) {
    std::vector<std::string> names = file.aliases;
    names.insert(names.end(), file.default_for.begin(), file.default_for.end());
    names.push_back(file.name);
    for (const std::string& name : names) {
      const auto [it, added] = owner.emplace(squeeze(name), &file);
      if (!added && it->second != &file)
        return fail(ErrorCode::bad_input, fmt::format("'{}' is a name of {} too", name, it->second->path),
                    file.path, "a name or alias belongs to one GPU file");
    }
  }
  return {};
}

} // namespace

Result<Catalogue> Catalogue::open(const fs::path& directory) {
  auto index = read_index(directory);
  FOREWARP_TRY(index);
  Catalogue catalogue;
  catalogue.directory_ = directory;
  catalogue.prefixes_ = prefixes_of(*index);
  for (GpuFile& file : *index)
    if (!file.abstract)
      catalogue.index_.push_back(std::move(file));
  FOREWARP_TRY(check_unique(catalogue.index_));
  return catalogue;
}

Result<Catalogue> Catalogue::load(const fs::path& directory) {
  auto catalogue = open(directory);
  FOREWARP_TRY(catalogue);
  BaseCache bases;
  for (const GpuFile& named : catalogue->index_) {
    auto file = complete(read_raw(named.path), directory, bases);
    FOREWARP_TRY(file);
    catalogue->files_.push_back(std::move(*file));
  }
  return catalogue;
}

Result<fs::path> default_gpu_folder() {
  std::error_code error;
  if (const char* data = std::getenv("FOREWARP_DATA"); data && *data)
    return fs::path(data) / "gpus";
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  // build/bin/forewarp -> data; an installed bin/forewarp -> share; a test or tool deeper in the build folder
  // -> data.
  fs::path folder = program.parent_path();
  for (int up = 0; up < 5 && folder.has_relative_path(); ++up, folder = folder.parent_path())
    for (const char* below : {"data/gpus", "share/forewarp/gpus"})
      if (fs::is_directory(folder / below, error))
        return folder / below;
  return fail(ErrorCode::not_found, "the GPU catalogue was not found near the program", program.string(),
              "set FOREWARP_DATA to the folder that holds gpus/");
}

Result<Catalogue> Catalogue::load_default() {
  auto folder = default_gpu_folder();
  FOREWARP_TRY(folder);
  return load(*folder);
}

Result<Catalogue> Catalogue::open_default() {
  auto folder = default_gpu_folder();
  FOREWARP_TRY(folder);
  return open(*folder);
}

Result<GpuChoice> Catalogue::find(const std::string& name_or_path) const {
  GpuChoice choice;
  choice.requested = name_or_path;
  if (looks_like_path(name_or_path)) {
    auto file = read_gpu_file(name_or_path, directory_);
    FOREWARP_TRY(file);
    if (file->abstract)
      return fail(ErrorCode::bad_input, "this file is a base for other files, not a GPU", file->path,
                  "name a GPU, or a file that extends this one");
    choice.file = std::move(*file);
    return choice;
  }
  if (const Match best = best_match(index_, name_or_path, prefixes_); best.file) {
    auto file = read_gpu_file(best.file->path, directory_);
    FOREWARP_TRY(file);
    choice.file = std::move(*file);
    if (best.by >= short_name) {
      const auto rest = others(index_, *best.file, name_forms(name_or_path, prefixes_).back(), prefixes_);
      choice.note = fmt::format("{} means {}", name_or_path, best.file->name);
      if (!rest.empty())
        choice.note += fmt::format("; others: {}", fmt::join(rest, ", "));
    }
    return choice;
  }
  const auto near = suggestions(index_, name_or_path, prefixes_);
  return fail(ErrorCode::not_found, fmt::format("unknown GPU '{}'", name_or_path), {},
              near.empty()
                  ? "`forewarp gpus` lists the GPUs; a path of a .toml file is taken too"
                  : fmt::format("did you mean {}? `forewarp gpus` lists all", fmt::join(near, " or ")));
}

} // namespace forewarp::gpu
