// An OpenCL device as a Device. Shared memory cannot be asked for beside a kernel's own: where occupancy is
// to be limited, the kernel is one with a parameter for it. OpenCL does not tell how many groups are
// resident.
#include "measure/device/device.h"
#include "measure/device/opencl_api.h"

#include <algorithm>
#include <fmt/format.h>

namespace forewarp::measure {
namespace {

using namespace opencl;

struct Loaded {
  Program program = nullptr;
  Kernel kernel = nullptr;
};

class OpenclDevice final : public Device {
public:
  OpenclDevice(Library library, const Api& api) : library_(std::move(library)), api_(api) {}

  Result<void> open(unsigned index) {
    const auto all = list();
    if (all.empty())
      return fail(ErrorCode::not_found, "OpenCL knows no device");
    if (index >= all.size())
      return fail(ErrorCode::not_found,
                  fmt::format("there is no OpenCL device {}; there are {}", index, all.size()), "--device");
    device_ = all[index];
    Status status = success;
    context_ = api_.create_context(nullptr, 1, &device_, nullptr, nullptr, &status);
    FOREWARP_TRY(check(status, "making a context"));
    queue_ = api_.create_queue(context_, device_, queue_profiling, &status);
    FOREWARP_TRY(check(status, "making a queue"));
    describe();
    return {};
  }

  const DeviceInfo& info() const override { return info_; }
  ClockReading clocks() override { return {}; }

  Result<LoadedKernel> load(const std::string& code, const std::string& symbol,
                            const std::string& options) override {
    Status status = success;
    const char* text = code.c_str();
    Loaded loaded;
    loaded.program = api_.create_program(context_, 1, &text, nullptr, &status);
    FOREWARP_TRY(check(status, "reading the source"));
    if (api_.build_program(loaded.program, 1, &device_, options.c_str(), nullptr, nullptr) != success) {
      const Error error{ErrorCode::unsupported, "the OpenCL compiler refuses the source: " + log_of(loaded),
                        symbol};
      api_.release_program(loaded.program);
      return tl::unexpected<Error>(error);
    }
    loaded.kernel = api_.create_kernel(loaded.program, symbol.c_str(), &status);
    FOREWARP_TRY(check(status, symbol));
    LoadedKernel kernel;
    kernel.handle = new Loaded(loaded);
    std::uint64_t local = 0;
    std::size_t threads = 0;
    if (api_.kernel_group_info(loaded.kernel, device_, kernel_local_bytes, sizeof local, &local, nullptr) ==
        success)
      kernel.resources.static_shared_bytes = static_cast<int>(local);
    if (api_.kernel_group_info(loaded.kernel, device_, kernel_group_size, sizeof threads, &threads,
                               nullptr) == success)
      kernel.resources.max_group_threads = static_cast<int>(threads);
    return kernel;
  }

  void unload(LoadedKernel& kernel) override {
    auto* loaded = static_cast<Loaded*>(kernel.handle);
    if (loaded) {
      api_.release_kernel(loaded->kernel);
      api_.release_program(loaded->program);
    }
    delete loaded;
    kernel.handle = nullptr;
  }

  Result<BufferHandle> allocate(std::uint64_t bytes) override {
    Status status = success;
    const Memory memory = api_.create_buffer(context_, memory_read_write, bytes, nullptr, &status);
    FOREWARP_TRY(check(status, fmt::format("allocating {} bytes", bytes)));
    return reinterpret_cast<BufferHandle>(memory);
  }
  void free(BufferHandle buffer) override { api_.release_memory(memory_of(buffer)); }

