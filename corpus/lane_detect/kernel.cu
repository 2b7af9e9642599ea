// Lane detection on 640 x 480 frames (the application of Wang, Huang, Knoll, Qian 2019, section VI), step 2:
// each thread tries one straight line through the region, from a column at the bottom to one at the top, and
// adds up the markings that lie on it. Hypotheses are laid out evenly; `tops` of them share a bottom.
#define WIDTH 512
#define HEIGHT 96

__global__ void lane_detect(const unsigned char* marking, int* score, int tops, int bottoms) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int bottom = (i / tops) * (WIDTH - 1) / (bottoms - 1);
  int top = (i % tops) * (WIDTH - 1) / (tops - 1);
  int sum = 0;
  for (int y = 0; y < HEIGHT; ++y) {
    int x = top + (bottom - top) * y / (HEIGHT - 1);
    int here = y * WIDTH + x;
    int around = marking[here] * 2;
    if (x > 0)
      around += marking[here - 1];
    if (x < WIDTH - 1)
      around += marking[here + 1];
    sum += around;
  }
  score[i] = sum;
}
