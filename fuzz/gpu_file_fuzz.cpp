// GPU files: any bytes end in a GPU or in an error, never in a crash.
#include "gpu/describe.h"
#include "gpu/gpu_file.h"
#include "gpu/machine.h"

#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto file = forewarp::gpu::parse_gpu_text(text, "fuzz.toml", FOREWARP_SOURCE_DIR "/data/gpus");
  if (!file) {
    if (file.error().message.empty())
      std::abort();
    return 0;
  }
  (void)forewarp::gpu::resolve(*file);
  (void)forewarp::gpu::check(*file);
  (void)forewarp::gpu::describe(*file);
  return 0;
}
