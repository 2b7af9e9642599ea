// Which threads see each other, in libcu++'s words.
#pragma once
#pragma clang system_header

namespace cuda {

enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };
template <__SIZE_TYPE__ Align> struct aligned_size_t {
  static constexpr __SIZE_TYPE__ align = Align;
  __SIZE_TYPE__ value;
  FW_MEMBER explicit aligned_size_t(__SIZE_TYPE__ bytes) : value(bytes) {}
  FW_MEMBER operator __SIZE_TYPE__() const { return value; }
};

} // namespace cuda
