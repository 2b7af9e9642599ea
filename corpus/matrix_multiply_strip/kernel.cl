// C = A B in strips of 16 rows and WIDTH columns a group (Baghsorkhi et al. 2010, section 4.1): 16 x 16 work-items,
// each with WIDTH / 16 sums in registers. n is a multiple of WIDTH and of 16.
#ifndef WIDTH
#define WIDTH 64
#endif
#define ROWS 16
#define SUMS (WIDTH / ROWS)

__kernel __attribute__((reqd_work_group_size(ROWS, ROWS, 1)))
void matrix_multiply_strip(__global const float* a, __global const float* b, __global float* c, int n) {
  __local float a_tile[ROWS][ROWS];
  __local float b_tile[ROWS][WIDTH];
  int x = get_local_id(0), y = get_local_id(1);
  int first = get_group_id(0) * WIDTH;
  int row = get_group_id(1) * ROWS + y;
  float sum[SUMS];
#pragma unroll
  for (int s = 0; s < SUMS; ++s)
    sum[s] = 0.0f;
  for (int tile = 0; tile < n; tile += ROWS) {
    a_tile[y][x] = a[row * n + tile + x];
#pragma unroll
    for (int s = 0; s < SUMS; ++s)
      b_tile[y][s * ROWS + x] = b[(tile + y) * n + first + s * ROWS + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < ROWS; ++k) {
      float left = a_tile[y][k];
#pragma unroll
      for (int s = 0; s < SUMS; ++s)
        sum[s] += left * b_tile[k][s * ROWS + x];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
#pragma unroll
  for (int s = 0; s < SUMS; ++s)
    c[row * n + first + s * ROWS + x] = sum[s];
}
