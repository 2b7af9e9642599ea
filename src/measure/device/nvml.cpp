#include "measure/device/nvml.h"

namespace forewarp::measure {
namespace {

// NVML API reference: nvmlClockType_t and nvmlTemperatureSensors_t.
constexpr unsigned sm_clock = 1, memory_clock = 2, gpu_sensor = 0;

} // namespace

std::optional<Nvml> Nvml::open(const std::string& pci_bus_id) {
  auto library = Library::open({"libnvidia-ml.so.1"}, "FOREWARP_NVML");
  if (!library)
    return std::nullopt;
  Nvml nvml(std::move(*library));
  int (*init)() = nullptr;
  int (*by_bus_id)(const char*, void**) = nullptr;
  if (!nvml.library_.get("nvmlInit_v2", init) ||
      !nvml.library_.get("nvmlDeviceGetHandleByPciBusId_v2", by_bus_id) || init() != 0 ||
      by_bus_id(pci_bus_id.c_str(), &nvml.device_) != 0)
    return std::nullopt;
  nvml.library_.get("nvmlDeviceGetClockInfo", nvml.clock_);
  nvml.library_.get("nvmlDeviceGetTemperature", nvml.temperature_);
  nvml.library_.get("nvmlDeviceGetPowerUsage", nvml.power_);
  nvml.library_.get("nvmlSystemGetDriverVersion", nvml.driver_);
  return nvml;
}

ClockReading Nvml::read() const {
  ClockReading reading;
  unsigned value = 0;
  if (clock_ && clock_(device_, sm_clock, &value) == 0)
    reading.sm_mhz = value;
  if (clock_ && clock_(device_, memory_clock, &value) == 0)
    reading.memory_mhz = value;
  if (temperature_ && temperature_(device_, gpu_sensor, &value) == 0)
    reading.temperature_c = value;
  if (power_ && power_(device_, &value) == 0)
    reading.power_w = value * 1e-3;
  return reading;
}

std::string Nvml::driver_version() const {
  char text[96] = {};
  return driver_ && driver_(text, sizeof text) == 0 ? text : "";
}

} // namespace forewarp::measure
