// A 3 x 3 convolution with fixed weights; the border stays as it is.
__global__ void convolution_2d(const float* in, float* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1)
    return;
  const float* centre = in + y * width + x;
  float sum = 0.1f * centre[-width - 1] + 0.2f * centre[-width] - 0.3f * centre[-width + 1];
  sum += 0.4f * centre[-1] - 0.5f * centre[0] + 0.6f * centre[1];
  sum += 0.7f * centre[width - 1] - 0.8f * centre[width] + 0.9f * centre[width + 1];
  out[y * width + x] = sum;
}
