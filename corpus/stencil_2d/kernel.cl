// Five-point stencil on a width x height grid; a group loads its tile with a halo of one into shared memory.
#define TILE_X 32
#define TILE_Y 8

__kernel __attribute__((reqd_work_group_size(TILE_X, TILE_Y, 1)))
void stencil_2d(__global const float* in, __global float* out, int width, int height) {
  __local float tile[TILE_Y + 2][TILE_X + 2];
  int lx = get_local_id(0), ly = get_local_id(1);
  int left = get_group_id(0) * TILE_X - 1, top = get_group_id(1) * TILE_Y - 1;
  for (int y = ly; y < TILE_Y + 2; y += TILE_Y)
    for (int x = lx; x < TILE_X + 2; x += TILE_X) {
      int gx = clamp(left + x, 0, width - 1), gy = clamp(top + y, 0, height - 1);
      tile[y][x] = in[gy * width + gx];
    }
  barrier(CLK_LOCAL_MEM_FENCE);
  int gx = left + 1 + lx, gy = top + 1 + ly;
  if (gx < width && gy < height)
    out[gy * width + gx] = 0.5f * tile[ly + 1][lx + 1] +
                           0.125f * (tile[ly][lx + 1] + tile[ly + 2][lx + 1] + tile[ly + 1][lx] + tile[ly + 1][lx + 2]);
}
