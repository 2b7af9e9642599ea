enum { ORDER = 128 };

static int find(const int* key, int node, int wanted) {
  int slot = node * ORDER;
  while (!(key[slot] <= wanted && wanted < key[slot + 1]))
    ++slot;
  return slot;
}

void reference_btree_find_key(void** v) {
  const int *root_key = v[0], *root_child = v[1], *inner_key = v[2], *inner_child = v[3];
  const int *leaf_key = v[4], *record = v[5], *query = v[6];
  int *answer = v[7], queries = *(int*)v[8];
  for (int q = 0; q < queries; ++q) {
    int inner = root_child[find(root_key, 0, query[q])];
    int leaf = inner_child[find(inner_key, inner, query[q])];
    answer[q] = record[find(leaf_key, leaf, query[q])];
  }
}
