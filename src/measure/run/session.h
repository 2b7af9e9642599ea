// One kernel with one launch's buffers on a device: what all measurements of it need.
#pragma once

#include "measure/device/device.h"
#include "measure/manifest/manifest.h"
#include "measure/run/timing.h"

#include <map>
#include <memory>
#include <optional>

namespace forewarp::measure {

enum class CacheState { warm, cold };

class LaunchSession {
public:
  /// Loads the kernel, makes and fills the buffers. Errors: the device's.
  static Result<std::unique_ptr<LaunchSession>> open(Device& device, const Bundle& bundle,
                                                     const BundleKernel& kernel, const BundleLaunch& launch);
  ~LaunchSession();
  LaunchSession(const LaunchSession&) = delete;
  LaunchSession& operator=(const LaunchSession&) = delete;

  const KernelResources& resources() const { return kernel_.resources; }
  const facts::Dim3& grid() const { return shape_.groups; }
  unsigned concurrent_groups(std::uint64_t unused_shared_bytes);
  /// Shared memory that the kernel and its `local` arguments take.
  std::uint64_t shared_bytes() const;
  /// A launch may ask for shared memory that the kernel does not use.
  bool can_be_limited() const { return bundle_.language == "ptx" || !description_.padded_file.empty(); }

  /// Runs once on fresh buffers and holds the results against the manifest. "": all agree. `keep`: folder
  /// that the output buffers are written to; "" for none.
  Result<std::string> check(const std::string& keep);

  /// A single launch; its device time in microseconds.
  Result<double> run_once();

  /// Times single launches. Buffers that the kernel may write are put back before each.
  Result<Series> time(CacheState cache, std::uint64_t unused_shared_bytes, const RepetitionRule& rule);

  /// Device time of one of `count` launches back to back.
  Result<double> batched_us(unsigned count);

private:
  LaunchSession(Device& device, const Bundle& bundle, const BundleKernel& kernel, const BundleLaunch& launch)
      : device_(device), bundle_(bundle), description_(kernel), launch_(launch) {}
  Result<LoadedKernel> load(const std::string& file);
  Result<LoadedKernel*> kernel_for(std::uint64_t unused_shared_bytes);
  Result<void> make_buffers();
  Result<void> put_back();
  Result<void> flush_l2();
  Result<std::string> compare(std::size_t argument, BufferHandle buffer, const std::string& keep);

  struct Buffer {
    std::size_t argument = 0; ///< index into the launch's arguments
    BufferHandle handle = 0;
    std::optional<BufferHandle> pristine; ///< a copy of the contents, where the kernel may write
    std::uint64_t bytes = 0;
  };
  Device& device_;
  const Bundle& bundle_;
  const BundleKernel& description_;
  const BundleLaunch& launch_;
  LoadedKernel kernel_;
  LoadedKernel padded_; ///< the kernel that takes unused shared memory, where that is another one
  DeviceLaunch shape_;
  std::vector<Buffer> buffers_;
  std::optional<BufferHandle> flush_;
  std::uint64_t flush_bytes_ = 0;
};

} // namespace forewarp::measure
