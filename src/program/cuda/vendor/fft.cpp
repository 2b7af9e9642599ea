// cuFFT's plans and transforms: computed here, named without a time.
#include "program/cuda/vendor/fourier.h"
#include "program/cuda/vendor/library.h"

#include <algorithm>
#include <map>

using namespace forewarp::program;

namespace {

enum class FftStatus {
  success = 0,
  invalid_plan = 1,
  invalid_type = 3,
  invalid_value = 4,
  exec_failed = 6,
  invalid_size = 8
};
enum FftType { r2c = 0x2a, c2r = 0x2c, c2c = 0x29, d2z = 0x6a, z2d = 0x6c, z2z = 0x69 };

/// Where the elements of one side lie.
struct FftLayout {
  std::vector<std::size_t> lengths; ///< storage along each axis; the first one is not used
  std::size_t step = 1, distance = 0;
};

struct FftPlan {
  std::vector<std::size_t> lengths;
  int type = 0;
  std::size_t batch = 1;
  FftLayout in, out;
  cudaStream_t stream = nullptr;
};

std::map<int, FftPlan>& plans() {
  static auto* only = new std::map<int, FftPlan>;
  return *only;
}
int plans_made = 0; ///< under Call's lock

std::size_t element_count(const std::vector<std::size_t>& lengths) {
  std::size_t all = 1;
  for (const std::size_t length : lengths)
    all *= length;
  return all;
}

/// The last axis of the complex side of a transform between real and complex numbers.
std::size_t half_length(std::size_t length) {
  return length / 2 + 1;
}

bool is_real_in(int type) {
  return type == r2c || type == d2z;
}
bool is_real_out(int type) {
  return type == c2r || type == z2d;
}

FftLayout side_by_side(const FftPlan& plan, bool halved) {
  FftLayout layout{plan.lengths, 1, 0};
  if (halved)
    layout.lengths.back() = half_length(layout.lengths.back());
  layout.distance = element_count(layout.lengths);
  return layout;
}

FftStatus set_plan(int handle, int rank, const int* lengths, int type, int batch) {
  const auto found = plans().find(handle);
  if (found == plans().end())
    return FftStatus::invalid_plan;
  if (rank < 1 || rank > 3 || batch < 1 || std::any_of(lengths, lengths + rank, [](int n) { return n < 1; }))
    return FftStatus::invalid_size;
  if (type != c2c && type != z2z && !is_real_in(type) && !is_real_out(type))
    return FftStatus::invalid_type;
  FftPlan plan;
  plan.lengths.assign(lengths, lengths + rank);
  plan.type = type;
  plan.batch = static_cast<std::size_t>(batch);
  plan.in = side_by_side(plan, is_real_out(type));
  plan.out = side_by_side(plan, is_real_in(type));
  plan.stream = found->second.stream;
  found->second = plan;
  return FftStatus::success;
}

FftLayout given_layout(int rank, const int* lengths, int step, int distance) {
  return {{lengths, lengths + rank}, static_cast<std::size_t>(step), static_cast<std::size_t>(distance)};
}

FftStatus make_plan(int* handle, int rank, const int* lengths, int type, int batch) {
  Call call;
  *handle = ++plans_made;
  plans()[*handle] = {};
  const FftStatus status = set_plan(*handle, rank, lengths, type, batch);
  if (status != FftStatus::success)
    plans().erase(*handle);
  return status;
}

/// Elements of the side in the order of a transform whose last axis has `last` of them.
template <class Visit>
void each_element(const FftPlan& plan, const FftLayout& layout, std::size_t last, Visit visit) {
  std::vector<std::size_t> lengths = plan.lengths;
  lengths.back() = last;
  const std::size_t count = element_count(lengths);
  for (std::size_t k = 0; k < count; ++k) {
    std::size_t rest = k, place = 0, width = 1;
    for (std::size_t axis = lengths.size(); axis-- > 0;) {
      place += rest % lengths[axis] * width;
      rest /= lengths[axis];
      width *= layout.lengths[axis];
    }
    visit(k, place * layout.step);
  }
}

std::string shape_of(const FftPlan& plan) {
  std::string text;
  for (const std::size_t length : plan.lengths)
    text += (text.empty() ? "" : " x ") + std::to_string(length);
  return plan.batch > 1 ? text + ", " + std::to_string(plan.batch) + " times" : text;
}

template <class T>
bool lies_there(const char* name, const T* at, const FftPlan& plan, const FftLayout& layout,
                std::size_t last) {
  std::size_t furthest = 0;
  each_element(plan, layout, last,
               [&](std::size_t, std::size_t place) { furthest = std::max(furthest, place); });
  return lies_in_buffer(name, at, ((plan.batch - 1) * layout.distance + furthest + 1) * sizeof(T));
}

/// The other half of a transform of real numbers: value(-k) is the conjugate of value(k).
void complete_halves(std::vector<Complex>& values, const std::vector<std::size_t>& lengths) {
  const std::size_t last = lengths.back();
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (k % last < half_length(last))
      continue;
    std::size_t rest = k, mirrored = 0, width = 1;
    for (std::size_t axis = lengths.size(); axis-- > 0;) {
      const std::size_t at = rest % lengths[axis];
      mirrored += (at == 0 ? 0 : lengths[axis] - at) * width;
      rest /= lengths[axis];
      width *= lengths[axis];
    }
    values[k] = std::conj(values[mirrored]);
  }
}

