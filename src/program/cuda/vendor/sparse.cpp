// cuSPARSE's products of a sparse matrix with dense vectors and matrices: computed here, named without a
// time.
#include "program/cuda/vendor/library.h"

using namespace forewarp::program;

namespace {

enum class SparseStatus { success = 0, invalid_value = 3, execution_failed = 6, not_supported = 10 };
constexpr int sparse_f32 = 0, sparse_f64 = 1;                 // cudaDataType
constexpr int sparse_index_32 = 2, sparse_index_64 = 3;       // cusparseIndexType_t
constexpr int sparse_order_columns = 1, sparse_on_device = 1; // cusparseOrder_t, cusparsePointerMode_t

struct SparseHandle {
  cudaStream_t stream = nullptr;
  int pointer_mode = 0;
};

struct SparseMatrix {
  long rows = 0, columns = 0, entries = 0;
  const void *row_part = nullptr, *column_of = nullptr, *values = nullptr;
  int row_type = 0, column_type = 0, base = 0, type = 0;
  bool is_csr = false; ///< `row_part` has the places where rows begin; else each entry's row
};

struct DenseMatrix {
  long rows = 0, columns = 0, leading = 0;
  void* values = nullptr;
  int type = 0, order = sparse_order_columns;
  long place(long row, long column) const {
    return order == sparse_order_columns ? row + column * leading : row * leading + column;
  }
  long reach() const { return leading * (order == sparse_order_columns ? columns : rows); }
};

long index_at(const void* indices, int type, long place) {
  return type == sparse_index_32 ? static_cast<const std::int32_t*>(indices)[place]
                                 : static_cast<const std::int64_t*>(indices)[place];
}

std::uint64_t index_bytes(int type, long count) {
  return static_cast<std::uint64_t>(count) * (type == sparse_index_32 ? 4 : 8);
}

std::uint64_t value_bytes(int type, long count) {
  return static_cast<std::uint64_t>(count) * (type == sparse_f32 ? 4 : 8);
}

bool all_there(const char* name, const SparseMatrix& a, const DenseMatrix& b, const DenseMatrix& c) {
  const long parts = a.is_csr ? a.rows + 1 : a.entries;
  return lies_in_buffer(name, a.row_part, index_bytes(a.row_type, parts)) &&
         lies_in_buffer(name, a.column_of, index_bytes(a.column_type, a.entries)) &&
         lies_in_buffer(name, a.values, value_bytes(a.type, a.entries)) &&
         lies_in_buffer(name, b.values, value_bytes(b.type, b.reach())) &&
         lies_in_buffer(name, c.values, value_bytes(c.type, c.reach()));
}

/// `visit(row, column, entry)` of each entry.
template <class Visit> void each_entry(const SparseMatrix& a, Visit visit) {
  long row = 0;
  for (long k = 0; k < a.entries; ++k) {
    if (a.is_csr)
      while (row + 1 < a.rows && index_at(a.row_part, a.row_type, row + 1) - a.base <= k)
        ++row;
    else
      row = index_at(a.row_part, a.row_type, k) - a.base;
    visit(row, index_at(a.column_of, a.column_type, k) - a.base, k);
  }
}

/// c = alpha op(a) op(b) + beta c, summed in double. False: an index lies outside of its matrix.
template <class T>
bool sparse_product(const SparseMatrix& a, bool turned, const DenseMatrix& b, bool b_turned,
                    const DenseMatrix& c, const T* alpha, const T* beta) {
  auto* out = static_cast<T*>(c.values);
  const auto* in = static_cast<const T*>(b.values);
  std::vector<double> sums(static_cast<std::size_t>(c.rows * c.columns));
  bool inside = true;
  each_entry(a, [&](long row, long column, long k) {
    if (row < 0 || row >= a.rows || column < 0 || column >= a.columns) {
      inside = false;
      return;
    }
    const long to = turned ? column : row, from = turned ? row : column;
    const double value = static_cast<const T*>(a.values)[k];
    for (long j = 0; j < c.columns; ++j)
      sums[static_cast<std::size_t>(to * c.columns + j)] +=
          value * in[b_turned ? b.place(j, from) : b.place(from, j)];
  });
  for (long i = 0; inside && i < c.rows; ++i)
    for (long j = 0; j < c.columns; ++j) {
      T& value = out[c.place(i, j)];
      const double before = *beta == T(0) ? 0 : static_cast<double>(*beta) * value;
      value = static_cast<T>(*alpha * sums[static_cast<std::size_t>(i * c.columns + j)] + before);
    }
  return inside;
}

SparseStatus multiply(const char* name, SparseHandle* handle, int a_is, int b_is, const void* alpha,
                      const SparseMatrix& a, const DenseMatrix& b, const void* beta, const DenseMatrix& c,
                      int compute) {
  Call call;
  const bool turned = a_is != 0, b_turned = b_is != 0;
  const long inner = turned ? a.rows : a.columns, outer = turned ? a.columns : a.rows;
  if ((b_turned ? b.columns : b.rows) != inner || (b_turned ? b.rows : b.columns) != c.columns ||
      c.rows != outer)
    return SparseStatus::invalid_value;
  const auto is_known = [](int index) { return index == sparse_index_32 || index == sparse_index_64; };
  if ((compute != sparse_f32 && compute != sparse_f64) || a.type != compute || b.type != compute ||
      c.type != compute || !is_known(a.row_type) || !is_known(a.column_type))
    return SparseStatus::not_supported;
  const std::string with = c.columns == 1 ? "" : ", " + std::to_string(c.columns) + " columns";
  tell_library_call(call, name,
                    std::to_string(a.rows) + " x " + std::to_string(a.columns) + ", " +
                        std::to_string(a.entries) + " entries" + with,
                    handle->stream);
  if (!all_there(name, a, b, c))
    return SparseStatus::execution_failed;
  const bool done = compute == sparse_f32
                        ? sparse_product(a, turned, b, b_turned, c, static_cast<const float*>(alpha),
                                         static_cast<const float*>(beta))
                        : sparse_product(a, turned, b, b_turned, c, static_cast<const double*>(alpha),
                                         static_cast<const double*>(beta));
  wrote(c.values);
  if (done)
    return SparseStatus::success;
  tell({{"op", "fault"},
        {"kernel", name},
        {"what", std::string(name) + ": an index of the sparse matrix lies outside of it"}});
  return SparseStatus::execution_failed;
}

template <class T> SparseStatus destroy(const T* what) {
  delete what;
  return SparseStatus::success;
}

} // namespace

