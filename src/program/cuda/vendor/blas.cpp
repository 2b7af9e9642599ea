// cuBLAS' functions: computed here, by the machine's own BLAS where it has one, named without a time.
#include "program/cuda/vendor/blas.h"
#include "program/cuda/vendor/library.h"
#include "program/cuda/vendor/narrow_floats.h"

#include <algorithm>
#include <cmath>
#include <dlfcn.h>

using namespace forewarp::program;

namespace {

using enum BlasStatus;
using Status = BlasStatus;
using Handle = BlasHandle;
enum Operation { plain = 0, transposed = 1 };

char letter(int operation) {
  return operation == plain ? 'N' : 'T';
}

/// A matrix by columns, as the caller has it, whatever its elements are.
struct Matrix {
  const void* at = nullptr;
  long rows = 0, columns = 0, step = 0; ///< of what is stored
};

/// A call that is told and that waits where the host reads its result. `failed`: an argument leads to no
/// buffer.
class BlasCall {
public:
  BlasCall(Handle* handle, const char* name, const std::string& shape) : name_(name), handle_(handle) {
    tell_library_call(call_, name, shape, handle->stream);
  }
  template <class T> void needs(const T* at, long elements) {
    if (elements <= 0 || failed_)
      return;
    failed_ = !lies_in_buffer(name_, at, static_cast<std::uint64_t>(elements) * sizeof(T));
  }
  bool failed() const { return failed_; }
  Status end(bool host_reads) {
    wrote_everywhere();
    if (failed_) {
      give(state().sticky = cudaErrorIllegalAddress);
      return execution_failed;
    }
    const Stream& stream = stream_of(handle_->stream);
    if (host_reads && handle_->pointer_mode == 0 && stream.last > 0)
      call_.leave_at(wait_for({stream.last}, call_.entered_at()));
    return success;
  }

private:
  Call call_;
  const char* name_;
  Handle* handle_;
  bool failed_ = false;
};

template <class T> long reach(long n, long step) {
  return n > 0 ? (n - 1) * std::labs(step) + 1 : 0;
}

/// The place of the first element: BLAS goes through vectors with negative steps from their far end.
long start(long n, long step) {
  return step < 0 ? (1 - n) * step : 0;
}

/// As cuBLAS refuses them: sizes below zero, columns that overlap.
bool is_wrong(int ta, int tb, int m, int n, int k, int lda, int ldb, int ldc, int count) {
  return m < 0 || n < 0 || k < 0 || count < 0 || lda < std::max(1, ta == plain ? m : k) ||
         ldb < std::max(1, tb == plain ? k : n) || ldc < std::max(1, m);
}
bool is_wrong(int m, int n, int lda, int x_step, int y_step) {
  return m < 0 || n < 0 || lda < std::max(1, m) || x_step == 0 || y_step == 0;
}

template <class T>
using Gemm = void (*)(const char*, const char*, const int*, const int*, const int*, const T*, const T*,
                      const int*, const T*, const int*, const T*, T*, const int*);

/// The machine's own, by the name that Fortran gave it; null: it has none.
template <class T> Gemm<T> machines_gemm() {
  static const auto found = [] {
    for (const char* file : {"libopenblas.so.0", "libblas.so.3"})
      if (void* library = ::dlopen(file, RTLD_NOW | RTLD_LOCAL))
        if (void* function = ::dlsym(library, sizeof(T) == 4 ? "sgemm_" : "dgemm_"))
          return reinterpret_cast<Gemm<T>>(function);
    return Gemm<T>{};
  }();
  return found;
}

/// Column by column, so that the innermost loop goes along the columns of C.
template <class T>
void own_gemm(int ta, int tb, int m, int n, int k, T alpha, const T* a, int lda, const T* b, int ldb, T beta,
              T* c, int ldc) {
  std::vector<T> turned;
  if (ta != plain) {
    turned.resize(static_cast<std::size_t>(m) * static_cast<std::size_t>(k));
    for (long i = 0; i < m; ++i)
      for (long l = 0; l < k; ++l)
        turned[static_cast<std::size_t>(l * m + i)] = a[i * lda + l];
    a = turned.data(), lda = m;
  }
  for (long j = 0; j < n; ++j) {
    T* column = c + j * ldc;
    for (long i = 0; i < m; ++i)
      column[i] = beta == T(0) ? T(0) : beta * column[i];
    for (long l = 0; l < k; ++l) {
      const T factor = alpha * (tb == plain ? b[j * ldb + l] : b[l * ldb + j]);
      const T* from = a + l * lda;
      for (long i = 0; i < m; ++i)
        column[i] += factor * from[i];
    }
  }
}

template <class T>
void gemm(int ta, int tb, int m, int n, int k, T alpha, const T* a, int lda, const T* b, int ldb, T beta,
          T* c, int ldc) {
  if (m <= 0 || n <= 0)
    return;
  if (const Gemm<T> function = machines_gemm<T>(); function && k > 0) {
    const char x = letter(ta), y = letter(tb);
    function(&x, &y, &m, &n, &k, &alpha, a, &lda, b, &ldb, &beta, c, &ldc);
  } else {
    own_gemm(ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
  }
}

std::string product_shape(int ta, int tb, int m, int n, int k, int count, const char* of) {
  const std::string each = std::to_string(m) + " x " + std::to_string(n) + " x " + std::to_string(k) + " " +
                           of + ", " + letter(ta) + letter(tb);
  return count > 1 ? std::to_string(count) + " of " + each : each;
}

long stored(long rows, long columns, long step) {
  return rows > 0 && columns > 0 ? (columns - 1) * step + rows : 0;
}

template <class T>
Status gemm_call(Handle* handle, const char* name, int ta, int tb, int m, int n, int k, const T* alpha,
                 const T* a, int lda, long long a_step, const T* b, int ldb, long long b_step, const T* beta,
                 T* c, int ldc, long long c_step, int count) {
  if (!handle)
    return not_initialized;
  if (is_wrong(ta, tb, m, n, k, lda, ldb, ldc, count))
    return invalid_value;
  BlasCall call(handle, name, product_shape(ta, tb, m, n, k, count, sizeof(T) == 4 ? "float" : "double"));
  for (int i = 0; i < count; ++i) {
    call.needs(a + i * a_step, ta == plain ? stored(m, k, lda) : stored(k, m, lda));
    call.needs(b + i * b_step, tb == plain ? stored(k, n, ldb) : stored(n, k, ldb));
    call.needs(c + i * c_step, stored(m, n, ldc));
    if (!call.failed() && state().execute != "none")
      gemm(ta, tb, m, n, k, *alpha, a + i * a_step, lda, b + i * b_step, ldb, *beta, c + i * c_step, ldc);
  }
  return call.end(false);
}

template <class T>
Status gemm_list(Handle* handle, const char* name, int ta, int tb, int m, int n, int k, const T* alpha,
                 const T* const* a, int lda, const T* const* b, int ldb, const T* beta, T* const* c, int ldc,
                 int count) {
  if (!handle)
    return not_initialized;
  if (is_wrong(ta, tb, m, n, k, lda, ldb, ldc, count))
    return invalid_value;
  BlasCall call(handle, name, product_shape(ta, tb, m, n, k, count, sizeof(T) == 4 ? "float" : "double"));
  call.needs(a, count), call.needs(b, count), call.needs(c, count);
  for (int i = 0; i < count && !call.failed(); ++i) {
    call.needs(a[i], ta == plain ? stored(m, k, lda) : stored(k, m, lda));
    call.needs(b[i], tb == plain ? stored(k, n, ldb) : stored(n, k, ldb));
    call.needs(c[i], stored(m, n, ldc));
    if (!call.failed() && state().execute != "none")
      gemm(ta, tb, m, n, k, *alpha, a[i], lda, b[i], ldb, *beta, c[i], ldc);
  }
  return call.end(false);
}

/// Over elements of vectors: `each(x, y)` with places in them. Steps may be negative, as BLAS has it.
template <class T, class Each>
Status over(Handle* handle, const char* name, long n, const T* x, long x_step, const T* y, long y_step,
            bool host_reads, Each each) {
  if (!handle)
    return not_initialized;
  BlasCall call(handle, name, std::to_string(n) + (sizeof(T) == 4 ? " float" : " double"));
  call.needs(x, reach<T>(n, x_step));
  if (y)
    call.needs(y, reach<T>(n, y_step));
  if (!call.failed() && state().execute != "none") {
    long i = start(n, x_step), j = start(n, y_step);
    for (long k = 0; k < n; ++k, i += x_step, j += y_step)
      each(i, j);
  }
  return call.end(host_reads);
}

template <class T>
Status gemv(Handle* handle, const char* name, int ta, int m, int n, const T* alpha, const T* a, int lda,
            const T* x, int x_step, const T* beta, T* y, int y_step) {
  if (!handle)
    return not_initialized;
  if (is_wrong(m, n, lda, x_step, y_step))
    return invalid_value;
  BlasCall call(handle, name,
                std::to_string(m) + " x " + std::to_string(n) + (sizeof(T) == 4 ? " float, " : " double, ") +
                    letter(ta));
  const long ins = ta == plain ? n : m, outs = ta == plain ? m : n;
  call.needs(a, stored(m, n, lda)), call.needs(x, reach<T>(ins, x_step)),
      call.needs(y, reach<T>(outs, y_step));
  const long x0 = start(ins, x_step), y0 = start(outs, y_step);
  for (long i = 0; i < outs && !call.failed() && state().execute != "none"; ++i) {
    T sum = 0;
    for (long k = 0; k < ins; ++k)
      sum += (ta == plain ? a[k * lda + i] : a[i * lda + k]) * x[x0 + k * x_step];
    T& out = y[y0 + i * y_step];
    out = *alpha * sum + (*beta == T(0) ? T(0) : *beta * out);
  }
  return call.end(false);
}

template <class T>
Status geam(Handle* handle, const char* name, int ta, int tb, int m, int n, const T* alpha, const T* a,
            int lda, const T* beta, const T* b, int ldb, T* c, int ldc) {
  if (!handle)
    return not_initialized;
  if (m < 0 || n < 0 || ldc < std::max(1, m))
    return invalid_value;
  BlasCall call(handle, name,
                std::to_string(m) + " x " + std::to_string(n) + (sizeof(T) == 4 ? " float, " : " double, ") +
                    letter(ta) + letter(tb));
  const bool with_a = *alpha != T(0), with_b = *beta != T(0);
  if (with_a)
    call.needs(a, ta == plain ? stored(m, n, lda) : stored(n, m, lda));
  if (with_b)
    call.needs(b, tb == plain ? stored(m, n, ldb) : stored(n, m, ldb));
  call.needs(c, stored(m, n, ldc));
  if (!call.failed() && state().execute != "none")
    for (long j = 0; j < n; ++j)
      for (long i = 0; i < m; ++i) {
        const T left = with_a ? *alpha * (ta == plain ? a[j * lda + i] : a[i * lda + j]) : T(0);
        c[j * ldc + i] = left + (with_b ? *beta * (tb == plain ? b[j * ldb + i] : b[i * ldb + j]) : T(0));
      }
  return call.end(false);
}

template <class T>
Status ger(Handle* handle, const char* name, int m, int n, const T* alpha, const T* x, int x_step, const T* y,
           int y_step, T* a, int lda) {
  if (!handle)
    return not_initialized;
  if (is_wrong(m, n, lda, x_step, y_step))
    return invalid_value;
  BlasCall call(handle, name,
                std::to_string(m) + " x " + std::to_string(n) + (sizeof(T) == 4 ? " float" : " double"));
  call.needs(x, reach<T>(m, x_step)), call.needs(y, reach<T>(n, y_step)), call.needs(a, stored(m, n, lda));
  const long x0 = start(m, x_step), y0 = start(n, y_step);
  for (long j = 0; j < n && !call.failed() && state().execute != "none"; ++j)
    for (long i = 0; i < m; ++i)
      a[j * lda + i] += *alpha * x[x0 + i * x_step] * y[y0 + j * y_step];
  return call.end(false);
}

/// The first place of the best, from 1.
template <class T, class Better>
Status place(Handle* handle, const char* name, int n, const T* x, int step, int* out, Better better) {
  int best = 0, k = 0;
  T value{};
  const Status status = over<T>(handle, name, n, x, step, nullptr, 0, true, [&](long i, long) {
    if (++k == 1 || better(std::abs(x[i]), value))
      best = k, value = std::abs(x[i]);
  });
  if (status == success)
    *out = best;
  return status;
}

/// Elements of a matrix as float: of 16 bits (half, bfloat16), 32 or 64.
std::vector<float> widened(const Matrix& matrix, int type) {
  std::vector<float> out(static_cast<std::size_t>(matrix.rows * matrix.columns));
  for (long j = 0; j < matrix.columns; ++j)
    for (long i = 0; i < matrix.rows; ++i)
      out[static_cast<std::size_t>(j * matrix.rows + i)] = load_float(matrix.at, type, j * matrix.step + i);
  return out;
}

struct TypedGemm {
  int ta, tb, m, n, k;
  Matrix a, b, c;
  int a_type, b_type, c_type;
  float alpha, beta;

  void run() const {
    const std::vector<float> left = widened(a, a_type), right = widened(b, b_type);
    std::vector<float> out =
        beta == 0 ? std::vector<float>(static_cast<std::size_t>(m) * static_cast<std::size_t>(n))
                  : widened(c, c_type);
    gemm(ta, tb, m, n, k, alpha, left.data(), static_cast<int>(a.rows), right.data(),
         static_cast<int>(b.rows), beta, out.data(), m);
    for (long j = 0; j < n; ++j)
      for (long i = 0; i < m; ++i)
        store_float(const_cast<void*>(c.at), c_type, j * c.step + i,
                    out[static_cast<std::size_t>(j * m + i)]);
  }
};

/// cublasComputeType_t.
constexpr int of_16_bits = 64, of_64_bits = 70, of_integers = 72;

/// What a scalar is computed in: 16 or 32 bits.
float scalar(const void* at, int compute) {
  return compute == of_16_bits ? load_float(at, half_type, 0) : *static_cast<const float*>(at);
}

const void* moved(const void* at, int type, long long elements) {
  return static_cast<const char*>(at) + elements * float_bytes(type);
}

} // namespace

// NOLINTBEGIN(bugprone-macro-parentheses): T is a type
#define FOREWARP_BLAS(L, T)                                                                                  \
  FOREWARP_API Status cublas##L##gemm(Handle* h, int ta, int tb, int m, int n, int k, const T* alpha,        \
                                      const T* a, int lda, const T* b, int ldb, const T* beta, T* c,         \
                                      int ldc) {                                                             \
    return gemm_call(h, "cublas" #L "gemm", ta, tb, m, n, k, alpha, a, lda, 0, b, ldb, 0, beta, c, ldc, 0,   \
                     1);                                                                                     \
  }                                                                                                          \
  FOREWARP_API Status cublas##L##gemmStridedBatched(                                                         \
      Handle* h, int ta, int tb, int m, int n, int k, const T* alpha, const T* a, int lda, long long as,     \
      const T* b, int ldb, long long bs, const T* beta, T* c, int ldc, long long cs, int count) {            \
    return gemm_call(h, "cublas" #L "gemmStridedBatched", ta, tb, m, n, k, alpha, a, lda, as, b, ldb, bs,    \
                     beta, c, ldc, cs, count);                                                               \
  }                                                                                                          \
  FOREWARP_API Status cublas##L##gemmBatched(Handle* h, int ta, int tb, int m, int n, int k, const T* alpha, \
                                             const T* const* a, int lda, const T* const* b, int ldb,         \
                                             const T* beta, T* const* c, int ldc, int count) {               \
    return gemm_list(h, "cublas" #L "gemmBatched", ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc,     \
                     count);                                                                                 \
  }                                                                                                          \
  FOREWARP_API Status cublas##L##gemv(Handle* h, int ta, int m, int n, const T* alpha, const T* a, int lda,  \
                                      const T* x, int xs, const T* beta, T* y, int ys) {                     \
    return gemv(h, "cublas" #L "gemv", ta, m, n, alpha, a, lda, x, xs, beta, y, ys);                         \
  }                                                                                                          \
  FOREWARP_API Status cublas##L##ger(Handle* h, int m, int n, const T* alpha, const T* x, int xs,            \
                                     const T* y, int ys, T* a, int lda) {                                    \
    return ger(h, "cublas" #L "ger", m, n, alpha, x, xs, y, ys, a, lda);                                     \
  }                                                                                                          \
  FOREWARP_API Status cublas##L##geam(Handle* h, int ta, int tb, int m, int n, const T* alpha, const T* a,   \
                                      int lda, const T* beta, const T* b, int ldb, T* c, int ldc) {          \
    return geam(h, "cublas" #L "geam", ta, tb, m, n, alpha, a, lda, beta, b, ldb, c, ldc);                   \
  }                                                                                                          \
  FOREWARP_API Status cublas##L##axpy(Handle* h, int n, const T* alpha, const T* x, int xs, T* y, int ys) {  \
    return over<T>(h, "cublas" #L "axpy", n, x, xs, y, ys, false,                                            \
                   [&](long i, long j) { y[j] += *alpha * x[i]; });                                          \
  }                                                                                                          \
  FOREWARP_API Status cublas##L##scal(Handle* h, int n, const T* alpha, T* x, int xs) {                      \
    return over<T>(h, "cublas" #L "scal", n, x, xs, nullptr, 0, false,                                       \
                   [&](long i, long) { x[i] *= *alpha; });                                                   \
  }                                                                                                          \
  FOREWARP_API Status cublas##L##copy(Handle* h, int n, const T* x, int xs, T* y, int ys) {                  \
    return over<T>(h, "cublas" #L "copy", n, x, xs, y, ys, false, [&](long i, long j) { y[j] = x[i]; });     \
  }                                                                                                          \
  FOREWARP_API Status cublas##L##swap(Handle* h, int n, T* x, int xs, T* y, int ys) {                        \
    return over<T>(h, "cublas" #L "swap", n, x, xs, y, ys, false,                                            \
                   [&](long i, long j) { std::swap(x[i], y[j]); });                                          \
  }                                                                                                          \
  FOREWARP_API Status cublas##L##dot(Handle* h, int n, const T* x, int xs, const T* y, int ys, T* out) {     \
    double sum = 0;                                                                                          \
    const Status status = over<T>(h, "cublas" #L "dot", n, x, xs, y, ys, true,                               \
                                  [&](long i, long j) { sum += static_cast<double>(x[i]) * y[j]; });         \
    return status == success ? (*out = static_cast<T>(sum), status) : status;                                \
  }                                                                                                          \
  FOREWARP_API Status cublas##L##nrm2(Handle* h, int n, const T* x, int xs, T* out) {                        \
    double sum = 0;                                                                                          \
    const Status status = over<T>(h, "cublas" #L "nrm2", n, x, xs, nullptr, 0, true,                         \
                                  [&](long i, long) { sum += static_cast<double>(x[i]) * x[i]; });           \
    return status == success ? (*out = static_cast<T>(std::sqrt(sum)), status) : status;                     \
  }                                                                                                          \
  FOREWARP_API Status cublas##L##asum(Handle* h, int n, const T* x, int xs, T* out) {                        \
    double sum = 0;                                                                                          \
    const Status status = over<T>(h, "cublas" #L "asum", n, x, xs, nullptr, 0, true,                         \
                                  [&](long i, long) { sum += std::abs(x[i]); });                             \
    return status == success ? (*out = static_cast<T>(sum), status) : status;                                \
  }                                                                                                          \
  FOREWARP_API Status cublasI##L##amax(Handle* h, int n, const T* x, int xs, int* out) {                     \
    return place(h, "cublasI" #L "amax", n, x, xs, out, [](T a, T b) { return a > b; });                     \
  }                                                                                                          \
  FOREWARP_API Status cublasI##L##amin(Handle* h, int n, const T* x, int xs, int* out) {                     \
    return place(h, "cublasI" #L "amin", n, x, xs, out, [](T a, T b) { return a < b; });                     \
  }
