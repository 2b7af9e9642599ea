// Sequence alignment, second half: tiles on an anti-diagonal below the middle one, half a warp each.
// The wavefront goes through registers: a lane hands its last cell to the right by a shuffle.
constexpr int tile = 16;

__global__ void __launch_bounds__(tile)
    needleman_wunsch_lower(const int* similarity, int* score, int columns, int penalty, int tiles, int skipped) {
  __shared__ int match[tile][tile];
  const unsigned half_warp = 0xffffu;
  const int lane = threadIdx.x;
  const int tile_x = blockIdx.x + skipped, tile_y = tiles - 1 - static_cast<int>(blockIdx.x);
  const int corner = tile_y * tile * columns + tile_x * tile;
  for (int row = 0; row < tile; ++row)
    match[row][lane] = similarity[corner + columns * (row + 1) + lane + 1];
  const int left_border = score[corner + columns * (lane + 1)];
  int above_left = score[corner + lane], own = score[corner + lane + 1];
  __syncthreads();
  for (int wave = 0; wave < 2 * tile - 1; ++wave) {
    const int row = wave - lane;
    // Left neighbour's newest cell; at the tile's edge the border, which lane `wave` keeps.
    const int border = __shfl_sync(half_warp, left_border, wave < tile ? wave : 0);
    int left = __shfl_up_sync(half_warp, own, 1);
    if (lane == 0)
      left = border;
    if (row >= 0 && row < tile) {
      const int best = max(above_left + match[row][lane], max(left, own) - penalty);
      above_left = left;
      own = best;
      score[corner + columns * (row + 1) + lane + 1] = best;
    }
  }
}
