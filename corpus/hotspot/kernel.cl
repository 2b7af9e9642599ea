// Heat of a chip: `steps` explicit time steps on a tile that shrinks by one cell on each side a step.
#define TILE 16

__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void hotspot(__global const float* power, __global const float* heat, __global float* result, int columns, int rows,
             int steps, float capacity, float across_x, float across_y, float across_z, float ambient) {
  __local float now[TILE][TILE];
  __local float watt[TILE][TILE];
  __local float later[TILE][TILE];
  int x = get_local_id(0), y = get_local_id(1);
  int useful = TILE - 2 * steps;
  int column = (int)get_group_id(0) * useful - steps + x;
  int row = (int)get_group_id(1) * useful - steps + y;
  bool inside = column >= 0 && column < columns && row >= 0 && row < rows;
  if (inside) {
    now[y][x] = heat[row * columns + column];
    watt[y][x] = power[row * columns + column];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  // At the chip's edge a cell is its own neighbour.
  int west = column > 0 ? x - 1 : x, east = column < columns - 1 ? x + 1 : x;
  int north = row > 0 ? y - 1 : y, south = row < rows - 1 ? y + 1 : y;
  bool computed = false;
  for (int step = 0; step < steps; ++step) {
    computed = inside && x > step && x < TILE - 1 - step && y > step && y < TILE - 1 - step;
    if (computed) {
      float here = now[y][x];
      later[y][x] = here + capacity * (watt[y][x] + (now[south][x] + now[north][x] - 2.0f * here) * across_y +
                                       (now[y][east] + now[y][west] - 2.0f * here) * across_x +
                                       (ambient - here) * across_z);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (step == steps - 1)
      break;
    if (computed)
      now[y][x] = later[y][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (computed)
    result[row * columns + column] = later[y][x];
}
