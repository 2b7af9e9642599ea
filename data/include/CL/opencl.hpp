// OpenCL's C++ wrapper for host code that is read for its launches: each call is the C function's, which the reader knows.
// Nothing of it is run. What a program asks of a device is left open.
#pragma once
#include <CL/cl.h>

#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace cl {

typedef std::string STRING_CLASS;
typedef std::string string;
template <class T> using vector = std::vector<T>;

class Error : public std::exception {
public:
  Error(cl_int code, const char* text = nullptr) : code_(code), text_(text) {}
  const char* what() const noexcept override { return text_; }
  cl_int err() const { return code_; }

private:
  cl_int code_;
  const char* text_;
};

/// Type of what getInfo gives: text by the names that end so, else a number.
template <cl_uint name> struct fw_info {
  typedef size_t type;
};
#define FW_TEXT(name)                                                                                        \
  template <> struct fw_info<name> {                                                                         \
    typedef std::string type;                                                                                \
  };
FW_TEXT(0x0902) // CL_PLATFORM_NAME
FW_TEXT(0x0903) // CL_PLATFORM_VENDOR
FW_TEXT(0x0901) // CL_PLATFORM_VERSION
FW_TEXT(0x102B) // CL_DEVICE_NAME
FW_TEXT(0x102C) // CL_DEVICE_VENDOR
FW_TEXT(0x102D) // CL_DRIVER_VERSION
FW_TEXT(0x102F) // CL_DEVICE_VERSION
FW_TEXT(0x1030) // CL_DEVICE_EXTENSIONS
FW_TEXT(0x1183) // CL_PROGRAM_BUILD_LOG
#undef FW_TEXT

/// A handle of the C interface.
template <class Handle> class Wrapper {
public:
  Wrapper() : object_(nullptr) {}
  Wrapper(Handle object) : object_(object) {}
  Handle operator()() const { return object_; }
  Handle get() const { return object_; }
  Handle object_;
};

class NDRange {
public:
  NDRange() : dimensions_(0) {}
  NDRange(size_t x) : dimensions_(1) { sizes_[0] = x; }
  NDRange(size_t x, size_t y) : dimensions_(2) {
    sizes_[0] = x;
    sizes_[1] = y;
  }
  NDRange(size_t x, size_t y, size_t z) : dimensions_(3) {
    sizes_[0] = x;
    sizes_[1] = y;
    sizes_[2] = z;
  }
  size_t dimensions() const { return dimensions_; }
  const size_t* get() const { return sizes_; }
  size_t sizes_[3];
  cl_uint dimensions_;
};
static const NDRange NullRange;

class Device : public Wrapper<cl_device_id> {
public:
  using Wrapper::Wrapper;
  template <cl_uint name> typename fw_info<name>::type getInfo(cl_int* = nullptr) const;
  static Device getDefault() { return Device(); }
};
class Platform : public Wrapper<cl_platform_id> {
public:
  using Wrapper::Wrapper;
  static cl_int get(std::vector<Platform>* platforms) {
    platforms->push_back(Platform());
    return CL_SUCCESS;
  }
  static Platform getDefault() { return Platform(); }
  cl_int getDevices(cl_device_type, std::vector<Device>* devices) const {
    devices->push_back(Device());
    return CL_SUCCESS;
  }
  template <cl_uint name> typename fw_info<name>::type getInfo(cl_int* = nullptr) const;
};
class Context : public Wrapper<cl_context> {
public:
  using Wrapper::Wrapper;
  template <class... A> explicit Context(const A&...) {}
  template <cl_uint name> std::vector<Device> getInfo(cl_int* = nullptr) const;
};
class Event : public Wrapper<cl_event> {
public:
  using Wrapper::Wrapper;
  cl_int wait() const { return CL_SUCCESS; }
  template <cl_uint name> cl_ulong getProfilingInfo(cl_int* = nullptr) const;
};

class Memory : public Wrapper<cl_mem> {
public:
  using Wrapper::Wrapper;
};
class Buffer : public Memory {
public:
  using Memory::Memory;
  Buffer() {}
  Buffer(const Context& context, cl_mem_flags flags, size_t bytes, void* host = nullptr, cl_int* error = nullptr) {
    object_ = ::clCreateBuffer(context(), flags, bytes, host, error);
  }
  Buffer(cl_mem_flags flags, size_t bytes, void* host = nullptr, cl_int* error = nullptr) {
    object_ = ::clCreateBuffer(nullptr, flags, bytes, host, error);
  }
  template <class I> Buffer(const Context& context, I first, I last, bool reads, bool = false, cl_int* error = nullptr) {
    object_ = ::clCreateBuffer(context(), 0, sizeof(*first) * (last - first), nullptr, error);
  }
  template <class I> Buffer(I first, I last, bool reads, bool = false, cl_int* error = nullptr) {
    object_ = ::clCreateBuffer(nullptr, 0, sizeof(*first) * (last - first), nullptr, error);
  }
};
class Image : public Memory {
public:
  using Memory::Memory;
};
struct ImageFormat {
  ImageFormat(cl_uint order, cl_uint type) {}
};
class Image2D : public Image {
public:
  template <class... A> explicit Image2D(const A&...) {}
};
class Image3D : public Image {
public:
  template <class... A> explicit Image3D(const A&...) {}
};
class Sampler : public Wrapper<cl_sampler> {
public:
  template <class... A> explicit Sampler(const A&...) {}
};
struct LocalSpaceArg {
  size_t size_;
};
inline LocalSpaceArg Local(size_t bytes) { return {bytes}; }
inline LocalSpaceArg __local(size_t bytes) { return {bytes}; }

