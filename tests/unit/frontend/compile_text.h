// Compiles source text written by a test.
#pragma once

#include "frontend/compile.h"

#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

namespace forewarp::test {

/// A file that lives as long as the object.
class TemporaryFile {
public:
  TemporaryFile(const std::string& text, const std::string& ending) {
    static int count = 0; // names only
    path_ = (std::filesystem::temp_directory_path() /
             ("forewarp_" + std::to_string(getpid()) + "_" + std::to_string(count++) + ending))
                .string();
    std::ofstream(path_, std::ios::binary) << text;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::string& path() const { return path_; }

private:
  std::string path_;
};

inline frontend::CompileRequest request_for(ir::TargetFamily family) {
  frontend::CompileRequest request;
  request.family = family;
  if (family == ir::TargetFamily::amd) {
    request.target = "gfx90a";
    request.warp_width = 64;
  }
  return request;
}

/// Sets NVIDIA's processor and the compiler of its day, as GPU files name it.
inline void set_target(frontend::CompileRequest& request, const std::string& target) {
  const int number = std::stoi(target.substr(3));
  request.target = target;
  request.compiler = number >= 75 ? "turing" : number >= 60 ? "pascal" : number >= 50 ? "maxwell" : "kepler";
}

inline Result<ir::KernelModule> compile_text(const std::string& text,
                                             ir::TargetFamily family = ir::TargetFamily::nvidia,
                                             const std::string& standard = "",
                                             const std::string& ending = ".cl") {
  TemporaryFile file(text, ending);
  frontend::CompileRequest request = request_for(family);
  request.path = file.path();
  request.standard = standard;
  return frontend::compile(request);
}

inline std::string ir_text(const ir::KernelModule& module) {
  std::string text;
  llvm::raw_string_ostream out(text);
  module.module().print(out, nullptr);
  return text;
}

} // namespace forewarp::test
