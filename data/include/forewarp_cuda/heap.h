// The device heap: each allocation takes the next bytes behind one counter, nothing is given back. What an allocation
// costs is that counter's atomic: a lower bound, as allocators that reuse memory do more.
#pragma once
#pragma clang system_header

extern __attribute__((device)) unsigned char fw_heap[1ull << 32];
static __attribute__((device)) unsigned long long fw_heap_end, fw_heap_freed;

extern "C" __attribute__((device)) void fw_assume_heap(void);

extern "C" {
FW_DEVICE void* malloc(__SIZE_TYPE__ bytes) noexcept(true) {
  fw_assume_heap();
  return fw_heap + __atomic_fetch_add(&fw_heap_end, (bytes + 15) / 16 * 16, __ATOMIC_RELAXED);
}
FW_DEVICE void free(void* memory) noexcept(true) {
  if (memory)
    __atomic_fetch_add(&fw_heap_freed, 1ull, __ATOMIC_RELAXED);
}
}
// Clang has declared these with external linkage.
#define FW_OPERATOR __inline__ __attribute__((device, always_inline, nodebug))
FW_OPERATOR void* operator new(__SIZE_TYPE__ bytes) { return malloc(bytes); }
FW_OPERATOR void* operator new[](__SIZE_TYPE__ bytes) { return malloc(bytes); }
FW_OPERATOR void operator delete(void* memory) noexcept(true) { free(memory); }
FW_OPERATOR void operator delete[](void* memory) noexcept(true) { free(memory); }
FW_OPERATOR void operator delete(void* memory, __SIZE_TYPE__) noexcept(true) { free(memory); }
FW_OPERATOR void operator delete[](void* memory, __SIZE_TYPE__) noexcept(true) { free(memory); }
