enum { TILE = 16 };

static int larger(int a, int b) { return a > b ? a : b; }

void reference_needleman_wunsch_lower(void** v) {
  const int* similarity = v[0];
  int* score = v[1];
  int columns = *(int*)v[2], penalty = *(int*)v[3], tiles = *(int*)v[4], skipped = *(int*)v[5];
  for (int tile_x = skipped; tile_x < tiles; ++tile_x) {
    int corner = (tiles - 1 - (tile_x - skipped)) * TILE * columns + tile_x * TILE;
    for (int row = 1; row <= TILE; ++row)
      for (int column = 1; column <= TILE; ++column) {
        int i = corner + row * columns + column;
        int gap = larger(score[i - 1], score[i - columns]) - penalty;
        score[i] = larger(score[i - columns - 1] + similarity[i], gap);
      }
  }
}
