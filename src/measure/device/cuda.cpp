// The CUDA driver as a Device.
#include "measure/device/cuda_api.h"
#include "measure/device/device.h"
#include "measure/device/nvml.h"

#include <algorithm>
#include <fmt/format.h>

namespace forewarp::measure {
namespace {

using namespace cuda;

struct AttributeName {
  const char* name;
  int number;
};
constexpr AttributeName attribute_names[] = {
    {"max_threads_per_block", max_threads_per_block},
    {"shared_per_block_bytes", shared_per_block},
    {"constant_bytes", total_constant_memory},
    {"warp_size", warp_size},
    {"clock_rate_khz", clock_rate_khz},
    {"sm_count", multiprocessor_count},
    {"ecc_enabled", ecc_enabled},
    {"memory_clock_rate_khz", memory_clock_rate_khz},
    {"memory_bus_bits", memory_bus_bits},
    {"l2_bytes", l2_cache_bytes},
    {"max_threads_per_sm", max_threads_per_multiprocessor},
    {"shared_per_sm_bytes", shared_per_multiprocessor},
    {"registers_per_sm", registers_per_multiprocessor},
    {"shared_per_block_optin_bytes", shared_per_block_optin},
    {"max_blocks_per_sm", max_blocks_per_multiprocessor},
    {"reserved_shared_per_block_bytes", reserved_shared_per_block},
};

/// A function with the module that holds it.
struct Loaded {
  Module module;
  Function function;
};

class CudaDevice final : public Device {
public:
  CudaDevice(Library library, const Api& api) : library_(std::move(library)), api_(api) {}

  Result<void> open(unsigned index) {
    int count = 0;
    if (const Status status = api_.init(0); status != success)
      return fail(ErrorCode::not_found, fmt::format("the CUDA driver does not start: {}", words(status)));
    if (api_.device_count(&count) != success || count == 0)
      return fail(ErrorCode::not_found, "the CUDA driver knows no device");
    if (index >= static_cast<unsigned>(count))
      return fail(ErrorCode::not_found, fmt::format("there is no CUDA device {}; there are {}", index, count),
                  "--device");
    Context context = nullptr;
    FOREWARP_TRY(check(api_.device_get(&device_, static_cast<int>(index)), "opening the device"));
    FOREWARP_TRY(check(api_.primary_retain(&context, device_), "making a context"));
    FOREWARP_TRY(check(api_.context_set(context), "making a context"));
    FOREWARP_TRY(check(api_.event_create(&begin_, 0), "making an event"));
    FOREWARP_TRY(check(api_.event_create(&end_, 0), "making an event"));
    describe();
    return {};
  }

  const DeviceInfo& info() const override { return info_; }
  ClockReading clocks() override { return nvml_ ? nvml_->read() : ClockReading(); }

  Result<LoadedKernel> load(const std::string& code, const std::string& symbol, const std::string&) override {
    std::string log(8192, '\0');
    int options[] = {jit_error_log, jit_error_log_bytes};
    void* values[] = {log.data(), reinterpret_cast<void*>(log.size())};
    Loaded loaded{};
    const Status status = api_.module_load(&loaded.module, code.c_str(), 2, options, values);
    if (status == unsupported_ptx_version)
      return fail(ErrorCode::unsupported,
                  fmt::format("the driver is too old for this PTX ({})", words(status)), symbol,
                  "update it, or bundle for an older target");
    if (status != success)
      return fail(ErrorCode::unsupported,
                  fmt::format("the driver refuses the PTX: {} {}", words(status), first_line(log)), symbol);
    FOREWARP_TRY(check(api_.module_function(&loaded.function, loaded.module, symbol.c_str()), symbol));
    LoadedKernel kernel;
    kernel.handle = new Loaded(loaded);
    api_.function_get(&kernel.resources.registers, function_registers, loaded.function);
    api_.function_get(&kernel.resources.static_shared_bytes, function_shared_bytes, loaded.function);
    api_.function_get(&kernel.resources.local_bytes, function_local_bytes, loaded.function);
    api_.function_get(&kernel.resources.max_group_threads, function_max_threads, loaded.function);
    return kernel;
  }

