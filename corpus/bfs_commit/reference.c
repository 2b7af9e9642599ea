void bfs_commit(unsigned char* found, unsigned char* frontier, unsigned char* visited, int* more, int nodes) {
  for (int node = 0; node < nodes; ++node)
    if (found[node]) {
      frontier[node] = visited[node] = 1;
      found[node] = 0;
      *more = 1;
    }
}

void reference_bfs_commit(void** v) { bfs_commit(v[0], v[1], v[2], v[3], *(int*)v[4]); }