  Result<void> write(BufferHandle to, const void* from, std::uint64_t bytes) override {
    return check(api_.write_buffer(queue_, memory_of(to), 1, 0, bytes, from, 0, nullptr, nullptr),
                 "copying to the device");
  }
  Result<void> read(void* to, BufferHandle from, std::uint64_t bytes) override {
    return check(api_.read_buffer(queue_, memory_of(from), 1, 0, bytes, to, 0, nullptr, nullptr),
                 "copying from the device");
  }
  Result<void> copy(BufferHandle to, BufferHandle from, std::uint64_t bytes) override {
    return check(api_.copy_buffer(queue_, memory_of(from), memory_of(to), 0, 0, bytes, 0, nullptr, nullptr),
                 "copying on the device");
  }
  Result<void> fill(BufferHandle buffer, std::uint8_t value, std::uint64_t bytes) override {
    return check(api_.fill_buffer(queue_, memory_of(buffer), &value, 1, 0, bytes, 0, nullptr, nullptr),
                 "filling a buffer");
  }

  Result<void> prepare(LoadedKernel& kernel, const DeviceLaunch& launch) override {
    const Kernel handle = static_cast<Loaded*>(kernel.handle)->kernel;
    for (std::uint32_t i = 0; i < launch.arguments.size(); ++i) {
      const KernelArgument& argument = launch.arguments[i];
      Status status = success;
      if (const auto* bytes = std::get_if<std::vector<std::uint8_t>>(&argument)) {
        status = api_.set_argument(handle, i, bytes->size(), bytes->data());
      } else if (const auto* local = std::get_if<LocalSize>(&argument)) {
        status = api_.set_argument(handle, i, local->bytes, nullptr);
      } else {
        const Memory memory = memory_of(std::get<BufferHandle>(argument));
        status = api_.set_argument(handle, i, sizeof memory, &memory);
      }
      FOREWARP_TRY(check(status, fmt::format("setting argument {}", i), ErrorCode::launch));
    }
    if (launch.dynamic_shared_bytes)
      return fail(ErrorCode::launch, "OpenCL has no shared memory beside the kernel's own");
    if (launch.unused_shared_bytes == 0)
      return {};
    // The padded kernel's last parameter (bundle/padded_source.h).
    return check(api_.set_argument(handle, static_cast<std::uint32_t>(launch.arguments.size()),
                                   launch.unused_shared_bytes, nullptr),
                 "setting the unused local memory", ErrorCode::launch);
  }

  Result<double> run(LoadedKernel& kernel, const DeviceLaunch& launch, unsigned count) override {
    const facts::Dim3 &groups = launch.groups, &size = launch.group_size;
    const std::size_t global[] = {groups.x * size.x, groups.y * size.y, groups.z * size.z};
    const std::size_t local[] = {size.x, size.y, size.z};
    const std::uint32_t dimensions = global[2] > 1 ? 3 : global[1] > 1 ? 2 : 1; // get_work_dim
    const Kernel handle = static_cast<Loaded*>(kernel.handle)->kernel;
    std::vector<Event> events;
    Result<void> state;
    for (unsigned i = 0; i < count && state; ++i) {
      Event event = nullptr;
      const Status status =
          api_.launch(queue_, handle, dimensions, nullptr, global, local, 0, nullptr, &event);
      state = check(status, "launching", ErrorCode::launch);
      if (state)
        events.push_back(event);
    }
    if (state)
      state = check(api_.finish(queue_), "running the kernel", ErrorCode::kernel_fault);
    auto microseconds = state ? elapsed_us(events) : Result<double>(0.0);
    for (Event event : events)
      api_.release_event(event);
    FOREWARP_TRY(state);
    return microseconds;
  }

  unsigned concurrent_groups(const LoadedKernel&, const DeviceLaunch&) override { return 0; }
  void* allocate_pinned(std::uint64_t) override { return nullptr; }
  void free_pinned(void*) override {}

private:
  static Memory memory_of(BufferHandle buffer) { return reinterpret_cast<Memory>(buffer); }

