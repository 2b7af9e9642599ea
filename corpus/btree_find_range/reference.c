enum { ORDER = 128 };

static int find(const int* key, int node, int wanted) {
  int slot = node * ORDER;
  while (!(key[slot] <= wanted && wanted < key[slot + 1]))
    ++slot;
  return slot;
}

void reference_btree_find_range(void** v) {
  const int *root_key = v[0], *root_child = v[1], *inner_key = v[2], *inner_child = v[3];
  const int *leaf_key = v[4], *record = v[5], *range_begin = v[6], *range_size = v[7];
  int *first_record = v[8], *found = v[9], last_key = *(int*)v[10], queries = *(int*)v[11];
  for (int q = 0; q < queries; ++q) {
    int end[2] = {range_begin[q], range_begin[q] + range_size[q]}, rows[2];
    if (end[1] > last_key)
      end[1] = last_key;
    for (int e = 0; e < 2; ++e) {
      int inner = root_child[find(root_key, 0, end[e])];
      int leaf = inner_child[find(inner_key, inner, end[e])];
      rows[e] = record[find(leaf_key, leaf, end[e])];
    }
    first_record[q] = rows[0];
    found[q] = rows[1] - rows[0] + 1;
  }
}
