// One radix-2 pass of a Stockham FFT in global memory: n points, sub-transforms of length `span` joined in pairs.
__kernel void fft_radix2_global(__global const float2* in, __global float2* out, int n, int span) {
  int i = get_global_id(0);
  int k = i & (span - 1);
  float2 a = in[i], b = in[i + n / 2];
  float angle = -3.14159265358979f * (float)k / (float)span;
  float c = native_cos(angle), s = native_sin(angle);
  float2 turned = (float2)(b.x * c - b.y * s, b.x * s + b.y * c);
  int j = ((i - k) << 1) + k;
  out[j] = a + turned;
  out[j + span] = a - turned;
}