template <class T> Complex complex_of(const std::complex<T>& value) {
  return Complex(value);
}
template <class T> Complex complex_of(T value) {
  return {static_cast<double>(value), 0};
}
template <class T> void put(std::complex<T>& to, const Complex& value) {
  to = std::complex<T>(static_cast<T>(value.real()), static_cast<T>(value.imag()));
}
template <class T> void put(T& to, const Complex& value) {
  to = static_cast<T>(value.real());
}

template <class In, class Out>
void run_plan(const FftPlan& plan, const In* in, Out* out, std::size_t last_in, std::size_t last_out,
              int sign) {
  const std::size_t last = plan.lengths.back();
  std::vector<Complex> values(element_count(plan.lengths));
  const auto spread = [&](std::size_t k, std::size_t width) { return k / width * last + k % width; };
  // All of the input first: it may be the output, too.
  std::vector<std::vector<Complex>> all(plan.batch, values);
  for (std::size_t b = 0; b < plan.batch; ++b)
    each_element(plan, plan.in, last_in, [&](std::size_t k, std::size_t place) {
      all[b][spread(k, last_in)] = complex_of(in[b * plan.in.distance + place]);
    });
  for (std::size_t b = 0; b < plan.batch; ++b) {
    if (last_in < last)
      complete_halves(all[b], plan.lengths);
    transform(all[b], plan.lengths, sign);
    each_element(plan, plan.out, last_out, [&](std::size_t k, std::size_t place) {
      put(out[b * plan.out.distance + place], all[b][spread(k, last_out)]);
    });
  }
}

template <class In, class Out>
FftStatus execute_plan(const char* name, int handle, int type, const In* in, Out* out, int sign) {
  Call call;
  const auto found = plans().find(handle);
  if (found == plans().end() || found->second.type != type)
    return FftStatus::invalid_plan;
  FftPlan plan = found->second;
  const std::size_t last = plan.lengths.back();
  const std::size_t last_in = is_real_out(type) ? half_length(last) : last,
                    last_out = is_real_in(type) ? half_length(last) : last;
  // In place, the real side of a plan without a layout of its own has room for the complex one.
  const bool in_place = static_cast<const void*>(in) == static_cast<const void*>(out);
  const auto pad = [&](FftLayout& real) {
    if (real.step != 1 || real.lengths.back() != last || real.distance != element_count(plan.lengths))
      return;
    real.lengths.back() = 2 * half_length(last);
    real.distance = element_count(real.lengths);
  };
  if (in_place && is_real_in(type))
    pad(plan.in);
  if (in_place && is_real_out(type))
    pad(plan.out);
  tell_library_call(call, name, shape_of(plan), plan.stream);
  if (!lies_there(name, in, plan, plan.in, last_in) || !lies_there(name, out, plan, plan.out, last_out))
    return FftStatus::exec_failed;
  run_plan(plan, in, out, last_in, last_out, sign);
  wrote(out);
  return FftStatus::success;
}

} // namespace

