// The door that the OpenCL loader knocks at (OPENCL_LAYERS). Without `forewarp run` around it the library
// changes nothing.
#include "program/opencl/entries.h"

#include <CL/cl_layer.h>

#include <cstring>
#include <pthread.h>

#define FOREWARP_EXPORT __attribute__((visibility("default")))

namespace forewarp::program {
namespace {

constexpr cl_uint entries_of_table = sizeof(cl_icd_dispatch) / sizeof(void*);

DeviceFacts device_facts(const nlohmann::json& words) {
  DeviceFacts device;
  device.words = words.at("device");
  device.launch_delay_ns = words.value("launch_delay_ns", std::int64_t{0});
  device.launch_call_ns = words.value("launch_call_ns", std::int64_t{0});
  device.copy_delay_ns = words.value("copy_delay_ns", std::int64_t{0});
  device.to_device_gbps = words.value("to_device_gbps", 0.0);
  device.from_device_gbps = words.value("from_device_gbps", 0.0);
  device.on_device_gbps = words.value("on_device_gbps", 0.0);
  return device;
}

/// False: there is nobody to ask.
bool connect() {
  const auto greeted = greet();
  if (!greeted)
    return false;
  // A child finds no lock that another thread held.
  ::pthread_atfork([] { state().lock.lock(); }, [] { state().lock.unlock(); }, [] { state().lock.unlock(); });
  State& s = state();
  const nlohmann::json& facts = *greeted;
  s.devices.push_back(device_facts(facts));
  for (const nlohmann::json& other : facts.value("others", nlohmann::json::array()))
    s.devices.push_back(device_facts(other));
  const std::string execute = facts.value("execute", "needed");
  s.execute = execute == "all" ? Execute::all : execute == "none" ? Execute::none : Execute::needed;
  s.own_engine = facts.value("own_engine", false);
  s.look_again = facts.value("look_again", 0U);
  return true;
}

} // namespace
} // namespace forewarp::program

extern "C" FOREWARP_EXPORT cl_int CL_API_CALL clGetLayerInfo(cl_layer_info name, size_t size, void* value,
                                                             size_t* size_out) {
  static constexpr char layer_name[] = "Forewarp";
  const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
  const void* data = name == CL_LAYER_NAME ? static_cast<const void*>(layer_name) : &version;
  const size_t length = name == CL_LAYER_NAME ? sizeof(layer_name) : sizeof(version);
  if (name != CL_LAYER_NAME && name != CL_LAYER_API_VERSION)
    return CL_INVALID_VALUE;
  if (value && size < length)
    return CL_INVALID_VALUE;
  if (value)
    std::memcpy(value, data, length);
  if (size_out)
    *size_out = length;
  return CL_SUCCESS;
}

extern "C" FOREWARP_EXPORT cl_int CL_API_CALL clInitLayer(cl_uint entries, const cl_icd_dispatch* target,
                                                          cl_uint* entries_out,
                                                          const cl_icd_dispatch** table_out) {
  using namespace forewarp::program;
  if (!target || !entries_out || !table_out || entries < entries_of_table)
    return CL_INVALID_VALUE;
  static cl_icd_dispatch table;
  table = *target;
  if (!state().target) {
    state().target = target;
    if (connect()) {
      override_devices(table);
      override_programs(table);
      override_kernels(table);
      override_memory(table);
      override_images(table);
      override_launches(table);
      override_copies(table);
      override_events(table);
    }
  }
  *entries_out = entries_of_table;
  *table_out = &table;
  return CL_SUCCESS;
}
