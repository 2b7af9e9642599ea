// Sum of two vectors, WIDTH floats a thread.
#if WIDTH == 1
typedef float vector;
static __device__ __forceinline__ vector sum(vector a, vector b) { return a + b; }
#elif WIDTH == 2
typedef float2 vector;
static __device__ __forceinline__ vector sum(vector a, vector b) { return make_float2(a.x + b.x, a.y + b.y); }
#else
typedef float4 vector;
static __device__ __forceinline__ vector sum(vector a, vector b) { return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }
#endif

extern "C" __global__ void vector_add(const vector* a, const vector* b, vector* c) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  c[at] = sum(a[at], b[at]);
}
