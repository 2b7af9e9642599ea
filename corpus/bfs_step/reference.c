void bfs_step(const int* edge_begin, const int* edge, const unsigned char* frontier, unsigned char* next,
              const unsigned char* visited, int* cost, int nodes) {
  for (int node = 0; node < nodes; ++node)
    if (frontier[node])
      for (int i = edge_begin[node]; i < edge_begin[node + 1]; ++i)
        if (!visited[edge[i]]) {
          cost[edge[i]] = 1;
          next[edge[i]] = 1;
        }
}

void reference_bfs_step(void** v) { bfs_step(v[0], v[1], v[2], v[3], v[4], v[5], *(int*)v[6]); }
