// Counts the elements below a limit with one atomic addition each, all on the same word.
__kernel void single_counter(__global const uint* in, __global uint* counter, uint limit, int n) {
  int i = get_global_id(0);
  if (i < n && in[i] < limit)
    atomic_add(counter, 1u);
}
