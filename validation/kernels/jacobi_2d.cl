// The three large kernels of a Jacobi solver of Poisson's equation on a square grid (what they do: AMD lab notes, "Jacobi solver
// with HIP and OpenMP offloading", 2023).

// Five-point Laplacian of the inner points, numbered in one dimension.
kernel void jacobi_laplacian(global double* restrict out, global const double* restrict u, int side, double cx, double cy) {
  int point = get_global_id(0);
  int inner = side - 2;
  int x = point % inner + 1;
  int y = point / inner + 1;
  if (y > inner)
    return;
  int at = y * side + x;
  out[at] = cx * (2.0 * u[at] - u[at - 1] - u[at + 1]) + cy * (2.0 * u[at] - u[at - side] - u[at + side]);
}

kernel void jacobi_update(global const double* restrict right, global const double* restrict product, global double* restrict residual,
                          global double* restrict u, int points, double factor) {
  int stride = get_global_size(0);
  for (int at = get_global_id(0); at < points; at += stride) {
    double rest = right[at] - product[at];
    residual[at] = rest;
    u[at] += rest * factor;
  }
}

// Sums of squares, one a group of 512.
kernel void jacobi_norm(global const double* restrict residual, global double* restrict sums, int points) {
  local double parts[512];
  int item = get_local_id(0);
  int stride = get_global_size(0);
  double sum = 0.0;
  for (int at = get_global_id(0); at < points; at += stride)
    sum += residual[at] * residual[at];
  parts[item] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int half_group = 256; half_group > 0; half_group /= 2) {
    if (item < half_group)
      parts[item] += parts[item + half_group];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (item == 0)
    sums[get_group_id(0)] = parts[0];
}
