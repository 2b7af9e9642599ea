void sssp_relax(const int* edge_begin, const int* edge, const int* weight, const int* distance, int* next,
                int nodes) {
  for (int node = 0; node < nodes; ++node)
    for (int e = edge_begin[node]; e < edge_begin[node + 1]; ++e) {
      int through = distance[node] + weight[e];
      if (through < next[edge[e]])
        next[edge[e]] = through;
    }
}

void reference_sssp_relax(void** v) {
  sssp_relax(v[0], v[1], v[2], v[3], v[4], *(int*)v[5]);
}