FOREWARP_BLAS(S, float)
FOREWARP_BLAS(D, double)
#undef FOREWARP_BLAS
// NOLINTEND(bugprone-macro-parentheses)

/// Doubles as cublasDgemm has them; elements of 16 bits and floats in float.
FOREWARP_API Status cublasGemmStridedBatchedEx(Handle* h, int ta, int tb, int m, int n, int k,
                                               const void* alpha, const void* a, int a_type, int lda,
                                               long long as, const void* b, int b_type, int ldb, long long bs,
                                               const void* beta, void* c, int c_type, int ldc, long long cs,
                                               int count, int compute, int) {
  if (!h)
    return not_initialized;
  const char* name = count > 1 ? "cublasGemmStridedBatchedEx" : "cublasGemmEx";
  if (a_type == double_type && b_type == double_type && c_type == double_type && compute == of_64_bits)
    return gemm_call(h, name, ta, tb, m, n, k, static_cast<const double*>(alpha),
                     static_cast<const double*>(a), lda, as, static_cast<const double*>(b), ldb, bs,
                     static_cast<const double*>(beta), static_cast<double*>(c), ldc, cs, count);
  const auto in_float = [](int type) { return type != double_type && float_bytes(type) != 0; };
  if (!in_float(a_type) || !in_float(b_type) || !in_float(c_type) || compute == of_64_bits ||
      compute == of_integers)
    return not_supported;
  if (is_wrong(ta, tb, m, n, k, lda, ldb, ldc, count))
    return invalid_value;
  BlasCall call(h, name, product_shape(ta, tb, m, n, k, count, float_name(a_type)));
  for (int i = 0; i < count && !call.failed(); ++i) {
    const Matrix left = ta == plain ? Matrix{moved(a, a_type, i * as), m, k, lda}
                                    : Matrix{moved(a, a_type, i * as), k, m, lda};
    const Matrix right = tb == plain ? Matrix{moved(b, b_type, i * bs), k, n, ldb}
                                     : Matrix{moved(b, b_type, i * bs), n, k, ldb};
    const Matrix out{moved(c, c_type, i * cs), m, n, ldc};
    for (const auto& [matrix, type] :
         {std::pair{left, a_type}, std::pair{right, b_type}, std::pair{out, c_type}})
      call.needs(static_cast<const char*>(matrix.at),
                 stored(matrix.rows, matrix.columns, matrix.step) * float_bytes(type));
    if (!call.failed() && state().execute != "none")
      TypedGemm{ta,
                tb,
                m,
                n,
                k,
                left,
                right,
                out,
                a_type,
                b_type,
                c_type,
                scalar(alpha, compute),
                scalar(beta, compute)}
          .run();
  }
  return call.end(false);
}
FOREWARP_API Status cublasGemmEx(Handle* h, int ta, int tb, int m, int n, int k, const void* alpha,
                                 const void* a, int a_type, int lda, const void* b, int b_type, int ldb,
                                 const void* beta, void* c, int c_type, int ldc, int compute, int how) {
  return cublasGemmStridedBatchedEx(h, ta, tb, m, n, k, alpha, a, a_type, lda, 0, b, b_type, ldb, 0, beta, c,
                                    c_type, ldc, 0, 1, compute, how);
}
