// Each work-item sums `piece` elements in a row, as a CPU thread would: the lanes of a warp lie a piece apart.
__kernel void strided_sum(__global const float* in, __global float* sums, int pieces, int piece) {
  int i = get_global_id(0);
  if (i >= pieces)
    return;
  float sum = 0.0f;
  for (int k = 0; k < piece; ++k)
    sum += in[i * piece + k];
  sums[i] = sum;
}
