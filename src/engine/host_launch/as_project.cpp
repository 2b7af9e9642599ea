#include "engine/host_launch/as_project.h"

#include "frontend/project/build_options.h"
#include "frontend/project/defining_files.h"
#include "frontend/project/found_headers.h"
#include "frontend/project/missing_macros.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <utility>

namespace forewarp::engine {
namespace {

namespace project = frontend::project;
constexpr std::size_t most_including = 3;

std::string ending_of(const std::string& path) {
  return std::filesystem::path(path).extension().string();
}

bool has_headers(const std::string& path) {
  static constexpr const char* others[] = {".ll", ".llir", ".bc", ".ptx", ".cubin"};
  return std::ranges::find(others, ending_of(path)) == std::end(others);
}

void assume(FoundRequest& found, std::string text, std::string remedy) {
  found.notes.push_back({facts::Note::Severity::assumption, std::move(text), {}, std::move(remedy)});
}

bool defines(const SourceRequest& source, const std::string& definition) {
  const std::string name = definition.substr(0, definition.find('='));
  return std::ranges::any_of(
      source.defines, [&](const std::string& known) { return known.substr(0, known.find('=')) == name; });
}

/// The macros and the standard of C++ of the build file. False: it has none that is new.
bool add_build_options(FoundRequest& found) {
  SourceRequest& source = found.request.compile;
  std::vector<std::string> told;
  const project::BuildOptions options =
      project::build_options(std::filesystem::path(source.path).parent_path().string());
  const bool names_standard =
      is_cuda_source(source.path) && source.standard.empty() && !options.standard.empty();
  if (names_standard) {
    source.standard = options.standard;
    assume(found, fmt::format("the build file asks for {}", options.standard), "--std " + options.standard);
  }
  for (const auto& [definition, place] : options.macros)
    if (!defines(source, definition)) {
      source.defines.push_back(definition);
      told.push_back(fmt::format("{} ({})", definition, place));
    }
  if (!told.empty())
    assume(found, fmt::format("macros of the build file are defined: {}", fmt::join(told, ", ")),
           "-D NAME=VALUE");
  return names_standard || !told.empty();
}

/// Names of the library of C++20.
bool add_newer_cpp(FoundRequest& found, const Error& error) {
  SourceRequest& source = found.request.compile;
  const auto misses = [&](std::string_view what) { return error.message.find(what) != std::string::npos; };
  if (!source.standard.empty() || !is_cuda_source(source.path) ||
      !(misses("no template named 'span' in namespace 'std'") ||
        misses("no member named 'ranges' in namespace 'std'") || misses("unknown type name 'concept'")))
    return false;
  source.standard = "c++20";
  assume(found, "the source asks for names of C++20", "--std c++20");
  return true;
}

/// Of names in capitals that nothing near the source defines: a size that a build gives.
bool add_usual_sizes(FoundRequest& found, const Error& error) {
  constexpr const char* usual = "16";
  SourceRequest& source = found.request.compile;
  const auto is_size = [](const std::string& name) {
    return std::ranges::all_of(
        name, [](unsigned char c) { return std::isupper(c) || std::isdigit(c) || c == '_'; });
  };
  bool added = false;
  for (const std::string& name : project::undeclared_names(error.message)) {
    const bool is_type = error.message.find("unknown type name '" + name) != std::string::npos;
    if (is_type || !is_size(name) || defines(source, name))
      continue;
    source.defines.push_back(name + "=" + usual);
    assume(found, fmt::format("'{}' is defined neither in the source nor near it: {} is taken", name, usual),
           fmt::format("-D {}=VALUE", name));
    added = true;
  }
  return added;
}

} // namespace

FoundRequest with_header_folders(const PredictRequest& request) {
  FoundRequest found{request, {}, {}};
  if (!has_headers(request.compile.path))
    return found;
  std::vector<std::string> told;
  std::vector<std::string>& folders = found.request.compile.include_directories;
  for (const auto& [folder, header] : project::header_folders(request.compile.path, folders)) {
    if (std::ranges::find(folders, folder) == folders.end())
      folders.push_back(folder);
    told.push_back(fmt::format("{} in {}", header, folder));
  }
  if (!told.empty())
    assume(found, fmt::format("headers that no named folder holds were found: {}", fmt::join(told, ", ")),
           "-I FOLDER");
  return found;
}

bool add_standard(FoundRequest& found, const Error& error) {
  SourceRequest& source = found.request.compile;
  if (add_newer_cpp(found, error))
    return true;
  if (!source.standard.empty() || ending_of(source.path) != ".cl" ||
      error.message.find("program scope variable must reside in constant address space") == std::string::npos)
    return false;
  source.standard = "CL2.0";
  assume(found, "a variable of the program's scope asks for OpenCL C 2.0", "--std CL2.0");
  return true;
}

std::vector<FoundRequest> project_ways(const FoundRequest& found) {
  std::vector<FoundRequest> ways;
  const std::string& path = found.request.compile.path;
  if (!has_headers(path))
    return ways;
  if (FoundRequest way = found; add_build_options(way))
    ways.push_back(std::move(way));
  std::vector<std::string> including = project::files_including(path);
  including.resize(std::min(including.size(), most_including));
  for (const std::string& file : including) {
    if (ending_of(file) == ".cl" && ending_of(path) != ".cl")
      continue;
    PredictRequest other = found.request;
    other.compile.path = file;
    FoundRequest way = with_header_folders(other);
    assume(way, fmt::format("'{}' does not compile alone: '{}', which includes it, is compiled", path, file),
           "name the file that is compiled");
    ways.push_back(way);
    if (add_build_options(way))
      ways.push_back(std::move(way));
  }
  return ways;
}

namespace {

/// Files that define what the source only declares go in front of it.
bool add_defining_files(FoundRequest& found, const Error& error) {
  SourceRequest& source = found.request.compile;
  const std::vector<std::string> functions = project::undefined_functions(error.message);
  std::vector<std::string>& options = source.extra_options;
  bool added = false;
  for (const std::string& file : project::files_defining(source.path, functions)) {
    if (std::ranges::find(options, file) != options.end())
      continue;
    options.insert(options.end(), {"-include", file});
    assume(found,
           fmt::format("'{}' defines what the source only declares ('{}'): it is compiled with it", file,
                       functions.front()),
           fmt::format("--option=-include --option={}", file));
    added = true;
  }
  return added;
}

/// Files that the host puts in front of an OpenCL source; what they need in turn goes in front of them.
bool add_declaring_files(FoundRequest& found, const Error& error) {
  SourceRequest& source = found.request.compile;
  const std::vector<std::string> names = project::undeclared_names(error.message);
  std::vector<std::string>& options = source.extra_options;
  bool added = false;
  for (const std::string& file : project::files_declaring(source.path, names)) {
    if (std::ranges::find(options, file) != options.end())
      continue;
    options.insert(options.begin(), {"-include", file});
    assume(found,
           fmt::format("'{}' declares names that the source lacks ('{}'): it stands in front of it", file,
                       names.front()),
           fmt::format("--option=-include --option={}", file));
    added = true;
  }
  return added;
}

bool define_as_neighbours(FoundRequest& found, const std::vector<std::string>& names) {
  bool added = false;
  for (const auto& [name, value, place] : project::find_macros(found.request.compile.path, names)) {
    found.request.compile.defines.push_back(name + "=" + value);
    assume(found,
           fmt::format("'{}' is defined nowhere in the source: it is {}, after {}", name, value, place),
           fmt::format("-D {}=VALUE", name));
    added = true;
  }
  return added;
}

/// Names that no macro stands for are declared in one branch of the source's conditions and used in another:
/// a tuner's first values do not go together. Then the last of what the conditions test.
bool change_tuned_conditions(FoundRequest& found, const Error& error) {
  SourceRequest& source = found.request.compile;
  if (project::undeclared_names(error.message).empty())
    return false;
  bool changed = false;
  const std::vector<std::string> tested = project::names_in_conditions(source.path);
  for (const auto& [name, value, place] :
       project::find_macros(source.path, tested, project::TunedValue::last)) {
    std::string definition = name + "=" + value;
    if (std::ranges::find(source.defines, definition) != source.defines.end())
      continue;
    std::erase_if(source.defines,
                  [&](const std::string& known) { return known.substr(0, known.find('=')) == name; });
    source.defines.push_back(std::move(definition));
    assume(found,
           fmt::format("'{}' is tested by conditions of the source and defined nowhere: it is {}, after {}",
                       name, value, place),
           fmt::format("-D {}=VALUE", name));
    changed = true;
  }
  return changed;
}

} // namespace

bool misses_library(const Error& error) {
  if (error.hint.find("not found and passed over") == std::string::npos)
    return false;
  const std::string& message = error.message;
  return message.find("expected namespace name") != std::string::npos ||
         std::ranges::any_of(project::undeclared_names(message), [&](const std::string& name) {
           return message.find(name + "::") != std::string::npos;
         });
}

bool is_of_compiling(const Error& error) {
  return error.code == ErrorCode::compile ||
         (error.code == ErrorCode::unsupported && !project::undefined_functions(error.message).empty());
}

bool add_newest_standard(FoundRequest& found) {
  SourceRequest& source = found.request.compile;
  if (!source.standard.empty() || !is_cuda_source(source.path))
    return false;
  source.standard = "c++20";
  assume(found, "the source compiles as C++20 only", "--std c++20");
  return true;
}

bool set_broken_kernels_apart(FoundRequest& found) {
  SourceRequest& source = found.request.compile;
  return has_headers(source.path) && !std::exchange(source.broken_kernels_apart, true);
}

bool is_of_one_place(const Error& error) {
  const std::size_t colon = error.where.rfind(':');
  return colon != std::string::npos && colon + 1 < error.where.size() &&
         std::isdigit(static_cast<unsigned char>(error.where[colon + 1])) != 0;
}

bool add_neighbours(FoundRequest& found, const Error& error) {
  SourceRequest& source = found.request.compile;
  if (!has_headers(source.path))
    return false;
  std::vector<std::string> names = project::undeclared_names(error.message);
  const auto says = [&](std::string_view what) { return error.message.find(what) != std::string::npos; };
  const bool computes = says("in preprocessor expression");
  if (computes || says("unknown type name '"))
    for (std::string& name :
         project::names_in_conditions(source.path, computes ? project::Directives::conditions_and_macros
                                                            : project::Directives::conditions))
      names.push_back(std::move(name));
  std::erase_if(names, [&](const std::string& name) { return defines(source, name); });
  return define_as_neighbours(found, names) || add_declaring_files(found, error) ||
         add_usual_sizes(found, error) || add_defining_files(found, error) ||
         change_tuned_conditions(found, error);
}

} // namespace forewarp::engine
