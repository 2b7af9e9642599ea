// A chain of one function a work-item. FUNCTION: 0 native_sin, 1 native_exp, 2 native_log, 3 sqrt, 4 division, 5 sin.
#ifndef FUNCTION
#define FUNCTION 0
#endif
#if FUNCTION == 0
#define STEP(v) native_sin(v) + 0.5f
#elif FUNCTION == 1
#define STEP(v) native_exp(-(v))
#elif FUNCTION == 2
#define STEP(v) native_log((v) + 2.0f)
#elif FUNCTION == 3
#define STEP(v) sqrt((v) + 1.0f)
#elif FUNCTION == 4
#define STEP(v) 1.5f / ((v) + 1.0f)
#else
#define STEP(v) sin(v) + 0.5f
#endif

__kernel void transcendentals(__global const float* in, __global float* out, int n, int rounds) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  float v = in[i];
  for (int r = 0; r < rounds; ++r)
    v = STEP(v);
  out[i] = v;
}
