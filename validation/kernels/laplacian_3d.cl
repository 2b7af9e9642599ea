// Seven-point Laplacian of a field of doubles, ROWS neighbouring rows (along y) a work-item. ORDERED 0: row after row, as
// the formula has it; 1: all loads in the order of their addresses. STREAMING: stores that go past the caches. BOUNDED: the
// compiler is told the size of a group; else it reckons with 1024 work-items, as HIP's does. (What the versions are: AMD lab
// notes, "Finite difference method - Laplacian", parts 1 to 3, 2022-2023.)
#if STREAMING
#define PUT(at, value) __builtin_nontemporal_store(value, at)
#else
#define PUT(at, value) *(at) = value
#endif

#if BOUNDED
__attribute__((reqd_work_group_size(256, 1, 1)))
#else
__attribute__((amdgpu_flat_work_group_size(1, 1024)))
#endif
kernel void laplacian_3d(global double* restrict out, global const double* restrict in, int nx, int ny, int nz, double cx, double cy,
                         double cz, double centre) {
  int x = get_global_id(0);
  int y = get_global_id(1) * ROWS;
  int z = get_global_id(2);
  int plane = nx * ny;
  if (x == 0 || x >= nx - 1 || z == 0 || z >= nz - 1)
    return;
  size_t at = x + (size_t)nx * y + (size_t)plane * z;
#if ORDERED
  double sum[ROWS];
#pragma unroll
  for (int i = 0; i < ROWS; ++i)
    sum[i] = cz * in[at - plane + i * nx];
  sum[0] += y > 0 ? cy * in[at - nx] : 0.0;
#pragma unroll
  for (int i = 0; i < ROWS; ++i) {
    sum[i] += cx * in[at + i * nx - 1];
    double here = in[at + i * nx];
    sum[i] += centre * here + cx * in[at + i * nx + 1];
    if (i > 0)
      sum[i - 1] += cy * here;
    if (i < ROWS - 1)
      sum[i + 1] += cy * here;
  }
  sum[ROWS - 1] += y < ny - ROWS ? cy * in[at + ROWS * nx] : 0.0;
#pragma unroll
  for (int i = 0; i < ROWS; ++i)
    sum[i] += cz * in[at + plane + i * nx];
#pragma unroll
  for (int i = 0; i < ROWS; ++i)
    if (y + i > 0 && y + i < ny - 1)
      PUT(out + at + i * nx, sum[i]);
#else
#pragma unroll
  for (int i = 0; i < ROWS; ++i)
    if (y + i > 0 && y + i < ny - 1) {
      size_t here = at + i * nx;
      PUT(out + here, centre * in[here] + cx * (in[here - 1] + in[here + 1]) + cy * (in[here - nx] + in[here + nx]) +
                          cz * (in[here - plane] + in[here + plane]));
    }
#endif
}
