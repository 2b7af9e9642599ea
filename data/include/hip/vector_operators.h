// HIP's vectors have arithmetic by components, with vectors and with numbers; CUDA's have none. Templates, as HIP's are:
// a source's own operators go before them.
#pragma once
#pragma clang system_header

#define FW_VECTOR_OPERATOR(vector, type, op, by_components, by_number, number_by)                            \
  template <int = 0> FW_BOTH vector operator op(vector a, vector b) { return by_components(op); }            \
  template <int = 0> FW_BOTH vector operator op(vector a, type s) { return by_number(op); }                  \
  template <int = 0> FW_BOTH vector operator op(type s, vector b) { return number_by(op); }                  \
  template <int = 0> FW_BOTH vector& operator op##=(vector& a, vector b) { return a = a op b; }              \
  template <int = 0> FW_BOTH vector& operator op##=(vector& a, type s) { return a = a op s; }
#define FW_VECTOR_OPERATORS(vector, type, n)                                                                 \
  FW_VECTOR_OPERATOR(vector, type, +, FW_PAIRS##n, FW_LEFT##n, FW_RIGHT##n)                                  \
  FW_VECTOR_OPERATOR(vector, type, -, FW_PAIRS##n, FW_LEFT##n, FW_RIGHT##n)                                  \
  FW_VECTOR_OPERATOR(vector, type, *, FW_PAIRS##n, FW_LEFT##n, FW_RIGHT##n)                                  \
  FW_VECTOR_OPERATOR(vector, type, /, FW_PAIRS##n, FW_LEFT##n, FW_RIGHT##n)

#define FW_PAIRS2(op) {a.x op b.x, a.y op b.y}
#define FW_PAIRS3(op) {a.x op b.x, a.y op b.y, a.z op b.z}
#define FW_PAIRS4(op) {a.x op b.x, a.y op b.y, a.z op b.z, a.w op b.w}
#define FW_LEFT2(op) {a.x op s, a.y op s}
#define FW_LEFT3(op) {a.x op s, a.y op s, a.z op s}
#define FW_LEFT4(op) {a.x op s, a.y op s, a.z op s, a.w op s}
#define FW_RIGHT2(op) {s op b.x, s op b.y}
#define FW_RIGHT3(op) {s op b.x, s op b.y, s op b.z}
#define FW_RIGHT4(op) {s op b.x, s op b.y, s op b.z, s op b.w}

#define FW_VECTOR_OPERATORS_OF(name, type)                                                                   \
  FW_VECTOR_OPERATORS(name##2, type, 2)                                                                      \
  FW_VECTOR_OPERATORS(name##3, type, 3)                                                                      \
  FW_VECTOR_OPERATORS(name##4, type, 4)
FW_VECTOR_OPERATORS_OF(int, int)
FW_VECTOR_OPERATORS_OF(uint, unsigned)
FW_VECTOR_OPERATORS_OF(float, float)
FW_VECTOR_OPERATORS_OF(double, double)

#undef FW_VECTOR_OPERATOR
#undef FW_VECTOR_OPERATORS
#undef FW_VECTOR_OPERATORS_OF
#undef FW_PAIRS2
#undef FW_PAIRS3
#undef FW_PAIRS4
#undef FW_LEFT2
#undef FW_LEFT3
#undef FW_LEFT4
#undef FW_RIGHT2
#undef FW_RIGHT3
#undef FW_RIGHT4
