// One radix-16 pass of a Stockham FFT in global memory: n points, sub-transforms of length `span` joined in sixteens.
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

// The transform of 16 values as 4 x 4. Result number p + 4 q is left in v[4 p + q].
void transform16(float2* v) {
#pragma unroll
  for (int a = 0; a < 4; ++a)
    transform4(v + a, 4);
#pragma unroll
  for (int p = 1; p < 4; ++p)
#pragma unroll
    for (int a = 1; a < 4; ++a) {
      float angle = -2.0f * PI / 16.0f * (float)(a * p);
      float c = cos(angle), s = sin(angle);
      float2 w = v[4 * p + a];
      v[4 * p + a] = (float2)(w.x * c - w.y * s, w.x * s + w.y * c);
    }
#pragma unroll
  for (int p = 0; p < 4; ++p)
    transform4(v + 4 * p, 1);
}

__kernel void fft_radix16_global(__global const float2* in, __global float2* out, int n, int span) {
  int i = get_global_id(0);
  int k = i & (span - 1);
  float angle = -PI / 8.0f * (float)k / (float)span;
  float2 v[16];
  v[0] = in[i];
#pragma unroll
  for (int r = 1; r < 16; ++r)
    v[r] = turn(in[i + r * (n / 16)], angle * (float)r);
  transform16(v);
  int first = ((i - k) << 4) + k;
#pragma unroll
  for (int r = 0; r < 16; ++r)
    out[first + r * span] = v[4 * (r % 4) + r / 4];
}
