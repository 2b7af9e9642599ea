__kernel void blur(__global const float* in, __global float* out, int width, int height, __local float* row) {
  const int x = get_global_id(0), y = get_global_id(1);
  const int l = get_local_id(0) + get_local_id(1) * get_local_size(0);
  row[l] = in[y * width + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (x > 0 && x < width - 1 && get_local_id(0) > 0 && get_local_id(0) < get_local_size(0) - 1)
    out[y * width + x] = (row[l - 1] + row[l] + row[l + 1]) / 3.0f;
}
