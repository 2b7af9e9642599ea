// OpenCL programs that use more than one queue, device or process, parts of buffers, shared virtual memory,
// and kernels that the implementation cannot build. They know nothing of Forewarp.
#define CL_TARGET_OPENCL_VERSION 200
#include <CL/cl.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <string>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

constexpr int no_device = 77;
constexpr std::size_t items = 1 << 16;

const char* plain_source = R"(
kernel void add(global float* a, float b) { a[get_global_id(0)] += b; }
kernel void shift(global const float* from, global float* to) {
  int i = get_global_id(0);
  to[i] = from[i] + 1;
}
kernel void beyond(global float* a) { a[get_global_id(0) + 4] = 1; }
struct node { global float* data; int count; };
kernel void sums(global const struct node* nodes, global float* out) {
  int i = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < nodes[i].count; ++k) sum += nodes[i].data[k];
  out[i] = sum;
}
kernel void place(global int* a, int n) {
  size_t i = get_global_id(0) + n * get_global_id(1);
  a[i] = get_global_id(0) * 100 + get_global_id(1) * 10 + get_global_offset(1);
}
kernel void turn(read_only image2d_t from, sampler_t how, global float* out) {
  float2 at = (float2)(get_global_id(1) + 0.5f, get_global_id(0) + 0.5f);
  out[get_global_id(0) + get_global_size(0) * get_global_id(1)] = read_imagef(from, how, at).x;
}
kernel void paint(write_only image2d_t to) {
  write_imagef(to, (int2)(get_global_id(0), get_global_id(1)), (float4)(get_global_id(0) + 1));
}
)";

// Of an extension (cl_khr_integer_dot_product) that the processor's implementation does not have.
const char* foreign_source = R"(
kernel void dots(global const uint* a, global const uint* b, global int* c) {
  int i = get_global_id(0);
  c[i] = dot_4x8packed_ss_int(a[i], b[i]);
}
)";

struct Opened {
  std::vector<cl_device_id> devices;
  cl_context context = nullptr;

  bool open() {
    cl_platform_id platform = nullptr;
    cl_uint count = 0;
    if (clGetPlatformIDs(1, &platform, nullptr) != CL_SUCCESS ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 0, nullptr, &count) != CL_SUCCESS || count == 0)
      return false;
    devices.resize(count);
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, count, devices.data(), nullptr);
    context = clCreateContext(nullptr, count, devices.data(), nullptr, nullptr, nullptr);
    return context != nullptr;
  }

  cl_program build(const char* source, const char* options = "") const {
    const cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, nullptr);
    std::printf("build %d\n", clBuildProgram(program, static_cast<cl_uint>(devices.size()), devices.data(),
                                             options, nullptr, nullptr));
    return program;
  }

  cl_command_queue queue(std::size_t device) const {
    const std::array<cl_queue_properties, 3> properties = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
    return clCreateCommandQueueWithProperties(context, devices[device], properties.data(), nullptr);
  }

  template <class T> cl_mem buffer(const std::vector<T>& data) const {
    return clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, data.size() * sizeof(T),
                          const_cast<T*>(data.data()), nullptr);
  }
};

template <class T> void set(cl_kernel kernel, cl_uint place, const T& value) {
  clSetKernelArg(kernel, place, sizeof(T), &value);
}

cl_int launch(cl_command_queue queue, cl_kernel kernel, std::size_t global, cl_event* event = nullptr) {
  const std::size_t local = 64;
  return clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, &local, 0, nullptr, event);
}

template <class T> std::vector<T> read(cl_command_queue queue, cl_mem memory, std::size_t count) {
  std::vector<T> out(count);
  clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, count * sizeof(T), out.data(), 0, nullptr, nullptr);
  return out;
}

void say_result(bool right) {
  std::printf("result %s\n", right ? "right" : "wrong");
}

