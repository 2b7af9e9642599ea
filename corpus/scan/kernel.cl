// Inclusive scan of GROUP elements a group (Hillis and Steele), double buffered in shared memory.
#define GROUP 256

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void scan(__global const float* in, __global float* out, int n) {
  __local float buffer[2][GROUP];
  int lane = get_local_id(0);
  int i = get_global_id(0);
  int now = 0;
  buffer[0][lane] = i < n ? in[i] : 0.0f;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int offset = 1; offset < GROUP; offset *= 2) {
    float value = buffer[now][lane];
    if (lane >= offset)
      value += buffer[now][lane - offset];
    buffer[1 - now][lane] = value;
    now = 1 - now;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (i < n)
    out[i] = buffer[now][lane];
}
