#include "amdgcn/wording.h"

#include <array>
#include <charconv>
#include <cstdlib>

namespace forewarp::amdgcn {
namespace {

/// Position of the first `mark` outside of brackets, from `at` on.
std::size_t find_outside(std::string_view text, char mark, std::size_t at) {
  int depth = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '[' || c == '(')
      ++depth;
    if (c == ']' || c == ')')
      --depth;
    if (c == mark && depth <= 0)
      return at;
  }
  return std::string_view::npos;
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' '))
    text.remove_prefix(1);
  while (text.ends_with(' '))
    text.remove_suffix(1);
  return text;
}

bool take_number(std::string_view& text, unsigned& number) {
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec != std::errc())
    return false;
  text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
  return true;
}

/// "12" or "[12:15]" behind the letter of a register file.
bool read_range(std::string_view text, Operand& operand) {
  unsigned first = 0, last = 0;
  if (text.starts_with('[')) {
    text.remove_prefix(1);
    if (!take_number(text, first))
      return false;
    last = first;
    if (text.starts_with(':')) {
      text.remove_prefix(1);
      if (!take_number(text, last))
        return false;
    }
    if (text != "]" || last < first)
      return false;
  } else {
    if (!take_number(text, first) || !text.empty())
      return false;
    last = first;
  }
  constexpr unsigned most = 512, widest = 32;
  if (first >= most || last - first >= widest)
    return false;
  operand.number = static_cast<std::uint16_t>(first);
  operand.width = static_cast<std::uint8_t>(last - first + 1);
  return true;
}

struct NamedRegister {
  std::string_view name;
  unsigned number, width;
};
constexpr std::array<NamedRegister, 7> named_registers = {{{"vcc", vcc_register, 2},
                                                           {"vcc_lo", vcc_register, 1},
                                                           {"vcc_hi", vcc_register + 1, 1},
                                                           {"exec", exec_register, 2},
                                                           {"exec_lo", exec_register, 1},
                                                           {"exec_hi", exec_register + 1, 1},
                                                           {"m0", m0_register, 1}}};

bool read_register(std::string_view text, Operand& operand) {
  for (const NamedRegister& named : named_registers)
    if (text == named.name) {
      operand.kind = OperandKind::scalar;
      operand.number = static_cast<std::uint16_t>(named.number);
      operand.width = static_cast<std::uint8_t>(named.width);
      return true;
    }
  constexpr unsigned first_trap_register = 108;
  if (text.starts_with("ttmp") && read_range(text.substr(4), operand)) {
    operand.kind = OperandKind::scalar;
    operand.number = static_cast<std::uint16_t>(operand.number + first_trap_register);
    return true;
  }
  if (text.starts_with('v') && (text.ends_with(".l") || text.ends_with(".h"))) {
    operand.half = text.ends_with(".h") ? Half::upper : Half::lower;
    text.remove_suffix(2);
  }
  const char file = text.empty() ? ' ' : text[0];
  if ((file != 'v' && file != 's' && file != 'a') || !read_range(text.substr(1), operand))
    return false;
  operand.kind = file == 'v'   ? OperandKind::vector
                 : file == 's' ? OperandKind::scalar
                               : OperandKind::accumulator;
  return true;
}

bool read_number(std::string_view text, Operand& operand) {
  const bool negative = text.starts_with('-');
  std::string_view digits = text.substr(negative ? 1 : 0);
  if (digits.empty() || digits[0] < '0' || digits[0] > '9')
    return false;
  if (digits.find('.') != std::string_view::npos) {
    operand.kind = OperandKind::floating;
    operand.floating = std::strtod(std::string(text).c_str(), nullptr);
    return true;
  }
  const bool hex = digits.starts_with("0x");
  digits.remove_prefix(hex ? 2 : 0);
  std::uint64_t value = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value, hex ? 16 : 10);
  if (read.ec != std::errc() || read.ptr != digits.data() + digits.size())
    return false;
  operand.kind = OperandKind::number;
  operand.value = static_cast<std::int64_t>(negative ? 0 - value : value);
  return true;
}

