#include "program/build_program.h"

#include "frontend/compile.h"
#include "frontend/host_half.h"
#include "frontend/passes/compiler_generation.h"
#include "native/compile.h"
#include "native/link.h"
#include "program/spawn.h"
#include "support/text_file.h"

#include <algorithm>
#include <fmt/format.h>

namespace forewarp::program {
namespace {

constexpr std::uint64_t most_program_bytes = std::uint64_t{2} << 30;

class Builder {
public:
  Builder(const BuildRequest& request, const Device& device, const BuildPlace& place)
      : request_(request), device_(device), place_(place) {}

  Result<std::vector<BuiltSource>> build() {
    for (const std::string& path : request_.sources)
      FOREWARP_TRY(add(path));
    const auto library = library_beside("libforewarp-cuda.so");
    FOREWARP_TRY(library);
    native::LinkRequest link{{}, request_.libraries, request_.library_folders, place_.room};
    for (const MemoryFile& object : objects_)
      link.objects.push_back(object.path());
    link.objects.insert(link.objects.end(), given_.begin(), given_.end());
    link.objects.push_back(*library);
    say("the linker");
    FOREWARP_TRY(native::link_program(link));
    const auto program = read_file(place_.room, "program", most_program_bytes);
    FOREWARP_TRY(program);
    FOREWARP_TRY(place_.program.rewrite(*program));
    return std::move(sources_);
  }

private:
  void say(const std::string& what) const {
    if (place_.progress)
      place_.progress(what);
  }

  Result<void> add(const std::string& path) {
    say(path);
    if (path.ends_with(".o") || path.ends_with(".a")) {
      given_.push_back(path);
      return {};
    }
    const std::string name = fmt::format("{}:{}", sources_.size() + 1, path);
    const bool has_kernels = frontend::has_device_half(path);
    const auto host = frontend::compile_host_half({path, request_.compile.standard, request_.compile.defines,
                                                   request_.compile.include_directories,
                                                   request_.compile.extra_options, name});
    FOREWARP_TRY(add_object(host));
    return has_kernels ? add_kernels(path, name, *host) : Result<void>{};
  }

  frontend::CompileRequest device_half(const std::string& path) const {
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
    return compile;
  }

  /// The host's half calls algorithms of a library, which are kernels here, or kernels print: the plain
  /// device half, which is the predicted one, too, has neither.
  static bool needs_more(const Result<ir::KernelModule>& module, const std::string& host) {
    const auto prints = [](const facts::Note& note) { return note.text.starts_with("printf is left out"); };
    return host.find("forewarp_library_item") != std::string::npos ||
           (module ? std::ranges::any_of(module->notes, prints)
                   : module.error().code != ErrorCode::bad_input);
  }

  Result<void> add_kernels(const std::string& path, const std::string& name, const std::string& host) {
    frontend::CompileRequest compile = device_half(path);
    // What the GPU's own passes do to loops (addresses counted up side by side) hinders this processor's.
    compile.compiler = frontend::plain_bitcode;
    auto module = frontend::compile(compile);
    const bool compiles_plain = module || module.error().code == ErrorCode::bad_input;
    if (needs_more(module, host)) {
      compile.defines.emplace_back(run_define);
      module = frontend::compile(compile);
    }
    if (!module && module.error().code == ErrorCode::bad_input)
      return {}; // no kernel in it
    FOREWARP_TRY(module);
    // Left out, they would make the program's results wrong without a word.
    for (const facts::Note& note : module->notes)
      if (note.text.starts_with("what kernels of this file ask of the runtime is left out"))
        return fail(ErrorCode::unsupported,
                    "kernels that start kernels or call the runtime are not executed: " + note.text, path,
                    "forewarp predict --kernel NAME predicts each of them by itself");
    FOREWARP_TRY(add_object(native::compile_to_object(*module, {name, request_.checked})));
    sources_.emplace_back(name, path, !compiles_plain);
    return {};
  }

  Result<void> add_object(const Result<std::string>& bytes) {
    FOREWARP_TRY(bytes);
    auto file = MemoryFile::write(*bytes, "object");
    FOREWARP_TRY(file);
    objects_.push_back(*std::move(file));
    return {};
  }

  const BuildRequest& request_;
  const Device& device_;
  const BuildPlace& place_;
  std::vector<MemoryFile> objects_;
  std::vector<std::string> given_;
  std::vector<BuiltSource> sources_;
};

} // namespace

Result<std::vector<BuiltSource>> build_program(const BuildRequest& request, const Device& device,
                                               const BuildPlace& place) {
  return Builder(request, device, place).build();
}

} // namespace forewarp::program
