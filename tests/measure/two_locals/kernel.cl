// Two local arrays of the launch, of sizes that are no multiple of an alignment; the launch's dimensions.
__kernel void two_locals(__global const float* in, __global float* out, __local float* first, __local double* second) {
  const int item = get_local_id(0), items = get_local_size(0), at = get_global_id(0);
  first[item] = in[at];
  second[items - 1 - item] = 2.0 * in[at];
  if (item == 0)
    first[items] = (float)get_work_dim();
  barrier(CLK_LOCAL_MEM_FENCE);
  out[at] = first[(item + 1) % items] + (float)second[item] + first[items];
}
