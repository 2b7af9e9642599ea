// One layer of a neural network, forward; the inputs of a tile are broadcast through shared memory by one warp.
#define TILE 16

__global__ void __launch_bounds__(TILE* TILE)
    backprop_layer_forward(const float* __restrict__ input, const float* __restrict__ weight, float* signal,
                           float* partial, int inputs, int outputs) {
  __shared__ float in_tile[TILE];
  __shared__ float product[TILE][TILE];
  const int x = threadIdx.x, y = threadIdx.y;
  const int output = blockIdx.x * TILE + x;
  const int first = blockIdx.y * TILE;
  if (first >= inputs) // the whole block
    return;
  const int at = (first + y + 1) * (outputs + 1) + output + 1;
  if (y == 0)
    in_tile[x] = input[first + x + 1];
  __syncthreads();
  const float own = weight[at] * in_tile[y];
  signal[at] = own;
  product[y][x] = own;
  __syncthreads();
#pragma unroll
  for (int half_rows = TILE / 2; half_rows > 0; half_rows /= 2) {
    if (y < half_rows)
      product[y][x] += product[y + half_rows][x];
    __syncthreads();
  }
  if (y == 0)
    partial[blockIdx.y * outputs + output] = product[0][x];
}
