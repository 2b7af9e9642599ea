// Speckle reducing anisotropic diffusion, second half: the image moves by the divergence of coefficient * gradient.
#define TILE 16

__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void srad_update(__global const float* to_north, __global const float* to_south, __global const float* to_west,
                 __global const float* to_east, __global const float* coefficient, __global float* image, int columns,
                 int rows, float rate) {
  __local float here[TILE][TILE];
  __local float south[TILE][TILE], east[TILE][TILE];
  int x = get_local_id(0), y = get_local_id(1);
  int column = get_group_id(0) * TILE, row = get_group_id(1) * TILE;
  int at = (row + y) * columns + column + x;
  south[y][x] = coefficient[min(row + TILE, rows - 1) * columns + column + x];
  east[y][x] = coefficient[(row + y) * columns + min(column + TILE, columns - 1)];
  here[y][x] = coefficient[at];
  barrier(CLK_LOCAL_MEM_FENCE);
  float own = here[y][x];
  float below = y == TILE - 1 ? south[y][x] : here[y + 1][x];
  float right = x == TILE - 1 ? east[y][x] : here[y][x + 1];
  float divergence = own * to_north[at] + below * to_south[at] + own * to_west[at] + right * to_east[at];
  image[at] += 0.25f * rate * divergence;
}
