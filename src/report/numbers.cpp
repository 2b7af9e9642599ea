#include "report/numbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace forewarp::report {

std::string number(double value) {
  if (!std::isfinite(value))
    return "-";
  if (value == 0)
    return "0";
  const double magnitude = std::abs(value);
  if (magnitude < 1e9 && value == std::floor(value))
    return fmt::format("{:.0f}", value);
  if (magnitude >= 1e9 || magnitude < 1e-4)
    return fmt::format("{:.3e}", value);
  const int digits_before = static_cast<int>(std::floor(std::log10(magnitude))) + 1;
  return fmt::format("{:.{}f}", value, std::clamp(4 - digits_before, 0, 8));
}

std::string percent(double share) {
  return std::isfinite(share) ? fmt::format("{:.1f}", share * 100) : "-";
}

std::string bytes(double value) {
  constexpr std::array<const char*, 5> units = {"B", "kB", "MB", "GB", "TB"};
  std::size_t unit = 0;
  while (value >= 1000 && unit + 1 < units.size()) {
    value /= 1000;
    ++unit;
  }
  return fmt::format("{} {}", unit == 0 ? fmt::format("{:.0f}", value) : number(value), units[unit]);
}

std::string dims(const facts::Dim3& size) {
  return fmt::format("{}x{}x{}", size.x, size.y, size.z);
}

} // namespace forewarp::report
