// Sets `count` numbers to one value.
__kernel void cfd_fill(__global float* array, float value, int count) {
  int i = get_global_id(0);
  if (i < count)
    array[i] = value;
}
