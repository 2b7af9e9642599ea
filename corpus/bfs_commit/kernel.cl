// After one level of a breadth-first search: what was found becomes the frontier and counts as visited.
__kernel void bfs_commit(__global uchar* found, __global uchar* frontier, __global uchar* visited, __global int* more,
                         int nodes) {
  int node = get_global_id(0);
  if (node >= nodes || !found[node])
    return;
  frontier[node] = 1;
  visited[node] = 1;
  found[node] = 0;
  more[0] = 1;
}
