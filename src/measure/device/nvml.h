// Clocks, temperature and power of an NVIDIA GPU from its management library, where that is there.
#pragma once

#include "measure/device/device.h"
#include "measure/device/library.h"

#include <optional>

namespace forewarp::measure {

class Nvml {
public:
  /// The GPU at this PCI address; empty where there is no library or it does not know the GPU.
  static std::optional<Nvml> open(const std::string& pci_bus_id);
  ClockReading read() const;
  std::string driver_version() const;

private:
  using GetNumber = int(void* device, unsigned which, unsigned* value);
  explicit Nvml(Library library) : library_(std::move(library)) {}
  Library library_;
  void* device_ = nullptr;
  GetNumber *clock_ = nullptr, *temperature_ = nullptr;
  int (*power_)(void* device, unsigned* milliwatts) = nullptr;
  int (*driver_)(char* text, unsigned length) = nullptr;
};

} // namespace forewarp::measure
