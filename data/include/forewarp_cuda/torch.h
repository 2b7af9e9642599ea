// PyTorch's names as far as host code around kernels needs them: tensors whose sizes are open numbers, dispatch macros,
// streams, bindings. Nothing of it is run. Dispatch over types makes the instance for float (int for integers); others
// by `--kernel 'f<double>'`. Of device code: accessors, Half and BFloat16. What is not here is passed over with the
// host function that uses it.
#pragma once
#pragma clang system_header
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

namespace c10 {

enum class ScalarType : signed char {
  Byte, Char, Short, Int, Long, Half, Float, Double, ComplexHalf, ComplexFloat, ComplexDouble, Bool, QInt8, QUInt8,
  QInt32, BFloat16, Float8_e5m2, Float8_e4m3fn, Undefined, NumOptions
};
enum class DeviceType : signed char { CPU, CUDA, HIP = 6, PrivateUse1 = 20 };
enum class MemoryFormat : signed char { Contiguous, Preserve, ChannelsLast, ChannelsLast3d };
enum class Layout : signed char { Strided, Sparse };
typedef signed char DeviceIndex;
typedef ScalarType TypeMeta; // so that either compares with the other
inline std::ostream& operator<<(std::ostream& out, ScalarType) { return out; }
const char* toString(ScalarType);
size_t elementSize(ScalarType);

struct Device {
  Device(DeviceType = DeviceType::CPU, DeviceIndex = -1) {}
  DeviceType type() const;
  DeviceIndex index() const;
  bool is_cuda() const;
  bool is_cpu() const;
  bool has_index() const;
  std::string str() const;
  bool operator==(const Device&) const;
  bool operator!=(const Device&) const;
};
inline std::ostream& operator<<(std::ostream& out, const Device&) { return out; }

template <class T> struct ArrayRef {
  ArrayRef() {}
  ArrayRef(const std::vector<T>&) {}
  ArrayRef(std::initializer_list<T>) {}
  template <size_t n> ArrayRef(const T (&)[n]) {}
  size_t size() const;
  bool empty() const;
  const T* data() const;
  const T* begin() const;
  const T* end() const;
  T operator[](size_t) const;
  std::vector<T> vec() const;
};
typedef ArrayRef<int64_t> IntArrayRef;
template <class T> std::ostream& operator<<(std::ostream& out, const ArrayRef<T>&) { return out; }
template <class T> using optional = std::optional<T>;
using std::nullopt;
template <class T> using complex = float2;

/// 16 bits with the conversions of c10's own.
struct alignas(2) Half {
  unsigned short x;
  Half() = default;
  FW_MEMBER Half(float f) : x(__half_as_ushort(__float2half(f))) {}
  FW_MEMBER Half(__half h) : x(__half_as_ushort(h)) {}
  FW_MEMBER operator float() const { return __half2float(__ushort_as_half(x)); }
  FW_MEMBER operator __half() const { return __ushort_as_half(x); }
  FW_MEMBER Half& operator+=(Half o) { return *this = Half(float(*this) + float(o)); }
  FW_MEMBER Half& operator*=(Half o) { return *this = Half(float(*this) * float(o)); }
};
struct alignas(2) BFloat16 {
  unsigned short x;
  BFloat16() = default;
  FW_MEMBER BFloat16(float f) : x(__bfloat16_as_ushort(__float2bfloat16(f))) {}
  FW_MEMBER BFloat16(__nv_bfloat16 h) : x(__bfloat16_as_ushort(h)) {}
  FW_MEMBER operator float() const { return __bfloat162float(__ushort_as_bfloat16(x)); }
  FW_MEMBER operator __nv_bfloat16() const { return __ushort_as_bfloat16(x); }
  FW_MEMBER BFloat16& operator+=(BFloat16 o) { return *this = BFloat16(float(*this) + float(o)); }
};

struct Scalar {
  template <class T> Scalar(T) {}
  Scalar() {}
  template <class T> T to() const;
  double toDouble() const;
  float toFloat() const;
  int64_t toLong() const;
  int toInt() const;
};
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

namespace cuda {
struct CUDAStream {
  cudaStream_t stream() const;
  operator cudaStream_t() const;
  DeviceIndex device_index() const;
  void synchronize() const;
};
CUDAStream getCurrentCUDAStream(DeviceIndex = -1);
CUDAStream getDefaultCUDAStream(DeviceIndex = -1);
CUDAStream getStreamFromPool(bool = false, DeviceIndex = -1);
DeviceIndex current_device();
struct CUDAGuard {
  template <class D> explicit CUDAGuard(D&&) {}
  template <class D> void set_device(D&&) {}
  template <class D> void set_index(D&&) {}
};
struct OptionalCUDAGuard {
  OptionalCUDAGuard() {}
  template <class D> explicit OptionalCUDAGuard(D&&) {}
};
} // namespace cuda
struct DeviceGuard {
  template <class D> explicit DeviceGuard(D&&) {}
};
typedef DeviceGuard OptionalDeviceGuard;
} // namespace c10

