// Loads and stores with a cache's hint, which is passed over.
#pragma once
#pragma clang system_header
#include "forewarp_cuda/exchange_words.h"

namespace cub {

enum CacheLoadModifier { LOAD_DEFAULT, LOAD_CA, LOAD_CG, LOAD_CS, LOAD_CV, LOAD_LDG, LOAD_VOLATILE };
enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };

template <CacheLoadModifier, class T> __device__ inline T ThreadLoad(const T* from) { return *from; }
template <CacheStoreModifier, class T> __device__ inline void ThreadStore(T* to, T value) { *to = value; }

} // namespace cub
