// Compiles OpenCL or CUDA source and runs it in the interpreter.
#pragma once

#include "frontend/compile.h"
#include "simt/run.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace forewarp::simt::test {

inline ir::KernelModule compile_text(const std::string& source, const std::string& extension,
                                     const std::string& standard, ir::TargetFamily family,
                                     const std::string& target = "") {
  static int count = 0;
  const std::string path = testing::TempDir() + "forewarp_simt_" + std::to_string(::getpid()) + "_" +
                           std::to_string(count++) + extension;
  std::ofstream(path) << source;
  frontend::CompileRequest request;
  request.path = path;
  request.standard = standard;
  request.family = family;
  if (family == ir::TargetFamily::amd) {
    request.target = "gfx90a";
    request.warp_width = 64;
  }
  if (!target.empty())
    request.target = target;
  auto module = frontend::compile(request);
  std::remove(path.c_str());
  if (!module)
    throw std::runtime_error(to_string(module.error()));
  return std::move(*module);
}
inline ir::KernelModule compile_cl(const std::string& source, const std::string& standard = "CL1.2",
                                   ir::TargetFamily family = ir::TargetFamily::nvidia) {
  return compile_text(source, ".cl", standard, family);
}
inline ir::KernelModule compile_cu(const std::string& source,
                                   ir::TargetFamily family = ir::TargetFamily::nvidia,
                                   const std::string& target = "") {
  return compile_text(source, ".cu", "", family, target);
}

template <class T> facts::BufferValue buffer_of(facts::ScalarType type, const std::vector<T>& values) {
  facts::BufferValue buffer;
  buffer.type = type;
  buffer.count = values.size() * sizeof(T) / facts::size_bytes(type);
  buffer.contents.kind = facts::BufferContents::Kind::bytes;
  buffer.contents.bytes.resize(values.size() * sizeof(T));
  std::memcpy(buffer.contents.bytes.data(), values.data(), buffer.contents.bytes.size());
  return buffer;
}
inline facts::BufferValue floats(const std::vector<float>& v) {
  return buffer_of(facts::ScalarType::f32, v);
}
inline facts::BufferValue ints(const std::vector<std::int32_t>& v) {
  return buffer_of(facts::ScalarType::i32, v);
}
inline facts::BufferValue uints(const std::vector<std::uint32_t>& v) {
  return buffer_of(facts::ScalarType::u32, v);
}
inline facts::BufferValue unknown(facts::ScalarType type, std::uint64_t count) {
  return {type, count, {}};
}
inline facts::ScalarValue scalar(const std::string& text) {
  return {text, {}};
}

template <class T> std::vector<T> result_of(const RunResult& run, const std::string& name) {
  for (const BufferResult& buffer : run.buffers)
    if (buffer.name == name) {
      std::vector<T> values(buffer.bytes.size() / sizeof(T));
      std::memcpy(values.data(), buffer.bytes.data(), buffer.bytes.size());
      return values;
    }
  ADD_FAILURE() << "no buffer " << name;
  return {};
}

inline facts::Launch launch_of(facts::Dim3 global, facts::Dim3 local,
                               std::map<std::string, facts::ArgumentValue> arguments) {
  facts::Launch launch;
  launch.global_items = global;
  launch.group_size = local;
  launch.arguments = std::move(arguments);
  return launch;
}

inline Result<RunResult> run_whole(const ir::KernelModule& module, const facts::Launch& launch,
                                   RunOptions options = {}) {
  options.whole_grid = true;
  auto kernel = frontend::select_kernel(module, "");
  if (!kernel)
    return tl::unexpected<Error>(kernel.error());
  return run(module, **kernel, launch, options);
}

inline RunResult must(Result<RunResult> result) {
  if (!result)
    throw std::runtime_error(to_string(result.error()));
  return std::move(*result);
}

} // namespace forewarp::simt::test
