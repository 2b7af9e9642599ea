#include <math.h>

void gramschmidt_norm(const float* a, float* r, int rows, int columns, int k) {
  float sum = 0.0f;
  for (int i = 0; i < rows; ++i)
    sum += a[i * columns + k] * a[i * columns + k];
  r[k * columns + k] = sqrtf(sum);
}

void reference_gramschmidt_norm(void** v) {
  gramschmidt_norm(v[0], v[1], *(int*)v[2], *(int*)v[3], *(int*)v[4]);
}
