// Code objects of AMD GPUs: any bytes end in kernels, refusals or an error, never in a crash.
#include "amdgcn/program.h"
#include "lift/amd/lift.h"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  const auto module = forewarp::amdgcn::read_module(bytes, "fuzz.hsaco");
  if (!module) {
    if (module.error().message.empty())
      std::abort();
    return 0;
  }
  const auto lifted = forewarp::lift::amd::lift(*module, {"fuzz.hsaco"});
  if (!lifted && (lifted.error().message.empty() || lifted.error().code == forewarp::ErrorCode::internal))
    std::abort();
  return 0;
}
