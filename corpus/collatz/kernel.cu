// Steps of the Collatz sequence from each start down to 1: lanes of a warp stop at very different times.
__global__ void collatz(unsigned* steps, unsigned first, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned value = first + (unsigned)i;
  unsigned count = 0;
  while (value > 1u) {
    value = value & 1u ? 3u * value + 1u : value / 2u;
    ++count;
  }
  steps[i] = count;
}
