// Launch files and the --arg grammar: any bytes end in a launch or in an error, never in a crash.
#include "launch/parse.h"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

void generate_some(const forewarp::facts::Launch& launch) {
  std::vector<std::uint8_t> out(64 * 8);
  for (const auto& [name, value] : launch.arguments)
    if (const auto* buffer = std::get_if<forewarp::facts::BufferValue>(&value);
        buffer != nullptr && buffer->count >= 64)
      forewarp::launch::generate_elements(*buffer, buffer->count - 64, 64, out.data());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto file = forewarp::launch::parse_launch_file(text, "fuzz.toml", "/nonexistent");
  if (file)
    generate_some(file->launch);
  else if (file.error().message.empty())
    std::abort();
  const auto argument = forewarp::launch::parse_argument(text, "/nonexistent");
  if (!argument && argument.error().message.empty())
    std::abort();
  const auto size3 = forewarp::launch::parse_dim3(text, "--global");
  if (size3 && size3->count() == 0)
    std::abort();
  return 0;
}
