// Heat of a chip: `steps` explicit time steps on a tile that shrinks by one cell on each side a step.
// Each thread keeps its own cell in a register; shared memory carries it to the neighbours, two buffers in turn.
constexpr int tile = 16;

__global__ void __launch_bounds__(tile* tile)
    hotspot(const float* power, const float* heat, float* result, int columns, int rows, int steps, float capacity,
            float across_x, float across_y, float across_z, float ambient) {
  __shared__ float shown[2][tile][tile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int useful = tile - 2 * steps;
  const int column = static_cast<int>(blockIdx.x) * useful - steps + x;
  const int row = static_cast<int>(blockIdx.y) * useful - steps + y;
  const bool inside = column >= 0 && column < columns && row >= 0 && row < rows;
  const int west = column > 0 ? x - 1 : x, east = column < columns - 1 ? x + 1 : x;
  const int north = row > 0 ? y - 1 : y, south = row < rows - 1 ? y + 1 : y;
  const float watt = inside ? power[row * columns + column] : 0.0f;
  float here = inside ? heat[row * columns + column] : 0.0f;
  bool computed = false;
  for (int step = 0; step < steps; ++step) {
    float(*now)[tile] = shown[step % 2];
    now[y][x] = here;
    __syncthreads();
    computed = inside && x > step && x < tile - 1 - step && y > step && y < tile - 1 - step;
    if (computed)
      here += capacity * (watt + (now[south][x] + now[north][x] - 2.0f * here) * across_y +
                          (now[y][east] + now[y][west] - 2.0f * here) * across_x + (ambient - here) * across_z);
  }
  if (computed)
    result[row * columns + column] = here;
}
