#include "program/build_program.h"

#include "frontend/compile.h"
#include "frontend/host_half.h"
#include "native/compile.h"
#include "native/link.h"
#include "program/spawn.h"

#include <filesystem>
#include <fmt/format.h>

namespace forewarp::program {
namespace {

class Builder {
public:
  Builder(const BuildRequest& request, const Device& device) : request_(request), device_(device) {}

  Result<BuiltProgram> build() {
    for (const std::string& path : request_.sources)
      FOREWARP_TRY(add(path));
    const auto library = library_beside("libforewarp-cuda.so");
    FOREWARP_TRY(library);
    auto program = TemporaryFile::write("", "");
    FOREWARP_TRY(program);
    native::LinkRequest link{{}, request_.libraries, request_.library_folders, program->path()};
    for (const TemporaryFile& object : objects_)
      link.objects.push_back(object.path());
    link.objects.insert(link.objects.end(), given_.begin(), given_.end());
    link.objects.push_back(*library);
    FOREWARP_TRY(native::link_program(link));
    std::filesystem::permissions(program->path(), std::filesystem::perms::owner_all);
    return BuiltProgram{*std::move(program), std::move(sources_), std::move(notes_)};
  }

private:
  Result<void> add(const std::string& path) {
    if (path.ends_with(".o") || path.ends_with(".a")) {
      given_.push_back(path);
      return {};
    }
    const std::string name = fmt::format("{}:{}", sources_.size() + 1, path);
    const bool has_kernels = frontend::has_device_half(path);
    FOREWARP_TRY(add_object(frontend::compile_host_half(
        {path, request_.compile.standard, request_.compile.defines, request_.compile.include_directories,
         request_.compile.extra_options, name})));
    return has_kernels ? add_kernels(path, name) : Result<void>{};
  }

  Result<void> add_kernels(const std::string& path, const std::string& name) {
    frontend::CompileRequest compile;
    compile.path = path;
    compile.standard = request_.compile.standard;
    compile.defines = request_.compile.defines;
    compile.include_directories = request_.compile.include_directories;
    compile.extra_options = request_.compile.extra_options;
    compile.cache_folder = request_.compile.cache_folder;
    if (device_.machine.vendor == "nvidia")
      compile.target = device_.machine.target;
    else
      compile.target = "sm_80"; // HIP's kernels are executed as CUDA's; their time is the AMD GPU's
    auto module = frontend::compile(compile);
    if (!module && module.error().code == ErrorCode::bad_input)
      return {}; // no kernel in it
    FOREWARP_TRY(module);
    FOREWARP_TRY(add_object(native::compile_to_object(*module, {name, request_.checked})));
    engine::SourceRequest source = request_.compile;
    source.path = path;
    sources_.emplace_back(name, std::move(source));
    return {};
  }

  Result<void> add_object(const Result<std::string>& bytes) {
    FOREWARP_TRY(bytes);
    auto file = TemporaryFile::write(*bytes, ".o");
    FOREWARP_TRY(file);
    objects_.push_back(*std::move(file));
    return {};
  }

  const BuildRequest& request_;
  const Device& device_;
  std::vector<TemporaryFile> objects_;
  std::vector<std::string> given_, notes_;
  std::vector<std::pair<std::string, engine::SourceRequest>> sources_;
};

} // namespace

Result<BuiltProgram> build_program(const BuildRequest& request, const Device& device) {
  return Builder(request, device).build();
}

} // namespace forewarp::program