namespace at {
using namespace c10;
namespace cuda {
using namespace c10::cuda;
cudaDeviceProp* getCurrentDeviceProperties();
cudaDeviceProp* getDeviceProperties(int64_t);
int warp_size();
template <class T> T ATenCeilDiv(T a, T b) { return (a + b - 1) / b; }
} // namespace cuda
template <class T> T ceil_div(T a, T b) { return (a + b - 1) / b; }

template <class T> struct DefaultPtrTraits {
  typedef T* PtrType;
};
template <class T> struct RestrictPtrTraits {
  typedef T* __restrict__ PtrType;
};
template <class T, size_t n, template <class> class Traits = DefaultPtrTraits, class I = int64_t> struct TensorAccessor {
  T* data_;
  const I *sizes_, *strides_;
  FW_MEMBER TensorAccessor(T* data, const I* sizes, const I* strides) : data_(data), sizes_(sizes), strides_(strides) {}
  FW_MEMBER TensorAccessor<T, n - 1, Traits, I> operator[](I i) const {
    return {data_ + strides_[0] * i, sizes_ + 1, strides_ + 1};
  }
  FW_MEMBER I size(I i) const { return sizes_[i]; }
  FW_MEMBER I stride(I i) const { return strides_[i]; }
  FW_MEMBER T* data() const { return data_; }
};
template <class T, template <class> class Traits, class I> struct TensorAccessor<T, 1, Traits, I> {
  T* data_;
  const I *sizes_, *strides_;
  FW_MEMBER TensorAccessor(T* data, const I* sizes, const I* strides) : data_(data), sizes_(sizes), strides_(strides) {}
  FW_MEMBER T& operator[](I i) const { return data_[strides_[0] * i]; }
  FW_MEMBER I size(I i) const { return sizes_[i]; }
  FW_MEMBER I stride(I i) const { return strides_[i]; }
  FW_MEMBER T* data() const { return data_; }
};
template <class T, size_t n, template <class> class Traits = DefaultPtrTraits, class I = int64_t>
struct GenericPackedTensorAccessor {
  T* data_;
  I sizes_[n], strides_[n];
  FW_MEMBER decltype(auto) operator[](I i) const { return TensorAccessor<T, n, Traits, I>(data_, sizes_, strides_)[i]; }
  FW_MEMBER I size(I i) const { return sizes_[i]; }
  FW_MEMBER I stride(I i) const { return strides_[i]; }
  FW_MEMBER T* data() const { return data_; }
};
template <class T, size_t n, template <class> class Traits = DefaultPtrTraits>
using PackedTensorAccessor32 = GenericPackedTensorAccessor<T, n, Traits, int32_t>;
template <class T, size_t n, template <class> class Traits = DefaultPtrTraits>
using PackedTensorAccessor64 = GenericPackedTensorAccessor<T, n, Traits, int64_t>;
template <class T, size_t n, template <class> class Traits = DefaultPtrTraits, class I = int64_t>
using PackedTensorAccessor = GenericPackedTensorAccessor<T, n, Traits, I>;

/// Half and bfloat16 are summed in float.
template <class T, bool = true> struct AccumulateType {
  typedef T type;
};
template <bool on_gpu> struct AccumulateType<Half, on_gpu> {
  typedef float type;
};
template <bool on_gpu> struct AccumulateType<BFloat16, on_gpu> {
  typedef float type;
};
template <class T, bool on_gpu> using acc_type = typename AccumulateType<T, on_gpu>::type;
template <class T> struct OpMathType : AccumulateType<T, true> {};
template <class T> using opmath_type = typename AccumulateType<T, true>::type;

struct TensorOptions {
  TensorOptions() {}
  TensorOptions(ScalarType) {}
  TensorOptions(Device) {}
  TensorOptions(DeviceType) {}
  template <class D> TensorOptions device(D&&) const;
  template <class D> TensorOptions device(D&&, int) const;
  TensorOptions dtype(ScalarType) const;
  TensorOptions requires_grad(bool = true) const;
  template <class L> TensorOptions layout(L&&) const;
  TensorOptions memory_format(MemoryFormat) const;
  TypeMeta dtype() const;
  Device device() const;
};
inline std::ostream& operator<<(std::ostream& out, const TensorOptions&) { return out; }

struct DeprecatedTypeProperties {
  bool is_cuda() const;
  ScalarType scalarType() const;
  operator ScalarType() const;
};

struct Tensor {
  int64_t size(int64_t) const;
  int64_t stride(int64_t) const;
  int64_t dim() const;
  int64_t ndimension() const;
  int64_t numel() const;
  int64_t nbytes() const;
  int64_t itemsize() const;
  int64_t element_size() const;
  int64_t storage_offset() const;
  int64_t get_device() const;
  IntArrayRef sizes() const;
  IntArrayRef strides() const;
  ScalarType scalar_type() const;
  TypeMeta dtype() const;
  DeprecatedTypeProperties type() const;
  TensorOptions options() const;
  Device device() const;
  Layout layout() const;
  MemoryFormat suggest_memory_format() const;
  bool defined() const;
  bool is_cuda() const;
  bool is_cpu() const;
  bool is_contiguous(MemoryFormat = MemoryFormat::Contiguous) const;
  bool is_non_overlapping_and_dense() const;
  bool is_same_size(const Tensor&) const;
  bool requires_grad() const;
  void* data_ptr() const;
  const void* const_data_ptr() const;
  void* mutable_data_ptr() const;
  template <class T> T* data_ptr() const;
  template <class T> const T* const_data_ptr() const;
  template <class T> T* mutable_data_ptr() const;
  template <class T> T* data() const;
  template <class T> T item() const;
  template <class T, size_t n> TensorAccessor<T, n> accessor() const;
  template <class T, size_t n, template <class> class Traits = DefaultPtrTraits>
  PackedTensorAccessor32<T, n, Traits> packed_accessor32() const;
  template <class T, size_t n, template <class> class Traits = DefaultPtrTraits>
  PackedTensorAccessor64<T, n, Traits> packed_accessor64() const;
  template <class T, size_t n, template <class> class Traits = DefaultPtrTraits, class I = int64_t>
  GenericPackedTensorAccessor<T, n, Traits, I> packed_accessor() const;
#define FW_TENSOR(name) template <class... A> Tensor name(A&&...) const;
#define FW_LIST(name) Tensor name(IntArrayRef, TensorOptions = {}) const;
  FW_TENSOR(contiguous) FW_TENSOR(to) FW_TENSOR(cuda) FW_TENSOR(cpu) FW_TENSOR(clone) FW_TENSOR(detach) FW_TENSOR(zero_)
  FW_TENSOR(fill_) FW_TENSOR(copy_) FW_TENSOR(add_) FW_TENSOR(mul_) FW_TENSOR(transpose) FW_TENSOR(t) FW_TENSOR(select)
  FW_TENSOR(narrow) FW_TENSOR(slice) FW_TENSOR(index_select) FW_TENSOR(index) FW_TENSOR(squeeze) FW_TENSOR(unsqueeze)
  FW_TENSOR(flatten) FW_TENSOR(sum) FW_TENSOR(max) FW_TENSOR(min) FW_TENSOR(mean) FW_TENSOR(matmul) FW_TENSOR(mm)
  FW_TENSOR(view_as) FW_TENSOR(expand_as) FW_TENSOR(float_) FW_TENSOR(masked_fill) FW_TENSOR(set_requires_grad)
  FW_TENSOR(toType) FW_TENSOR(pow) FW_TENSOR(sqrt) FW_TENSOR(exp) FW_TENSOR(addmm_) FW_TENSOR(lt) FW_TENSOR(eq)
  FW_LIST(view) FW_LIST(reshape) FW_LIST(expand) FW_LIST(permute) FW_LIST(resize_) FW_LIST(new_empty) FW_LIST(new_zeros)
  FW_LIST(repeat)
#undef FW_TENSOR
#undef FW_LIST
  template <class I> Tensor operator[](I&&) const;
  Tensor operator+(const Tensor&) const;
  Tensor operator-(const Tensor&) const;
  Tensor operator*(const Tensor&) const;
  Tensor operator/(const Tensor&) const;
};
typedef ArrayRef<Tensor> TensorList;
inline std::ostream& operator<<(std::ostream& out, const Tensor&) { return out; }
#define FW_MADE(name)                                                                                                  \
  Tensor name(IntArrayRef, TensorOptions = {});                                                                        \
  template <class... A> Tensor name(IntArrayRef, TensorOptions, A&&...);
#define FW_LIKE(name) template <class... A> Tensor name(const Tensor&, A&&...);
FW_MADE(empty) FW_MADE(zeros) FW_MADE(ones) FW_MADE(rand) FW_MADE(randn)
FW_LIKE(empty_like) FW_LIKE(zeros_like) FW_LIKE(ones_like) FW_LIKE(matmul) FW_LIKE(mm) FW_LIKE(mm_out) FW_LIKE(add)
FW_LIKE(mul) FW_LIKE(transpose) FW_LIKE(sum) FW_LIKE(max) FW_LIKE(index_select) FW_LIKE(index_select_out)
#undef FW_MADE
#undef FW_LIKE
template <class T> Tensor full(IntArrayRef, T, TensorOptions = {});
template <class... A> Tensor from_blob(void*, IntArrayRef, A&&...);
template <class... A> Tensor tensor(A&&...);
template <class... A> Tensor arange(A&&...);
template <class... A> Tensor cat(TensorList, A&&...);
template <class... A> Tensor stack(TensorList, A&&...);
TensorOptions dtype(ScalarType);
template <class D> TensorOptions device(D&&);

constexpr ScalarType kByte = ScalarType::Byte, kUInt8 = kByte, kChar = ScalarType::Char, kInt8 = kChar,
                     kShort = ScalarType::Short, kInt16 = kShort, kInt = ScalarType::Int, kInt32 = kInt,
                     kLong = ScalarType::Long, kInt64 = kLong, kHalf = ScalarType::Half, kFloat16 = kHalf,
                     kFloat = ScalarType::Float, kFloat32 = kFloat, kDouble = ScalarType::Double, kFloat64 = kDouble,
                     kBool = ScalarType::Bool, kBFloat16 = ScalarType::BFloat16,
                     kFloat8_e5m2 = ScalarType::Float8_e5m2, kFloat8_e4m3fn = ScalarType::Float8_e4m3fn;
constexpr DeviceType kCPU = DeviceType::CPU, kCUDA = DeviceType::CUDA, kHIP = DeviceType::HIP;
} // namespace at


