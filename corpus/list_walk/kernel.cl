// Each work-item follows a linked list: every load waits for the one before it, and neighbours share nothing.
__kernel void list_walk(__global const int* next, __global const float* value, __global float* out, int walks,
                        int nodes, int steps) {
  int i = get_global_id(0);
  if (i >= walks)
    return;
  int node = i % nodes;
  float sum = 0.0f;
  for (int s = 0; s < steps; ++s) {
    sum += value[node];
    node = next[node];
  }
  out[i] = sum;
}
