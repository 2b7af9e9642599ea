// Particle filter that follows a bright disk: a work-item moves one particle, looks at the pixels under its disk
// and weighs it. An offset is (row, column); pixel intensities are 0 to 255, 100 dark and 228 bright.
__kernel void particle_likelihood(__global const float* noise_x, __global const float* noise_y,
                                  __global const int* disk, __global const uchar* video, __global float* place_x,
                                  __global float* place_y, __global float* weight, int particles, int disk_pixels,
                                  int rows, int columns, int frame) {
  int p = get_global_id(0);
  if (p >= particles)
    return;
  float x = place_x[p] + 1.0f + 5.0f * noise_x[p];
  float y = place_y[p] - 2.0f + 2.0f * noise_y[p];
  place_x[p] = x;
  place_y[p] = y;
  int row = (int)rint(y), column = (int)rint(x);
  float sum = 0.0f;
  for (int i = 0; i < disk_pixels; ++i) {
    int r = clamp(row + disk[2 * i], 0, rows - 1), c = clamp(column + disk[2 * i + 1], 0, columns - 1);
    float intensity = video[(frame * rows + r) * columns + c];
    float dark = intensity - 100.0f, bright = intensity - 228.0f;
    sum += (dark * dark - bright * bright) / 50.0f;
  }
  weight[p] *= exp(0.01f * sum / (float)disk_pixels);
}