#define FW_LIBRARY_BODY(line) static void forewarp_binding_##line
#define FW_LIBRARY(line, m) FW_LIBRARY_BODY(line)(::torch::Library & m)
namespace torch {
using namespace at;
using c10::optional;
struct Library {
  template <class... A> Library& def(A&&...);
  template <class... A> Library& impl(A&&...);
};
struct NoGradGuard {};
namespace autograd {}
} // namespace torch
namespace pybind11 {
typedef torch::Library module_, module;
struct arg {
  explicit arg(const char*) {}
  template <class T> arg& operator=(T&&);
};
struct object {};
template <class T> struct call_guard {};
struct gil_scoped_release {};
} // namespace pybind11
namespace py = pybind11;

#define PYBIND11_MODULE(name, m) FW_LIBRARY(name, m)
#define TORCH_LIBRARY(name, m) FW_LIBRARY(name, m)
#define TORCH_LIBRARY_FRAGMENT(name, m) FW_LIBRARY(name##_fragment, m)
#define TORCH_LIBRARY_IMPL(name, key, m) FW_LIBRARY(name##key, m)
#ifndef TORCH_EXTENSION_NAME
#define TORCH_EXTENSION_NAME torch_extension
#endif
#define TORCH_CHECK(condition, ...) static_cast<void>(condition)
#define TORCH_INTERNAL_ASSERT(condition, ...) static_cast<void>(condition)
#define TORCH_CHECK_EQ(a, b) static_cast<void>((a) == (b))
#define TORCH_WARN(...) static_cast<void>(0)
#define AT_ASSERT(condition, ...) static_cast<void>(condition)
#define AT_ASSERTM(condition, ...) static_cast<void>(condition)
#define AT_CHECK(condition, ...) static_cast<void>(condition)
#define AT_ERROR(...) throw ::c10::Error("")
#define AT_CUDA_CHECK(call) static_cast<void>(call)
#define C10_CUDA_CHECK(call) static_cast<void>(call)
#define THCudaCheck(call) static_cast<void>(call)
#define C10_CUDA_KERNEL_LAUNCH_CHECK() static_cast<void>(cudaGetLastError())
#define C10_HOST_DEVICE __host__ __device__
#define C10_DEVICE __device__
#define C10_HOST __host__
#define C10_LAUNCH_BOUNDS_1(threads) __launch_bounds__(threads)
#define C10_LAUNCH_BOUNDS_2(threads, groups) __launch_bounds__(threads, groups)
#define C10_WARP_SIZE warpSize

