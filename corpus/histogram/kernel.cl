// 256 bins, counted in shared memory by atomics, then added to the global histogram.
#define BINS 256

__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void histogram(__global const uchar* data, __global uint* bins, int n) {
  __local uint counts[BINS];
  counts[get_local_id(0)] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_global_id(0); i < n; i += get_global_size(0))
    atomic_inc(&counts[data[i]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&bins[get_local_id(0)], counts[get_local_id(0)]);
}
