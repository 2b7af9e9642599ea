#include "corpus/check.h"

#include <algorithm>
#include <fmt/format.h>

namespace forewarp::corpus {

Result<Arguments> make_arguments(const ir::KernelSignature& signature, const facts::Launch& launch) {
  Arguments arguments;
  for (const ir::Parameter& parameter : signature.parameters) {
    const auto found = launch.arguments.find(parameter.name);
    if (found == launch.arguments.end() || !parameter.scalar)
      return fail(ErrorCode::launch, "no value for '" + parameter.name + "'");
    if (const auto* buffer = std::get_if<facts::BufferValue>(&found->second)) {
      arguments.bytes.push_back(contents_of(*buffer));
      continue;
    }
    auto scalar = scalar_bytes(std::get<facts::ScalarValue>(found->second), *parameter.scalar);
    FOREWARP_TRY(scalar);
    arguments.bytes.push_back(std::move(*scalar));
  }
  return arguments;
}

void call(const Reference& reference, Arguments& arguments) {
  std::vector<void*> pointers;
  for (std::vector<std::uint8_t>& bytes : arguments.bytes)
    pointers.push_back(bytes.data());
  reference.function(pointers.data());
}

namespace {

std::size_t first_difference(const std::vector<std::uint8_t>& a, const std::vector<std::uint8_t>& b) {
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

} // namespace

std::vector<std::string> differences(const CorpusKernel& kernel, const ir::KernelSignature& signature,
                                     const Arguments& before, const Arguments& after,
                                     const std::vector<simt::BufferResult>& buffers) {
  std::vector<std::string> found;
  std::size_t outputs_seen = 0;
  for (const simt::BufferResult& buffer : buffers) {
    std::size_t p = 0;
    while (p < signature.parameters.size() && signature.parameters[p].name != buffer.name)
      ++p;
    if (p == signature.parameters.size()) {
      found.push_back(buffer.name + " is no parameter");
      continue;
    }
    const bool output = std::count(kernel.outputs.begin(), kernel.outputs.end(), buffer.name) > 0;
    if (!output) {
      if (buffer.bytes != before.bytes[p])
        found.push_back(buffer.name + " is no output, but was changed");
      continue;
    }
    ++outputs_seen;
    if (after.bytes[p] == before.bytes[p])
      found.push_back(buffer.name + ": the launch changes nothing of it");
    const facts::ScalarType type = *signature.parameters[p].scalar;
    const bool unordered = std::count(kernel.unordered.begin(), kernel.unordered.end(), buffer.name) > 0;
    const auto ordered = [&](const std::vector<std::uint8_t>& bytes) {
      return unordered ? sorted_elements(bytes, facts::size_bytes(type)) : bytes;
    };
    const double difference = relative_difference(ordered(buffer.bytes), ordered(after.bytes[p]), type);
    if (!(difference <= kernel.tolerance))
      found.push_back(fmt::format("{} differs by {} (allowed {}), first in byte {} of {}", buffer.name,
                                  difference, kernel.tolerance,
                                  first_difference(buffer.bytes, after.bytes[p]), buffer.bytes.size()));
  }
  if (outputs_seen != kernel.outputs.size())
    found.push_back(fmt::format("{} of {} outputs were seen", outputs_seen, kernel.outputs.size()));
  return found;
}

} // namespace forewarp::corpus
