#include <float.h>
#include <math.h>

void kmeans_assign(const float* feature, const float* centre, int* membership, int points, int clusters, int features) {
  for (int point = 0; point < points; ++point) {
    int nearest = 0;
    float least = FLT_MAX;
    for (int c = 0; c < clusters; ++c) {
      float distance = 0.0f;
      for (int f = 0; f < features; ++f) {
        float difference = feature[f * points + point] - centre[c * features + f];
        distance = fmaf(difference, difference, distance);
      }
      if (distance < least) {
        least = distance;
        nearest = c;
      }
    }
    membership[point] = nearest;
  }
}

void reference_kmeans_assign(void** v) {
  kmeans_assign(v[0], v[1], v[2], *(int*)v[3], *(int*)v[4], *(int*)v[5]);
}
