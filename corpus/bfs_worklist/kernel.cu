// One level of a breadth-first search, data-driven: a thread takes a node of the worklist, claims its
// unvisited neighbours and appends them to the next worklist.
__global__ void bfs_worklist(const int* edge_begin, const int* edge, int* level, const int* worklist,
                             int* next, int* next_count, int count, int depth) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  int node = worklist[i];
  for (int e = edge_begin[node]; e < edge_begin[node + 1]; ++e) {
    int neighbour = edge[e];
    if (level[neighbour] < 0 && atomicCAS(&level[neighbour], -1, depth) < 0)
      next[atomicAdd(next_count, 1)] = neighbour;
  }
}
