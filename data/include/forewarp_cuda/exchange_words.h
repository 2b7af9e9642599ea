// Exchange of any trivially copied type, a 32-bit word at a time, as the libraries above the warp functions do.
#pragma once
#pragma clang system_header

template <class T, class Exchange> FW_DEVICE T fw_by_words(const T& value, Exchange exchange) {
  constexpr unsigned words = (sizeof(T) + 3) / 4;
  unsigned word[words] = {};
  __builtin_memcpy(word, &value, sizeof(T));
#pragma unroll
  for (unsigned i = 0; i < words; ++i)
    word[i] = exchange(word[i]);
  T moved;
  __builtin_memcpy(&moved, word, sizeof(T));
  return moved;
}
