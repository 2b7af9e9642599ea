/* OpenMP's functions for host code that is compiled without it: its pragmas are passed over, and one thread
 * runs. */
#pragma once
#include <time.h>
#ifdef __cplusplus
extern "C" {
#endif
typedef int omp_lock_t;
static inline double omp_get_wtime(void) {
  struct timespec now;
  clock_gettime(1 /* CLOCK_MONOTONIC */, &now);
  return now.tv_sec + now.tv_nsec * 1e-9;
}
static inline int omp_get_num_threads(void) {
  return 1;
}
static inline int omp_get_max_threads(void) {
  return 1;
}
static inline int omp_get_num_procs(void) {
  return 1;
}
static inline int omp_get_thread_num(void) {
  return 0;
}
static inline int omp_in_parallel(void) {
  return 0;
}
static inline void omp_set_num_threads(int threads) {
  (void)threads;
}
static inline void omp_set_nested(int nested) {
  (void)nested;
}
static inline void omp_init_lock(omp_lock_t* lock) {
  *lock = 0;
}
static inline void omp_set_lock(omp_lock_t* lock) {
  *lock = 1;
}
static inline void omp_unset_lock(omp_lock_t* lock) {
  *lock = 0;
}
static inline void omp_destroy_lock(omp_lock_t* lock) {
  (void)lock;
}
#ifdef __cplusplus
}
#endif
