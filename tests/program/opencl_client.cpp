// An OpenCL program as any other: it knows nothing of Forewarp. Says what its events and its clock told it.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

namespace {

const char* source = R"(
kernel void add(global const float* a, global const float* b, global float* c, int n) {
  int i = get_global_id(0);
  if (i < n) c[i] = a[i] + b[i];
}
kernel void rows(global const int* count, global const float* a, global float* c) {
  int i = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < count[i]; ++k) sum += a[i * 64 + k];
  c[i] = sum;
}
kernel void greedy(global float* c) {
  local float t[30000];
  for (int k = get_local_id(0); k < 30000; k += get_local_size(0)) t[k] = c[k];
  barrier(CLK_LOCAL_MEM_FENCE);
  c[get_global_id(0)] = t[(get_global_id(0) * 77) % 30000];
}
)";

constexpr int no_device = 77;

struct Client {
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
  cl_program program = nullptr;

  bool open() {
    cl_platform_id platform = nullptr;
    if (clGetPlatformIDs(1, &platform, nullptr) != CL_SUCCESS ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, nullptr) != CL_SUCCESS)
      return false;
    char name[256] = "";
    clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof(name), name, nullptr);
    std::printf("device %s\n", name);
    context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
    queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, nullptr);
    program = clCreateProgramWithSource(context, 1, &source, nullptr, nullptr);
    return clBuildProgram(program, 1, &device, "", nullptr, nullptr) == CL_SUCCESS;
  }

  template <class T> cl_mem buffer(const std::vector<T>& data) {
    cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, data.size() * sizeof(T), nullptr, nullptr);
    clEnqueueWriteBuffer(queue, memory, CL_TRUE, 0, data.size() * sizeof(T), data.data(), 0, nullptr,
                         nullptr);
    return memory;
  }

  cl_kernel kernel(const char* name, const std::vector<cl_mem>& buffers, const int* number = nullptr) {
    cl_kernel made = clCreateKernel(program, name, nullptr);
    for (cl_uint k = 0; k < buffers.size(); ++k)
      clSetKernelArg(made, k, sizeof(cl_mem), &buffers[k]);
    if (number)
      clSetKernelArg(made, static_cast<cl_uint>(buffers.size()), sizeof(int), number);
    return made;
  }

  void launch(cl_kernel kernel, std::size_t global, std::size_t local) {
    cl_event event = nullptr;
    const auto begin = std::chrono::steady_clock::now();
    const cl_int status =
        clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, &local, 0, nullptr, &event);
    if (status != CL_SUCCESS) {
      std::printf("status %d\n", status);
      return;
    }
    clFinish(queue);
    const auto end = std::chrono::steady_clock::now();
    cl_ulong start = 0, stop = 0;
    clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof(start), &start, nullptr);
    clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof(stop), &stop, nullptr);
    clReleaseEvent(event);
    std::printf("event %llu wall %lld\n", static_cast<unsigned long long>(stop - start),
                static_cast<long long>(std::chrono::nanoseconds(end - begin).count()));
  }
};

bool sum_is_right(Client& client, cl_mem c, std::size_t n) {
  std::vector<float> out(n);
  clEnqueueReadBuffer(client.queue, c, CL_TRUE, 0, n * sizeof(float), out.data(), 0, nullptr, nullptr);
  for (std::size_t i = 0; i < n; ++i)
    if (out[i] != static_cast<float>(i % 1000) + 2)
      return false;
  return true;
}

int add(Client& client, bool read, bool crash, bool sleep) {
  const int n = 1 << 20;
  std::vector<float> a(n), b(n, 2.0F), c(n);
  for (int i = 0; i < n; ++i)
    a[static_cast<std::size_t>(i)] = static_cast<float>(i % 1000);
  cl_mem out = client.buffer(c);
  cl_kernel kernel = client.kernel("add", {client.buffer(a), client.buffer(b), out}, &n);
  for (int k = 0; k < 3; ++k)
    client.launch(kernel, n, 256);
  std::fflush(stdout);
  if (crash)
    std::abort();
  if (sleep) // until its output is closed
    while (std::printf(".\n") > 0 && std::fflush(stdout) == 0)
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
  if (read)
    std::printf("result %s\n", sum_is_right(client, out, n) ? "right" : "wrong");
  return 0;
}

int rows(Client& client) {
  const std::size_t n = 1 << 14;
  std::vector<int> count(n);
  for (std::size_t i = 0; i < n; ++i)
    count[i] = static_cast<int>(i % 37);
  std::vector<float> a(n * 64, 1.0F), c(n);
  cl_mem out = client.buffer(c);
  client.launch(client.kernel("rows", {client.buffer(count), client.buffer(a), out}), n, 128);
  clEnqueueReadBuffer(client.queue, out, CL_TRUE, 0, n * sizeof(float), c.data(), 0, nullptr, nullptr);
  std::printf("result %s\n", c[36] == 36.0F && c[37] == 0.0F ? "right" : "wrong");
  return 0;
}

} // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "add";
  Client client;
  if (!client.open())
    return no_device;
  if (what == "rows")
    return rows(client);
  if (what == "greedy") {
    client.launch(client.kernel("greedy", {client.buffer(std::vector<float>(30000))}), 256, 256);
    return 0;
  }
  return add(client, what == "add", what == "crash", what == "sleep");
}