/// One buffer, changed on each device in turn.
void on_all_devices(const Opened& opened) {
  const cl_program program = opened.build(plain_source);
  const cl_mem memory = opened.buffer(std::vector<float>(items));
  cl_command_queue queue = nullptr;
  for (std::size_t k = 0; k < opened.devices.size(); ++k) {
    char name[256] = "";
    clGetDeviceInfo(opened.devices[k], CL_DEVICE_NAME, sizeof(name), name, nullptr);
    queue = opened.queue(k);
    const cl_kernel kernel = clCreateKernel(program, "add", nullptr);
    set(kernel, 0, memory);
    set(kernel, 1, 1.0F);
    cl_event event = nullptr;
    launch(queue, kernel, items, &event);
    clFinish(queue);
    cl_ulong start = 0, end = 0;
    clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof(start), &start, nullptr);
    clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof(end), &end, nullptr);
    std::printf("device %s event %llu\n", name, static_cast<unsigned long long>(end - start));
  }
  say_result(read<float>(queue, memory, items)[7] == static_cast<float>(opened.devices.size()));
}

/// Two parts of one buffer as arguments: the second one overlaps the first.
void parts(const Opened& opened) {
  const cl_program program = opened.build(plain_source);
  std::vector<float> data(items);
  for (std::size_t k = 0; k < items; ++k)
    data[k] = static_cast<float>(k);
  const cl_mem whole = opened.buffer(data);
  const cl_command_queue queue = opened.queue(0);
  const std::size_t half = items / 2 * sizeof(float);
  const cl_buffer_region region = {half, half};
  const cl_mem part =
      clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr);
  const cl_kernel kernel = clCreateKernel(program, "shift", nullptr);
  set(kernel, 0, whole);
  set(kernel, 1, part);
  launch(queue, kernel, items / 2);
  const auto out = read<float>(queue, whole, items);
  say_result(out[3] == 3 && out[items / 2 + 3] == 4);
}

void foreign(const Opened& opened) {
  const cl_program program = opened.build(foreign_source, "-cl-std=CL3.0");
  cl_int status = CL_SUCCESS;
  const cl_kernel kernel = clCreateKernel(program, "dots", &status);
  std::printf("kernel %d\n", status);
  if (!kernel)
    return;
  const cl_mem out = opened.buffer(std::vector<std::int32_t>(items));
  set(kernel, 0, opened.buffer(std::vector<std::uint32_t>(items, 0x01020304)));
  set(kernel, 1, opened.buffer(std::vector<std::uint32_t>(items, 0x010101FF)));
  set(kernel, 2, out);
  const cl_command_queue queue = opened.queue(0);
  launch(queue, kernel, items);
  say_result(read<std::int32_t>(queue, out, items)[5] == 1 + 2 + 3 - 4);
}

void beyond(const Opened& opened) {
  const cl_kernel kernel = clCreateKernel(opened.build(plain_source), "beyond", nullptr);
  const cl_mem memory = opened.buffer(std::vector<float>(items));
  set(kernel, 0, memory);
  const cl_command_queue queue = opened.queue(0);
  launch(queue, kernel, items);
  read<float>(queue, memory, items);
}

/// Ids that begin elsewhere.
void offsets(const Opened& opened) {
  constexpr std::size_t side = 64;
  const cl_kernel kernel = clCreateKernel(opened.build(plain_source), "place", nullptr);
  const cl_mem memory = opened.buffer(std::vector<std::int32_t>(side * side));
  set(kernel, 0, memory);
  set(kernel, 1, static_cast<std::int32_t>(side));
  const cl_command_queue queue = opened.queue(0);
  const std::size_t offset[] = {32, 7}, global[] = {32, 8}, local[] = {8, 8};
  cl_event event = nullptr;
  clEnqueueNDRangeKernel(queue, kernel, 2, offset, global, local, 0, nullptr, &event);
  const auto out = read<std::int32_t>(queue, memory, side * side);
  cl_ulong start = 0, end = 0;
  clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof(start), &start, nullptr);
  clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof(end), &end, nullptr);
  std::printf("event %llu\n", static_cast<unsigned long long>(end - start));
  say_result(out[40 + side * 9] == 40 * 100 + 9 * 10 + 7 && out[31 + side * 9] == 0 &&
             out[40 + side * 6] == 0);
}

cl_mem image(const Opened& opened, std::size_t side, float* data) {
  const cl_image_format format = {CL_R, CL_FLOAT};
  cl_image_desc size = {};
  size.image_type = CL_MEM_OBJECT_IMAGE2D;
  size.image_width = size.image_height = side;
  return clCreateImage(opened.context, data ? CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR : CL_MEM_WRITE_ONLY,
                       &format, &size, data, nullptr);
}

