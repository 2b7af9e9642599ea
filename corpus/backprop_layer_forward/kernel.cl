// One layer of a neural network, forward: each weight times its input, summed down columns of TILE inputs.
// Row 0 of `weight` is the bias, which the host adds; `partial` is [input / TILE][outputs].
#define TILE 16

__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void backprop_layer_forward(__global const float* input, __global const float* weight, __global float* signal,
                            __global float* partial, int inputs, int outputs) {
  __local float in_tile[TILE];
  __local float product[TILE][TILE];
  int x = get_local_id(0), y = get_local_id(1);
  int output = get_group_id(0) * TILE + x;
  int first = get_group_id(1) * TILE;
  if (first >= inputs) // the whole group
    return;
  int at = (first + y + 1) * (outputs + 1) + output + 1;
  if (x == 0)
    in_tile[y] = input[first + y + 1];
  barrier(CLK_LOCAL_MEM_FENCE);
  product[y][x] = weight[at] * in_tile[y];
  barrier(CLK_LOCAL_MEM_FENCE);
  signal[at] = product[y][x];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int half_rows = TILE / 2; half_rows > 0; half_rows /= 2) {
    if (y < half_rows)
      product[y][x] += product[y + half_rows][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (y == 0)
    partial[get_group_id(1) * outputs + output] = product[0][x];
}