class Program : public Wrapper<cl_program> {
public:
  typedef std::vector<std::pair<const char*, size_t>> Sources;
  typedef std::vector<std::pair<const void*, size_t>> Binaries;
  using Wrapper::Wrapper;
  template <class... A> explicit Program(const A&...) {}
  template <class... A> cl_int build(const A&...) const { return CL_SUCCESS; }
  template <cl_uint name, class... A> std::string getBuildInfo(const A&...) const;
};

class Kernel : public Wrapper<cl_kernel> {
public:
  using Wrapper::Wrapper;
  Kernel() {}
  Kernel(const Program& program, const char* name, cl_int* error = nullptr) {
    object_ = ::clCreateKernel(program(), name, error);
  }
  Kernel(const Program& program, const std::string& name, cl_int* error = nullptr) {
    object_ = ::clCreateKernel(program(), name.c_str(), error);
  }
  cl_int setArg(cl_uint index, const Memory& value) { return ::clSetKernelArg(object_, index, 8, &value.object_); }
  cl_int setArg(cl_uint index, const Buffer& value) { return ::clSetKernelArg(object_, index, 8, &value.object_); }
  cl_int setArg(cl_uint index, const Image& value) { return ::clSetKernelArg(object_, index, 8, &value.object_); }
  cl_int setArg(cl_uint index, const LocalSpaceArg& value) {
    return ::clSetKernelArg(object_, index, value.size_, nullptr);
  }
  template <class T> cl_int setArg(cl_uint index, const T& value) {
    return ::clSetKernelArg(object_, index, sizeof(T), &value);
  }
  cl_int setArg(cl_uint index, size_t bytes, const void* value) {
    return ::clSetKernelArg(object_, index, bytes, value);
  }
  template <cl_uint name> size_t getWorkGroupInfo(const Device&, cl_int* = nullptr) const;
  template <cl_uint name> std::string getInfo(cl_int* = nullptr) const;
};

class CommandQueue : public Wrapper<cl_command_queue> {
public:
  using Wrapper::Wrapper;
  template <class... A> explicit CommandQueue(const A&...) {}
  cl_int enqueueNDRangeKernel(const Kernel& kernel, const NDRange& offset, const NDRange& global,
                              const NDRange& local = NullRange, const std::vector<Event>* = nullptr,
                              Event* = nullptr) const {
    if (local.dimensions_ == 0)
      return ::clEnqueueNDRangeKernel(object_, kernel(), global.dimensions_, nullptr, global.sizes_, nullptr, 0,
                                      nullptr, nullptr);
    return ::clEnqueueNDRangeKernel(object_, kernel(), global.dimensions_, nullptr, global.sizes_, local.sizes_, 0,
                                    nullptr, nullptr);
  }
  template <class... A> cl_int enqueueWriteBuffer(const A&...) const { return CL_SUCCESS; }
  template <class... A> cl_int enqueueReadBuffer(const A&...) const { return CL_SUCCESS; }
  template <class... A> cl_int enqueueCopyBuffer(const A&...) const { return CL_SUCCESS; }
  template <class... A> cl_int enqueueFillBuffer(const A&...) const { return CL_SUCCESS; }
  template <class... A> cl_int enqueueWriteImage(const A&...) const { return CL_SUCCESS; }
  template <class... A> cl_int enqueueReadImage(const A&...) const { return CL_SUCCESS; }
  template <class... A> void* enqueueMapBuffer(const A&...) const;
  template <class... A> cl_int enqueueUnmapMemObject(const A&...) const { return CL_SUCCESS; }
  template <class... A> cl_int enqueueMarkerWithWaitList(const A&...) const { return CL_SUCCESS; }
  cl_int finish() const { return CL_SUCCESS; }
  cl_int flush() const { return CL_SUCCESS; }
};
template <class... A> cl_int copy(const A&...) { return CL_SUCCESS; }

struct EnqueueArgs {
  CommandQueue queue_;
  NDRange global_, local_;
  EnqueueArgs(const CommandQueue& queue, NDRange global) : queue_(queue), global_(global) {}
  EnqueueArgs(const CommandQueue& queue, NDRange global, NDRange local) : queue_(queue), global_(global), local_(local) {}
  EnqueueArgs(const CommandQueue& queue, NDRange, NDRange global, NDRange local)
      : queue_(queue), global_(global), local_(local) {}
};
template <class... Types> struct KernelFunctor {
  Kernel kernel_;
  KernelFunctor(const Kernel& kernel) : kernel_(kernel) {}
  KernelFunctor(const Program& program, const char* name, cl_int* error = nullptr) : kernel_(program, name, error) {}
  KernelFunctor(const Program& program, const std::string& name, cl_int* error = nullptr) : kernel_(program, name, error) {}
  Event operator()(const EnqueueArgs& how, Types... values) {
    cl_uint index = 0;
    (kernel_.setArg(index++, values), ...);
    how.queue_.enqueueNDRangeKernel(kernel_, NullRange, how.global_, how.local_);
    return Event();
  }
};
template <class... Types> using make_kernel = KernelFunctor<Types...>;

} // namespace cl
