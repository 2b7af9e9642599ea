// printf of kernels.
#include "native/abi/abi.h"
#include "program/cuda/api.h"

#include <cstdio>
#include <cstring>
#include <string>

namespace {

constexpr std::int32_t most_arguments = 32; // fw_print_words in data/include/forewarp_cuda/c_library.h

/// "%5.2f" as it stands in the format, and whether it takes a double, a text, or a whole number and of which
/// size.
struct Place {
  std::string text;
  char kind = 0; ///< the letter at its end; 0: no conversion that CUDA has
  bool is_long = false;
};

Place place_at(const char*& at) {
  Place place;
  place.text = *at++;
  for (; *at != 0 && std::strchr("+-# 0123456789.hlzjt", *at) != nullptr; ++at) {
    place.text += *at;
    place.is_long = place.is_long || std::strchr("lzjt", *at) != nullptr;
  }
  if (*at != 0 && std::strchr("diouxXcsfFeEgGaAp%", *at) != nullptr) {
    place.kind = *at;
    place.text += *at++;
  }
  return place;
}

int print(const Place& place, std::uint64_t word) {
  const char* text = place.text.c_str();
  if (std::strchr("fFeEgGaA", place.kind)) {
    double value = 0;
    std::memcpy(&value, &word, sizeof(value));
    return std::printf(text, value);
  }
  if (place.kind == 's' || place.kind == 'p')
    return std::printf(text, reinterpret_cast<const void*>(word));
  return place.is_long ? std::printf(text, word) : std::printf(text, static_cast<std::uint32_t>(word));
}

} // namespace

FOREWARP_API std::int32_t forewarp_print(const char* format, const std::uint64_t* arguments) {
  std::int32_t written = 0;
  for (const char* at = format; *at != 0;) {
    if (*at != '%') {
      std::putchar(*at++);
      continue;
    }
    const Place place = place_at(at);
    if (place.kind == '%')
      std::putchar('%');
    else if (place.kind != 0 && written < most_arguments)
      print(place, arguments[written++]);
    else
      std::fputs(place.text.c_str(), stdout);
  }
  return written; // as CUDA has it: the arguments that were taken
}