FOREWARP_API SparseStatus cusparseCreate(SparseHandle** out) {
  *out = new SparseHandle;
  return SparseStatus::success;
}
FOREWARP_API SparseStatus cusparseDestroy(SparseHandle* handle) {
  return destroy(handle);
}
FOREWARP_API SparseStatus cusparseSetStream(SparseHandle* handle, cudaStream_t stream) {
  handle->stream = stream;
  return SparseStatus::success;
}
FOREWARP_API SparseStatus cusparseSetPointerMode(SparseHandle* handle, int mode) {
  handle->pointer_mode = mode; // both memories are this process's
  return mode == 0 || mode == sparse_on_device ? SparseStatus::success : SparseStatus::invalid_value;
}
FOREWARP_API const char* cusparseGetErrorName(SparseStatus status) {
  switch (status) {
  case SparseStatus::success:
    return "CUSPARSE_STATUS_SUCCESS";
  case SparseStatus::invalid_value:
    return "CUSPARSE_STATUS_INVALID_VALUE";
  case SparseStatus::execution_failed:
    return "CUSPARSE_STATUS_EXECUTION_FAILED";
  default:
    return "CUSPARSE_STATUS_NOT_SUPPORTED";
  }
}
FOREWARP_API const char* cusparseGetErrorString(SparseStatus status) {
  return cusparseGetErrorName(status);
}
FOREWARP_API SparseStatus cusparseCreateCsr(SparseMatrix** out, long rows, long columns, long entries,
                                            void* row_begins, void* column_of, void* values, int row_type,
                                            int column_type, int base, int type) {
  *out = new SparseMatrix{rows,     columns,     entries, row_begins, column_of, values,
                          row_type, column_type, base,    type,       true};
  return SparseStatus::success;
}
FOREWARP_API SparseStatus cusparseCreateCoo(SparseMatrix** out, long rows, long columns, long entries,
                                            void* row_of, void* column_of, void* values, int index_type,
                                            int base, int type) {
  *out = new SparseMatrix{rows,       columns,    entries, row_of, column_of, values,
                          index_type, index_type, base,    type,   false};
  return SparseStatus::success;
}
FOREWARP_API SparseStatus cusparseDestroySpMat(const SparseMatrix* matrix) {
  return destroy(matrix);
}
FOREWARP_API SparseStatus cusparseSpMatGetSize(const SparseMatrix* matrix, long* rows, long* columns,
                                               long* entries) {
  *rows = matrix->rows;
  *columns = matrix->columns;
  *entries = matrix->entries;
  return SparseStatus::success;
}
FOREWARP_API SparseStatus cusparseCreateDnVec(DenseMatrix** out, long size, void* values, int type) {
  *out = new DenseMatrix{size, 1, size, values, type};
  return SparseStatus::success;
}
FOREWARP_API SparseStatus cusparseDestroyDnVec(const DenseMatrix* vector) {
  return destroy(vector);
}
FOREWARP_API SparseStatus cusparseDnVecSetValues(DenseMatrix* vector, void* values) {
  vector->values = values;
  return SparseStatus::success;
}
FOREWARP_API SparseStatus cusparseCreateDnMat(DenseMatrix** out, long rows, long columns, long leading,
                                              void* values, int type, int order) {
  *out = new DenseMatrix{rows, columns, leading, values, type, order};
  return SparseStatus::success;
}
FOREWARP_API SparseStatus cusparseDestroyDnMat(const DenseMatrix* matrix) {
  return destroy(matrix);
}
FOREWARP_API SparseStatus cusparseSpMV_bufferSize(SparseHandle*, int, const void*, const SparseMatrix*,
                                                  const DenseMatrix*, const void*, DenseMatrix*, int, int,
                                                  std::size_t* bytes) {
  *bytes = 1; // programs allocate it
  return SparseStatus::success;
}
FOREWARP_API SparseStatus cusparseSpMV_preprocess(SparseHandle*, int, const void*, const SparseMatrix*,
                                                  const DenseMatrix*, const void*, DenseMatrix*, int, int,
                                                  void*) {
  return SparseStatus::success;
}
FOREWARP_API SparseStatus cusparseSpMV(SparseHandle* handle, int operation, const void* alpha,
                                       const SparseMatrix* a, const DenseMatrix* x, const void* beta,
                                       DenseMatrix* y, int compute, int, void*) {
  return multiply("cusparseSpMV", handle, operation, 0, alpha, *a, *x, beta, *y, compute);
}
FOREWARP_API SparseStatus cusparseSpMM_bufferSize(SparseHandle*, int, int, const void*, const SparseMatrix*,
                                                  const DenseMatrix*, const void*, DenseMatrix*, int, int,
                                                  std::size_t* bytes) {
  *bytes = 1;
  return SparseStatus::success;
}
FOREWARP_API SparseStatus cusparseSpMM_preprocess(SparseHandle*, int, int, const void*, const SparseMatrix*,
                                                  const DenseMatrix*, const void*, DenseMatrix*, int, int,
                                                  void*) {
  return SparseStatus::success;
}
FOREWARP_API SparseStatus cusparseSpMM(SparseHandle* handle, int a_is, int b_is, const void* alpha,
                                       const SparseMatrix* a, const DenseMatrix* b, const void* beta,
                                       DenseMatrix* c, int compute, int, void*) {
  return multiply("cusparseSpMM", handle, a_is, b_is, alpha, *a, *b, beta, *c, compute);
}
