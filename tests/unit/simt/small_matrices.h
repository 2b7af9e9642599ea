// Matrices of small whole numbers, which halves and their sums hold exactly.
#pragma once

namespace forewarp::simt::test {

inline float a_at(unsigned row, unsigned k) {
  return static_cast<float>((row * 3 + k * 5) % 7);
}
inline float b_at(unsigned k, unsigned column) {
  return static_cast<float>((k * 2 + column * 3) % 5);
}
inline float c_at(unsigned row, unsigned column) {
  return static_cast<float>(row * 2 + column);
}

} // namespace forewarp::simt::test
