// A whole transform of POINTS points a group: Stockham radix 2, double buffered in shared memory.
#define POINTS 512

__kernel __attribute__((reqd_work_group_size(POINTS / 2, 1, 1)))
void fft_radix2_shared(__global const float2* in, __global float2* out, int n) {
  __local float2 buffer[2][POINTS];
  int i = get_local_id(0);
  int first = get_group_id(0) * POINTS;
  if (first >= n)
    return;
  buffer[0][i] = in[first + i];
  buffer[0][i + POINTS / 2] = in[first + i + POINTS / 2];
  int now = 0;
  for (int span = 1; span < POINTS; span *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    int k = i & (span - 1);
    float2 a = buffer[now][i], b = buffer[now][i + POINTS / 2];
    float angle = -3.14159265358979f * (float)k / (float)span;
    float c = native_cos(angle), s = native_sin(angle);
    float2 turned = (float2)(b.x * c - b.y * s, b.x * s + b.y * c);
    int j = ((i - k) << 1) + k;
    buffer[1 - now][j] = a + turned;
    buffer[1 - now][j + span] = a - turned;
    now = 1 - now;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[first + i] = buffer[now][i];
  out[first + i + POINTS / 2] = buffer[now][i + POINTS / 2];
}
