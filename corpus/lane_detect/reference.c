enum { WIDTH = 512, HEIGHT = 96 };

static int on_line(const unsigned char* marking, int top, int bottom) {
  int sum = 0;
  for (int y = 0; y < HEIGHT; ++y) {
    int x = top + (bottom - top) * y / (HEIGHT - 1);
    for (int dx = -1; dx <= 1; ++dx)
      if (x + dx >= 0 && x + dx < WIDTH)
        sum += (dx == 0 ? 2 : 1) * marking[y * WIDTH + x + dx];
  }
  return sum;
}

void lane_detect(const unsigned char* marking, int* score, int tops, int bottoms) {
  for (int b = 0; b < bottoms; ++b)
    for (int t = 0; t < tops; ++t)
      score[b * tops + t] = on_line(marking, t * (WIDTH - 1) / (tops - 1), b * (WIDTH - 1) / (bottoms - 1));
}

void reference_lane_detect(void** v) {
  lane_detect(v[0], v[1], *(int*)v[2], *(int*)v[3]);
}
