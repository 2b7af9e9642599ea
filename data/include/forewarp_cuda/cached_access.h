// Loads and stores with a cache hint. __ldg is a load through the read-only cache (a global load marked invariant); the
// other hints are NOT modelled: plain loads and stores.
#pragma once
#pragma clang system_header

// The lowering gives the loads of fw_read_only their marks and removes the call.
__attribute__((device, const, nothrow)) const void* fw_read_only(const void*);

template <class T> FW_DEVICE T __ldg(const T* p) { return *static_cast<const T*>(fw_read_only(p)); }
template <class T> FW_DEVICE T __ldca(const T* p) { return *p; }
template <class T> FW_DEVICE T __ldcg(const T* p) { return *p; }
template <class T> FW_DEVICE T __ldcs(const T* p) { return *p; }
template <class T> FW_DEVICE T __ldlu(const T* p) { return *p; }
template <class T> FW_DEVICE T __ldcv(const T* p) { return *static_cast<const volatile T*>(p); }
template <class T> FW_DEVICE void __stwb(T* p, T value) { *p = value; }
template <class T> FW_DEVICE void __stcg(T* p, T value) { *p = value; }
template <class T> FW_DEVICE void __stcs(T* p, T value) { *p = value; }
template <class T> FW_DEVICE void __stwt(T* p, T value) { *p = value; }

#ifndef FOREWARP_AMD
FW_DEVICE __SIZE_TYPE__ __cvta_generic_to_shared(const void* p) {
  return (__SIZE_TYPE__)(const __attribute__((address_space(3))) void*)p;
}
FW_DEVICE __SIZE_TYPE__ __cvta_generic_to_global(const void* p) {
  return (__SIZE_TYPE__)(const __attribute__((address_space(1))) void*)p;
}
#endif
