// Steps of the Collatz sequence from each start down to 1: lanes of a warp stop at very different times.
__kernel void collatz(__global uint* steps, uint first, int n) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  uint value = first + (uint)i;
  uint count = 0;
  while (value > 1u) {
    value = value & 1u ? 3u * value + 1u : value / 2u;
    ++count;
  }
  steps[i] = count;
}
