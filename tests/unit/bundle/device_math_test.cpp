// The math of a PTX bundle, libclc's code linked into the kernel: run by the interpreter and held against the
// C library in a wider type, over ranges and at special values, to the errors that OpenCL allows (OpenCL 1.2,
// section 7.4).
#include "bundle/device_math.h"
#include "frontend/compile.h"
#include "simt/run.h"
#include "support/counter_random.h"
#include "support/temporary_file.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <limits>
#include <numbers>

namespace forewarp::bundle {
namespace {

using Wide = long double;
constexpr Wide pi = std::numbers::pi_v<Wide>;
constexpr std::size_t random_values = 160;

struct Function {
  const char* expression; ///< of x and z
  double low, high;       ///< of x; the special values come on top
  double most_ulp;
  Wide (*exact)(Wide x, Wide z);
  double second_low = 1, second_high = 1; ///< of z
  double most_ulp_of_doubles = most_ulp;
  bool at_special_values = true;
};

/// Exact at multiples of a half, as the functions of pi x are.
Wide sine_of_pi(Wide x) {
  const Wide rest = std::fmod(x, Wide(2));
  return std::fmod(rest, Wide(1)) == 0 ? std::copysign(Wide(0), x) : std::sin(pi * rest);
}
Wide cosine_of_pi(Wide x) {
  const Wide rest = std::fabs(std::fmod(x, Wide(2)));
  return rest == 0.5L || rest == 1.5L ? Wide(0) : std::cos(pi * rest);
}

// clang-format off
const Function functions[] = {
    {"sin(x)", -100, 100, 4, [](Wide x, Wide) { return std::sin(x); }},
    {"cos(x)", -100, 100, 4, [](Wide x, Wide) { return std::cos(x); }},
    {"tan(x)", -100, 100, 5, [](Wide x, Wide) { return std::tan(x); }},
    {"asin(x)", -1, 1, 4, [](Wide x, Wide) { return std::asin(x); }},
    {"acos(x)", -1, 1, 4, [](Wide x, Wide) { return std::acos(x); }},
    {"atan(x)", -20, 20, 5, [](Wide x, Wide) { return std::atan(x); }},
    {"sinh(x)", -20, 20, 4, [](Wide x, Wide) { return std::sinh(x); }},
    {"cosh(x)", -20, 20, 4, [](Wide x, Wide) { return std::cosh(x); }},
    {"tanh(x)", -5, 5, 5, [](Wide x, Wide) { return std::tanh(x); }},
    {"exp(x)", -80, 80, 3, [](Wide x, Wide) { return std::exp(x); }},
    {"exp2(x)", -100, 100, 3, [](Wide x, Wide) { return std::exp2(x); }},
    {"exp10(x)", -30, 30, 3, [](Wide x, Wide) { return std::pow(Wide(10), x); }},
    {"expm1(x)", -2, 20, 3, [](Wide x, Wide) { return std::expm1(x); }},
    {"log(x)", 1e-3, 1e3, 3, [](Wide x, Wide) { return std::log(x); }},
    {"log2(x)", 1e-3, 1e3, 3, [](Wide x, Wide) { return std::log2(x); }},
    {"log10(x)", 1e-3, 1e3, 3, [](Wide x, Wide) { return std::log10(x); }},
    {"log1p(x)", -0.9, 10, 2, [](Wide x, Wide) { return std::log1p(x); }},
    {"logb(x)", 1e-3, 1e3, 0, [](Wide x, Wide) { return std::logb(x); }},
    {"cbrt(x)", -100, 100, 2, [](Wide x, Wide) { return std::cbrt(x); }},
    {"asinh(x)", -20, 20, 4, [](Wide x, Wide) { return std::asinh(x); }},
    {"acosh(x)", 1, 20, 4, [](Wide x, Wide) { return std::acosh(x); }},
    {"atanh(x)", -1, 1, 5, [](Wide x, Wide) { return std::atanh(x); }},
    {"erf(x)", -3, 3, 16, [](Wide x, Wide) { return std::erf(x); }},
    {"erfc(x)", -3, 8, 16, [](Wide x, Wide) { return std::erfc(x); }},
    // libclc's gamma of doubles is less exact than OpenCL asks (docs/guide/measure.md).
    {"tgamma(x)", -5, 20, 16, [](Wide x, Wide) { return std::tgamma(x); }, 1, 1, 300, false},
    {"sinpi(x)", -20, 20, 4, [](Wide x, Wide) { return sine_of_pi(x); }},
    {"cospi(x)", -20, 20, 4, [](Wide x, Wide) { return cosine_of_pi(x); }},
    {"tanpi(x)", -20, 20, 6, [](Wide x, Wide) { return sine_of_pi(x) / cosine_of_pi(x); }, 1, 1, 6, false},
    {"ilogb(x)", 1e-3, 1e3, 0, [](Wide x, Wide) { return std::logb(x); }, 1, 1, 0, false},
    {"lgamma(x)", 3, 50, 16, [](Wide x, Wide) { return std::lgamma(x); }, 1, 1, 16, false},
    {"asinpi(x)", -1, 1, 5, [](Wide x, Wide) { return std::asin(x) / pi; }},
    {"acospi(x)", -1, 1, 5, [](Wide x, Wide) { return std::acos(x) / pi; }},
    {"atanpi(x)", -20, 20, 5, [](Wide x, Wide) { return std::atan(x) / pi; }},
    {"rsqrt(x)", 1e-3, 1e3, 2, [](Wide x, Wide) { return 1 / std::sqrt(x); }},
    {"sqrt(x)", 1e-3, 1e3, 3, [](Wide x, Wide) { return std::sqrt(x); }},
    {"pow(x, z)", 1e-2, 1e2, 16, [](Wide x, Wide z) { return std::pow(x, z); }, -8, 8},
    {"pown(x, 5)", -50, 50, 16, [](Wide x, Wide) { return std::pow(x, Wide(5)); }},
    {"pown(x, (int)z)", -50, 50, 16, [](Wide x, Wide z) { return std::pow(x, std::trunc(z)); }, -8, 8},
    {"rootn(x, 3)", -50, 50, 16, [](Wide x, Wide) { return std::cbrt(x); }},
    {"ldexp(x, (int)z)", -50, 50, 0, [](Wide x, Wide z) { return std::ldexp(x, static_cast<int>(z)); }, -8, 8},
    {"atan2(x, z)", -20, 20, 6, [](Wide x, Wide z) { return std::atan2(x, z); }, -20, 20},
    {"atan2pi(x, z)", -20, 20, 6, [](Wide x, Wide z) { return std::atan2(x, z) / pi; }, -20, 20},
    {"hypot(x, z)", -20, 20, 4, [](Wide x, Wide z) { return std::hypot(x, z); }, -20, 20},
    {"fmod(x, z)", -50, 50, 0, [](Wide x, Wide z) { return std::fmod(x, z); }, 0.5, 7},
    {"remainder(x, z)", -50, 50, 0, [](Wide x, Wide z) { return std::remainder(x, z); }, 0.5, 7},
};
// clang-format on

template <typename T> std::vector<T> special_values() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> values = {
      T(0),    Limits::infinity(), Limits::max(), Limits::min(), T(0.5), T(1), T(2), T(3),
      T(1e-5), T(12345.678),       T(3e9),        T(1e30)};
  for (std::size_t i = 0, count = values.size(); i < count; ++i)
    values.push_back(-values[i]);
  values.push_back(Limits::quiet_NaN());
  return values;
}

template <typename T> struct Points {
  std::vector<T> x, z;
};

template <typename T> Points<T> points_of(const Function& function, std::uint64_t seed) {
  Points<T> points;
  const auto between = [&](double low, double high, std::uint64_t index) {
    return static_cast<T>(low + (high - low) * counter_random_unit(seed, index));
  };
  for (std::uint64_t i = 0; i < random_values; ++i) {
    points.x.push_back(between(function.low, function.high, 2 * i));
    points.z.push_back(between(function.second_low, function.second_high, 2 * i + 1));
  }
  for (const T value : function.at_special_values ? special_values<T>() : std::vector<T>()) {
    points.x.push_back(value);
    points.z.push_back(between(function.second_low, function.second_high, points.x.size()));
  }
  return points;
}

template <typename T> facts::BufferValue buffer_of(const std::vector<T>& values) {
  facts::BufferValue buffer{
      sizeof(T) == 4 ? facts::ScalarType::f32 : facts::ScalarType::f64, values.size(), {}};
  buffer.contents.kind = facts::BufferContents::Kind::bytes;
  const auto* begin = reinterpret_cast<const std::uint8_t*>(values.data());
  buffer.contents.bytes.assign(begin, begin + values.size() * sizeof(T));
  return buffer;
}

/// One kernel for each function, so that libclc is read once.
Result<ir::KernelModule> linked_kernels(const char* type) {
  std::string text;
  for (std::size_t i = 0; i < std::size(functions); ++i)
    text += fmt::format(
        "__kernel void f{1}(__global const {0}* xs, __global const {0}* zs, __global {0}* ys) {{\n"
        "  const {0} x = xs[get_global_id(0)], z = zs[get_global_id(0)];\n"
        "  ys[get_global_id(0)] = {2};\n}}\n",
        type, i, functions[i].expression);
  const auto file = TemporaryFile::write(text, ".cl");
  FOREWARP_TRY(file);
  frontend::CompileRequest request;
  request.path = file->path();
  auto module = frontend::compile(request);
  FOREWARP_TRY(module);
  FOREWARP_TRY(link_device_math(*module));
  return module;
}

template <typename T>
std::vector<T> evaluated(const ir::KernelModule& module, std::size_t number, const Points<T>& points) {
  facts::Launch launch;
  launch.global_items = facts::Dim3{points.x.size(), 1, 1};
  launch.group_size = facts::Dim3{1, 1, 1};
  launch.arguments = {{"xs", buffer_of(points.x)},
                      {"zs", buffer_of(points.z)},
                      {"ys", buffer_of(std::vector<T>(points.x.size()))}};
  simt::RunOptions options;
  options.whole_grid = true;
  const auto run =
      simt::run(module, **frontend::select_kernel(module, fmt::format("f{}", number)), launch, options);
  EXPECT_TRUE(run) << functions[number].expression << ": " << to_string(run.error());
  std::vector<T> results(points.x.size());
  if (run)
    for (const simt::BufferResult& buffer : run->buffers)
      if (buffer.name == "ys")
        std::memcpy(results.data(), buffer.bytes.data(), buffer.bytes.size());
  return results;
}

/// Units in the last place; 0 where both are the same infinity or both are no number.
template <typename T> double error_ulp(T found, Wide exact) {
  const T nearest = static_cast<T>(exact);
  if (std::isnan(nearest) || std::isnan(found))
    return std::isnan(nearest) && std::isnan(found) ? 0 : HUGE_VAL;
  if (found == nearest)
    return 0;
  if (std::isinf(nearest) || std::isinf(found))
    return HUGE_VAL;
  using Limits = std::numeric_limits<T>;
  const int exponent =
      exact == 0 ? Limits::min_exponent : std::max(std::ilogb(exact), Limits::min_exponent - 1);
  return static_cast<double>(std::fabs(static_cast<Wide>(found) - exact) /
                             std::ldexp(Wide(1), exponent + 1 - Limits::digits));
}

template <typename T> void hold_all(const char* type) {
  const auto module = linked_kernels(type);
  ASSERT_TRUE(module) << to_string(module.error());
  for (std::size_t i = 0; i < std::size(functions); ++i) {
    const Points<T> points = points_of<T>(functions[i], i);
    const std::vector<T> found = evaluated(*module, i, points);
    const double most_ulp = sizeof(T) == 4 ? functions[i].most_ulp : functions[i].most_ulp_of_doubles;
    for (std::size_t k = 0; k < found.size(); ++k) {
      const Wide exact = functions[i].exact(points.x[k], points.z[k]);
      EXPECT_LE(error_ulp(found[k], exact), most_ulp)
          << functions[i].expression << " of " << type << " for x = " << fmt::format("{}", points.x[k])
          << ", z = " << fmt::format("{}", points.z[k]) << ": found " << found[k] << ", exact "
          << static_cast<double>(exact);
    }
  }
}

TEST(DeviceMath, FloatsAreAsExactAsOpenclAsks) {
  hold_all<float>("float");
}
TEST(DeviceMath, DoublesAreAsExactAsOpenclAsks) {
  hold_all<double>("double");
}

} // namespace
} // namespace forewarp::bundle
