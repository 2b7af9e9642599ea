#include "frontend/compile.h"

#include "frontend/languages/languages.h"
#include "frontend/languages/only_kernel.h"
#include "frontend/languages/source_language.h"
#include "frontend/store/file_log.h"
#include "frontend/store/module_store.h"
#include "support/memory_file.h"
#include "support/suggest.h"

#include <filesystem>
#include <fstream>

namespace forewarp::frontend {

namespace {

namespace fs = std::filesystem;
using FrontEnd = Result<ir::KernelModule> (*)(const CompileRequest&);

struct Language {
  const char* ending;
  FrontEnd compile;
  bool is_text;
};

constexpr Language languages[] = {
    {".cl", compile_opencl, true},   {".opencl", compile_opencl, true},
    {".ocl", compile_opencl, true},  {".cu", compile_cuda, true},
    {".cuh", compile_cuda, true},    {".hpp", compile_cuda, true},
    {".hip", compile_cuda, true},    {".cpp", compile_cuda, true},
    {".cc", compile_cuda, true},     {".cxx", compile_cuda, true},
    {".ll", compile_llvm_ir, true},  {".llir", compile_llvm_ir, true},
    {".bc", compile_llvm_ir, false}, {".cubin", compile_machine_code, false},
    {".ptx", compile_ptx, true},     {".hsaco", compile_machine_code, false},
};

constexpr std::uintmax_t largest_source_bytes = 64ULL << 20;

const Language* language_of(const fs::path& given) {
  const std::string in_memory = MemoryFile::name_of(given.string());
  const fs::path path = in_memory.empty() ? given : fs::path(in_memory);
  for (const Language& language : languages)
    if (path.extension() == language.ending)
      return &language;
  static constexpr Language machine_code = {"", compile_machine_code, false};
  return is_machine_code(path.string()) ? &machine_code : nullptr;
}

/// Size and first bytes: what can be said before a compiler sees the file. Kernel source needs not be UTF-8.
Result<void> check_file(const std::string& path, bool is_text) {
  std::error_code error;
  fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found)
    return fail(ErrorCode::not_found, "no such file", path,
                "check the name; it is looked for from this folder on");
  if (fs::is_directory(status))
    return fail(ErrorCode::bad_input, "is a folder, not a kernel file", path,
                "name a file in it; `forewarp survey FOLDER` asks all kernels below it");
  if (!fs::is_regular_file(status))
    return fail(ErrorCode::bad_input, "is not a regular file", path,
                "write the kernel to a file and name that");
  std::uintmax_t size = fs::file_size(path, error);
  if (error)
    return fail(ErrorCode::bad_input, "cannot be read: " + error.message(), path);
  if (size == 0)
    return fail(ErrorCode::bad_input, "the file is empty", path, "name the file that holds the kernel");
  if (size > largest_source_bytes)
    return fail(ErrorCode::bad_input,
                "the file has " + std::to_string(size >> 20) + " MB; the limit is 64 MB", path,
                "leave out what the kernel does not need");
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return fail(ErrorCode::bad_input, "cannot be opened for reading", path);
  std::string start(std::min<std::uintmax_t>(size, 4096), '\0');
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  if (is_text && start.starts_with("\x7f"
                                   "ELF"))
    return fail(ErrorCode::bad_input, "the file is binary: machine code, not text", path,
                "rename it: NVIDIA's code ends in .cubin, AMD's in .hsaco");
  if (is_text && start.find('\0') != std::string::npos)
    return fail(ErrorCode::bad_input, "the file is binary, not source text", path,
                "name the source; machine code ends in .cubin, LLVM bitcode in .bc");
  return {};
}

std::string list_of(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names)
    text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::vector<std::string> kernel_names(const ir::KernelModule& module) {
  std::vector<std::string> names;
  for (const ir::KernelSignature& kernel : module.kernels)
    names.push_back(kernel.name);
  return names;
}

} // namespace

bool is_cuda_source(const std::string& path) {
  const Language* language = language_of(path);
  return language && language->compile == compile_cuda;
}

bool is_opencl_source(const std::string& path) {
  const Language* language = language_of(path);
  return language && language->compile == compile_opencl;
}

bool is_ptx(const std::string& path) {
  const Language* language = language_of(path);
  return language && language->compile == compile_ptx;
}

