// Point-major features become feature-major, one work-item a point: reads stride, writes coalesce.
__kernel void kmeans_swap(__global const float* by_point, __global float* by_feature, int points, int features) {
  int point = get_global_id(0);
  if (point >= points)
    return;
  for (int f = 0; f < features; ++f)
    by_feature[f * points + point] = by_point[point * features + f];
}