FOREWARP_API FftStatus cufftPlan1d(int* plan, int n, int type, int batch) {
  return make_plan(plan, 1, &n, type, batch);
}
FOREWARP_API FftStatus cufftPlan2d(int* plan, int x, int y, int type) {
  const int lengths[] = {x, y};
  return make_plan(plan, 2, lengths, type, 1);
}
FOREWARP_API FftStatus cufftPlan3d(int* plan, int x, int y, int z, int type) {
  const int lengths[] = {x, y, z};
  return make_plan(plan, 3, lengths, type, 1);
}
FOREWARP_API FftStatus cufftCreate(int* plan) {
  Call call;
  *plan = ++plans_made;
  plans()[*plan] = {};
  return FftStatus::success;
}
FOREWARP_API FftStatus cufftMakePlanMany(int plan, int rank, int* lengths, int* in, int in_step,
                                         int in_distance, int* out, int out_step, int out_distance, int type,
                                         int batch, std::size_t* work) {
  Call call;
  *work = 0;
  const FftStatus status = set_plan(plan, rank, lengths, type, batch);
  if (status == FftStatus::success && in)
    plans()[plan].in = given_layout(rank, in, in_step, in_distance);
  if (status == FftStatus::success && out)
    plans()[plan].out = given_layout(rank, out, out_step, out_distance);
  return status;
}
FOREWARP_API FftStatus cufftPlanMany(int* plan, int rank, int* lengths, int* in, int in_step, int in_distance,
                                     int* out, int out_step, int out_distance, int type, int batch) {
  std::size_t work = 0;
  cufftCreate(plan);
  return cufftMakePlanMany(*plan, rank, lengths, in, in_step, in_distance, out, out_step, out_distance, type,
                           batch, &work);
}
FOREWARP_API FftStatus cufftMakePlan1d(int plan, int n, int type, int batch, std::size_t* work) {
  return cufftMakePlanMany(plan, 1, &n, nullptr, 1, 0, nullptr, 1, 0, type, batch, work);
}
FOREWARP_API FftStatus cufftMakePlan2d(int plan, int x, int y, int type, std::size_t* work) {
  int lengths[] = {x, y};
  return cufftMakePlanMany(plan, 2, lengths, nullptr, 1, 0, nullptr, 1, 0, type, 1, work);
}
FOREWARP_API FftStatus cufftMakePlan3d(int plan, int x, int y, int z, int type, std::size_t* work) {
  int lengths[] = {x, y, z};
  return cufftMakePlanMany(plan, 3, lengths, nullptr, 1, 0, nullptr, 1, 0, type, 1, work);
}
FOREWARP_API FftStatus cufftDestroy(int plan) {
  Call call;
  return plans().erase(plan) > 0 ? FftStatus::success : FftStatus::invalid_plan;
}
FOREWARP_API FftStatus cufftSetStream(int plan, cudaStream_t stream) {
  Call call;
  const auto found = plans().find(plan);
  if (found == plans().end())
    return FftStatus::invalid_plan;
  found->second.stream = stream;
  return FftStatus::success;
}
FOREWARP_API FftStatus cufftSetAutoAllocation(int, int) {
  return FftStatus::success;
}
FOREWARP_API FftStatus cufftSetWorkArea(int, void*) {
  return FftStatus::success;
}
FOREWARP_API FftStatus cufftGetSize(int, std::size_t* work) {
  *work = 0;
  return FftStatus::success;
}
FOREWARP_API FftStatus cufftGetVersion(int* out) {
  *out = 11000;
  return FftStatus::success;
}
FOREWARP_API FftStatus cufftExecC2C(int plan, std::complex<float>* in, std::complex<float>* out, int sign) {
  return execute_plan("cufftExecC2C", plan, c2c, in, out, sign);
}
FOREWARP_API FftStatus cufftExecZ2Z(int plan, Complex* in, Complex* out, int sign) {
  return execute_plan("cufftExecZ2Z", plan, z2z, in, out, sign);
}
FOREWARP_API FftStatus cufftExecR2C(int plan, float* in, std::complex<float>* out) {
  return execute_plan("cufftExecR2C", plan, r2c, in, out, -1);
}
FOREWARP_API FftStatus cufftExecD2Z(int plan, double* in, Complex* out) {
  return execute_plan("cufftExecD2Z", plan, d2z, in, out, -1);
}
FOREWARP_API FftStatus cufftExecC2R(int plan, std::complex<float>* in, float* out) {
  return execute_plan("cufftExecC2R", plan, c2r, in, out, 1);
}
FOREWARP_API FftStatus cufftExecZ2D(int plan, Complex* in, double* out) {
  return execute_plan("cufftExecZ2D", plan, z2d, in, out, 1);
}
