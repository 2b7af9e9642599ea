#include "frontend/ptx/addresses/known_bits.h"

#include "frontend/ptx/registers.h"

namespace forewarp::frontend::ptx {
namespace {

constexpr std::uint64_t word = 0xFFFFFFFF;
constexpr unsigned deepest = 32; ///< loops of registers end there

KnownBits constant(std::uint64_t value) {
  return {word, value & word};
}

KnownBits both(const KnownBits& x, const KnownBits& y) {
  const std::uint64_t zeros = (x.mask & ~x.value) | (y.mask & ~y.value), ones = x.value & y.value;
  return {(zeros | ones) & word, ones & word};
}

KnownBits either(const KnownBits& x, const KnownBits& y) {
  const std::uint64_t ones = (x.mask & x.value) | (y.mask & y.value),
                      zeros = x.mask & ~x.value & y.mask & ~y.value;
  return {(zeros | ones) & word, ones & word};
}

/// What both say.
KnownBits common(const KnownBits& x, const KnownBits& y) {
  const std::uint64_t mask = x.mask & y.mask & ~(x.value ^ y.value);
  return {mask, x.value & mask};
}

/// From the lowest bit on as far as both are known.
KnownBits sum(const KnownBits& x, const KnownBits& y, bool negative) {
  const std::uint64_t unknown = ~(x.mask & y.mask) & word,
                      lowest = unknown == 0 ? word : (unknown & (0 - unknown)) - 1;
  return {lowest, (negative ? x.value - y.value : x.value + y.value) & lowest};
}

KnownBits of_table(std::uint64_t table, const KnownBits& a, const KnownBits& b, const KnownBits& c) {
  KnownBits made;
  for (unsigned bit = 0; bit < 32; ++bit) {
    unsigned seen = 0;
    for (unsigned entry = 0; entry < 8; ++entry) {
      const auto fits = [&](const KnownBits& from, unsigned place) {
        return (from.mask >> bit & 1) == 0 || (from.value >> bit & 1) == (entry >> place & 1);
      };
      if (fits(a, 2) && fits(b, 1) && fits(c, 0))
        seen |= 1U << (table >> entry & 1);
    }
    if (seen == 1 || seen == 2) {
      made.mask |= std::uint64_t{1} << bit;
      made.value |= std::uint64_t{seen == 2} << bit;
    }
  }
  return made;
}

} // namespace

BitsOfText::BitsOfText(const std::vector<Item>& items) {
  for (const Item& item : items)
    if (item.kind == Item::Kind::statement && !item.statement.operands.empty())
      for (const std::string& name : pieces_of(item.statement.operands[0]))
        writers_[name].push_back(&item.statement);
}

KnownBits BitsOfText::of(const std::string& operand, unsigned depth) const {
  if (const auto number = integer_of(operand))
    return constant(*number);
  const auto found = writers_.find(operand);
  if (found == writers_.end() || depth > deepest)
    return {};
  KnownBits made = made_by(*found->second.front(), depth + 1);
  for (std::size_t i = 1; i < found->second.size(); ++i)
    made = common(made, made_by(*found->second[i], depth + 1));
  return made;
}

KnownBits BitsOfText::made_by(const Statement& s, unsigned depth) const {
  const auto source = [&](std::size_t i) {
    return i < s.operands.size() ? of(s.operands[i], depth) : KnownBits{};
  };
  const KnownBits amount = source(2);
  const unsigned steps = amount.mask == word && amount.value < 32 ? static_cast<unsigned>(amount.value) : 32;
  if (s.bits() != 32)
    return {};
  if (s.operation == "mov" && s.operands.size() == 2)
    return source(1);
  if (s.operation == "and")
    return both(source(1), source(2));
  if (s.operation == "or")
    return either(source(1), source(2));
  if (s.operation == "add" || s.operation == "sub")
    return s.has("cc") ? KnownBits{} : sum(source(1), source(2), s.operation == "sub");
  if (s.operation == "selp")
    return common(source(1), source(2));
  if (s.operation == "lop3" && s.modifiers.size() == 1)
    return of_table(source(4).value, source(1), source(2), source(3));
  if (s.operation == "shl" && steps < 32) {
    const KnownBits from = source(1);
    return {((from.mask << steps) | ((std::uint64_t{1} << steps) - 1)) & word, from.value << steps & word};
  }
  if (s.operation == "shr" && steps < 32 && s.kind() != 's') {
    const KnownBits from = source(1);
    return {from.mask >> steps | (word & ~(word >> steps)), from.value >> steps};
  }
  return {};
}

} // namespace forewarp::frontend::ptx
