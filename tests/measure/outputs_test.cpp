// Output buffers that forewarp-measure kept (in the folder $FOREWARP_OUTPUTS) against the C reference's and
// the interpreter's, element by element, kernel by kernel of $FOREWARP_KERNELS.
#include "corpus/corpus_kernel.h"

#include "frontend/compile.h"
#include "launch/parse.h"
#include "simt/run.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <sstream>

namespace forewarp::corpus {
namespace {

std::vector<std::uint8_t> file_bytes(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// What the reference makes of the launch's arguments, in kernel order.
std::vector<std::vector<std::uint8_t>>
referenced(const Reference& reference, const ir::KernelSignature& signature, const facts::Launch& launch) {
  std::vector<std::vector<std::uint8_t>> arguments;
  std::vector<void*> pointers;
  for (const ir::Parameter& parameter : signature.parameters) {
    const facts::ArgumentValue& value = launch.arguments.at(parameter.name);
    if (const auto* buffer = std::get_if<facts::BufferValue>(&value))
      arguments.push_back(contents_of(*buffer));
    else
      arguments.push_back(scalar_bytes(std::get<facts::ScalarValue>(value), *parameter.scalar).value());
  }
  for (auto& bytes : arguments)
    pointers.push_back(bytes.data());
  reference.function(pointers.data());
  return arguments;
}

void compare(const Reference& reference, const std::string& folder) {
  SCOPED_TRACE(reference.name);
  const auto kernel = read_corpus_kernel(reference.name);
  ASSERT_TRUE(kernel) << to_string(kernel.error());
  const auto file = launch::read_launch_file(kernel->folder + "/check.toml");
  ASSERT_TRUE(file) << to_string(file.error());
  frontend::CompileRequest request;
  request.path = file->source;
  request.standard = file->standard;
  request.defines = file->defines;
  const auto module = frontend::compile(request);
  ASSERT_TRUE(module) << to_string(module.error());
  const auto signature = frontend::select_kernel(*module, file->kernel);
  ASSERT_TRUE(signature) << to_string(signature.error());
  const auto expected = referenced(reference, **signature, file->launch);
  simt::RunOptions options;
  options.whole_grid = true;
  const auto run = simt::run(*module, **signature, file->launch, options);
  ASSERT_TRUE(run) << to_string(run.error());
  for (const std::string& output : kernel->outputs) {
    const auto measured = file_bytes(folder + '/' + reference.name + ".check." + output + ".bin");
    const auto interpreted =
        std::find_if(run->buffers.begin(), run->buffers.end(),
                     [&](const simt::BufferResult& buffer) { return buffer.name == output; });
    ASSERT_NE(interpreted, run->buffers.end()) << output;
    std::size_t p = 0;
    while ((*signature)->parameters.at(p).name != output)
      ++p;
    const facts::ScalarType type = *(*signature)->parameters[p].scalar;
    const bool unordered = std::count(kernel->unordered.begin(), kernel->unordered.end(), output) > 0;
    const auto ordered = [&](const std::vector<std::uint8_t>& bytes) {
      return unordered ? sorted_elements(bytes, facts::size_bytes(type)) : bytes;
    };
    EXPECT_LE(relative_difference(ordered(measured), ordered(expected[p]), type), kernel->tolerance)
        << output << ": device, reference";
    // Each is within the tolerance of the reference, hence within twice of each other.
    EXPECT_LE(relative_difference(ordered(measured), ordered(interpreted->bytes), type),
              2 * kernel->tolerance)
        << output << ": device, interpreter";
  }
}

TEST(Outputs, OfTheDeviceAreThoseOfReferenceAndInterpreter) {
  const char* folder = std::getenv("FOREWARP_OUTPUTS");
  const char* names = std::getenv("FOREWARP_KERNELS");
  ASSERT_TRUE(folder && names) << "corpus_on_opencl.py runs this";
  std::istringstream stream(names);
  for (std::string name; stream >> name;) {
    const auto reference = std::find_if(references().begin(), references().end(),
                                        [&](const Reference& each) { return each.name == name; });
    ASSERT_NE(reference, references().end()) << name;
    compare(*reference, folder);
  }
}

} // namespace
} // namespace forewarp::corpus
