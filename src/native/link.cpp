#include "native/link.h"

#ifdef FOREWARP_LLD
#include <lld/Common/Driver.h>
#endif
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#ifdef FOREWARP_LLD
LLD_HAS_DRIVER(elf)
#endif

namespace forewarp::native {

#ifdef FOREWARP_LLD
namespace {

namespace fs = std::filesystem;

/// Where a compiler of this machine keeps its own start files; "": nowhere.
std::string compiler_folder() {
  std::string best;
  std::error_code error;
  int newest = 0;
  for (const char* triple : {"x86_64-linux-gnu", "aarch64-linux-gnu"})
    for (const fs::directory_entry& entry :
         fs::directory_iterator(fs::path("/usr/lib/gcc") / triple, error)) {
      const int version = std::atoi(entry.path().filename().c_str());
      if (version > newest && fs::exists(entry.path() / "crtbeginS.o", error)) {
        newest = version;
        best = entry.path().string();
      }
    }
  return best;
}

std::string library_folder() {
  std::error_code error;
  for (const char* folder : {"/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64"})
    if (fs::exists(fs::path(folder) / "Scrt1.o", error))
      return folder;
  return {};
}

/// The linker's lines, the first ones; those that only say where a name is used are left out.
std::string shortened(const std::string& text) {
  std::istringstream lines(text);
  std::string out;
  int count = 0;
  for (std::string line; std::getline(lines, line) && count < 12;) {
    if (line.starts_with(">>>") || line.empty())
      continue;
    const std::size_t at = line.find("error: ");
    out += (out.empty() ? "" : "\n") + (at == std::string::npos ? line : line.substr(at + 7));
    ++count;
  }
  return out;
}

} // namespace

Result<void> link_program(const LinkRequest& request) {
  const std::string compiler = compiler_folder(), library = library_folder();
  if (compiler.empty() || library.empty())
    return fail(ErrorCode::unsupported, "the C library's start files are not there", "forewarp run",
                "install libstdc++-12-dev (or the one of your release)");
  const bool x86 = library.find("aarch64") == std::string::npos;
  std::vector<std::string> words = {"ld.lld",
                                    "-pie",
                                    "--eh-frame-hdr",
                                    "--no-mmap-output-file",
                                    "--export-dynamic",
                                    "-dynamic-linker",
                                    x86 ? "/lib64/ld-linux-x86-64.so.2" : "/lib/ld-linux-aarch64.so.1",
                                    "-o",
                                    request.output,
                                    library + "/Scrt1.o",
                                    library + "/crti.o",
                                    compiler + "/crtbeginS.o",
                                    "-L" + compiler,
                                    "-L" + library,
                                    "-L/usr/lib",
                                    "-L/lib"};
  for (const std::string& folder : request.folders)
    words.push_back("-L" + folder);
  words.insert(words.end(), request.objects.begin(), request.objects.end());
  for (const std::string& object : request.objects)
    if (object.ends_with(".so"))
      words.insert(words.end(), {"-rpath", fs::path(object).parent_path().string()});
  for (const std::string& name : request.libraries)
    words.push_back("-l" + name);
  for (const char* word : {"-lstdc++", "-lm", "-lgcc_s", "-lgcc", "-lpthread", "-ldl", "-lc"})
    words.emplace_back(word);
  words.insert(words.end(), {compiler + "/crtendS.o", library + "/crtn.o"});
  std::vector<const char*> pointers;
  for (const std::string& word : words)
    pointers.push_back(word.c_str());
  std::string said, errors;
  llvm::raw_string_ostream out(said), wrong(errors);
  const lld::Result ended = lld::lldMain(pointers, out, wrong, {{lld::Gnu, &lld::elf::link}});
  if (ended.retCode == 0)
    return {};
  return fail(ErrorCode::compile, shortened(errors), "forewarp run",
              "name every source of the program; a library that the machine has: --library NAME. Libraries "
              "of a GPU's "
              "vendor are not there");
}
#else
Result<void> link_program(const LinkRequest&) {
  return fail(ErrorCode::unsupported, "this program was built without a linker", "forewarp run",
              "build it where liblld-19-dev is installed");
}
#endif

} // namespace forewarp::native
