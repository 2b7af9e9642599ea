#include "measure/run/session.h"

#include "support/text_file.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>

namespace forewarp::measure {
namespace {

constexpr std::uint64_t max_code_bytes = 1 << 26;
/// More than the caches of today's GPUs, where the driver does not tell their size.
constexpr std::uint64_t default_flush_bytes = std::uint64_t{256} << 20;

const Expected* expected_of(const BundleLaunch& launch, const std::string& buffer) {
  for (const Expected& expected : launch.expected)
    if (expected.buffer == buffer)
      return &expected;
  return nullptr;
}

/// OpenCL's compiler options of a kernel.
std::string options_of(const BundleKernel& kernel) {
  return kernel.standard.empty() ? kernel.options
                                 : fmt::format("-cl-std={} {}", kernel.standard, kernel.options);
}

} // namespace

Result<std::unique_ptr<LaunchSession>> LaunchSession::open(Device& device, const Bundle& bundle,
                                                           const BundleKernel& kernel,
                                                           const BundleLaunch& launch) {
  std::unique_ptr<LaunchSession> session(new LaunchSession(device, bundle, kernel, launch));
  auto loaded = session->load(kernel.file);
  FOREWARP_TRY(loaded);
  session->kernel_ = *loaded;
  session->shape_.groups = grid_of(launch, device.info().sm_count);
  session->shape_.group_size = launch.group_size;
  session->shape_.dynamic_shared_bytes = launch.dynamic_shared_bytes;
  FOREWARP_TRY(session->make_buffers());
  return session;
}

LaunchSession::~LaunchSession() {
  for (const Buffer& buffer : buffers_) {
    device_.free(buffer.handle);
    if (buffer.pristine)
      device_.free(*buffer.pristine);
  }
  if (flush_)
    device_.free(*flush_);
  device_.unload(kernel_);
  device_.unload(padded_);
}

Result<LoadedKernel> LaunchSession::load(const std::string& file) {
  const auto code = read_file(bundle_.folder + '/' + file, "kernel of the bundle", max_code_bytes);
  FOREWARP_TRY(code);
  return device_.load(*code, description_.symbol, options_of(description_));
}

Result<LoadedKernel*> LaunchSession::kernel_for(std::uint64_t unused_shared_bytes) {
  if (unused_shared_bytes == 0 || description_.padded_file.empty())
    return &kernel_;
  if (!padded_.handle) {
    auto padded = load(description_.padded_file);
    FOREWARP_TRY(padded);
    padded_ = *padded;
  }
  return &padded_;
}

std::uint64_t LaunchSession::shared_bytes() const {
  auto bytes = static_cast<std::uint64_t>(std::max(kernel_.resources.static_shared_bytes, 0));
  for (const KernelArgument& argument : shape_.arguments)
    if (const auto* local = std::get_if<LocalSize>(&argument))
      bytes += local->bytes;
  return bytes + shape_.dynamic_shared_bytes;
}

Result<void> LaunchSession::make_buffers() {
  for (std::size_t i = 0; i < launch_.arguments.size(); ++i) {
    const BundleArgument& argument = launch_.arguments[i];
    if (const auto* scalar = std::get_if<ScalarBytes>(&argument.value)) {
      shape_.arguments.push_back(scalar->bytes);
      continue;
    }
    if (const auto* local = std::get_if<LocalBytes>(&argument.value)) {
      shape_.arguments.push_back(LocalSize{local->bytes});
      continue;
    }
    const std::uint64_t bytes = std::get<facts::BufferValue>(argument.value).size_in_bytes();
    const auto handle = device_.allocate(bytes);
    FOREWARP_TRY(handle);
    buffers_.push_back({i, *handle, std::nullopt, bytes});
    shape_.arguments.push_back(*handle);
    if (std::get<facts::BufferValue>(argument.value).contents.kind == facts::BufferContents::Kind::zeros) {
      FOREWARP_TRY(device_.fill(*handle, 0, bytes)); // gigabytes of them: not over the bus
      continue;
    }
    const auto contents = contents_of(argument, bundle_.folder);
    FOREWARP_TRY(contents);
    FOREWARP_TRY(device_.write(*handle, contents->data(), bytes));
  }
  return {};
}

Result<void> LaunchSession::put_back() {
  if (description_.kind == "micro") // each run writes the same
    return {};
  for (Buffer& buffer : buffers_) {
    if (launch_.arguments[buffer.argument].read_only)
      continue;
    if (!buffer.pristine) {
      const auto copy = device_.allocate(buffer.bytes);
      FOREWARP_TRY(copy);
      buffer.pristine = *copy;
      const auto contents = contents_of(launch_.arguments[buffer.argument], bundle_.folder);
      FOREWARP_TRY(contents);
      FOREWARP_TRY(device_.write(*copy, contents->data(), buffer.bytes));
    }
    FOREWARP_TRY(device_.copy(buffer.handle, *buffer.pristine, buffer.bytes));
  }
  return {};
}

Result<void> LaunchSession::flush_l2() {
  if (!flush_) {
    const std::uint64_t l2 = device_.info().l2_bytes;
    flush_bytes_ = l2 ? 2 * l2 : default_flush_bytes;
    const auto buffer = device_.allocate(flush_bytes_);
    FOREWARP_TRY(buffer);
    flush_ = *buffer;
  }
  return device_.fill(*flush_, 0, flush_bytes_);
}

unsigned LaunchSession::concurrent_groups(std::uint64_t unused_shared_bytes) {
  DeviceLaunch shape = shape_;
  shape.unused_shared_bytes = unused_shared_bytes;
  return device_.concurrent_groups(kernel_, shape);
}

Result<std::string> LaunchSession::compare(std::size_t index, BufferHandle buffer, const std::string& keep) {
  const BundleArgument& argument = launch_.arguments[index];
  const Expected* expected = expected_of(launch_, argument.name);
  if (!expected && !launch_.checks_inputs)
    return "";
  std::vector<std::uint8_t> actual(std::get<facts::BufferValue>(argument.value).size_in_bytes());
  FOREWARP_TRY(device_.read(actual.data(), buffer, actual.size()));
  if (!expected) {
    const auto before = contents_of(argument, bundle_.folder);
    FOREWARP_TRY(before);
    return actual == *before ? "" : argument.name + " is no output, but was changed";
  }
  if (!keep.empty()) {
    std::ofstream file(fmt::format("{}/{}.{}.{}.bin", keep, description_.name, launch_.name, argument.name),
                       std::ios::binary);
    file.write(reinterpret_cast<const char*>(actual.data()), static_cast<std::streamsize>(actual.size()));
    if (!file.flush())
      return fail(ErrorCode::not_found, "the output buffers cannot be written", keep);
  }
  return difference(*expected, actual);
}

Result<std::string> LaunchSession::check(const std::string& keep) {
  FOREWARP_TRY(device_.prepare(kernel_, shape_));
  FOREWARP_TRY(device_.run(kernel_, shape_, 1));
  for (const Buffer& buffer : buffers_) {
    const auto wrong = compare(buffer.argument, buffer.handle, keep);
    FOREWARP_TRY(wrong);
    if (!wrong->empty())
      return *wrong;
  }
  return "";
}

Result<double> LaunchSession::run_once() {
  FOREWARP_TRY(device_.prepare(kernel_, shape_));
  return device_.run(kernel_, shape_, 1);
}

Result<Series> LaunchSession::time(CacheState cache, std::uint64_t unused_shared_bytes,
                                   const RepetitionRule& rule) {
  DeviceLaunch shape = shape_;
  shape.unused_shared_bytes = unused_shared_bytes;
  const auto kernel = kernel_for(unused_shared_bytes);
  FOREWARP_TRY(kernel);
  FOREWARP_TRY(device_.prepare(**kernel, shape));
  FOREWARP_TRY(put_back());
  FOREWARP_TRY(device_.run(**kernel, shape, 1)); // warm-up
  return repeat(rule, [&]() -> Result<double> {
    FOREWARP_TRY(put_back());
    if (cache == CacheState::cold)
      FOREWARP_TRY(flush_l2());
    return device_.run(**kernel, shape, 1);
  });
}

Result<double> LaunchSession::batched_us(unsigned count) {
  FOREWARP_TRY(device_.prepare(kernel_, shape_));
  FOREWARP_TRY(device_.run(kernel_, shape_, count)); // warm-up
  const auto total = device_.run(kernel_, shape_, count);
  FOREWARP_TRY(total);
  return *total / count;
}

} // namespace forewarp::measure
