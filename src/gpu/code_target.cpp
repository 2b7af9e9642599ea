#include "gpu/code_target.h"

#include <charconv>
#include <cmath>

namespace forewarp::gpu {
namespace {

constexpr long newest_of_llvm = 90;

std::string named(double compute_capability, const std::string& target) {
  const long number = std::lround(10 * compute_capability);
  return number > newest_of_llvm ? "sm_" + std::to_string(number) : target;
}

} // namespace

std::string code_target(const Machine& machine) {
  return named(machine.compute_capability, machine.target); // 0 on AMD
}

std::string code_target(const GpuFile& file) {
  const auto found = file.values.find("compute_capability");
  const double* number = found == file.values.end() ? nullptr : std::get_if<double>(&found->second.value);
  return named(number == nullptr ? 0 : *number, file.target);
}

std::string compiler_target(const std::string& code_target) {
  long number = 0;
  if (code_target.starts_with("sm_"))
    std::from_chars(code_target.data() + 3, code_target.data() + code_target.size(), number);
  return number > newest_of_llvm ? "sm_" + std::to_string(newest_of_llvm) : code_target;
}

} // namespace forewarp::gpu
