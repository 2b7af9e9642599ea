// Arithmetic on the two halves or four bytes of a word, in whole-word operations that keep carries inside the lanes.
// NOT modelled: the few that some generations have as one instruction.
#pragma once
#pragma clang system_header

/// Lanes whose highest bit is set in `high` (all other bits 0) become all ones.
FW_DEVICE unsigned fw_fill_lanes(unsigned high, int low_bits) { return high | (high - (high >> low_bits)); }

// HIGH has the highest bit of each lane, LOW_BITS is the number of the others.
#define FW_IN_WORD(N, HIGH, LOW_BITS)                                                                        \
  FW_DEVICE unsigned __vadd##N(unsigned a, unsigned b) { return ((a & ~HIGH) + (b & ~HIGH)) ^ ((a ^ b) & HIGH); } \
  FW_DEVICE unsigned __vsub##N(unsigned a, unsigned b) { return ((a | HIGH) - (b & ~HIGH)) ^ (~(a ^ b) & HIGH); } \
  FW_DEVICE unsigned __vneg##N(unsigned a) { return __vsub##N(0, a); }                                       \
  FW_DEVICE unsigned fw_borrow##N(unsigned a, unsigned b) {                                                  \
    return ((~a & b) | ((~a | b) & __vsub##N(a, b))) & HIGH;                                                 \
  }                                                                                                          \
  FW_DEVICE unsigned fw_differ##N(unsigned a, unsigned b) {                                                  \
    const unsigned bits = a ^ b;                                                                             \
    return (((bits & ~HIGH) + ~HIGH) | bits) & HIGH;                                                         \
  }                                                                                                          \
  FW_DEVICE unsigned fw_clamp##N(unsigned a, unsigned sum, unsigned overflow) {                              \
    const unsigned limit = ~HIGH + ((a & HIGH) >> LOW_BITS), lanes = fw_fill_lanes(overflow & HIGH, LOW_BITS); \
    return (limit & lanes) | (sum & ~lanes);                                                                 \
  }                                                                                                          \
  FW_DEVICE unsigned __vaddss##N(unsigned a, unsigned b) {                                                   \
    const unsigned sum = __vadd##N(a, b);                                                                    \
    return fw_clamp##N(a, sum, ~(a ^ b) & (a ^ sum));                                                        \
  }                                                                                                          \
  FW_DEVICE unsigned __vsubss##N(unsigned a, unsigned b) {                                                   \
    const unsigned difference = __vsub##N(a, b);                                                             \
    return fw_clamp##N(a, difference, (a ^ b) & (a ^ difference));                                           \
  }                                                                                                          \
  FW_DEVICE unsigned __vaddus##N(unsigned a, unsigned b) {                                                   \
    const unsigned sum = __vadd##N(a, b);                                                                    \
    return sum | fw_fill_lanes(((a & b) | ((a | b) & ~sum)) & HIGH, LOW_BITS);                               \
  }                                                                                                          \
  FW_DEVICE unsigned __vsubus##N(unsigned a, unsigned b) {                                                   \
    return __vsub##N(a, b) & ~fw_fill_lanes(fw_borrow##N(a, b), LOW_BITS);                                   \
  }                                                                                                          \
  FW_DEVICE unsigned __vhaddu##N(unsigned a, unsigned b) { return (a & b) + (((a ^ b) >> 1) & ~HIGH); }      \
  FW_DEVICE unsigned __vavgu##N(unsigned a, unsigned b) { return (a | b) - (((a ^ b) >> 1) & ~HIGH); }       \
  FW_IN_WORD_COMPARE(N, LOW_BITS, eq, fw_differ##N(a, b) ^ HIGH)                                             \
  FW_IN_WORD_COMPARE(N, LOW_BITS, ne, fw_differ##N(a, b))                                                    \
  FW_IN_WORD_COMPARE(N, LOW_BITS, ltu, fw_borrow##N(a, b))                                                   \
  FW_IN_WORD_COMPARE(N, LOW_BITS, gtu, fw_borrow##N(b, a))                                                   \
  FW_IN_WORD_COMPARE(N, LOW_BITS, geu, fw_borrow##N(a, b) ^ HIGH)                                            \
  FW_IN_WORD_COMPARE(N, LOW_BITS, leu, fw_borrow##N(b, a) ^ HIGH)                                            \
  FW_IN_WORD_COMPARE(N, LOW_BITS, lts, fw_borrow##N(a ^ HIGH, b ^ HIGH))                                     \
  FW_IN_WORD_COMPARE(N, LOW_BITS, gts, fw_borrow##N(b ^ HIGH, a ^ HIGH))                                     \
  FW_IN_WORD_COMPARE(N, LOW_BITS, ges, fw_borrow##N(a ^ HIGH, b ^ HIGH) ^ HIGH)                              \
  FW_IN_WORD_COMPARE(N, LOW_BITS, les, fw_borrow##N(b ^ HIGH, a ^ HIGH) ^ HIGH)                              \
  FW_DEVICE unsigned fw_choose##N(unsigned lanes, unsigned a, unsigned b) { return (a & lanes) | (b & ~lanes); } \
  FW_DEVICE unsigned __vminu##N(unsigned a, unsigned b) { return fw_choose##N(__vcmpltu##N(a, b), a, b); }   \
  FW_DEVICE unsigned __vmaxu##N(unsigned a, unsigned b) { return fw_choose##N(__vcmpgtu##N(a, b), a, b); }   \
  FW_DEVICE unsigned __vmins##N(unsigned a, unsigned b) { return fw_choose##N(__vcmplts##N(a, b), a, b); }   \
  FW_DEVICE unsigned __vmaxs##N(unsigned a, unsigned b) { return fw_choose##N(__vcmpgts##N(a, b), a, b); }   \
  FW_DEVICE unsigned __vabsdiffu##N(unsigned a, unsigned b) { return __vmaxu##N(a, b) - __vminu##N(a, b); }  \
  FW_DEVICE unsigned __vabsdiffs##N(unsigned a, unsigned b) { return __vsub##N(__vmaxs##N(a, b), __vmins##N(a, b)); } \
  FW_DEVICE unsigned __vabs##N(unsigned a) {                                                                 \
    return fw_choose##N(fw_fill_lanes(a & HIGH, LOW_BITS), __vneg##N(a), a);                                 \
  }                                                                                                          \
  FW_DEVICE unsigned __vabsss##N(unsigned a) {                                                               \
    return fw_choose##N(fw_fill_lanes(a & HIGH, LOW_BITS), __vsubss##N(0, a), a);                            \
  }                                                                                                          \
  FW_DEVICE unsigned __vnegss##N(unsigned a) { return __vsubss##N(0, a); }

// All ones where the comparison holds, and 1 where it holds.
#define FW_IN_WORD_COMPARE(N, LOW_BITS, name, high)                                                          \
  FW_DEVICE unsigned __vcmp##name##N(unsigned a, unsigned b) { return fw_fill_lanes(high, LOW_BITS); }       \
  FW_DEVICE unsigned __vset##name##N(unsigned a, unsigned b) { return (high) >> LOW_BITS; }

FW_IN_WORD(2, 0x80008000u, 15)
FW_IN_WORD(4, 0x80808080u, 7)
#undef FW_IN_WORD
#undef FW_IN_WORD_COMPARE

FW_DEVICE unsigned fw_sum_of_bytes(unsigned a) {
  const unsigned pairs = (a & 0x00ff00ffu) + (a >> 8 & 0x00ff00ffu);
  return (pairs & 0xffffu) + (pairs >> 16);
}
FW_DEVICE unsigned fw_sum_of_halves(unsigned a) { return (a & 0xffffu) + (a >> 16); }
FW_DEVICE unsigned __vsadu4(unsigned a, unsigned b) { return fw_sum_of_bytes(__vabsdiffu4(a, b)); }
FW_DEVICE unsigned __vsads4(unsigned a, unsigned b) { return fw_sum_of_bytes(__vabsdiffs4(a, b)); }
FW_DEVICE unsigned __vsadu2(unsigned a, unsigned b) { return fw_sum_of_halves(__vabsdiffu2(a, b)); }
FW_DEVICE unsigned __vsads2(unsigned a, unsigned b) { return fw_sum_of_halves(__vabsdiffs2(a, b)); }
