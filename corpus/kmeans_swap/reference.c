void kmeans_swap(const float* by_point, float* by_feature, int points, int features) {
  for (int point = 0; point < points; ++point)
    for (int f = 0; f < features; ++f)
      by_feature[f * points + point] = by_point[point * features + f];
}

void reference_kmeans_swap(void** v) { kmeans_swap(v[0], v[1], *(int*)v[2], *(int*)v[3]); }
