// One level of a breadth-first search: every node of the frontier visits its neighbours.
__kernel void bfs_step(__global const int* edge_begin, __global const int* edge, __global const uchar* frontier,
                       __global uchar* next, __global const uchar* visited, __global int* cost, int nodes) {
  int node = get_global_id(0);
  if (node >= nodes || !frontier[node])
    return;
  for (int i = edge_begin[node]; i < edge_begin[node + 1]; ++i) {
    int neighbour = edge[i];
    if (!visited[neighbour]) {
      cost[neighbour] = 1;
      next[neighbour] = 1;
    }
  }
}