/// `word(inner)` -> inner.
bool strip_call(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word) || !text.substr(word.size()).starts_with('(') || !text.ends_with(')'))
    return false;
  text = text.substr(word.size() + 1, text.size() - word.size() - 2);
  return true;
}

Operand operand_of(std::string_view text) {
  Operand operand;
  operand.word = std::string(text);
  if (strip_call(text, "sext"))
    operand.sign_extend = true;
  if (read_number(text, operand))
    return operand;
  if (strip_call(text, "neg")) {
    operand.negate = true;
  } else if (text.starts_with('-')) {
    operand.negate = true;
    text.remove_prefix(1);
  }
  if (strip_call(text, "abs")) {
    operand.absolute = true;
  } else if (text.size() > 2 && text.starts_with('|') && text.ends_with('|')) {
    operand.absolute = true;
    text = text.substr(1, text.size() - 2);
  }
  if (text == "off" || text == "null" || read_register(text, operand) || read_number(text, operand))
    return operand;
  operand.kind = OperandKind::special;
  return operand;
}

void read_modifiers(std::string_view text, Instruction& instruction) {
  while (!(text = trimmed(text)).empty()) {
    const std::size_t end = find_outside(text, ' ', 0);
    const std::string_view word = text.substr(0, end);
    const std::size_t colon = word.find(':');
    instruction.modifiers.emplace_back(word.substr(0, colon),
                                       colon == std::string_view::npos ? "" : word.substr(colon + 1));
    text.remove_prefix(std::min(word.size(), text.size()));
  }
}

void read_mnemonic(std::string_view word, Instruction& instruction) {
  static constexpr std::pair<std::string_view, Encoding> suffixes[] = {{"_dpp8", Encoding::dpp},
                                                                       {"_dpp", Encoding::dpp},
                                                                       {"_sdwa", Encoding::sdwa},
                                                                       {"_e32", Encoding::plain},
                                                                       {"_e64", Encoding::plain}};
  for (const auto& [suffix, encoding] : suffixes)
    if (word.ends_with(suffix)) {
      word.remove_suffix(suffix.size());
      if (encoding != Encoding::plain)
        instruction.encoding = encoding;
    }
  constexpr std::string_view dual = "v_dual_";
  instruction.mnemonic =
      word.starts_with(dual) ? "v_" + std::string(word.substr(dual.size())) : std::string(word);
}

void read_one(std::string_view text, Instruction& instruction) {
  const std::size_t first = text.find(' ');
  read_mnemonic(text.substr(0, first), instruction);
  if (first == std::string_view::npos)
    return;
  text = trimmed(text.substr(first));
  if (instruction.mnemonic == "s_waitcnt")
    return;
  for (;;) {
    const std::size_t comma = find_outside(text, ',', 0);
    if (comma != std::string_view::npos) {
      instruction.operands.push_back(operand_of(trimmed(text.substr(0, comma))));
      text = trimmed(text.substr(comma + 1));
      continue;
    }
    const std::size_t blank = find_outside(text, ' ', 0);
    instruction.operands.push_back(operand_of(text.substr(0, blank)));
    if (blank != std::string_view::npos)
      read_modifiers(text.substr(blank), instruction);
    return;
  }
}

} // namespace

void read_wording(Instruction& instruction) {
  constexpr std::string_view dual = "v_dual_", beside = " :: ";
  std::string_view text = trimmed(instruction.text);
  if (const std::size_t at = text.find(beside); text.starts_with(dual) && at != std::string_view::npos) {
    Instruction& second = instruction.second.emplace_back();
    second.text = std::string(trimmed(text.substr(at + beside.size())));
    second.offset = instruction.offset;
    read_one(second.text, second);
    text = trimmed(text.substr(0, at));
  }
  read_one(text, instruction);
}

} // namespace forewarp::amdgcn
