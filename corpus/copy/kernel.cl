// A plain copy, four floats a work-item: the yardstick of achieved bandwidth.
__kernel void copy(__global const float4* source, __global float4* destination, int n4) {
  int i = get_global_id(0);
  if (i < n4)
    destination[i] = source[i];
}