  /// GPUs first, then the others, in the platforms' order.
  std::vector<DeviceId> list() const {
    std::vector<DeviceId> gpus, others;
    std::uint32_t count = 0;
    if (api_.platforms(0, nullptr, &count) != success)
      return {};
    std::vector<Platform> platforms(count);
    api_.platforms(count, platforms.data(), nullptr);
    for (Platform platform : platforms) {
      for (const std::uint64_t type : {gpu_devices, all_devices & ~gpu_devices}) {
        std::uint32_t found = 0;
        if (api_.devices(platform, type, 0, nullptr, &found) != success)
          continue;
        std::vector<DeviceId> devices(found);
        api_.devices(platform, type, found, devices.data(), nullptr);
        auto& list = type == gpu_devices ? gpus : others;
        list.insert(list.end(), devices.begin(), devices.end());
      }
    }
    gpus.insert(gpus.end(), others.begin(), others.end());
    return gpus;
  }

  Result<double> elapsed_us(const std::vector<Event>& events) const {
    std::uint64_t begin = 0, end = 0;
    FOREWARP_TRY(check(api_.event_profile(events.front(), profiling_start, sizeof begin, &begin, nullptr),
                       "reading the events"));
    FOREWARP_TRY(check(api_.event_profile(events.back(), profiling_end, sizeof end, &end, nullptr),
                       "reading the events"));
    return static_cast<double>(end - begin) * 1e-3;
  }

  std::string log_of(const Loaded& loaded) const {
    std::size_t size = 0;
    api_.build_info(loaded.program, device_, build_log, 0, nullptr, &size);
    std::string log(size, '\0');
    api_.build_info(loaded.program, device_, build_log, size, log.data(), nullptr);
    return log.substr(0, std::min<std::size_t>(log.find('\0'), 400));
  }

  Result<void> check(Status status, const std::string& doing, ErrorCode code = ErrorCode::unsupported) const {
    if (status == success)
      return {};
    if (status == allocation_failure || status == out_of_host_memory || status == out_of_resources)
      return fail(ErrorCode::budget,
                  fmt::format("too little memory or other resources: {} (OpenCL error {})", doing, status));
    if (status == invalid_work_group_size)
      code = ErrorCode::launch;
    return fail(code, fmt::format("{}: OpenCL error {}", doing, status));
  }

  std::string text(std::uint32_t what) const {
    char value[512] = {};
    return api_.device_info(device_, what, sizeof value - 1, value, nullptr) == success ? value : "";
  }
  template <class T> T number(std::uint32_t what) const {
    T value{};
    return api_.device_info(device_, what, sizeof value, &value, nullptr) == success ? value : T{};
  }

  void describe() {
    info_.backend = "opencl";
    info_.name = text(device_name);
    info_.vendor = text(device_vendor);
    info_.driver = text(driver_version) + ", " + text(device_version);
    info_.sm_count = std::max(1U, number<std::uint32_t>(device_max_compute_units));
    info_.memory_bytes = number<std::uint64_t>(device_memory_bytes);
    info_.l2_bytes = number<std::uint64_t>(device_cache_bytes);
    info_.shared_per_group_bytes = number<std::uint64_t>(device_local_bytes);
    info_.attributes = {
        {"sm_count", info_.sm_count},
        {"clock_rate_khz", 1e3 * number<std::uint32_t>(device_max_clock_mhz)},
        {"max_threads_per_block", static_cast<double>(number<std::size_t>(device_max_group_size))}};
  }

  Library library_;
  Api api_;
  DeviceId device_ = nullptr;
  Context context_ = nullptr;
  Queue queue_ = nullptr;
  DeviceInfo info_;
};

} // namespace

Result<std::unique_ptr<Device>> open_opencl(unsigned index) {
  auto library = Library::open({"libOpenCL.so.1", "libOpenCL.so"}, "FOREWARP_OPENCL");
  if (!library)
    return fail(ErrorCode::not_found, fmt::format("no OpenCL loader: {}", library.error().message));
  const auto api = load_api(*library);
  FOREWARP_TRY(api);
  auto device = std::make_unique<OpenclDevice>(std::move(*library), *api);
  FOREWARP_TRY(device->open(index));
  return device;
}

} // namespace forewarp::measure
