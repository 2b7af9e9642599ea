#include "frontend/languages/cuda/cuda_arguments.h"

#include "frontend/languages/cuda/cuda_headers.h"

#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <utility>

namespace forewarp::frontend {

bool is_amd(const CompileRequest& request) {
  return request.family == ir::TargetFamily::amd;
}

CudaOptions translate_options(CompileRequest& request) {
  CudaOptions options;
  if (!request.standard.empty())
    options.standard = request.standard;
  for (std::string option : std::exchange(request.extra_options, {})) {
    if (option.starts_with("--") && option.find("fast_math") != std::string::npos)
      option.erase(0, 1);
    if (option.starts_with("-std=") || option.starts_with("--std="))
      options.standard = option.substr(option.find('=') + 1);
    else if (option == "-use_fast_math" || option == "-ffast-math") {
      options.fast_math = true;
      options.arguments.insert(
          options.arguments.end(),
          {"-D__USE_FAST_MATH__=1", "-fdenormal-fp-math-f32=preserve-sign,preserve-sign"});
    } else if (option == "--expt-relaxed-constexpr" || option == "--extended-lambda" || option == "-lineinfo")
      continue; // what Clang does anyway
    else
      request.extra_options.push_back(option);
  }
  return options;
}

std::vector<std::string> cuda_arguments(const CompileRequest& request, const CudaOptions& options,
                                        const std::string& resources) {
  std::vector<std::string> arguments = {
      "-x",
      is_amd(request) ? "hip" : "cuda",
      "-std=" + options.standard,
      "-fcuda-is-device",
      "-aux-triple",
      "x86_64-pc-linux-gnu",
      "-fcuda-allow-variadic-functions",
      "-fno-builtin-printf",
      "-fexceptions",
      "-fcxx-exceptions",
      "-fgnuc-version=4.2.1",
      "-ferror-limit",
      "0",
      "-fno-threadsafe-statics",
      "-Wno-reserved-user-defined-literal",
      "-Wno-unknown-pragmas",
      "-Wno-unused-value",
      "-Wno-register",
      "-Wno-c++11-narrowing",
      "-nostdsysteminc"}; // a toolkit may be installed in /usr/local/include
  // Without the version a launch asks for cudaConfigureCall of CUDA 9. NVIDIA's compiler lets a store of one
  // type change what another type's load reads (PTX of NVRTC 11.8 and 12.9, cicc 13.0).
  if (!is_amd(request))
    arguments.insert(arguments.end(), {"-target-sdk-version=12.0", "-relaxed-aliasing"});
  arguments.insert(arguments.end(), {"-internal-isystem", own_include_folder, "-include", "forewarp_cuda.h"});
  for (std::string& argument : system_header_arguments(resources))
    arguments.push_back(std::move(argument));
  arguments.insert(arguments.end(), options.arguments.begin(), options.arguments.end());
  return arguments;
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files_with_own_headers(const Prelude* prelude,
                                                                       const std::string& source) {
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  for (auto [path, text] : own_headers())
    memory->addFile(std::string(own_include_folder) + "/" + std::string(path), 0,
                    llvm::MemoryBuffer::getMemBuffer(llvm::StringRef(text.data(), text.size()), path));
  memory->addFile(prelude_source, 0, llvm::MemoryBuffer::getMemBufferCopy(source, prelude_source));
  if (prelude != nullptr)
    memory->addFile(precompiled_headers, 0,
                    llvm::MemoryBuffer::getMemBuffer(prelude->bytes, precompiled_headers));
  auto files = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(llvm::vfs::getRealFileSystem());
  files->pushOverlay(memory);
  return files;
}

namespace {

/// Clang wants an alignment in front of `__shared__`; behind it, the word of C does.
void respell_alignments(std::string& text) {
  constexpr std::string_view keyword = "__shared__", wrong = "alignas";
  for (std::size_t at = text.find(keyword); at != std::string::npos; at = text.find(keyword, at + 1)) {
    const std::size_t next = text.find_first_not_of(" \t", at + keyword.size());
    if (next != std::string::npos && text.compare(next, wrong.size(), wrong) == 0)
      text.replace(next, wrong.size(), "_Alignas");
  }
}

void join_launches(std::string& text) {
  for (const auto& [apart, joined] : {std::pair{"<< <", "<<< "}, std::pair{">> >", ">>> "}})
    for (std::size_t at = text.find(apart); at != std::string::npos; at = text.find(apart, at + 1))
      text.replace(at, 4, joined);
}

} // namespace

std::string with_own_spellings(const std::string& path) {
  const auto source = llvm::MemoryBuffer::getFile(path);
  if (!source)
    return {};
  std::string text = (*source)->getBuffer().str();
  if ((*source)->getBuffer().contains("<< <"))
    join_launches(text);
  if ((*source)->getBuffer().contains("alignas"))
    respell_alignments(text);
  return text == (*source)->getBuffer() ? std::string() : text;
}

} // namespace forewarp::frontend
