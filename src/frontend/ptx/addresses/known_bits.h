// Bits of registers that the text alone says: what constants, logic and shifts of them leave.
#pragma once

#include "frontend/ptx/syntax.h"

#include <cstdint>
#include <map>
#include <string>

namespace forewarp::frontend::ptx {

/// Bits outside of `mask` may be anything; inside they are those of `value`.
struct KnownBits {
  std::uint64_t mask = 0, value = 0;
};

class BitsOfText {
public:
  explicit BitsOfText(const std::vector<Item>& items);
  /// Of a register or number of 32 bits; several statements that write a register agree, or nothing is known.
  KnownBits of(const std::string& operand) const { return of(operand, 0); }

private:
  KnownBits of(const std::string& operand, unsigned depth) const;
  KnownBits made_by(const Statement& s, unsigned depth) const;

  std::map<std::string, std::vector<const Statement*>> writers_;
};

} // namespace forewarp::frontend::ptx