/// One image is read by a sampler; another one is all that a launch has.
void images(const Opened& opened) {
  constexpr std::size_t side = 64;
  std::vector<float> texels(side * side);
  for (std::size_t k = 0; k < texels.size(); ++k)
    texels[k] = static_cast<float>(k);
  const cl_program program = opened.build(plain_source);
  const cl_kernel turn = clCreateKernel(program, "turn", nullptr);
  const cl_kernel paint = clCreateKernel(program, "paint", nullptr);
  const cl_mem out = opened.buffer(std::vector<float>(side * side));
  const cl_mem canvas = image(opened, side, nullptr), other = opened.buffer(texels);
  set(turn, 0, image(opened, side, texels.data()));
  const std::array<cl_sampler_properties, 7> how = {CL_SAMPLER_NORMALIZED_COORDS,
                                                    CL_FALSE,
                                                    CL_SAMPLER_ADDRESSING_MODE,
                                                    CL_ADDRESS_CLAMP_TO_EDGE,
                                                    CL_SAMPLER_FILTER_MODE,
                                                    CL_FILTER_NEAREST,
                                                    0};
  set(turn, 1, clCreateSamplerWithProperties(opened.context, how.data(), nullptr));
  set(turn, 2, out);
  set(paint, 0, canvas);
  const cl_command_queue queue = opened.queue(0);
  const std::size_t global[] = {side, side}, local[] = {8, 8}, origin[3] = {}, region[] = {side, side, 1};
  clEnqueueNDRangeKernel(queue, turn, 2, nullptr, global, local, 0, nullptr, nullptr);
  clEnqueueNDRangeKernel(queue, paint, 2, nullptr, global, local, 0, nullptr, nullptr);
  clReleaseMemObject(other);
  std::vector<float> painted(side * side);
  clEnqueueReadImage(queue, canvas, CL_TRUE, origin, region, 0, 0, painted.data(), 0, nullptr, nullptr);
  say_result(read<float>(queue, out, side * side)[5] == 5 * side && painted[side + 9] == 10);
}

/// A child that ends, and one that becomes another program, while this one goes on.
void children(const Opened& opened) {
  const cl_program program = opened.build(plain_source);
  const cl_mem memory = opened.buffer(std::vector<float>(items));
  const cl_command_queue queue = opened.queue(0);
  const cl_kernel kernel = clCreateKernel(program, "add", nullptr);
  set(kernel, 0, memory);
  std::fflush(stdout);
  for (int k = 0; k < 4; ++k) {
    const pid_t child = fork();
    if (child == 0 && k % 2 == 0)
      execl("/bin/true", "true", nullptr);
    if (child == 0)
      _exit(0);
    set(kernel, 1, static_cast<float>(k));
    launch(queue, kernel, items);
    waitpid(child, nullptr, 0);
  }
  say_result(read<float>(queue, memory, items)[9] == 0 + 1 + 2 + 3);
}

/// 100 queues, used by ten threads at once.
void queues(const Opened& opened) {
  constexpr std::size_t threads = 10, each = 10;
  const cl_program program = opened.build(plain_source);
  std::vector<cl_command_queue> made;
  std::vector<cl_mem> memories;
  for (std::size_t k = 0; k < threads * each; ++k) {
    made.push_back(opened.queue(0));
    memories.push_back(opened.buffer(std::vector<float>(1024)));
  }
  std::array<bool, threads> right = {};
  std::vector<std::thread> running;
  for (std::size_t t = 0; t < threads; ++t)
    running.emplace_back([&, t] {
      const cl_kernel kernel = clCreateKernel(program, "add", nullptr);
      right[t] = true;
      for (std::size_t round = 0; round < 3; ++round)
        for (std::size_t k = t * each; k < (t + 1) * each; ++k) {
          set(kernel, 0, memories[k]);
          set(kernel, 1, static_cast<float>(k));
          launch(made[k], kernel, 1024);
        }
      for (std::size_t k = t * each; k < (t + 1) * each; ++k) {
        clFinish(made[k]);
        right[t] = right[t] && read<float>(made[k], memories[k], 1024)[3] == static_cast<float>(3 * k);
      }
      clReleaseKernel(kernel);
    });
  for (std::thread& thread : running)
    thread.join();
  bool all = true;
  for (const bool one : right)
    all = all && one;
  say_result(all);
}

