// One radix-4 pass of a Stockham FFT in global memory: n points, sub-transforms of length `span` joined in fours.
#define PI 3.14159265358979f

float2 turn(float2 v, float angle) {
  float c = native_cos(angle), s = native_sin(angle);
  return (float2)(v.x * c - v.y * s, v.x * s + v.y * c);
}

// The transform of v[0], v[step], v[2 step], v[3 step], in place.
void transform4(float2* v, int step) {
  float2 even_sum = v[0] + v[2 * step], even_difference = v[0] - v[2 * step];
  float2 odd_sum = v[step] + v[3 * step], odd = v[step] - v[3 * step];
  float2 odd_difference = (float2)(odd.y, -odd.x);
  v[0] = even_sum + odd_sum;
  v[step] = even_difference + odd_difference;
  v[2 * step] = even_sum - odd_sum;
  v[3 * step] = even_difference - odd_difference;
}

__kernel void fft_radix4_global(__global const float2* in, __global float2* out, int n, int span) {
  int i = get_global_id(0);
  int k = i & (span - 1);
  float angle = -PI / 2.0f * (float)k / (float)span;
  float2 v[4];
  v[0] = in[i];
#pragma unroll
  for (int r = 1; r < 4; ++r)
    v[r] = turn(in[i + r * (n / 4)], angle * (float)r);
  transform4(v, 1);
  int first = ((i - k) << 2) + k;
#pragma unroll
  for (int r = 0; r < 4; ++r)
    out[first + r * span] = v[r];
}
