enum { TILE = 16 };

static int larger(int a, int b) { return a > b ? a : b; }

void needleman_wunsch_tile(const int* similarity, int* score, int columns, int penalty, int diagonal) {
  for (int tile_x = 0; tile_x <= diagonal; ++tile_x) {
    int corner = (diagonal - tile_x) * TILE * columns + tile_x * TILE;
    for (int row = 1; row <= TILE; ++row)
      for (int column = 1; column <= TILE; ++column) {
        int i = corner + row * columns + column;
        int gap = larger(score[i - 1], score[i - columns]) - penalty;
        score[i] = larger(score[i - columns - 1] + similarity[i], gap);
      }
  }
}

void reference_needleman_wunsch_tile(void** v) {
  needleman_wunsch_tile(v[0], v[1], *(int*)v[2], *(int*)v[3], *(int*)v[4]);
}
