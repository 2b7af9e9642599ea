// Speckle reducing anisotropic diffusion, first half: the four gradients of each pixel and its coefficient.
// At the image's edge a pixel is its own neighbour. Sizes are multiples of TILE.
#define TILE 16

__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void srad_coefficient(__global const float* image, __global float* to_north, __global float* to_south,
                      __global float* to_west, __global float* to_east, __global float* coefficient, int columns,
                      int rows, float speckle) {
  __local float here[TILE][TILE];
  __local float north[TILE][TILE], south[TILE][TILE], west[TILE][TILE], east[TILE][TILE];
  int x = get_local_id(0), y = get_local_id(1);
  int column = get_group_id(0) * TILE, row = get_group_id(1) * TILE;
  int at = (row + y) * columns + column + x;
  north[y][x] = image[max(row - 1, 0) * columns + column + x];
  south[y][x] = image[min(row + TILE, rows - 1) * columns + column + x];
  west[y][x] = image[(row + y) * columns + max(column - 1, 0)];
  east[y][x] = image[(row + y) * columns + min(column + TILE, columns - 1)];
  here[y][x] = image[at];
  barrier(CLK_LOCAL_MEM_FENCE);
  float own = here[y][x];
  float dn = (y == 0 ? north[y][x] : here[y - 1][x]) - own;
  float ds = (y == TILE - 1 ? south[y][x] : here[y + 1][x]) - own;
  float dw = (x == 0 ? west[y][x] : here[y][x - 1]) - own;
  float de = (x == TILE - 1 ? east[y][x] : here[y][x + 1]) - own;
  float gradient = (dn * dn + ds * ds + dw * dw + de * de) / (own * own);
  float laplacian = (dn + ds + dw + de) / own;
  float scale = 1.0f + 0.25f * laplacian;
  float variation = (0.5f * gradient - 0.0625f * laplacian * laplacian) / (scale * scale);
  float excess = (variation - speckle) / (speckle * (1.0f + speckle));
  to_north[at] = dn;
  to_south[at] = ds;
  to_west[at] = dw;
  to_east[at] = de;
  coefficient[at] = clamp(1.0f / (1.0f + excess), 0.0f, 1.0f);
}
