void bfs_worklist(const int* edge_begin, const int* edge, int* level, const int* worklist, int* next,
                  int* next_count, int count, int depth) {
  for (int i = 0; i < count; ++i)
    for (int e = edge_begin[worklist[i]]; e < edge_begin[worklist[i] + 1]; ++e)
      if (level[edge[e]] < 0) {
        level[edge[e]] = depth;
        next[(*next_count)++] = edge[e];
      }
}

void reference_bfs_worklist(void** v) {
  bfs_worklist(v[0], v[1], v[2], v[3], v[4], v[5], *(int*)v[6], *(int*)v[7]);
}
