// Thrust's containers in a program that `forewarp run` builds.
#pragma once
#pragma clang system_header
#include <forewarp_run/thrust_iterators.h>
#include <initializer_list>
#include <vector>

namespace thrust {

template <class T> struct device_allocator { typedef T value_type; };
template <class T> struct device_malloc_allocator { typedef T value_type; };

template <class I> struct fw_is_plain : std::bool_constant<std::is_pointer<I>::value> {};
template <class T> struct fw_is_plain<__gnu_cxx::__normal_iterator<T*, std::vector<std::remove_const_t<T>>>> : std::true_type {};
template <class T> struct fw_is_plain<device_ptr<T>> : std::true_type {};
template <class I> FW_HOST auto fw_address(I i) { return &*i; }
template <class T> FW_HOST T* fw_address(device_ptr<T> p) { return p.at; }
template <class T> FW_HOST T* fw_address(T* p) { return p; }

/// Over the link, on the device, or on the host, as the iterators say.
template <class I, class T> FW_HOST void fw_copy_into(I first, long n, T* to, bool to_device) {
  if (n <= 0)
    return;
  constexpr bool from_device = fw_on_device<I>::value;
  if constexpr (fw_is_plain<I>::value && std::is_same<typename std::iterator_traits<I>::value_type, T>::value) {
    cudaMemcpy(to, fw_address(first), static_cast<size_t>(n) * sizeof(T),
               to_device ? (from_device ? cudaMemcpyDeviceToDevice : cudaMemcpyHostToDevice)
                         : (from_device ? cudaMemcpyDeviceToHost : cudaMemcpyHostToHost));
  } else if constexpr (std::is_base_of<std::random_access_iterator_tag, typename std::iterator_traits<I>::iterator_category>::value) {
    const auto body = [from = fw_raw(first), n, to] __host__ __device__() {
      for (long k = 0; k < n; ++k)
        to[k] = static_cast<T>(from[k]);
    };
    if (to_device)
      fw_library_call("thrust::copy", static_cast<size_t>(n), sizeof(T)).run(body);
    else
      body();
  } else { // a list of the host's
    std::vector<T> values;
    for (long k = 0; k < n; ++k, ++first)
      values.push_back(*first);
    fw_copy_into(values.begin(), n, to, to_device);
  }
}

template <class T, class A = device_allocator<T>> class device_vector {
public:
  typedef T value_type;
  typedef device_ptr<T> iterator, pointer;
  typedef device_ptr<const T> const_iterator, const_pointer;
  typedef device_reference<T> reference;
  typedef device_reference<const T> const_reference;
  typedef thrust::reverse_iterator<iterator> reverse_iterator;
  typedef size_t size_type;
  typedef long difference_type;

  FW_HOST device_vector() {}
  FW_HOST explicit device_vector(size_t n) { resize(n); }
  FW_HOST device_vector(size_t n, const T& value) { resize(n, value); }
  template <class I, class = typename std::iterator_traits<I>::value_type> FW_HOST device_vector(I first, I last) { assign(first, last); }
  FW_HOST device_vector(std::initializer_list<T> values) { assign(values.begin(), values.end()); }
  FW_HOST device_vector(const device_vector& other) { assign(other.begin(), other.end()); }
  FW_HOST device_vector(device_vector&& other) noexcept { swap(other); }
  template <class C, class = typename C::value_type> FW_HOST device_vector(const C& other) { assign(other.begin(), other.end()); }
  FW_HOST ~device_vector() { cudaFree(at_); }
  FW_HOST device_vector& operator=(const device_vector& other) {
    if (this != &other)
      assign(other.begin(), other.end());
    return *this;
  }
  FW_HOST device_vector& operator=(device_vector&& other) noexcept { swap(other); return *this; }
  template <class C, class = typename C::value_type> FW_HOST device_vector& operator=(const C& other) {
    assign(other.begin(), other.end());
    return *this;
  }

  FW_HOST void resize(size_t n) { resize(n, T()); }
  FW_HOST void resize(size_t n, const T& value) {
    const size_t before = size_;
    reserve(n);
    size_ = n;
    if (n <= before)
      return;
    fw_library_call call("thrust::uninitialized_fill", n - before, sizeof(T));
    call.run([to = at_ + before, count = n - before, value] __host__ __device__() {
      for (size_t k = 0; k < count; ++k)
        to[k] = value;
    });
  }
  FW_HOST void reserve(size_t n) {
    if (n <= capacity_)
      return;
    T* more = nullptr;
    cudaMalloc(&more, n * sizeof(T));
    if (size_ > 0)
      cudaMemcpy(more, at_, size_ * sizeof(T), cudaMemcpyDeviceToDevice);
    cudaFree(at_);
    at_ = more;
    capacity_ = n;
  }
  FW_HOST void assign(size_t n, const T& value) { clear(); resize(n, value); }
  template <class I, class = typename std::iterator_traits<I>::value_type> FW_HOST void assign(I first, I last) {
    const long n = static_cast<long>(std::distance(first, last));
    clear();
    reserve(static_cast<size_t>(n));
    size_ = static_cast<size_t>(n);
    fw_copy_into(first, n, at_, true);
  }
  FW_HOST void push_back(const T& value) {
    if (size_ == capacity_)
      reserve(size_ < 8 ? 16 : 2 * size_);
    ++size_;
    back() = value;
  }
  FW_HOST void pop_back() { --size_; }
  FW_HOST void clear() { size_ = 0; }
  FW_HOST void shrink_to_fit() {}
  FW_HOST void swap(device_vector& other) {
    std::swap(at_, other.at_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }
  FW_HOST iterator erase(iterator first, iterator last) {
    std::vector<T> rest(static_cast<size_t>(end() - last));
    fw_copy_into(last, static_cast<long>(rest.size()), rest.data(), false);
    fw_copy_into(rest.data(), static_cast<long>(rest.size()), first.at, true);
    size_ -= static_cast<size_t>(last - first);
    return first;
  }
  FW_HOST iterator erase(iterator at) { return erase(at, at + 1); }

  FW_HOST size_t size() const { return size_; }
  FW_HOST size_t capacity() const { return capacity_; }
  FW_HOST bool empty() const { return size_ == 0; }
  FW_HOST pointer data() { return pointer(at_); }
  FW_HOST const_pointer data() const { return const_pointer(at_); }
  FW_HOST iterator begin() { return iterator(at_); }
  FW_HOST iterator end() { return iterator(at_ + size_); }
  FW_HOST const_iterator begin() const { return const_iterator(at_); }
  FW_HOST const_iterator end() const { return const_iterator(at_ + size_); }
  FW_HOST const_iterator cbegin() const { return begin(); }
  FW_HOST const_iterator cend() const { return end(); }
  FW_HOST reverse_iterator rbegin() { return reverse_iterator(end()); }
  FW_HOST reverse_iterator rend() { return reverse_iterator(begin()); }
  FW_HOST reference operator[](size_t i) { return reference(at_ + i); }
  FW_HOST const_reference operator[](size_t i) const { return const_reference(at_ + i); }
  FW_HOST reference front() { return (*this)[0]; }
  FW_HOST reference back() { return (*this)[size_ - 1]; }
  FW_HOST const_reference front() const { return (*this)[0]; }
  FW_HOST const_reference back() const { return (*this)[size_ - 1]; }

private:
  T* at_ = nullptr;
  size_t size_ = 0, capacity_ = 0;
};

template <class T, class A = std::allocator<T>> class host_vector : public std::vector<T, A> {
public:
  using std::vector<T, A>::vector;
  FW_HOST host_vector() {}
  FW_HOST host_vector(const std::vector<T, A>& other) : std::vector<T, A>(other) {}
  template <class B> FW_HOST host_vector(const device_vector<T, B>& other) { *this = other; }
  template <class B> FW_HOST host_vector& operator=(const device_vector<T, B>& other) {
    this->resize(other.size());
    fw_copy_into(other.begin(), static_cast<long>(other.size()), this->data(), false);
    return *this;
  }
};

template <class T, class A, class B> FW_HOST bool operator==(const device_vector<T, A>& a, const host_vector<T, B>& b) { return host_vector<T>(a) == b; }
template <class T, class A, class B> FW_HOST bool operator==(const host_vector<T, A>& a, const device_vector<T, B>& b) { return b == a; }
template <class T, class A> FW_HOST bool operator==(const device_vector<T, A>& a, const device_vector<T, A>& b) { return host_vector<T>(a) == host_vector<T>(b); }
template <class T, class A> FW_HOST void swap(device_vector<T, A>& a, device_vector<T, A>& b) { a.swap(b); }

struct system_error : std::exception {};

} // namespace thrust
