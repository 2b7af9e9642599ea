// forewarp-nvrtc LIBRARY --version | LIBRARY FILE.cu -o FILE.cubin -arch=sm_NN [-DNAME=VALUE] [-IFOLDER] ...
// CUDA source to machine code by NVIDIA's run-time compiler, called as nvcc is. Whatever else is given goes
// to the library. Status: 0, 1 (what the library or the system says on standard error), 2 (usage).
#include <cstdio>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

using Program = void*;

/// The functions of nvrtc.h that are called; results are an enumeration whose 0 is success.
struct Nvrtc {
  int (*version)(int*, int*);
  const char* (*words_of)(int);
  int (*create)(Program*, const char*, const char*, int, const char* const*, const char* const*);
  int (*compile)(Program, int, const char* const*);
  int (*log_size)(Program, std::size_t*);
  int (*log)(Program, char*);
  int (*cubin_size)(Program, std::size_t*);
  int (*cubin)(Program, char*);
};

template <typename Function> bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

int failed(const std::string& words) {
  std::fprintf(stderr, "%s\n", words.c_str());
  return 1;
}

/// Its built-in functions are a library beside it, which it looks for by name alone.
void load_beside(const fs::path& path) {
  std::error_code error;
  for (const auto& file : fs::directory_iterator(path.parent_path(), error))
    if (file.path().filename().string().starts_with("libnvrtc-builtins.so"))
      dlopen(file.path().c_str(), RTLD_NOW | RTLD_GLOBAL);
}

bool load(const std::string& path, Nvrtc& nvrtc) {
  load_beside(path);
  void* library = dlopen(path.c_str(), RTLD_NOW);
  return library != nullptr && find(library, "nvrtcVersion", nvrtc.version) &&
         find(library, "nvrtcGetErrorString", nvrtc.words_of) &&
         find(library, "nvrtcCreateProgram", nvrtc.create) &&
         find(library, "nvrtcCompileProgram", nvrtc.compile) &&
         find(library, "nvrtcGetProgramLogSize", nvrtc.log_size) &&
         find(library, "nvrtcGetProgramLog", nvrtc.log) &&
         find(library, "nvrtcGetCUBINSize", nvrtc.cubin_size) && find(library, "nvrtcGetCUBIN", nvrtc.cubin);
}

struct Words {
  std::string source, output;
  std::vector<std::string> options;
};

Words words_of(int count, char** arguments) {
  Words words;
  for (int a = 2; a < count; ++a) {
    const std::string word = arguments[a];
    if (word == "-o" && a + 1 < count)
      words.output = arguments[++a];
    else if (word.ends_with(".cu"))
      words.source = word;
    else if (word.starts_with("-arch="))
      words.options.push_back("--gpu-architecture=" + word.substr(6));
    else
      words.options.push_back(word);
  }
  words.options.push_back("-I" + fs::path(words.source).parent_path().string());
  if (words.options.back() == "-I")
    words.options.back() += ".";
  return words;
}

int compile(const Nvrtc& nvrtc, const Words& words) {
  std::ifstream file(words.source, std::ios::binary);
  if (!file)
    return failed(words.source + ": cannot be read");
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  Program program = nullptr;
  if (const int bad = nvrtc.create(&program, text.c_str(), words.source.c_str(), 0, nullptr, nullptr))
    return failed(nvrtc.words_of(bad));
  std::vector<const char*> options;
  for (const std::string& option : words.options)
    options.push_back(option.c_str());
  if (const int bad = nvrtc.compile(program, static_cast<int>(options.size()), options.data())) {
    std::size_t size = 0;
    nvrtc.log_size(program, &size);
    std::string log(size, '\0');
    nvrtc.log(program, log.data());
    return failed(nvrtc.words_of(bad) + std::string("\n") + log.c_str());
  }
  std::size_t size = 0;
  int bad = nvrtc.cubin_size(program, &size);
  std::string cubin(size, '\0');
  bad = bad != 0 ? bad : nvrtc.cubin(program, cubin.data());
  if (bad != 0 || size == 0)
    return failed(bad != 0 ? nvrtc.words_of(bad) : "this NVRTC gives no machine code (it does from 11.1 on)");
  std::ofstream out(words.output, std::ios::binary);
  out << cubin;
  out.close();
  return out ? 0 : failed(words.output + ": cannot be written");
}

} // namespace

int main(int count, char** arguments) {
  if (count < 3) {
    std::fputs("forewarp-nvrtc LIBRARY --version | LIBRARY FILE.cu -o FILE.cubin -arch=sm_NN [OPTION...]\n",
               stderr);
    return 2;
  }
  Nvrtc nvrtc{};
  if (!load(arguments[1], nvrtc)) {
    const char* why = dlerror();
    return failed(std::string(arguments[1]) + ": " + (why != nullptr ? why : "is no NVRTC of 11.1 or later"));
  }
  int major = 0, minor = 0;
  if (std::string(arguments[2]) == "--version") {
    nvrtc.version(&major, &minor);
    std::printf("NVRTC, V%d.%d\n", major, minor);
    return 0;
  }
  const Words words = words_of(count, arguments);
  if (words.source.empty() || words.output.empty())
    return failed("a source and -o are needed");
  return compile(nvrtc, words);
}
