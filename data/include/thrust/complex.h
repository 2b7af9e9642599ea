// Thrust's complex numbers, for both sides.
#pragma once
#pragma clang system_header

namespace thrust {

template <class T> struct __attribute__((aligned(2 * sizeof(T)))) complex {
  typedef T value_type;
  T re, im;
  complex() = default;
  FW_MEMBER complex(const T& a, const T& b = T()) : re(a), im(b) {}
  template <class U> FW_MEMBER complex(const complex<U>& other) : re(static_cast<T>(other.re)), im(static_cast<T>(other.im)) {}
  FW_MEMBER T real() const { return re; }
  FW_MEMBER T imag() const { return im; }
  FW_MEMBER void real(T v) { re = v; }
  FW_MEMBER void imag(T v) { im = v; }
  FW_MEMBER complex& operator=(const T& v) { return *this = complex(v); }
  FW_MEMBER complex& operator+=(const complex& b) { return *this = *this + b; }
  FW_MEMBER complex& operator-=(const complex& b) { return *this = *this - b; }
  FW_MEMBER complex& operator*=(const complex& b) { return *this = *this * b; }
  FW_MEMBER complex& operator/=(const complex& b) { return *this = *this / b; }

  friend FW_MEMBER complex operator+(const complex& a, const complex& b) { return {a.re + b.re, a.im + b.im}; }
  friend FW_MEMBER complex operator+(const complex& a, const T& b) { return {a.re + b, a.im}; }
  friend FW_MEMBER complex operator+(const T& a, const complex& b) { return {a + b.re, b.im}; }
  friend FW_MEMBER complex operator-(const complex& a, const complex& b) { return {a.re - b.re, a.im - b.im}; }
  friend FW_MEMBER complex operator-(const complex& a, const T& b) { return {a.re - b, a.im}; }
  friend FW_MEMBER complex operator-(const T& a, const complex& b) { return {a - b.re, -b.im}; }
  friend FW_MEMBER complex operator*(const complex& a, const complex& b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  friend FW_MEMBER complex operator*(const complex& a, const T& b) { return {a.re * b, a.im * b}; }
  friend FW_MEMBER complex operator*(const T& a, const complex& b) { return {a * b.re, a * b.im}; }
  /// Scaled by the divisor's size, against overflow.
  friend FW_MEMBER complex operator/(const complex& a, const complex& b) {
    const T scale = T(1) / (fw_magnitude(b.re) + fw_magnitude(b.im));
    const T ar = a.re * scale, ai = a.im * scale, br = b.re * scale, bi = b.im * scale;
    const T norm = T(1) / (br * br + bi * bi);
    return {(ar * br + ai * bi) * norm, (ai * br - ar * bi) * norm};
  }
  friend FW_MEMBER complex operator/(const complex& a, const T& b) { return {a.re / b, a.im / b}; }
  friend FW_MEMBER complex operator/(const T& a, const complex& b) { return complex(a) / b; }
  friend FW_MEMBER complex operator+(const complex& a) { return a; }
  friend FW_MEMBER complex operator-(const complex& a) { return {-a.re, -a.im}; }
  friend FW_MEMBER bool operator==(const complex& a, const complex& b) { return a.re == b.re && a.im == b.im; }
  friend FW_MEMBER bool operator!=(const complex& a, const complex& b) { return !(a == b); }

private:
  FW_MEMBER static T fw_magnitude(T v) { return v < T(0) ? -v : v; }
};

template <class T> FW_MEMBER complex<T> conj(const complex<T>& a) {
  return {a.re, -a.im};
}
template <class T> FW_MEMBER T norm(const complex<T>& a) {
  return a.re * a.re + a.im * a.im;
}
template <class T> __device__ inline T abs(const complex<T>& a) {
  return ::hypot(a.re, a.im);
}
template <class T> __device__ inline T arg(const complex<T>& a) {
  return ::atan2(a.im, a.re);
}
template <class T> __device__ inline complex<T> polar(const T& size, const T& angle = T()) {
  return {size * ::cos(angle), size * ::sin(angle)};
}
template <class T> __device__ inline complex<T> exp(const complex<T>& a) {
  return polar(::exp(a.re), a.im);
}
template <class T> __device__ inline complex<T> log(const complex<T>& a) {
  return {::log(abs(a)), arg(a)};
}
template <class T> __device__ inline complex<T> sqrt(const complex<T>& a) {
  return polar(::sqrt(abs(a)), arg(a) / T(2));
}
template <class T> __device__ inline complex<T> pow(const complex<T>& a, const T& b) {
  return exp(log(a) * b);
}

} // namespace thrust
