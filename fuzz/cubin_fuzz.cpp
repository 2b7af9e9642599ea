// Machine code: any bytes end in a program or in an error, never in a crash. The first byte picks the reader.
#include "sass/container.h"
#include "sass/listing.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace {

void decode_as(std::span<const std::byte> bytes, unsigned sm) {
  std::array<std::uint64_t, 2> words = {};
  if (bytes.size() < sizeof words)
    return;
  std::memcpy(words.data(), bytes.data(), sizeof words);
  const auto instruction = forewarp::sass::decode(words, 0x120, sm);
  if (!instruction && instruction.error().message.empty())
    std::abort();
  if (instruction && forewarp::sass::text_of(*instruction).empty())
    std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0)
    return 0;
  const auto bytes = std::as_bytes(std::span(data + 1, size - 1));
  constexpr unsigned newest = 120;
  constexpr unsigned targets[] = {75, 80, 86, 89, 90, 100, 120};
  if (data[0] < std::size(targets)) {
    decode_as(bytes, targets[data[0]]);
    return 0;
  }
  if (forewarp::sass::only_ptx_fits(bytes, newest))
    (void)forewarp::sass::ptx_in(bytes, "fuzz.cubin", newest);
  const auto module = forewarp::sass::read_machine_code(bytes, "fuzz.cubin");
  if (!module) {
    if (module.error().message.empty())
      std::abort();
    return 0;
  }
  for (const forewarp::sass::Kernel& kernel : module->kernels)
    (void)forewarp::sass::run_core(kernel, {forewarp::sass::straight_path(kernel)}, {}, 1000);
  return 0;
}
