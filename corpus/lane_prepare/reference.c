#include <stdlib.h>

enum { FRAME_WIDTH = 640, LEFT = 64, TOP = 352, WIDTH = 512, HEIGHT = 96 };

static int grey(const unsigned char* frame, int x, int y) {
  const unsigned char* pixel = frame + 3 * (y * FRAME_WIDTH + x);
  return (77 * pixel[0] + 150 * pixel[1] + 29 * pixel[2]) >> 8;
}

void lane_prepare(const unsigned char* frame, unsigned char* marking) {
  for (int y = 0; y < HEIGHT; ++y)
    for (int x = 0; x < WIDTH; ++x) {
      int distance = 4 + y / 8;
      int left = grey(frame, LEFT + x - distance, TOP + y), right = grey(frame, LEFT + x + distance, TOP + y);
      int response = 2 * grey(frame, LEFT + x, TOP + y) - left - right - abs(left - right);
      marking[y * WIDTH + x] = (unsigned char)(response < 0 ? 0 : response > 255 ? 255 : response);
    }
}

void reference_lane_prepare(void** v) {
  lane_prepare(v[0], v[1]);
}