  void unload(LoadedKernel& kernel) override {
    auto* loaded = static_cast<Loaded*>(kernel.handle);
    if (loaded)
      api_.module_unload(loaded->module);
    delete loaded;
    kernel.handle = nullptr;
  }

  Result<BufferHandle> allocate(std::uint64_t bytes) override {
    Pointer pointer = 0;
    FOREWARP_TRY(check(api_.allocate(&pointer, bytes), fmt::format("allocating {} bytes", bytes)));
    return pointer;
  }
  void free(BufferHandle buffer) override { api_.free(buffer); }

  Result<void> write(BufferHandle to, const void* from, std::uint64_t bytes) override {
    return check(api_.to_device(to, from, bytes), "copying to the device");
  }
  Result<void> read(void* to, BufferHandle from, std::uint64_t bytes) override {
    return check(api_.to_host(to, from, bytes), "copying from the device");
  }
  Result<void> copy(BufferHandle to, BufferHandle from, std::uint64_t bytes) override {
    return check(api_.on_device(to, from, bytes), "copying on the device");
  }
  Result<void> fill(BufferHandle buffer, std::uint8_t value, std::uint64_t bytes) override {
    return check(api_.fill8(buffer, value, bytes), "filling a buffer");
  }

  Result<void> prepare(LoadedKernel& kernel, const DeviceLaunch& launch) override {
    values_.clear();
    std::uint64_t offset = launch.dynamic_shared_bytes;
    for (const KernelArgument& argument : launch.arguments) {
      if (const auto* bytes = std::get_if<std::vector<std::uint8_t>>(&argument)) {
        values_.push_back(*bytes);
      } else if (const auto* local =
                     std::get_if<LocalSize>(&argument)) { // an offset: see bundle/pointer_arguments.h
        offset = (offset + 15) / 16 * 16;
        values_.push_back(bytes_of(offset));
        offset += local->bytes;
      } else {
        values_.push_back(bytes_of(std::get<BufferHandle>(argument)));
      }
    }
    pointers_.clear();
    for (auto& value : values_)
      pointers_.push_back(value.data());
    shared_bytes_ = offset + launch.unused_shared_bytes;
    return allow_shared(kernel, shared_bytes_);
  }

  Result<double> run(LoadedKernel& kernel, const DeviceLaunch& launch, unsigned count) override {
    const Function function = static_cast<Loaded*>(kernel.handle)->function;
    const auto narrow = [](std::uint64_t size) { return static_cast<unsigned>(size); };
    const facts::Dim3 &groups = launch.groups, &size = launch.group_size;
    FOREWARP_TRY(check(api_.event_record(begin_, nullptr), "recording an event"));
    for (unsigned i = 0; i < count; ++i)
      FOREWARP_TRY(check(api_.launch(function, narrow(groups.x), narrow(groups.y), narrow(groups.z),
                                     narrow(size.x), narrow(size.y), narrow(size.z), narrow(shared_bytes_),
                                     nullptr, pointers_.data(), nullptr),
                         "launching", ErrorCode::launch));
    FOREWARP_TRY(check(api_.event_record(end_, nullptr), "recording an event"));
    FOREWARP_TRY(check(api_.event_wait(end_), "running the kernel", ErrorCode::kernel_fault));
    float milliseconds = 0;
    FOREWARP_TRY(check(api_.event_elapsed(&milliseconds, begin_, end_), "reading the events"));
    return milliseconds * 1e3;
  }

  unsigned concurrent_groups(const LoadedKernel& kernel, const DeviceLaunch& launch) override {
    std::uint64_t shared = launch.dynamic_shared_bytes + launch.unused_shared_bytes;
    for (const KernelArgument& argument : launch.arguments)
      if (const auto* local = std::get_if<LocalSize>(&argument))
        shared = (shared + 15) / 16 * 16 + local->bytes;
    int groups = 0;
    if (!allow_shared(kernel, shared) ||
        api_.occupancy(&groups, static_cast<Loaded*>(kernel.handle)->function,
                       static_cast<int>(launch.group_size.count()), shared) != success)
      return 0;
    return static_cast<unsigned>(std::max(groups, 0));
  }

