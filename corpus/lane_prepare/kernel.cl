// Lane detection on 640 x 480 frames (the application of Wang, Huang, Knoll, Qian 2019, section VI), step 1: one
// pixel of the 512 x 96 region a work-item. Grey value, then how much brighter it is than both sides at the distance
// of a marking, which shrinks towards the horizon.
#define FRAME_WIDTH 640
#define LEFT 64
#define TOP 352
#define WIDTH 512
#define HEIGHT 96

int grey(__global const uchar* frame, int x, int y) {
  __global const uchar* pixel = frame + 3 * (y * FRAME_WIDTH + x);
  return (77 * pixel[0] + 150 * pixel[1] + 29 * pixel[2]) >> 8;
}

__kernel void lane_prepare(__global const uchar* frame, __global uchar* marking) {
  int i = get_global_id(0);
  if (i >= WIDTH * HEIGHT)
    return;
  int x = i % WIDTH, y = i / WIDTH;
  int distance = 4 + y / 8;
  int centre = grey(frame, LEFT + x, TOP + y);
  int left = grey(frame, LEFT + x - distance, TOP + y);
  int right = grey(frame, LEFT + x + distance, TOP + y);
  int response = 2 * centre - left - right - abs(left - right);
  marking[i] = (uchar)clamp(response, 0, 255);
}
