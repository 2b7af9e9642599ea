// The vendor's wording of an instruction.
#include "sass/program.h"
#include "sass/special_registers.h"

#include <bit>
#include <cmath>
#include <cstdio>

namespace forewarp::sass {
namespace {

std::string hex(std::uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

std::string signed_hex(std::int64_t value) {
  return value < 0 ? "-" + hex(static_cast<std::uint64_t>(-value)) : hex(static_cast<std::uint64_t>(value));
}

/// Twenty significant digits; large numbers always with exponent.
std::string decimal(double value) {
  if (std::isnan(value))
    return std::signbit(value) ? "-QNAN " : "+QNAN ";
  if (std::isinf(value))
    return value < 0 ? "-INF " : "+INF ";
  constexpr double first_with_exponent = 1e9;
  char text[64];
  std::snprintf(text, sizeof text, std::fabs(value) >= first_with_exponent ? "%.20e" : "%.20g", value);
  return text;
}

double value_of_half(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const double fraction = bits & 1023;
  const double sign = bits >> 15 ? -1.0 : 1.0;
  if (exponent == 31)
    return fraction != 0 ? std::copysign(std::nan(""), sign) : sign * INFINITY;
  return sign * (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25));
}

double brain_value(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

std::string immediate_text(const Operand& operand) {
  const auto low = static_cast<std::uint32_t>(operand.value);
  switch (operand.type) {
  case ImmediateType::integer:
    return hex(operand.value);
  case ImmediateType::signed_integer:
    return operand.value >> 32 ? signed_hex(static_cast<std::int64_t>(operand.value))
                               : signed_hex(static_cast<std::int32_t>(low));
  case ImmediateType::fp32:
    return decimal(std::bit_cast<float>(low));
  case ImmediateType::fp64_high:
    return decimal(std::bit_cast<double>(std::uint64_t{low} << 32));
  case ImmediateType::fp16_pair:
    return decimal(value_of_half(static_cast<std::uint16_t>(low >> 16))) + ", " +
           decimal(value_of_half(static_cast<std::uint16_t>(low)));
  case ImmediateType::bf16_pair:
    return decimal(brain_value(static_cast<std::uint16_t>(low >> 16))) + ", " +
           decimal(brain_value(static_cast<std::uint16_t>(low)));
  }
  return {};
}

std::string register_text(const char* prefix, std::uint16_t number) {
  return number == zero_register ? std::string(prefix) + "Z" : prefix + std::to_string(number);
}

std::string inside_brackets(const Address& address, bool constant) {
  std::string text;
  const bool with_base =
      address.has_base && (address.base != zero_register || (address.offset == 0 && !address.has_uniform));
  if (with_base) {
    text = register_text("R", address.base);
    if (address.scale > 1)
      text += ".X" + std::to_string(address.scale);
    if (address.shows_width && address.base != zero_register)
      text += address.base_unsigned ? ".U32" : ".64";
  }
  if (address.has_uniform)
    text += (text.empty() ? "" : "+") + register_text("UR", address.uniform);
  if (address.offset != 0 || text.empty())
    text += (text.empty() ? "" : "+") + signed_hex(address.offset);
  (void)constant;
  return text;
}

std::string scoreboards(std::uint64_t mask) {
  std::string text = "{";
  for (int i = 5; i >= 0; --i)
    if (mask >> i & 1)
      text += (text.size() > 1 ? "," : "") + std::to_string(i);
  return text + "}";
}

std::string plain_text(const Operand& operand) {
  switch (operand.kind) {
  case OperandKind::general:
    return register_text("R", operand.number);
  case OperandKind::uniform:
    return register_text("UR", operand.number);
  case OperandKind::predicate:
    return operand.number == true_predicate ? "PT" : "P" + std::to_string(operand.number);
  case OperandKind::uniform_predicate:
    return operand.number == true_predicate ? "UPT" : "UP" + std::to_string(operand.number);
  case OperandKind::immediate:
    return immediate_text(operand);
  case OperandKind::constant:
    return "c[" + hex(operand.number) + "][" + inside_brackets(operand.address, true) + "]";
  case OperandKind::address:
    return (operand.address.has_descriptor ? "desc[" + register_text("UR", operand.address.descriptor) + "]"
                                           : "") +
           "[" + inside_brackets(operand.address, false) + "]";
  case OperandKind::label:
    return signed_hex(static_cast<std::int64_t>(operand.value));
  case OperandKind::convergence:
    return "B" + std::to_string(operand.number);
  case OperandKind::scoreboard:
    return "SB" + std::to_string(operand.number);
  case OperandKind::scoreboard_set:
    return scoreboards(operand.value);
  case OperandKind::special:
    return special_register_name(operand.number);
  case OperandKind::predicate_set:
    return "PR";
  case OperandKind::group_scoreboard:
    return "gsb" + std::to_string(operand.number);
  case OperandKind::matrix_descriptor:
    return "gdesc[" + register_text("UR", operand.number) + "]";
  case OperandKind::cache_policy:
    return "desc[" + register_text("UR", operand.number) + "]";
  }
  return {};
}

bool is_predicate(const Operand& operand) {
  return operand.kind == OperandKind::predicate || operand.kind == OperandKind::uniform_predicate;
}

std::string operand_text(const Operand& operand) {
  std::string text = plain_text(operand);
  if (operand.absolute)
    text = "|" + text + "|";
  if (operand.invert)
    text = (is_predicate(operand) ? "!" : "~") + text;
  if (operand.negate)
    text = "-" + text;
  if (operand.reuse && operand.kind == OperandKind::general)
    text += ".reuse";
  for (const Modifier suffix : operand.suffixes)
    text += "." + std::string(to_string(suffix));
  return text;
}

} // namespace

std::string text_of(const Instruction& instruction) {
  std::string text;
  const Operand& guard = instruction.guard;
  if (!guard.is_true() || guard.invert)
    text = "@" + operand_text(guard) + " ";
  text += to_string(instruction.opcode);
  for (const Modifier modifier : instruction.modifiers)
    text += "." + std::string(to_string(modifier));
  // A call or jump through a register has register and displacement without comma.
  const bool jump = instruction.opcode == Opcode::ret || instruction.opcode == Opcode::brx ||
                    instruction.opcode == Opcode::call;
  bool first = true;
  const Operand* before = nullptr;
  for (const Operand& operand : instruction.operands) {
    if (!operand.shown)
      continue;
    const bool joined = jump && before && before->kind == OperandKind::general;
    text += (first || joined ? " " : ", ") + operand_text(operand);
    first = false;
    before = &operand;
  }
  return text;
}

} // namespace forewarp::sass