#define FW_DISPATCH(as, type, ...)                                                                                     \
  [&] {                                                                                                                \
    using as = type;                                                                                                   \
    return __VA_ARGS__();                                                                                              \
  }()
#define AT_DISPATCH_FLOATING_TYPES(TYPE, NAME, ...) FW_DISPATCH(scalar_t, float, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND_HALF(TYPE, NAME, ...) FW_DISPATCH(scalar_t, float, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND(A, TYPE, NAME, ...) FW_DISPATCH(scalar_t, float, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND2(A, B, TYPE, NAME, ...) FW_DISPATCH(scalar_t, float, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(TYPE, NAME, ...) FW_DISPATCH(scalar_t, float, __VA_ARGS__)
#define AT_DISPATCH_REDUCED_FLOATING_TYPES(TYPE, NAME, ...) FW_DISPATCH(scalar_t, ::at::Half, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES(TYPE, NAME, ...) FW_DISPATCH(scalar_t, float, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND(A, TYPE, NAME, ...) FW_DISPATCH(scalar_t, float, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND2(A, B, TYPE, NAME, ...) FW_DISPATCH(scalar_t, float, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND3(A, B, C, TYPE, NAME, ...) FW_DISPATCH(scalar_t, float, __VA_ARGS__)
#define AT_DISPATCH_INTEGRAL_TYPES(TYPE, NAME, ...) FW_DISPATCH(scalar_t, int, __VA_ARGS__)
#define AT_DISPATCH_INDEX_TYPES(TYPE, NAME, ...) FW_DISPATCH(index_t, int, __VA_ARGS__)
#define AT_DISPATCH_CASE(type, ...) return (__VA_ARGS__)();
#define AT_DISPATCH_SWITCH(TYPE, NAME, ...)                                                                            \
  [&] {                                                                                                                \
    using scalar_t = float;                                                                                            \
    __VA_ARGS__                                                                                                        \
  }()

template <class T> FW_DEVICE T WARP_SHFL(T v, int lane, int width = warpSize, unsigned mask = 0xffffffff) {
  return __shfl_sync(mask, v, lane, width);
}
template <class T> FW_DEVICE T WARP_SHFL_DOWN(T v, unsigned by, int width = warpSize, unsigned mask = 0xffffffff) {
  return __shfl_down_sync(mask, v, by, width);
}
template <class T> FW_DEVICE T WARP_SHFL_UP(T v, unsigned by, int width = warpSize, unsigned mask = 0xffffffff) {
  return __shfl_up_sync(mask, v, by, width);
}
template <class T> FW_DEVICE T WARP_SHFL_XOR(T v, int by, int width = warpSize, unsigned mask = 0xffffffff) {
  return __shfl_xor_sync(mask, v, by, width);
}
