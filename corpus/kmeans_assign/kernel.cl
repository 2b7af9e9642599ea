// The nearest of `clusters` centres for each point; features stored feature-major, so that reads coalesce.
__kernel void kmeans_assign(__global const float* feature, __global const float* centre, __global int* membership,
                            int points, int clusters, int features) {
  int point = get_global_id(0);
  if (point >= points)
    return;
  int nearest = 0;
  float least = FLT_MAX;
  for (int c = 0; c < clusters; ++c) {
    float distance = 0.0f;
    for (int f = 0; f < features; ++f) {
      float difference = feature[f * points + point] - centre[c * features + f];
      distance += difference * difference;
    }
    if (distance < least) {
      least = distance;
      nearest = c;
    }
  }
  membership[point] = nearest;
}
