void list_walk(const int* next, const float* value, float* out, int walks, int nodes, int steps) {
  for (int i = 0; i < walks; ++i) {
    int node = i % nodes;
    float sum = 0.0f;
    for (int s = 0; s < steps; ++s, node = next[node])
      sum += value[node];
    out[i] = sum;
  }
}

void reference_list_walk(void** v) {
  list_walk(v[0], v[1], v[2], *(int*)v[3], *(int*)v[4], *(int*)v[5]);
}
