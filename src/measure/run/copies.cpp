// Copies between host and device.
#include "measure/run/tasks.h"

#include <chrono>

namespace forewarp::measure {
namespace {

constexpr std::uint64_t sizes[] = {4096, 65536, 1 << 20, 16 << 20, 64 << 20};

double wall_us(const std::chrono::steady_clock::time_point& begin) {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
}

Result<nlohmann::json> one_size(Device& device, BufferHandle buffer, void* host, std::uint64_t bytes,
                                bool pinned) {
  nlohmann::json entries = nlohmann::json::array();
  for (const bool to_device : {true, false}) {
    const auto series = repeat({5, 20, 0.2, 3, 0.01}, [&]() -> Result<double> {
      const auto begin = std::chrono::steady_clock::now();
      FOREWARP_TRY(to_device ? device.write(buffer, host, bytes) : device.read(host, buffer, bytes));
      return wall_us(begin);
    });
    FOREWARP_TRY(series);
    nlohmann::json item = to_json(*series);
    item.update({{"what", "copy"},
                 {"bytes", bytes},
                 {"direction", to_device ? "host_to_device" : "device_to_host"},
                 {"pinned", pinned},
                 {"gbps", static_cast<double>(bytes) / series->minimum_us * 1e-3}});
    entries.push_back(std::move(item));
  }
  return entries;
}

} // namespace

Result<nlohmann::json> measure_copies(Device& device) {
  nlohmann::json entries = nlohmann::json::array();
  for (const std::uint64_t bytes : sizes) {
    const auto buffer = device.allocate(bytes);
    FOREWARP_TRY(buffer);
    std::vector<std::uint8_t> pageable(bytes, 1);
    void* pinned = device.allocate_pinned(bytes);
    auto made = one_size(device, *buffer, pageable.data(), bytes, false);
    if (made)
      entries.insert(entries.end(), made->begin(), made->end());
    if (made && pinned) {
      made = one_size(device, *buffer, pinned, bytes, true);
      if (made)
        entries.insert(entries.end(), made->begin(), made->end());
    }
    if (pinned)
      device.free_pinned(pinned);
    device.free(*buffer);
    FOREWARP_TRY(made);
  }
  return entries;
}

} // namespace forewarp::measure