  void* allocate_pinned(std::uint64_t bytes) override {
    void* memory = nullptr;
    return api_.allocate_host(&memory, bytes) == success ? memory : nullptr;
  }
  void free_pinned(void* memory) override { api_.free_host(memory); }

private:
  static constexpr std::uint64_t shared_without_optin = 48 * 1024;

  static std::vector<std::uint8_t> bytes_of(std::uint64_t value) {
    const auto* begin = reinterpret_cast<const std::uint8_t*>(&value);
    return {begin, begin + sizeof value};
  }

  static std::string first_line(const std::string& log) {
    return log.substr(0, log.find_first_of(std::string("\n\0", 2)));
  }

  std::string words(Status status) const {
    const char *name = nullptr, *text = nullptr;
    if (api_.error_name(status, &name) != success || api_.error_text(status, &text) != success)
      return fmt::format("error {}", status);
    return fmt::format("{} ({})", name, text);
  }

  Result<void> check(Status status, const std::string& doing, ErrorCode code = ErrorCode::unsupported) const {
    if (status == success)
      return {};
    if (status == out_of_memory)
      return fail(ErrorCode::budget, fmt::format("too little device memory: {}", doing));
    if (status == launch_out_of_resources || status == invalid_value)
      code = ErrorCode::launch;
    return fail(code, fmt::format("{}: {}", doing, words(status)));
  }

  Result<void> allow_shared(const LoadedKernel& kernel, std::uint64_t bytes) const {
    const auto of_kernel = static_cast<std::uint64_t>(std::max(kernel.resources.static_shared_bytes, 0));
    if (bytes + of_kernel <= shared_without_optin)
      return {};
    return check(api_.function_set(static_cast<Loaded*>(kernel.handle)->function, function_max_dynamic_shared,
                                   static_cast<int>(bytes)),
                 fmt::format("asking for {} bytes of shared memory", bytes), ErrorCode::launch);
  }

  void describe() {
    char text[256] = {};
    info_.backend = "cuda";
    info_.vendor = "NVIDIA";
    api_.device_name(text, sizeof text, device_);
    info_.name = text;
    std::size_t memory = 0;
    api_.device_memory(&memory, device_);
    info_.memory_bytes = memory;
    for (const AttributeName& attribute : attribute_names) {
      int value = 0;
      if (api_.device_attribute(&value, attribute.number, device_) == success)
        info_.attributes[attribute.name] = value;
    }
    info_.sm_count = static_cast<unsigned>(info_.attributes["sm_count"]);
    info_.l2_bytes = static_cast<std::uint64_t>(info_.attributes["l2_bytes"]);
    info_.shared_per_group_bytes =
        static_cast<std::uint64_t>(info_.attributes["shared_per_block_optin_bytes"]);
    int major = 0, minor = 0, version = 0;
    api_.device_attribute(&major, capability_major, device_);
    api_.device_attribute(&minor, capability_minor, device_);
    api_.driver_version(&version);
    info_.target = fmt::format("sm_{}{}", major, minor);
    info_.driver = fmt::format("CUDA {}.{}", version / 1000, version % 1000 / 10);
    if (api_.device_bus_id(text, sizeof text, device_) == success)
      nvml_ = Nvml::open(text);
    if (nvml_ && !nvml_->driver_version().empty())
      info_.driver = nvml_->driver_version() + ", " + info_.driver;
  }

  Library library_;
  Api api_;
  DeviceIndex device_ = 0;
  DeviceInfo info_;
  std::optional<Nvml> nvml_;
  Event begin_ = nullptr, end_ = nullptr;
  std::vector<std::vector<std::uint8_t>> values_;
  std::vector<void*> pointers_;
  std::uint64_t shared_bytes_ = 0;
};

} // namespace

Result<std::unique_ptr<Device>> open_cuda(unsigned index) {
  auto library = Library::open({"libcuda.so.1"}, "FOREWARP_CUDA");
  if (!library)
    return fail(ErrorCode::not_found, fmt::format("no CUDA driver: {}", library.error().message));
  const auto api = load_api(*library);
  FOREWARP_TRY(api);
  auto device = std::make_unique<CudaDevice>(std::move(*library), *api);
  FOREWARP_TRY(device->open(index));
  return device;
}

} // namespace forewarp::measure
