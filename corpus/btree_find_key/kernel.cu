// Look-up of one key in a B+ tree of three levels: a block a query, a thread a key of the node.
// Level l keeps the keys of its nodes side by side, with the next node's first key behind the last one.
#define ORDER 128

/// The child of `node` whose keys can hold `wanted`; found by one thread, told to all.
__device__ int descend(const int* key, const int* child, int node, int wanted, int* next) {
  const int slot = node * ORDER + threadIdx.x;
  if (key[slot] <= wanted && wanted < key[slot + 1])
    *next = child[slot];
  __syncthreads();
  const int chosen = *next;
  __syncthreads();
  return chosen;
}

__global__ void __launch_bounds__(ORDER)
    btree_find_key(const int* root_key, const int* root_child, const int* inner_key, const int* inner_child,
                   const int* leaf_key, const int* record, const int* query, int* answer, int queries) {
  __shared__ int next;
  if (static_cast<int>(blockIdx.x) >= queries)
    return;
  const int wanted = query[blockIdx.x];
  const int inner = descend(root_key, root_child, 0, wanted, &next);
  const int leaf = descend(inner_key, inner_child, inner, wanted, &next);
  const int slot = leaf * ORDER + threadIdx.x;
  if (leaf_key[slot] == wanted)
    answer[blockIdx.x] = record[slot];
}
