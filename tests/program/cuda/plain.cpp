// A file of a program that knows nothing of CUDA.
#include <algorithm>
#include <numeric>
#include <vector>

int largest_sum(int count) {
  std::vector<int> values(count);
  std::iota(values.begin(), values.end(), 1);
  return std::max(std::accumulate(values.begin(), values.end(), 0), 7);
}
