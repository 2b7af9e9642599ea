// How the process keeps memory that was freed.
#pragma once

#ifdef FOREWARP_MIMALLOC
#include <mimalloc.h>
#elif defined(__GLIBC__)
#include <malloc.h>
#endif

namespace forewarp {

/// Freed memory stays with the process: predictions one after the other then reuse it in place of asking the
/// system for fresh pages each time. With mimalloc, which a program takes by linking `forewarp_allocator`,
/// all of it; with glibc's malloc up to half a gibibyte; nothing elsewhere. For a program's main.
inline void keep_freed_memory() {
#ifdef FOREWARP_MIMALLOC
#if MI_MALLOC_VERSION >= 210
  mi_option_set(mi_option_purge_delay, -1);
#else
  mi_option_disable(mi_option_page_reset);
  mi_option_disable(mi_option_allow_decommit);
#endif
#elif defined(__GLIBC__)
  mallopt(M_TRIM_THRESHOLD, 1 << 29);
  mallopt(M_MMAP_THRESHOLD, 1 << 25);
#endif
}

} // namespace forewarp
