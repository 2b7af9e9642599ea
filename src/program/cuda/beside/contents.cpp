#include "program/cuda/beside/contents.h"

#include "program/cuda/state.h"
#include "program/inside/inner_pointers.h"

#include <cstring>

namespace forewarp::program {
namespace {

constexpr std::uint64_t largest_variable = 1 << 20;

Stretch buffer_at(std::uint64_t address) {
  const Allocation* found = allocation_at(reinterpret_cast<const void*>(address));
  if (!found || found->kind == MemoryKind::variable)
    return {};
  return {found->begin, found->bytes};
}

} // namespace

native::Span behind(const NativeLaunch& launch, std::uint32_t parameter) {
  const native::Span span = launch.spans[parameter];
  if (span.bytes == 0)
    return {};
  std::uint64_t pointer = 0;
  std::memcpy(&pointer, launch.arguments[parameter], sizeof(pointer));
  return {pointer, span.begin + span.bytes - pointer};
}

nlohmann::json pointers_in_struct(std::uint32_t parameter, std::vector<unsigned char>& bytes) {
  return pointers_in_struct(parameter, bytes, buffer_at);
}

void add_contents(const NativeLaunch& launch, Message& question) {
  ContentsSender sender(question, buffer_at);
  const native::KernelFacts& kernel = *launch.kernel;
  for (std::uint32_t k = 0; k < kernel.parameter_count; ++k) {
    if (const native::Span span = behind(launch, k); span.bytes > 0)
      sender.add(std::to_string(k), {span.begin, span.bytes});
    else if (kernel.parameters[k].is_pointer == 0)
      sender.add_struct(k, static_cast<const unsigned char*>(launch.arguments[k]),
                        kernel.parameters[k].bytes);
  }
  for (const auto& [shadow, variable] : state().variables)
    if (!variable.name.empty() && variable.bytes <= largest_variable)
      sender.add(":" + variable.name, {variable.begin, variable.bytes});
  sender.send();
}

} // namespace forewarp::program