/// Nodes in shared virtual memory, each of which points to its own data.
void shared_memory(const Opened& opened) {
  struct Node {
    float* data;
    std::int32_t count;
  };
  constexpr std::size_t nodes = 128;
  const cl_kernel kernel = clCreateKernel(opened.build(plain_source, "-cl-std=CL2.0"), "sums", nullptr);
  const auto make = [&](std::size_t bytes) {
    return clSVMAlloc(opened.context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, bytes, 0);
  };
  auto* list = static_cast<Node*>(make(nodes * sizeof(Node)));
  auto* out = static_cast<float*>(make(nodes * sizeof(float)));
  std::vector<void*> pointers;
  for (std::size_t k = 0; k < nodes; ++k) {
    list[k].count = static_cast<std::int32_t>(k);
    list[k].data = static_cast<float*>(make((k + 1) * sizeof(float)));
    pointers.push_back(list[k].data);
    for (std::size_t i = 0; i <= k; ++i)
      list[k].data[i] = 2;
  }
  clSetKernelArgSVMPointer(kernel, 0, list);
  clSetKernelArgSVMPointer(kernel, 1, out);
  clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, pointers.size() * sizeof(void*),
                      static_cast<const void*>(pointers.data()));
  const cl_command_queue queue = opened.queue(0);
  std::printf("launch %d\n", launch(queue, kernel, nodes));
  clFinish(queue);
  say_result(out[5] == 10 && out[127] == 254);
}

/// Two arguments lead into one allocation of shared virtual memory.
void shared_parts(const Opened& opened) {
  const cl_program program = opened.build(plain_source, "-cl-std=CL2.0");
  const cl_kernel kernel = clCreateKernel(program, "shift", nullptr);
  clReleaseProgram(program);
  auto* all = static_cast<float*>(
      clSVMAlloc(opened.context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, items * sizeof(float), 0));
  for (std::size_t k = 0; k < items; ++k)
    all[k] = static_cast<float>(k);
  clSetKernelArgSVMPointer(kernel, 0, all);
  clSetKernelArgSVMPointer(kernel, 1, all + items / 2);
  const cl_command_queue queue = opened.queue(0);
  launch(queue, kernel, items / 2);
  clFinish(queue);
  const bool right = all[3] == 3 && all[items / 2 + 3] == 4;
  // Buffers that the program lets go of at once: what was written through them is in its own memory.
  const cl_kernel add = clCreateKernel(opened.build(plain_source, "-cl-std=CL2.0"), "add", nullptr);
  std::vector<float> own(items, 1);
  for (float* host : {all, own.data()}) {
    const cl_mem memory = clCreateBuffer(opened.context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
                                         items * sizeof(float), host, nullptr);
    set(add, 0, memory);
    set(add, 1, 1.0F);
    launch(queue, add, items);
    clReleaseMemObject(memory);
  }
  clFinish(queue);
  say_result(right && all[3] == 4 && own[3] == 2);
}

std::int64_t in_ns(const timespec& time) {
  return time.tv_sec * std::int64_t{1'000'000'000} + time.tv_nsec;
}

/// Sleeps until a time of the program's clock, which has stood still while a launch was predicted.
void sleeper(const Opened& opened) {
  const cl_mem memory = opened.buffer(std::vector<float>(items));
  const cl_kernel kernel = clCreateKernel(opened.build(plain_source), "beyond", nullptr);
  set(kernel, 0, memory);
  const cl_command_queue queue = opened.queue(0);
  launch(queue, kernel, items / 2);
  clFinish(queue);
  constexpr long wanted = 40'000'000;
  timespec until = {}, before = {}, after = {};
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_sec += (until.tv_nsec + wanted) / 1'000'000'000;
  until.tv_nsec = (until.tv_nsec + wanted) % 1'000'000'000;
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &before);
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr);
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &after);
  say_result(in_ns(after) - in_ns(before) > wanted / 2);
}

} // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "devices";
  Opened opened;
  if (!opened.open())
    return no_device;
  if (what == "devices")
    on_all_devices(opened);
  else if (what == "parts")
    parts(opened);
  else if (what == "foreign")
    foreign(opened);
  else if (what == "beyond")
    beyond(opened);
  else if (what == "children")
    children(opened);
  else if (what == "queues")
    queues(opened);
  else if (what == "sleeper")
    sleeper(opened);
  else if (what == "offsets")
    offsets(opened);
  else if (what == "images")
    images(opened);
  else if (what == "shared-parts")
    shared_parts(opened);
  else if (what == "shared")
    shared_memory(opened);
  return 0;
}
