// Sequence alignment, second half: the tiles on an anti-diagonal below the middle one, a wavefront inside each.
// `skipped` tiles at the right end of the first row no longer lie on the diagonal.
#define TILE 16

__kernel __attribute__((reqd_work_group_size(TILE, 1, 1)))
void needleman_wunsch_lower(__global const int* similarity, __global int* score, int columns, int penalty,
                            int tiles, int skipped) {
  __local int cell[TILE + 1][TILE + 1];
  __local int match[TILE][TILE];
  int lane = get_local_id(0);
  int tile_x = (int)get_group_id(0) + skipped, tile_y = tiles - 1 - (int)get_group_id(0);
  int corner = tile_y * TILE * columns + tile_x * TILE;
  for (int row = 0; row < TILE; ++row)
    match[row][lane] = similarity[corner + columns * (row + 1) + lane + 1];
  if (lane == 0)
    cell[0][0] = score[corner];
  cell[lane + 1][0] = score[corner + columns * (lane + 1)];
  cell[0][lane + 1] = score[corner + lane + 1];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int wave = 0; wave < 2 * TILE - 1; ++wave) {
    int row = wave - lane;
    if (row >= 0 && row < TILE) {
      int gap = max(cell[row + 1][lane], cell[row][lane + 1]) - penalty;
      cell[row + 1][lane + 1] = max(cell[row][lane] + match[row][lane], gap);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int row = 0; row < TILE; ++row)
    score[corner + columns * (row + 1) + lane + 1] = cell[row + 1][lane + 1];
}