namespace {

/// The way out of an error of the compiler, where its message says which.
std::string way_out(const std::string& message) {
  for (const std::string_view before : {"use of undeclared identifier '", "unknown type name '"}) {
    const std::size_t at = message.find(before);
    if (at == std::string::npos)
      continue;
    const std::size_t start = at + before.size();
    const std::string name = message.substr(start, message.find('\'', start) - start);
    return "-D " + name +
           "=VALUE defines it, --option=-include --option=FILE puts the file in front that does";
  }
  if (message.find("file not found") != std::string::npos)
    return "-I FOLDER names the folder of the header";
  return "the source has to compile with Clang 19 as it stands; -D, -I, --std and --option change how it is "
         "compiled";
}

/// What else lies beside a compiled kernel in Triton's cache; "": something else.
std::string triton_stage(const fs::path& path) {
  const fs::path ending = path.extension();
  return ending == ".ttir" || ending == ".ttgir" || ending == ".source"
             ? "an earlier stage of Triton's compiler"
         : ending == ".amdgcn" ? "assembly text"
                               : "";
}

Result<ir::KernelModule> compile_source(const CompileRequest& request) {
  const Language* language = language_of(request.path);
  FOREWARP_TRY(check_file(request.path, language && language->is_text));
  if (const std::string of_triton = triton_stage(request.path); !language && !of_triton.empty())
    return fail(ErrorCode::bad_input, "is not what runs on the GPU, but " + of_triton, request.path,
                "name the .llir, .ptx, .cubin or .hsaco that Triton keeps beside it");
  if (!language)
    return fail(
        ErrorCode::bad_input, "unknown kind of kernel file", request.path,
        "endings that are understood: .cl, .opencl, .ocl, .cu, .cuh, .hip, .cpp, .cc, .cxx, .hpp (as "
        "CUDA or HIP), .ll, .llir, .bc, .ptx, .cubin, .hsaco; and objects, programs and fat binaries with "
        "machine code");
  if (request.cache_folder.empty())
    return language->compile(request);
  const ModuleStore store(request.cache_folder);
  if (auto kept = store.find(request))
    return *std::move(kept);
  if (request.signatures_only)
    return language->compile(request);
  FileLog log;
  CompileRequest logged = request;
  logged.log = &log;
  auto module = language->compile(logged);
  store.keep(request, log, module);
  return module;
}

} // namespace

Result<ir::KernelModule> compile(const CompileRequest& request) {
  auto module = compile_source(request);
  if (!module && module.error().code == ErrorCode::compile && module.error().hint.empty())
    module.error().hint = way_out(module.error().message);
  if (module)
    for (ir::KernelModule::Refusal& refusal : module->refused)
      if (refusal.error.code == ErrorCode::compile && refusal.error.hint.empty())
        refusal.error.hint = way_out(refusal.error.message);
  return module;
}

namespace {

Result<const ir::KernelSignature*> find_kernel(const ir::KernelModule& module, const std::string& name) {
  std::vector<std::string> names = kernel_names(module);
  if (name.empty()) {
    if (module.kernels.size() == 1)
      return &module.kernels.front();
    return fail(ErrorCode::not_found,
                "the file has " + std::to_string(names.size()) + " kernels: " + list_of(names), "--kernel",
                "name one with --kernel");
  }
  const std::vector<const ir::KernelSignature*> meant = kernels_meant(module.kernels, name);
  if (meant.size() == 1)
    return meant.front();
  if (!meant.empty()) {
    std::vector<std::string> candidates;
    for (const ir::KernelSignature* kernel : meant)
      candidates.push_back(kernel->name);
    return fail(ErrorCode::not_found, "'" + name + "' is ambiguous: " + list_of(candidates), "--kernel",
                "name one of them as it stands here, with its template arguments in quotes");
  }
  auto near = nearest_names(name, names, 1);
  return fail(ErrorCode::not_found, "no kernel '" + name + "'; the file has: " + list_of(names), "--kernel",
              near.empty() ? "" : "did you mean '" + near.front() + "'?");
}

} // namespace

std::vector<const ir::KernelSignature*> kernels_meant(const std::vector<ir::KernelSignature>& kernels,
                                                      std::string_view name) {
  std::vector<const ir::KernelSignature*> loose;
  for (const ir::KernelSignature& kernel : kernels) {
    if (is_called(kernel, name))
      return {&kernel};
    // "scale" or "ns::scale" for a single "ns::scale<float>"
    const std::string_view base = std::string_view(kernel.name).substr(0, kernel.name.find('<'));
    const std::size_t scope = base.rfind("::");
    if (base == name || (scope != std::string_view::npos && base.substr(scope + 2) == name))
      loose.push_back(&kernel);
  }
  return loose;
}

Result<const ir::KernelSignature*> select_kernel(const ir::KernelModule& module, const std::string& name) {
  auto kernel = find_kernel(module, name);
  FOREWARP_TRY(kernel);
  for (const ir::KernelModule::Refusal& refusal : module.refused)
    if (refusal.symbol == (*kernel)->symbol)
      return tl::unexpected(refusal.error);
  return kernel;
}

} // namespace forewarp::frontend
