#include "frontend/newer_ir/float_literals.h"

#include <bit>
#include <charconv>
#include <cstdint>

#include <fmt/format.h>
#include <llvm/ADT/APFloat.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Error.h>

namespace forewarp::frontend::newer_ir {
namespace {

struct Format {
  std::string_view type, prefix;
  unsigned bits, fraction_bits;
  std::uint64_t fraction_mask() const { return (std::uint64_t{1} << fraction_bits) - 1; }
  std::uint64_t infinity() const { return ((std::uint64_t{1} << (bits - 1)) - 1) & ~fraction_mask(); }
};

constexpr Format formats[] = {
    {"half", "0xH", 16, 10}, {"bfloat", "0xR", 16, 7}, {"float", "0x", 32, 23}, {"double", "0x", 64, 52}};

std::optional<std::uint64_t> hexadecimal(std::string_view digits) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  if (digits.empty() || error != std::errc() || end != digits.data() + digits.size())
    return std::nullopt;
  return value;
}

/// The payload of "nan(0x1)"; a quiet one without payload is the quiet bit alone.
std::optional<std::uint64_t> fraction_of_nan(std::string_view literal, const Format& format) {
  const std::uint64_t quiet = std::uint64_t{1} << (format.fraction_bits - 1);
  if (literal == "qnan")
    return quiet;
  const std::size_t open = literal.find("(0x");
  if (open == std::string_view::npos || !literal.ends_with(')'))
    return std::nullopt;
  const std::string_view kind = literal.substr(0, open);
  const auto payload = hexadecimal(literal.substr(open + 3, literal.size() - open - 4));
  if (!payload || *payload > format.fraction_mask() || (kind != "nan" && kind != "snan"))
    return std::nullopt;
  return kind == "snan" ? *payload & ~quiet : *payload;
}

std::optional<std::uint64_t> bits_of(std::string_view literal, const Format& format) {
  if (literal.starts_with("f0x")) {
    const auto value = hexadecimal(literal.substr(3));
    if (!value || (format.bits < 64 && *value >> format.bits != 0))
      return std::nullopt;
    return value;
  }
  const std::uint64_t sign = literal.front() == '-' ? std::uint64_t{1} << (format.bits - 1) : 0;
  literal.remove_prefix(1);
  if (literal == "inf")
    return sign | format.infinity();
  const auto fraction = fraction_of_nan(literal, format);
  return fraction && *fraction != 0 ? std::optional(sign | format.infinity() | *fraction) : std::nullopt;
}

/// A float's bits widened to a double's without losing what a NaN carries.
std::uint64_t widened(std::uint32_t bits) {
  const std::uint64_t sign = std::uint64_t{bits >> 31} << 63, fraction = bits & 0x7FFFFF;
  if ((bits >> 23 & 0xFF) == 0xFF)
    return sign | std::uint64_t{0x7FF} << 52 | fraction << 29;
  return std::bit_cast<std::uint64_t>(static_cast<double>(std::bit_cast<float>(bits)));
}

} // namespace

bool is_newer_float(std::string_view literal) {
  if (literal.starts_with("f0x"))
    return true;
  if (literal.size() < 4 || (literal.front() != '+' && literal.front() != '-'))
    return false;
  literal.remove_prefix(1);
  return literal == "inf" || literal == "qnan" || literal.starts_with("nan") || literal.starts_with("snan");
}

bool is_decimal_float(std::string_view literal) {
  if (!literal.empty() && (literal.front() == '-' || literal.front() == '+'))
    literal.remove_prefix(1);
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return !literal.empty() && is_digit(literal.front()) && literal.find('.') != std::string_view::npos &&
         literal.find_first_not_of("0123456789.eE+-") == std::string_view::npos;
}

std::optional<std::string> exact_float(std::string_view literal, std::string_view type) {
  const llvm::fltSemantics* semantics = type == "half"     ? &llvm::APFloat::IEEEhalf()
                                        : type == "bfloat" ? &llvm::APFloat::BFloat()
                                        : type == "float"  ? &llvm::APFloat::IEEEsingle()
                                                           : nullptr;
  if (!semantics)
    return std::nullopt;
  llvm::APFloat value(*semantics);
  auto status = value.convertFromString(llvm::StringRef(literal), llvm::APFloat::rmNearestTiesToEven);
  if (!status) {
    llvm::consumeError(status.takeError());
    return std::nullopt;
  }
  if (*status == llvm::APFloat::opOK)
    return std::nullopt;
  return older_float(fmt::format("f0x{:X}", value.bitcastToAPInt().getZExtValue()), type);
}

std::optional<std::string> older_float(std::string_view literal, std::string_view type) {
  for (const Format& format : formats) {
    if (format.type != type)
      continue;
    const auto bits = bits_of(literal, format);
    if (!bits)
      return std::nullopt;
    if (format.bits == 16)
      return fmt::format("{}{:04X}", format.prefix, *bits);
    return fmt::format("{}{:016X}", format.prefix,
                       format.bits == 32 ? widened(static_cast<std::uint32_t>(*bits)) : *bits);
  }
  return std::nullopt;
}

} // namespace forewarp::frontend::newer_ir
