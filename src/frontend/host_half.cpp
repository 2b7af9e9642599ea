#include "frontend/host_half.h"

#include "frontend/driver.h"
#include "frontend/guard.h"
#include "frontend/languages/cuda/cuda_arguments.h"
#include "frontend/languages/cuda/cuda_headers.h"
#include "frontend/sorted_diagnostics.h"
#include "support/text_file.h"

#include <clang/Basic/Diagnostic.h>
#include <clang/CodeGen/CodeGenAction.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/TargetParser/Host.h>

#include <algorithm>
#include <array>
#include <filesystem>

namespace forewarp::frontend {
namespace {

constexpr std::size_t most_source_bytes = 64U << 20;
constexpr const char* binary_file = "/forewarp/device_half";

std::string ending_of(const std::string& path) {
  return std::filesystem::path(path).extension().string();
}

/// Options that only the device half takes, or that nvcc hands to a linker or an assembler.
bool is_of_device(const std::string& option) {
  constexpr std::array prefixes = {
      "-use_fast_math", "--use_fast_math",    "--expt",   "--extended-lambda", "-lineinfo",
      "-arch",          "--gpu-architecture", "-gencode", "-Xptxas",           "-rdc",
      "--ptxas"};
  return std::ranges::any_of(prefixes, [&](const char* prefix) { return option.starts_with(prefix); });
}

/// What a file is compiled as, whatever its ending says.
enum class HostLanguage : std::uint8_t { c, cpp, cuda };

/// The instructions that this processor has; none that joins products and sums, so that results are those of
/// any x86-64 or ARM processor.
void add_processor(std::vector<std::string>& arguments) {
  arguments.insert(arguments.end(), {"-target-cpu", llvm::sys::getHostCPUName().str(), "-ffp-contract=off"});
  std::vector<std::string> features; // the map has no order
  for (const auto& [name, is_there] : llvm::sys::getHostCPUFeatures())
    features.push_back((is_there ? "+" : "-") + name.str());
  std::ranges::sort(features);
  for (std::string& feature : features)
    arguments.insert(arguments.end(), {"-target-feature", std::move(feature)});
}

std::vector<std::string> arguments_of(const HostRequest& request, const std::string& resources,
                                      HostLanguage language) {
  const bool plain_c = language == HostLanguage::c, cuda = language == HostLanguage::cuda;
  const bool of_cpp = request.standard.find("++") != std::string::npos;
  std::vector<std::string> arguments = {"-triple",
                                        llvm::sys::getProcessTriple(),
                                        "-emit-obj",
                                        "-O2",
                                        "-mrelocation-model",
                                        "pic",
                                        "-pic-level",
                                        "2",
                                        "-pic-is-pie",
                                        "-mframe-pointer=none",
                                        "-resource-dir",
                                        resources,
                                        "-fgnuc-version=4.2.1",
                                        "-nostdsysteminc",
                                        "-ferror-limit",
                                        "20",
                                        "-Wno-everything",
                                        "-fmath-errno",
                                        "-vectorize-loops",
                                        "-vectorize-slp"};
  const auto add = [&](std::initializer_list<std::string> words) {
    arguments.insert(arguments.end(), words);
  };
  add_processor(arguments);
  if (!plain_c)
    add({"-fexceptions", "-fcxx-exceptions", "-fdeprecated-macro"});
  if (cuda)
    add({"-x", "cuda", "-aux-triple", "nvptx64-nvidia-cuda", "-target-sdk-version=12.0",
         "-fcuda-allow-variadic-functions", "-fcuda-include-gpubinary", binary_file, "-DFOREWARP_RUN=1"});
  else
    add({"-x", plain_c ? "c" : "c++"});
  add({"-std=" + (!request.standard.empty() && of_cpp != plain_c ? request.standard
                  : plain_c                                      ? "gnu17"
                                                                 : "gnu++17")});
  add({"-internal-isystem", std::string(own_include_folder) + "/host"});
  if (cuda)
    add({"-internal-isystem", own_include_folder, "-include", "forewarp_cuda.h"});
  const auto is_of_another = [&](const std::string& argument) {
    return (plain_c && argument.find("c++") != std::string::npos) ||
           (!cuda && argument.find("cuda_wrappers") != std::string::npos);
  };
  for (std::string& argument : system_header_arguments(resources))
    if (!is_of_another(argument))
      arguments.push_back(std::move(argument));
    else
      arguments.pop_back(); // its option
  for (const std::string& define : request.defines)
    add({"-D" + define});
  for (const std::string& directory : request.include_directories)
    add({"-I", directory});
  for (const std::string& option : request.extra_options)
    if (!is_of_device(option))
      add({option});
  return arguments;
}

struct Compiled {
  std::string diagnostics;
  llvm::SmallString<0> object;
  bool ok = false;
};

void set_files(clang::CompilerInstance& compiler, const HostRequest& request) {
  auto files = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(files_with_own_headers(nullptr, ""));
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  memory->addFile(
      binary_file, 0,
      llvm::MemoryBuffer::getMemBufferCopy(request.binary_name + std::string(1, '\0'), binary_file));
  files->pushOverlay(memory);
  compiler.createFileManager(files);
  if (const std::string text = with_own_spellings(request.path); !text.empty())
    compiler.getPreprocessorOpts().addRemappedFile(
        request.path, llvm::MemoryBuffer::getMemBufferCopy(text, request.path).release());
}

void compile_host_half(Compiled& result, const HostRequest& request,
                       const std::vector<std::string>& arguments) {
  auto options = llvm::makeIntrusiveRefCnt<clang::DiagnosticOptions>();
  SortedText said;
  auto diagnostics = llvm::makeIntrusiveRefCnt<clang::DiagnosticsEngine>(
      llvm::makeIntrusiveRefCnt<clang::DiagnosticIDs>(), options, new SortedDiagnostics(options.get(), said));
  std::vector<const char*> words;
  for (const std::string& argument : arguments)
    words.push_back(argument.c_str());
  std::string counts;
  llvm::raw_string_ostream count_line(counts);
  clang::CompilerInstance compiler;
  const bool parsed =
      clang::CompilerInvocation::CreateFromArgs(compiler.getInvocation(), words, *diagnostics);
  compiler.setDiagnostics(diagnostics.get());
  compiler.setVerboseOutputStream(count_line);
  compiler.getFrontendOpts().DisableFree = false;
  if (parsed) {
    clang::ProcessWarningOptions(compiler.getDiagnostics(), compiler.getDiagnosticOpts());
    set_files(compiler, request);
    compiler.setOutputStream(std::make_unique<llvm::raw_svector_ostream>(result.object));
    clang::EmitObjAction action;
    result.ok = compiler.ExecuteAction(action);
  }
  result.diagnostics = said.text();
}

Result<Compiled> compile_as(const HostRequest& request, const std::string& resources, HostLanguage language) {
  std::vector<std::string> arguments = arguments_of(request, resources, language);
  arguments.insert(arguments.end(), {"-main-file-name", request.path, request.path});
  auto owned = std::make_unique<Compiled>();
  auto ran = run_guarded("the compiler", [&] { compile_host_half(*owned, request, arguments); });
  if (ran)
    return std::move(*owned);
  ran.error().where = request.path;
  (void)owned.release(); // half-made objects of the compiler may not be destroyed
  return tl::unexpected(ran.error());
}

/// A header of CUDA's or HIP's that one of its own headers includes.
bool asks_for_cuda(const std::string& diagnostics) {
  return diagnostics.find("'cuda") != std::string::npos || diagnostics.find("'hip/") != std::string::npos;
}

} // namespace

bool has_device_half(const std::string& path) {
  const std::string ending = ending_of(path);
  if (ending == ".cu" || ending == ".cuh" || ending == ".hip")
    return true;
  const auto text = read_file(path, "source", most_source_bytes);
  if (ending == ".c" || !text)
    return false;
  constexpr std::array headers = {"cuda.h", "cuda_runtime", "hip/hip_runtime", "device_launch_parameters",
                                  "cuda_fp16"};
  return std::ranges::any_of(headers, [&](const char* header) {
    for (const char open : {'<', '"'})
      if (text->find(std::string("include ") + open + header) != std::string::npos)
        return true;
    return false;
  });
}

Result<std::string> compile_host_half(const HostRequest& request) {
  const auto resources = resource_directory();
  FOREWARP_TRY(resources);
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::InitializeNativeTargetAsmParser();
  const HostLanguage language = has_device_half(request.path)     ? HostLanguage::cuda
                                : ending_of(request.path) == ".c" ? HostLanguage::c
                                                                  : HostLanguage::cpp;
  auto compiled = compile_as(request, *resources, language);
  FOREWARP_TRY(compiled);
  if (language != HostLanguage::cuda && !compiled->ok && asks_for_cuda(compiled->diagnostics)) {
    compiled = compile_as(request, *resources, HostLanguage::cuda);
    FOREWARP_TRY(compiled);
  } else if (language == HostLanguage::c && !compiled->ok) { // some build files hand it to a C++ compiler
    auto as_cpp = compile_as(request, *resources, HostLanguage::cpp);
    FOREWARP_TRY(as_cpp);
    if (as_cpp->ok)
      compiled = std::move(as_cpp);
  }
  if (!compiled->ok)
    return fail(ErrorCode::compile,
                compiled->diagnostics.empty() ? "the compiler refused it" : compiled->diagnostics,
                request.path,
                "host code has to compile with Clang 19 and the headers of this machine; -I, -D and "
                "--option change how it is compiled");
  return std::string(compiled->object);
}

} // namespace forewarp::frontend
