#include "sass/decode/reader.h"

namespace forewarp::sass {

Reader::Reader(const std::array<std::uint64_t, 2>& bits, unsigned sm, Instruction& into)
    : bits_(bits), sm_(sm), instruction_(into) {}

std::uint64_t Reader::field(unsigned at, unsigned width) const {
  const std::uint64_t mask = width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
  if (at >= 64)
    return (bits_[1] >> (at - 64)) & mask;
  std::uint64_t value = bits_[0] >> at;
  if (at != 0 && at + width > 64)
    value |= bits_[1] << (64 - at);
  return value & mask;
}

std::int64_t Reader::signed_field(unsigned at, unsigned width) const {
  const std::uint64_t value = field(at, width);
  const std::uint64_t sign = std::uint64_t{1} << (width - 1);
  return static_cast<std::int64_t>((value ^ sign) - sign);
}

void Reader::refuse(const std::string& what) {
  if (!error_)
    error_ = what;
}

void Reader::flag(unsigned at, Modifier modifier) {
  if (bit(at))
    word(modifier);
}

void Reader::choose(std::uint64_t value, std::span<const Words> values) {
  if (value >= values.size() || values[value].count < 0) {
    refuse("modifier value " + std::to_string(value));
    return;
  }
  for (int i = 0; i < values[value].count; ++i)
    word(values[value].words[static_cast<std::size_t>(i)]);
}

void Reader::choice(unsigned at, unsigned width, std::initializer_list<Words> values) {
  choose(field(at, width), std::span(values.begin(), values.size()));
}

Operand& Reader::push(OperandKind kind) {
  instruction_.operands.emplace_back().kind = kind;
  return last();
}

std::uint16_t Reader::uniform_number(unsigned at) const {
  // Six bits before sm_100, eight bits from there on; the last number is URZ.
  const unsigned width = sm_ >= 100 ? 8 : 6;
  const std::uint64_t number = field(at, width);
  return number == (std::uint64_t{1} << width) - 1 ? zero_register : static_cast<std::uint16_t>(number);
}

Operand& Reader::with_signs(Operand& operand, Style style, unsigned sign, unsigned magnitude, int reuse_bit) {
  operand.width = style.width;
  if (style.negate)
    operand.negate = bit(sign);
  if (style.invert)
    operand.invert = bit(sign);
  if (style.absolute)
    operand.absolute = bit(magnitude);
  operand.reuse = operand.kind == OperandKind::general && reuse_bit >= 0 &&
                  (instruction_.control.reuse >> reuse_bit & 1) != 0;
  return operand;
}

Operand& Reader::general(unsigned at, Style style) {
  if (uniform_files_)
    return uniform(at, style);
  Operand& operand = push(OperandKind::general);
  operand.number = static_cast<std::uint16_t>(field(at, 8));
  operand.width = style.width;
  return operand;
}

Operand& Reader::uniform(unsigned at, Style style) {
  Operand& operand = push(OperandKind::uniform);
  operand.number = uniform_number(at);
  operand.width = style.width;
  return operand;
}

Operand& Reader::predicate(unsigned at, bool shown_if_true) {
  Operand& operand = push(uniform_files_ ? OperandKind::uniform_predicate : OperandKind::predicate);
  operand.number = static_cast<std::uint16_t>(field(at, 3));
  operand.shown = shown_if_true || operand.number != true_predicate;
  return operand;
}

Operand& Reader::source_predicate(unsigned at, bool uniform_file) {
  Operand& operand =
      push(uniform_files_ || uniform_file ? OperandKind::uniform_predicate : OperandKind::predicate);
  operand.number = static_cast<std::uint16_t>(field(at, 3));
  operand.invert = bit(at + 3);
  return operand;
}

Operand& Reader::immediate(std::uint64_t value, ImmediateType type) {
  Operand& operand = push(OperandKind::immediate);
  operand.value = value;
  operand.type = type;
  return operand;
}

Operand& Reader::constant(unsigned width) {
  Operand& operand = push(OperandKind::constant);
  operand.number = static_cast<std::uint16_t>(field(54, 5));
  operand.address.offset = static_cast<std::int32_t>(field(38, 16));
  operand.width = static_cast<std::uint8_t>(width);
  return operand;
}

Operand& Reader::label(std::int64_t target) {
  Operand& operand = push(OperandKind::label);
  operand.value = static_cast<std::uint64_t>(target);
  return operand;
}

Operand& Reader::a(Style style) {
  return with_signs(general(24), style, 72, 73, 0);
}

Operand& Reader::reg_at_32(Style style, int reuse_bit) {
  return with_signs(general(32), style, 63, 62, reuse_bit);
}

Operand& Reader::reg_at_64(Style style) {
  return with_signs(general(64), style, 75, 74, 2);
}

Operand& Reader::wide(Style style, int reuse_bit) {
  switch (form()) {
  case 1:
    return reg_at_32(style, reuse_bit);
  case 2:
  case 4:
    return immediate(field(32, 32), style.type);
  case 3:
  case 5:
    return with_signs(constant(style.width), style, 63, 62, -1);
  case 6:
  case 7:
    return with_signs(uniform(32), style, 63, 62, -1);
  default:
    refuse("operand form " + std::to_string(form()));
    return immediate(0);
  }
}

Operand& Reader::b(Style style) {
  if (form() != 2 && form() != 3 && form() != 7)
    return wide(style);
  Operand& operand = reg_at_64(style);
  operand.reuse = operand.kind == OperandKind::general && (instruction_.control.reuse >> 1 & 1) != 0;
  return operand;
}

Operand& Reader::c(Style style) {
  return form() == 2 || form() == 3 || form() == 7 ? wide(style) : reg_at_64(style);
}

} // namespace forewarp::sass
