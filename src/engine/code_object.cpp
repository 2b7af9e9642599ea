#include "engine/code_object.h"

#include "amdgcn/code_object.h"
#include "amdgcn/program.h"
#include "support/named.h"
#include "support/text_file.h"

#include <algorithm>

namespace forewarp::engine {
namespace {

constexpr std::uint64_t largest_file = std::uint64_t{1} << 30;

} // namespace

Result<bool> is_code_object(const std::string& path) {
  const auto bytes = read_file(path, "code object", largest_file);
  FOREWARP_TRY(bytes);
  return amdgcn::is_code_object(std::as_bytes(std::span(*bytes)));
}

Result<facts::CodeObject> read_code_object(const std::string& path) {
  const auto bytes = read_file(path, "code object", largest_file);
  FOREWARP_TRY(bytes);
  return amdgcn::read_code_object(std::as_bytes(std::span(*bytes)), path);
}

Result<facts::CodeObjectKernel> code_object_kernel(const std::string& path, const std::string& name) {
  auto object = read_code_object(path);
  FOREWARP_TRY(object);
  std::vector<facts::CodeObjectKernel>& kernels = object->kernels;
  if (name.empty() && kernels.size() == 1)
    return std::move(kernels.front());
  std::vector<std::string> names;
  for (facts::CodeObjectKernel& kernel : kernels) {
    if (kernel.name == name)
      return std::move(kernel);
    names.push_back(kernel.name);
  }
  if (name.empty())
    return fail(ErrorCode::usage, "the code object has several kernels", "--kernel", hint_for("", names));
  return refuse_name({"unknown kernel in " + path, "--kernel", ErrorCode::not_found}, name, names);
}

} // namespace forewarp::engine
